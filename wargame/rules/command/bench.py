"""R55, R56, R59: the battle judge for a battle, their conflicts with it, and their stand-ins."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum

JUDGE_SILENT, HEAD_SILENT = timedelta(days=3), timedelta(days=7)
"""R59: the silence of a judge after which a battle passes to the next one, and of a head after which a stand-in
serves."""


class Conflict(Enum):
    """R56: why a judge has a conflict with a battle; with the number of the rule."""

    CONTROLS = "controls"
    PLAYER = "player"
    FACTION = "faction"
    TEAM = "team"

    @property
    def cites(self) -> str:
        return "R56"


@dataclass(frozen=True, slots=True)
class ConcernedArmy:
    """R56: an army of a battle: its side, the players who control it or did in this round, and their factions."""

    army: str
    side: str
    controllers: frozenset[str]
    factions: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stated:
    """R56: a judge's statement of a conflict: with the player, the faction or the team of that name."""

    about: Conflict
    name: str


@dataclass(frozen=True, slots=True)
class FoundConflict:
    """R56: a conflict with a battle: its kind, its army, and the player, faction or team that it is with."""

    why: Conflict
    army: str
    name: str


def conflict_with(fighters: Iterable[ConcernedArmy], own: str | None, stated: Iterable[Stated]) -> FoundConflict | None:
    """R56: the conflict that a judge has with a battle, or None.

    `own` is the judge's own player in the round, if any. Their control counts before their statements.
    """
    fighters = tuple(fighters)
    for fighter in fighters:
        if own is not None and own in fighter.controllers:
            return FoundConflict(Conflict.CONTROLS, fighter.army, own)
    for each in stated:
        for fighter in fighters:
            if each.name in _concerned_in(fighter, each.about):
                return FoundConflict(each.about, fighter.army, each.name)
    return None


def order_of(since: Iterable[tuple[int, datetime]]) -> tuple[int, ...]:
    """R59: the round's order of its judges, by their keys and start of service: the longest-serving first."""
    return tuple(key for key, _ in sorted(since, key=lambda each: (each[1], each[0])))


def next_judge(order: Sequence[int], after: int | None, barred: Collection[int] = ()) -> int | None:
    """R56, R57, R59: the next judge in the round's order after a given one, who is not barred; the first one after the
    last.

    `barred` are those with a conflict, those who are away, and all others who may not. `after` comes last; where it is
    None, or not in the order, the search begins with the first. None if all are barred.
    """
    start = order.index(after) + 1 if after in order else 0
    return next((key for key in (*order[start:], *order[:start]) if key not in barred), None)


def stand_in(order: Sequence[int], head: int, deputy: int | None, away: Collection[int] = ()) -> int | None:
    """R59: the acting head while the head is silent: the deputy, else the longest-serving of the others. None if all
    are away, or there is no other judge."""
    if deputy is not None and deputy in order and deputy != head and deputy not in away:
        return deputy
    return next_judge(order, None, {head, *away})


def is_silent(since: datetime, now: datetime, span: timedelta) -> bool:
    """R59: whether a person last heard of at `since` has been silent for as long as `span`."""
    return now >= since + span


def is_within(first: int, second: int, decided: int) -> bool:
    """R55: whether the decision on two scores that are far apart is within their span. Scores are signed: those for
    the first side are positive."""
    return min(first, second) <= decided <= max(first, second)


def _concerned_in(fighter: ConcernedArmy, about: Conflict) -> frozenset[str]:
    if about is Conflict.TEAM:
        return frozenset({fighter.side})
    return fighter.controllers if about is Conflict.PLAYER else fighter.factions
