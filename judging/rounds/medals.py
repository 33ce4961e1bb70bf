"""1.5: the medals of a round that is over, by fixed rules: who has one follows from what is public, and from nothing
else. Each says its rule and leads to its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from judging.rounds.tally import Deeds
from wargame.rules.core.saying import grouped
from wargame.rules.core.sides import TEAMS


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
    """3.1: of the `turns` at whose lock a player controlled an army, in how many he `wrote` something in time: a post
    or a strat; `ahead` is how many seconds before the lock the last of it stood, in the mean."""

    player: str
    turns: int
    wrote: int
    ahead: int

    @property
    def percent(self) -> int:
        return round(100 * self.wrote / self.turns) if self.turns else 0


@dataclass(frozen=True)
class Medal:
    """A medal: its rule, who has it and with what, and the address of its evidence."""

    key: str
    title: str
    rule: str
    holder: str
    value: str
    url: str


class Deserts(NamedTuple):
    """What medals are given for."""

    slug: str
    armies: Sequence[Deeds]
    battles: Sequence[FoughtBattle]
    players: Sequence[Punctuality]


Rule = Callable[[Deserts], tuple[str, str, str] | None]
"""Who has a medal, with what, and the evidence; None: nobody deserves it."""


def medals_of(deserts: Deserts) -> tuple[Medal, ...]:
    """The medals of a round, in a fixed order."""
    found = ((key, title, rule, give(deserts)) for key, title, rule, give in MEDALS)
    return tuple(Medal(key, str(title), str(rule), *given) for key, title, rule, given in found if given)


def _most(what: str, told: Callable[[int], str]) -> Rule:
    """The army that did something most often; of several the one that had done it first, then by name."""

    def give(deserts: Deserts) -> tuple[str, str, str] | None:
        done = [deeds for deeds in deserts.armies if getattr(deeds, what)]
        best = min(done, key=lambda each: (-getattr(each, what), each.turns[what], each.name), default=None)
        if best is None:
            return None
        number = getattr(best, what)
        return best.name, told(number), _turn(deserts, best.turns[what])

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
    told = ngettext("%(fought)s battle, %(won)s won", "%(fought)s battles, %(won)s won", best.fought)
    battles = told % {"fought": best.fought, "won": best.won}
    return best.name, battles, reverse("army", args=[deserts.slug, best.name])


def _comeback(deserts: Deserts) -> tuple[str, str, str] | None:
    known = [battle for battle in deserts.battles if battle.odds]
    unlikely = [battle for battle in known if battle.odds[battle.winner] < EVEN]
    best = min(unlikely, key=lambda each: (each.odds[each.winner], each.turn, each.pk), default=None)
    if best is None:
        return None
    won = gettext("won with a %(percent)s%% chance") % {"percent": f"{best.odds[best.winner] / 10:.0f}"}
    return best.winners, won, _battle(deserts, best)


def _punctual(deserts: Deserts) -> tuple[str, str, str] | None:
    """Who played half of the round at least."""
    longest = max((each.turns for each in deserts.players), default=0)
    known = [each for each in deserts.players if each.wrote and 2 * each.turns >= longest]
    best = min(known, key=lambda each: (-each.wrote / each.turns, -each.ahead, each.player), default=None)
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
    """4.2.5: the battles in which most troops fell, those first."""
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
"""Key, title, rule and who has it. docs/play/medals.md repeats the rules."""
