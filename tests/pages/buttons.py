"""Buttons of a card table, by the lines that they stand for."""

import json
from collections.abc import Iterable

from judging.tables.board.actions import LineNames, acts_of
from judging.tables.board.shapes import Act
from tables.core.lines.actions import Action, to_plain
from tables.core.lines.notation import read_line
from tables.core.lists.cards import Game


def action_of(line: str, game: Game) -> Action:
    action = read_line(line, game)
    assert isinstance(action, Action), line
    return action


def acts_of_lines(lines: Iterable[str], game: Game, names: LineNames) -> tuple[Act, ...]:
    return acts_of([action_of(line, game) for line in lines], game, names)


def sent_as(line: str, game: Game) -> str:
    """What the button sends that stands for a line."""
    return json.dumps(to_plain(action_of(line, game)), ensure_ascii=False)
