"""R57: what battles ask of the appeals against their results, which stand above them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from django.db.models import QuerySet

from judging.battles.models import Battle
from judging.game.questions import Question
from judging.game.viewer import Viewer


class Appealed(Protocol):
    """R57: an appeal as a battle's page shows it."""

    @property
    def player(self) -> str:
        """The name of who appeals."""
        ...

    @property
    def decision(self) -> int:
        """How often the result had been judged again before."""
        ...


@Question
def open_appeals(battle: Battle) -> QuerySet[Any]:
    """R57: the open appeals against a battle's result; each has the `judge` who answers it, or none yet."""
    raise NotImplementedError


@Question
def appeals_against_result(viewer: Viewer, battle_id: int) -> Sequence[Appealed]:
    """R57: the appeals against a battle's result that the viewer may see, the oldest first."""
    raise NotImplementedError
