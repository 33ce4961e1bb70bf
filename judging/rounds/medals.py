"""1.5: The medals of a finished round by fixed rules, and the tally of battles, losses, kills and captures they
rest on."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from wargame.rules.core.events import Event
from wargame.rules.core.saying import grouped
from wargame.rules.core.sides import TEAMS, Side
from wargame.rules.settling.events import Captured, Fought, Killed, Liberated

Happened = tuple[int, Sequence[Event]]
"""The number of a settled turn, and its events in their order."""


@dataclass
class Deeds:
    """An army's deeds: battles fought and won, armies killed and captured; `turns` are those of each of these."""

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
    """1.1: a side's deeds and losses. `lost` are troops in battles, `armies_lost` armies killed or captured."""

    side: Side
    battles_won: int
    lost: int
    kills: int
    captures: int
    armies_lost: int
    armies_left: int


@dataclass(frozen=True)
class Tally:
    armies: dict[str, Deeds]
    sides: tuple[SideTally, ...]


def tally(turns: Sequence[Happened], at_end: Mapping[str, tuple[Side, int | None]], called: Mapping[str, str]) -> Tally:
    """Count the events of a round. `at_end` are the armies' sides and the turn in which each died, by name; `called`
    maps former names to present ones (2.6)."""
    armies = {name: Deeds(name, side, died_in=died) for name, (side, died) in at_end.items()}
    counts: dict[str, Counter[Side]] = defaultdict(Counter)
    for number, event, sides in _with_sides(turns, {name: side for name, (side, _) in at_end.items()}, called):
        _count(number, event, sides, armies, counts, called)
    survivors = Counter(side for side, died in at_end.values() if died is None)
    tallies = (
        SideTally(
            side=side,
            battles_won=counts["won"][side],
            lost=counts["lost"][side],
            kills=counts["kills"][side],
            captures=counts["captures"][side],
            armies_lost=counts["armies_lost"][side],
            armies_left=survivors[side],
        )
        for side in Side
    )
    return Tally(armies, tuple(tallies))


def _count(
    number: int,
    event: Event,
    sides: Mapping[str, Side],
    armies: Mapping[str, Deeds],
    counts: Mapping[str, Counter[Side]],
    current_names: Mapping[str, str],
) -> None:
    def deeds(names: Iterable[str]) -> list[Deeds]:
        return [armies[now] for name in names if (now := current_names.get(name, name)) in armies]

    def side_of(name: str) -> Side | None:
        return sides.get(current_names.get(name, name))

    if isinstance(event, Fought):
        for each in deeds((*event.winners, *event.losers)):
            each.fought += 1
        for each in deeds(event.winners):
            each.won += 1
            each.turns["won"] = number
        counts["won"].update(_sides_named(side_of(name) for name in event.winners[:1]))
        for name, troops in event.losses:
            if side := side_of(name):
                counts["lost"][side] += sum(troops)
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
    turns: Sequence[Happened], at_end: Mapping[str, Side], current_names: Mapping[str, str]
) -> list[tuple[int, Event, dict[str, Side]]]:
    """Every event with the sides of the armies before it. They are known at the end, and derived backwards: an army
    that was captured or freed was on the other team before (4.5)."""
    sides, rows = dict(at_end), []
    for number, events in reversed(turns):
        for event in reversed(events):
            if isinstance(event, Captured | Liberated):
                sides = {**sides, current_names.get(event.army, event.army): _other(event.side)}
            rows.append((number, event, sides))
    return rows[::-1]


def _other(side: Side) -> Side:
    return Side.PHYREXIA if side is Side.COALITION else Side.COALITION


def _sides_named(sides: Iterable[Side | None]) -> list[Side]:
    return [side for side in sides if side is not None]


class FoughtBattle(NamedTuple):
    """4.2.5: a published battle. `odds` are the permille that the book gave each side (R38), empty if it was not asked;
    `lost` the troops that fell in it."""

    pk: int
    turn: int
    at: str
    names: tuple[tuple[str, ...], tuple[str, ...]]
    winner: int
    odds: tuple[int, ...]
    lost: int

    @property
    def winners(self) -> str:
        return gettext(" and ").join(self.names[self.winner])

    @property
    def losers(self) -> str:
        return gettext(" and ").join(self.names[1 - self.winner])


class Punctuality(NamedTuple):
    """3.1: of the `turns` at whose lock a player controlled an army, in how many they `wrote` something in time: a
    post or a strat; `ahead` is the mean of how many seconds before the lock the last of it was written."""

    player: str
    turns: int
    wrote: int
    ahead: int

    @property
    def percent(self) -> int:
        return round(100 * self.wrote / self.turns) if self.turns else 0


@dataclass(frozen=True)
class Medal:
    """A medal: its rule, its winner and their result, and the address of its evidence."""

    key: str
    title: str
    rule: str
    holder: str
    value: str
    url: str


class Deserts(NamedTuple):
    slug: str
    armies: Sequence[Deeds]
    battles: Sequence[FoughtBattle]
    players: Sequence[Punctuality]


Rule = Callable[[Deserts], tuple[str, str, str] | None]
"""The winner of a medal, their result, and the evidence; None: nobody earned it."""


def medals_of(deserts: Deserts) -> tuple[Medal, ...]:
    results = ((key, title, rule, give(deserts)) for key, title, rule, give in MEDALS)
    return tuple(Medal(key, str(title), str(rule), *award) for key, title, rule, award in results if award)


def _most(attribute: str, describe: Callable[[int], str]) -> Rule:
    """The army with the highest count; of several the one that reached it first, then by name."""

    def give(deserts: Deserts) -> tuple[str, str, str] | None:
        candidates = [deeds for deeds in deserts.armies if getattr(deeds, attribute)]
        best = min(
            candidates, key=lambda each: (-getattr(each, attribute), each.turns[attribute], each.name), default=None
        )
        if best is None:
            return None
        number = getattr(best, attribute)
        return best.name, describe(number), _turn(deserts, best.turns[attribute])

    return give


def _kills(number: int) -> str:
    return ngettext("%(number)s kill", "%(number)s kills", number) % {"number": number}


def _captures(number: int) -> str:
    return ngettext("%(number)s capture", "%(number)s captures", number) % {"number": number}


def _victories(number: int) -> str:
    return ngettext("%(number)s battle won", "%(number)s battles won", number) % {"number": number}


def _survivor(deserts: Deserts) -> tuple[str, str, str] | None:
    living = [each for each in deserts.armies if each.died_in is None and each.fought and each.side in TEAMS]
    best = min(living, key=lambda each: (-each.fought, -each.won, each.name), default=None)
    if best is None:
        return None
    text = ngettext("%(fought)s battle, %(won)s won", "%(fought)s battles, %(won)s won", best.fought)
    battles = text % {"fought": best.fought, "won": best.won}
    return best.name, battles, reverse("army", args=[deserts.slug, best.name])


def _comeback(deserts: Deserts) -> tuple[str, str, str] | None:
    candidates = [battle for battle in deserts.battles if battle.odds]
    unlikely = [battle for battle in candidates if battle.odds[battle.winner] < EVEN]
    best = min(unlikely, key=lambda each: (each.odds[each.winner], each.turn, each.pk), default=None)
    if best is None:
        return None
    won = gettext("won with a %(percent)s%% chance") % {"percent": f"{best.odds[best.winner] / 10:.0f}"}
    return best.winners, won, _battle(deserts, best)


def _punctual(deserts: Deserts) -> tuple[str, str, str] | None:
    """Only players who played at least half of the round."""
    longest = max((each.turns for each in deserts.players), default=0)
    candidates = [each for each in deserts.players if each.wrote and 2 * each.turns >= longest]
    best = min(candidates, key=lambda each: (-each.wrote / each.turns, -each.ahead, each.player), default=None)
    if best is None:
        return None
    value = gettext("wrote in %(wrote)s of %(turns)s turns, on average %(hours)s h before the lock")
    facts = {"wrote": best.wrote, "turns": best.turns, "hours": best.ahead // 3600}
    return best.player, value % facts, reverse("player", args=[deserts.slug, best.player])


def _bloodiest(deserts: Deserts) -> tuple[str, str, str] | None:
    best = next(iter(best_battles(deserts.battles)), None)
    if best is None or not best.lost:
        return None
    sides = gettext("%(winners)s against %(losers)s") % {"winners": best.winners, "losers": best.losers}
    fell = ngettext("%(number)s troop fell", "%(number)s troops fell", best.lost) % {"number": grouped(best.lost)}
    return sides, fell, _battle(deserts, best)


def best_battles(battles: Iterable[FoughtBattle]) -> list[FoughtBattle]:
    """4.2.5: the battles in which most troops fell, in descending order."""
    return sorted(battles, key=lambda each: (-each.lost, each.turn, each.pk))


def _turn(deserts: Deserts, number: int) -> str:
    return reverse("turn", args=[deserts.slug, number])


def _battle(deserts: Deserts, battle: FoughtBattle) -> str:
    return reverse("battle", args=[deserts.slug, battle.pk])


EVEN = 500
"""Permille: the odds of a side that is as strong as the other."""

MEDALS: tuple[tuple[str, Promise, Promise, Rule], ...] = (
    (
        "kills",
        gettext_lazy("Most kills"),
        gettext_lazy("The army that killed the most armies (4.3). Ties go to the army whose last kill was earlier."),
        _most("kills", _kills),
    ),
    (
        "captures",
        gettext_lazy("Most captures"),
        gettext_lazy(
            "The army that captured the most armies (4.5). Ties go to the army whose last capture was earlier."
        ),
        _most("captures", _captures),
    ),
    (
        "victories",
        gettext_lazy("Most victories"),
        gettext_lazy("The army that won the most battles (4.2.5). Ties go to the army whose last victory was earlier."),
        _most("won", _victories),
    ),
    (
        "survivor",
        gettext_lazy("Longest survivor"),
        gettext_lazy(
            "Of the teams' armies that survived to the end, the one that fought the most battles. Ties go to the "
            "army that won more."
        ),
        _survivor,
    ),
    (
        "comeback",
        gettext_lazy("Biggest comeback"),
        gettext_lazy(
            "The battle won against the longest odds, according to the formula book. The winner's chance must "
            "have been less than even (R38)."
        ),
        _comeback,
    ),
    (
        "bloodiest",
        gettext_lazy("Bloodiest battle"),
        gettext_lazy("The battle in which the most troops fell (4.2.5)."),
        _bloodiest,
    ),
    (
        "punctual",
        gettext_lazy("Most punctual"),
        gettext_lazy(
            "The player who wrote in the largest share of their turns. Only turns in which they controlled an "
            "army at the lock count. They must have played at least half as long as any other player. Ties go to "
            "the player whose last post or strat came earlier before the lock, on average."
        ),
        _punctual,
    ),
)
"""Key, title, rule and function. docs/play/medals.md repeats the rules."""
