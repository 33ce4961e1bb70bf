"""Rooms ask those above them by questions, which have their answers when the app is ready."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import pytest

import judging
from judging.game.questions import Question


def questions() -> dict[str, Question[..., object]]:
    """Every question of the rooms, by the module that asks it and its name."""
    found = {}
    for module in pkgutil.walk_packages(judging.__path__, "judging."):
        for name, value in vars(import_module(module.name)).items():
            if isinstance(value, Question) and value.__module__ == module.name:
                found[f"{module.name}.{name}"] = value
    return found


def test_every_question_of_a_room_has_its_answer() -> None:
    found = questions()
    assert "judging.game.positions.penalties_for" in found
    assert [name for name, question in found.items() if question.answer is question.__wrapped__] == []


def test_a_question_is_answered_with_what_it_was_asked() -> None:
    @Question
    def doubled(number: int, *, more: int = 0) -> int:
        raise NotImplementedError

    with pytest.raises(NotImplementedError):
        doubled(2)
    doubled.is_answered_by(lambda number, *, more=0: 2 * number + more)
    assert doubled(2, more=1) == 5
