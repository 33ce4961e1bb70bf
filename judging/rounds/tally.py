"""1.5: what a round came to, counted from the events of its settled turns: battles, losses, kills and captures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from wargame.rules.core.events import Event
from wargame.rules.core.sides import Side
from wargame.rules.settling.events import Captured, Fought, Killed, Liberated

Happened = tuple[int, Sequence[Event]]
"""The number of a settled turn, and its events in their order."""


@dataclass
class Deeds:
    """What an army did: battles fought and won, armies killed and captured; `turns` are when it did each of these."""

    name: str
    side: Side
    fought: int = 0
    won: int = 0
    kills: int = 0
    captures: int = 0
    turns: dict[str, int] = field(default_factory=dict)
    died_in: int | None = None


@dataclass(frozen=True)
class SideTally:
    """1.1: what a side did and lost. `lost` are troops in battles, `armies_lost` armies killed or captured."""

    side: Side
    battles_won: int
    lost: int
    kills: int
    captures: int
    armies_lost: int
    armies_left: int


@dataclass(frozen=True)
class Tally:
    """The deeds of all armies by name, and of the sides."""

    armies: dict[str, Deeds]
    sides: tuple[SideTally, ...]


def tally(turns: Sequence[Happened], at_end: Mapping[str, tuple[Side, int | None]], called: Mapping[str, str]) -> Tally:
    """Counts the events of a round. `at_end` are the armies' sides and the turn in which each died, by name; `called`
    leads from former names to present ones (2.6)."""
    armies = {name: Deeds(name, side, died_in=died) for name, (side, died) in at_end.items()}
    counts: dict[str, Counter[Side]] = defaultdict(Counter)
    for number, event, sides in _with_sides(turns, {name: side for name, (side, _) in at_end.items()}, called):
        _count(number, event, sides, armies, counts, called)
    left = Counter(side for side, died in at_end.values() if died is None)
    found = (
        SideTally(
            side=side,
            battles_won=counts["won"][side],
            lost=counts["lost"][side],
            kills=counts["kills"][side],
            captures=counts["captures"][side],
            armies_lost=counts["armies_lost"][side],
            armies_left=left[side],
        )
        for side in Side
    )
    return Tally(armies, tuple(found))


def _count(
    number: int,
    event: Event,
    sides: Mapping[str, Side],
    armies: Mapping[str, Deeds],
    counts: Mapping[str, Counter[Side]],
    called: Mapping[str, str],
) -> None:
    def deeds(names: Iterable[str]) -> list[Deeds]:
        return [armies[now] for name in names if (now := called.get(name, name)) in armies]

    def side_of(name: str) -> Side | None:
        return sides.get(called.get(name, name))

    if isinstance(event, Fought):
        for each in deeds((*event.winners, *event.losers)):
            each.fought += 1
        for each in deeds(event.winners):
            each.won += 1
            each.turns["won"] = number
        counts["won"].update(_sides_named(side_of(name) for name in event.winners[:1]))
        for name, lost in event.losses:
            if side := side_of(name):
                counts["lost"][side] += sum(lost)
    elif isinstance(event, Killed):
        for each in deeds(event.by):
            each.kills += 1
            each.turns["kills"] = number
        counts["kills"].update(_sides_named(side_of(name) for name in event.by[:1]))
        counts["armies_lost"].update(_sides_named([side_of(event.army)]))
    elif isinstance(event, Captured):
        for each in deeds([event.by]):
            each.captures += 1
            each.turns["captures"] = number
        counts["captures"].update([event.side])
        counts["armies_lost"].update(_sides_named([side_of(event.army)]))


def _with_sides(
    turns: Sequence[Happened], at_end: Mapping[str, Side], called: Mapping[str, str]
) -> list[tuple[int, Event, dict[str, Side]]]:
    """Every event with the sides of the armies before it. They are known at the end, and found by going back: who was
    captured or set free was of the other team before (4.5)."""
    sides, found = dict(at_end), []
    for number, events in reversed(turns):
        for event in reversed(events):
            if isinstance(event, Captured | Liberated):
                sides = {**sides, called.get(event.army, event.army): _other(event.side)}
            found.append((number, event, sides))
    return found[::-1]


def _other(side: Side) -> Side:
    return Side.PHYREXIA if side is Side.COALITION else Side.COALITION


def _sides_named(sides: Iterable[Side | None]) -> list[Side]:
    return [side for side in sides if side is not None]
