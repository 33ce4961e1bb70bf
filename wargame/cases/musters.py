"""Muster cases (docs/develop/cases.md): an army to be raised, changed or personalised, and the rules it breaks.

Besides the keys listed there, a muster may have: `name` and `names` (of the other armies), `serving` (legends of other
armies), `creator` (factions of the player whom it represents), `others` (the number of other armies of its rank),
`base` (the colour of its starting base, or portal), `sent` (four numbers: the troops it sent away, R65) and
`new_player` (`joined_later`, `battles`, `turns` since the offer: 2.6). A creature may have the size that it is `used`
at besides the printed one.

A `proxy` case (2.5.2.2) has the same keys and a `catalogue` (creatures, with their `kinds` such as Goblin), from which
missing parts are drawn with the case's `seed`. It expects `legal` and `rules` as muster cases do, and `name`, `colors`
(the army's own, or their number), `troops` (by slot) and `creatures` (all of them).
"""

from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple

from wargame.cases.kinds import Kind, Part
from wargame.cases.reading import (
    CaseError,
    Colors,
    CreatureColors,
    Four,
    Free,
    Slot,
    built,
    differences,
    of_team,
    one_of,
    or_null,
)
from wargame.cases.turns import NewPlayerTable
from wargame.rules.armies.change_rules import personalise_faults, sent_faults
from wargame.rules.armies.creatures import LEGEND, Creature
from wargame.rules.armies.findings import MusterFinding, breaches
from wargame.rules.armies.muster import Muster, MusterEntry, Surroundings, judge_muster, troops_of
from wargame.rules.armies.numbers import base_faults, rank_faults
from wargame.rules.armies.proxies import ProxyWish, make_up
from wargame.rules.armies.recruiting import Barracks, Recruit
from wargame.rules.core.board import COLORS
from wargame.rules.core.dice import setup_dice
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import strength_by_slot

PORTAL = "portal"
ROUND = "case"
"""The round whose seed draws the proxies and the places of a case."""


BaseColor = Annotated[str, lambda value, where: one_of((*COLORS, PORTAL), value, where)]


class CreatureTable(NamedTuple):
    """A number of one creature in a slot. `used` is the size that it is used at, if not the printed one."""

    slot: Slot
    creature: str
    number: int
    color: CreatureColors = ()
    size: str = ""
    types: tuple[str, ...] = ("Creature",)
    used: str = ""


def _entry(table: CreatureTable) -> MusterEntry:
    creature = Creature(table.creature, table.color, table.size, table.types)
    used = table.used or table.size
    return MusterEntry(table.slot, creature, table.number, "" if "*" in used else used)


class CatalogueTable(NamedTuple):
    creature: str
    size: str
    color: list[str] = []
    types: tuple[str, ...] = ("Creature",)
    kinds: tuple[str, ...] = ()


def _recruit(table: CatalogueTable) -> Recruit:
    return Recruit(Creature(table.creature, tuple(table.color), table.size, table.types), table.kinds)


class MusterTable(NamedTuple):
    """An army to be raised. A value of None is not judged; only a proxy case has a `catalogue`."""

    team: Side
    rank: Rank
    troops: list[Annotated[MusterEntry, built(CreatureTable, _entry)]]
    colors: Colors = ()
    base_lost: Colors = ()
    legend: Annotated[str | None, or_null(str)] = None
    had: list[str] = []
    name: str = ""
    names: list[str] | None = None
    serving: list[str] = []
    creator: Colors | None = None
    others: int | None = None
    base: BaseColor | None = None
    sent: Four | None = None
    new_player: NewPlayerTable | None = None
    catalogue: list[Annotated[Recruit, built(CatalogueTable, _recruit)]] = []

    @property
    def muster(self) -> Muster:
        legend = Creature(self.legend, types=("Creature", LEGEND)) if self.legend else None
        return Muster(of_team(self.rank, self.team), self.colors, tuple(self.troops), legend, self.name)

    @property
    def given(self) -> Surroundings:
        """The context of the judgment; its name only where names are given."""
        return Surroundings(
            names=tuple(self.names or ()) if self.name or self.names is not None else None,
            serving=dict.fromkeys(self.serving, ""),
            creator=self.creator,
            lost=self.base_lost,
            had=tuple(self.had),
        )


def _checked(table: MusterTable) -> MusterTable:
    of_team(table.rank, table.team)
    return table


def _raised(value: object, where: str) -> MusterTable:
    """A muster without a catalogue."""
    if isinstance(value, Mapping) and "catalogue" in value:
        raise CaseError(f"{where}: the key “catalogue” is unknown")
    return _read_muster(value, where)


def _proxy(value: object, where: str) -> MusterTable:
    """A muster with gaps, and a catalogue."""
    if not isinstance(value, Mapping):
        return _read_muster(value, where)
    if "catalogue" not in value:
        raise CaseError(f"{where}: the key “catalogue” is missing")
    return _read_muster({"names": [], "troops": [], **value}, where)


_read_muster = built(MusterTable, _checked)


class Expected(NamedTuple):
    legal: bool
    rules: list[str] | None = None


class MusterCase(NamedTuple):
    case: str
    muster: Annotated[MusterTable, _raised]
    expect: Expected
    about: Free = ""


class ExpectedProxy(NamedTuple):
    legal: bool
    rules: list[str] | None = None
    name: str | None = None
    colors: int | list[str] | None = None
    troops: list[int] | None = None
    creatures: list[str] | None = None


class ProxyCase(NamedTuple):
    case: str
    proxy: Annotated[MusterTable, _proxy]
    expect: ExpectedProxy
    about: Free = ""
    seed: int = 0


def judge_army(table: MusterTable, muster: Muster) -> tuple[MusterFinding, ...]:
    """2.1, 2.2, 2.3.2, 2.5.2, 2.6: all findings about the army in the surroundings of the case."""
    findings = list(judge_muster(muster, table.given))
    if table.others is not None:
        findings += rank_faults(muster.rank, table.others)
    if table.base is not None:
        findings += base_faults(muster.side, muster.colors, None if table.base == PORTAL else table.base)
    if table.sent is not None:
        findings += sent_faults((), table.sent, troops_of(muster))
    if table.new_player is not None:
        findings += personalise_faults(muster.name or "the army", muster.rank, table.new_player.called("The player"))
    return tuple(findings)


def _judged(case: MusterCase) -> tuple[MusterFinding, ...]:
    return judge_army(case.muster, case.muster.muster)


def _muster_differences(case: MusterCase, findings: tuple[MusterFinding, ...]) -> Iterator[str]:
    broken, expect = breaches(findings), case.expect
    cites = sorted({finding.cites for finding in broken})
    reasons = "; ".join(finding.sentence for finding in broken) or "nothing is wrong"
    if expect.legal is bool(broken):
        yield f"legal: expected {expect.legal}, came {not broken} ({reasons})"
    if expect.rules is not None and sorted(expect.rules) != cites:
        expected = ", ".join(sorted(expect.rules)) or "none"
        yield f"rules: expected {expected}, came {', '.join(cites) or 'none'} ({reasons})"


def _muster_parts(case: MusterCase, results: tuple[MusterFinding, ...]) -> list[Part]:
    """Whether the army is legal, with every breach and its rule, in the words for its author."""
    findings = [
        {"cites": f.cites, "sentence": f.sentence, "creature": f.creature, "slot": f.slot, "breach": f.is_breach}
        for f in results
    ]
    lines = [f"{finding.sentence} ({finding.cites})" for finding in breaches(results)] or ["Legal."]
    lines += [f"For the judge: {finding.sentence} ({finding.cites})" for finding in results if not finding.is_breach]
    return [Part("Muster", lines, {"legal": not breaches(results), "findings": findings})]


MUSTERS = Kind(MusterCase, _judged, _muster_differences, _muster_parts)


def _proxy_differences(case: ProxyCase, muster: Muster) -> list[str]:
    expect = case.expect
    cites = sorted({finding.cites for finding in breaches(judge_army(case.proxy, muster))})
    actual = ExpectedProxy(
        legal=not cites,
        rules=cites,
        name=muster.name,
        colors=len(muster.colors) if isinstance(expect.colors, int) else list(muster.colors),
        troops=list(strength_by_slot(troops_of(muster))),
        creatures=sorted(entry.creature.name for entry in muster.entries),
    )._asdict()
    rules, creatures = (None if values is None else sorted(values) for values in (expect.rules, expect.creatures))
    return differences(expect._replace(rules=rules, creatures=creatures), actual)


def _proxy_parts(case: ProxyCase, muster: Muster) -> list[Part]:
    lines = [f"{muster.name}, {muster.rank.title}" + (f", {'/'.join(muster.colors)}" if muster.colors else "")]
    lines += [f"Slot {entry.slot}: {entry.number:,} {entry.creature.name}" for entry in muster.entries]
    lines += [f"{finding.sentence} ({finding.cites})" for finding in judge_army(case.proxy, muster)]
    return [Part("Proxy", lines)]


def make_up_proxy(case: ProxyCase) -> Muster:
    """2.5.2.2: the army of the case with its gaps filled."""
    wish, context = case.proxy.muster, case.proxy.given
    return make_up(
        ProxyWish("proxy 1", wish.rank, wish.name, wish.colors, wish.entries, wish.legend),
        Barracks.of(case.proxy.catalogue),
        setup_dice(case.seed.to_bytes(32, "big"), ROUND),
        names=context.names or (),
        serving=context.serving,
        mustered=(),
    )


PROXIES = Kind(ProxyCase, make_up_proxy, _proxy_differences, _proxy_parts)
