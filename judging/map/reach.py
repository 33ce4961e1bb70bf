"""3.2.2: what an army of the present map could be ordered to do, for whoever writes its orders. All of it is public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from judging.game.rounds import position_of
from wargame.models import Turn
from wargame.rules.core.position import Army
from wargame.rules.moves.reach import Choice, choices_on_the_spot, reach_of


@dataclass(frozen=True)
class ReachView:
    """`goals` are the squares in reach, nearest first, with what could be ordered there; `here` needs no move."""

    army: Army
    goals: tuple[dict[str, Any], ...]
    here: tuple[dict[str, Any], ...]


def reach_view(turn: Turn, name: str) -> ReachView | None:
    """The reach of the army of that name; None if it is not on the map."""
    position = position_of(turn)
    army = position.by_name.get(name)
    if army is None:
        return None
    goals = tuple(
        {"at": str(goal.at), "steps": goal.steps, "choices": [_choice(army, choice) for choice in goal.choices]}
        for goal in reach_of(position, army)
    )
    return ReachView(army, goals, tuple(_choice(army, choice) for choice in choices_on_the_spot(position, army)))


def _choice(army: Army, choice: Choice) -> dict[str, Any]:
    refusal = choice.refusal
    return {
        "kind": choice.kind,
        "order": f"{army.name}: {choice.action}",
        "refusal": refusal.sentence if refusal else "",
        "cites": refusal.cites if refusal else "",
    }
