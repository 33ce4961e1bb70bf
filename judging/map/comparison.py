"""1.2: two turns of a round side by side. All of it is public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from judging.drawing.map import draw
from judging.turns.positions import position_of
from judging.turns.rulings.differences import difference_of_positions
from wargame.models import Turn
from wargame.rules.core.position import Position
from wargame.rules.settling.accepted_changes import otherwise_called, renamed


@dataclass(frozen=True)
class Comparison:
    """What is otherwise, as `differences` tells it, and the later map with the ways of those who moved."""

    difference: dict[str, Any]
    map: dict[str, Any]

    @property
    def is_same(self) -> bool:
        parts = self.difference
        return not (parts["armies"] or parts["bases"] or any(parts["battles"].values()))


def comparison_of(old: Turn, new: Turn) -> Comparison:
    """From the map as one turn opened to the map as another did."""
    before, after = position_of(old), position_of(new)
    return Comparison(difference_of_positions(before, after), draw(after, _ways(before, after)))


def _ways(before: Position, after: Position) -> list[dict[str, Any]]:
    """Straight from where each army stood, under whatever name (2.6), to where it stands."""
    called = otherwise_called(after, before)
    was = renamed(before, {old: new for new, old in called.items()}).by_name
    return [
        {"kind": "moved", "armies": [army.name], "from": str(was[army.name].at), "to": str(army.at)}
        for army in after.armies
        if army.name in was and was[army.name].at != army.at
    ]
