"""Muster cases (CASES.md): an army to be raised, changed or personalised, and which rules it breaks.

Besides the keys of CASES.md a muster may have: `name` and `names` (of the other armies), `serving` (legends of other
armies), `creator` (factions of the player whom it represents), `others` (armies of its rank that there are), `base`
(the colour of the base that it starts by, or portal), `strength` (four numbers: its slots before a change) and
`new_player` (`joined_later`, `battles`, `turns` since the offer: 2.6). A creature may have the size that it is `used`
at besides the one that is printed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from wargame.cases.armies import COLORLESS, CREATURE_COLORS, CaseError, four, names, one_of, sequence, text, whole
from wargame.cases.errors import keys_of
from wargame.rules.armies.changing import personalise_faults, strength_faults
from wargame.rules.armies.creatures import LEGEND, Creature
from wargame.rules.armies.findings import MusterFinding, breaches
from wargame.rules.armies.muster import Entry, Muster, Surroundings, judge_muster, troops_of
from wargame.rules.armies.raising import base_faults, rank_faults
from wargame.rules.core.board import COLORS
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import SLOTS, Troop
from wargame.rules.core.turn import NewPlayer

CASE_KEYS = ("case", "about", "muster", "expect")
MUSTER_KEYS = (
    *("team", "rank", "colors", "base_lost", "legend", "troops", "had"),
    *("name", "names", "serving", "creator", "others", "base", "strength", "new_player"),
)
TROOP_KEYS = ("slot", "creature", "number", "color", "size", "types", "used")
PORTAL = "portal"


@dataclass(frozen=True)
class MusterCase:
    """CASES.md: a muster case as read. `strength`, `base` and the others are None where the case is silent."""

    name: str
    muster: Muster
    given: Surroundings
    expect: Mapping[str, Any]
    others: int | None = None
    base: str | None = None
    strength: tuple[int, ...] | None = None
    new_player: NewPlayer | None = field(default=None)


def check_muster_case(document: dict[str, Any]) -> list[str]:
    """CASES.md: what differs from the case's `expect`, in words. CaseError where the case can't be read."""
    case = read_muster_case(document)
    broken = breaches(judge_case(case))
    cites = sorted({finding.cites for finding in broken})
    told = "; ".join(finding.sentence for finding in broken) or "nothing is wrong"
    differences = []
    if case.expect["legal"] is bool(broken):
        differences.append(f"legal: expected {case.expect['legal']}, came {not broken} ({told})")
    if "rules" in case.expect and sorted(case.expect["rules"]) != cites:
        wanted = ", ".join(sorted(case.expect["rules"])) or "none"
        differences.append(f"rules: expected {wanted}, came {', '.join(cites) or 'none'} ({told})")
    return differences


def judge_case(case: MusterCase) -> tuple[MusterFinding, ...]:
    """2.1, 2.2, 2.3.2, 2.5.2, 2.6: everything that is found of the case's army."""
    found = list(judge_muster(case.muster, case.given))
    if case.others is not None:
        found += rank_faults(case.muster.rank, case.others)
    if case.base is not None:
        found += base_faults(case.muster.side, case.muster.colors, None if case.base == PORTAL else case.base)
    if case.strength is not None:
        before = tuple(Troop(slot, "", of, of) for slot, of in zip(SLOTS, case.strength, strict=True))
        found += strength_faults(before, troops_of(case.muster))
    if case.new_player is not None:
        found += personalise_faults(case.muster.name or "the army", case.muster.rank, case.new_player)
    return tuple(found)


def tell_muster_case(case: MusterCase) -> list[str]:
    """Whether the army is legal, with every breach and its rule, as its author would be told."""
    findings = judge_case(case)
    if not findings:
        return ["Legal."]
    told = [f"{finding.sentence} ({finding.cites})" for finding in breaches(findings)] or ["Legal."]
    return told + [f"For the judge: {f.sentence} ({f.cites})" for f in findings if not f.is_breach]


def show_muster_case(document: dict[str, Any]) -> list[dict[str, Any]]:
    """How the muster of a case is judged."""
    case = read_muster_case(document)
    findings = [
        {"cites": f.cites, "sentence": f.sentence, "creature": f.creature, "slot": f.slot, "breach": f.is_breach}
        for f in judge_case(case)
    ]
    legal = not any(finding["breach"] for finding in findings)
    return [{"title": "Muster", "told": tell_muster_case(case), "legal": legal, "findings": findings}]


def read_muster_case(document: dict[str, Any]) -> MusterCase:
    """CASES.md: a muster case. Nothing is guessed: CaseError names the key that can't be read."""
    where = f"“{text(document.get('case'), 'case')}”"
    keys_of(document, where, CASE_KEYS, ("case", "muster", "expect"))
    at = f"{where}, muster"
    data = keys_of(document["muster"], at, MUSTER_KEYS, ("team", "rank", "troops"))
    return MusterCase(
        name=document["case"],
        muster=_muster(data, at),
        given=_surroundings(data, at),
        expect=_expect(document["expect"], f"{where}, expect"),
        others=whole(data["others"], f"{at}: others") if "others" in data else None,
        base=_base(data["base"], f"{at}: base") if "base" in data else None,
        strength=four(data["strength"], f"{at}: strength") if "strength" in data else None,
        new_player=_new_player(data["new_player"], f"{at}: new_player") if "new_player" in data else None,
    )


def _muster(data: Mapping[str, Any], where: str) -> Muster:
    side = one_of(Side, data["team"], f"{where}: team")
    rank = one_of(Rank, data["rank"], f"{where}: rank")
    if rank.side is not side:
        raise CaseError(f"{where}: rank: {rank} is not a rank of {side.title}")
    legend = text(data["legend"], f"{where}: legend") if data.get("legend") is not None else ""
    return Muster(
        rank=rank,
        colors=_known(data.get("colors", []), COLORS, f"{where}: colors"),
        entries=tuple(_entry(entry, f"{where}: troops") for entry in sequence(data["troops"], f"{where}: troops")),
        legend=Creature(legend, types=("Creature", LEGEND)) if legend else None,
        name=text(data["name"], f"{where}: name") if "name" in data else "",
    )


def _entry(data: Any, where: str) -> Entry:
    entry = keys_of(data, where, TROOP_KEYS, ("slot", "creature", "number"))
    slot = whole(entry["slot"], f"{where}: slot")
    if slot not in SLOTS:
        raise CaseError(f"{where}: slot: an army has the slots 1 to 4, not {slot}")
    name = text(entry["creature"], f"{where}: creature")
    where = f"{where}: {name}"
    colors = entry.get("color", [])
    size = text(entry["size"], f"{where}: size") if "size" in entry else ""
    creature = Creature(
        name=name,
        colors=() if colors == [COLORLESS] else _known(colors, CREATURE_COLORS, f"{where}: color"),
        size=size,
        types=names(entry.get("types", ["Creature"]), f"{where}: types"),
    )
    used = text(entry["used"], f"{where}: used") if "used" in entry else size
    return Entry(slot, creature, whole(entry["number"], f"{where}: number"), "" if "*" in used else used)


def _surroundings(data: Mapping[str, Any], where: str) -> Surroundings:
    is_named = "name" in data or "names" in data
    creator = _known(data["creator"], COLORS, f"{where}: creator") if "creator" in data else None
    return Surroundings(
        names=_list(data, "names", where) if is_named else None,
        serving=dict.fromkeys(_list(data, "serving", where), ""),
        creator=creator,
        lost=_known(data.get("base_lost", []), COLORS, f"{where}: base_lost"),
        had=_list(data, "had", where),
    )


def _new_player(data: Any, where: str) -> NewPlayer:
    entry = keys_of(data, where, ("joined_later", "battles", "turns"), ("battles", "turns"))
    turns, battles = whole(entry["turns"], f"{where}: turns"), whole(entry["battles"], f"{where}: battles")
    return NewPlayer("The player", bool(entry.get("joined_later", True)), battles, 0, turns)


def _base(value: Any, where: str) -> str:
    return PORTAL if value == PORTAL else _known([value], COLORS, where)[0]


def _expect(data: Any, where: str) -> dict[str, Any]:
    expect = keys_of(data, where, ("legal", "rules"), ("legal",))
    if not isinstance(expect["legal"], bool):
        raise CaseError(f"{where}: legal: true or false belongs here, not {expect['legal']!r}")
    for rule in sequence(expect.get("rules", []), f"{where}: rules"):
        text(rule, f"{where}: rules")
    return expect


def _list(data: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    return names(sequence(data.get(key, []), f"{where}: {key}"), f"{where}: {key}")


def _known(value: Any, known: tuple[str, ...], where: str) -> tuple[str, ...]:
    """Colours out of a closed list."""
    for word in names(sequence(value, where), where):
        if word not in known:
            raise CaseError(f"{where}: {word} is none of {', '.join(known)}")
    return names(value, where)
