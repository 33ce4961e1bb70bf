"""Cases of 2.5.2: proxies that are made up, and armies that are dropped by their bases.

A `proxy` case has the keys of a muster case (muster_cases.py) and a `catalogue` (creatures, with their `kinds` such as
Goblin), from which what is missing is drawn with the case's `seed`. It expects `legal` and `rules` as muster cases do,
and `name`, `colors` (the army's own; a number: so many), `troops` (by slot) and `creatures` (all of them).

A `start` case has a `board`, and `armies` with the keys `name`, `team`, `rank`, `colors`, `base` (by which they ask to
start; none: any) and `at` (where they stand already), which are dropped with its `seed`. It expects `at` (a list is one
of these), `by` (the base by which an army is put) and `rules`: what is wrong with where each army then is, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from wargame.cases.armies import CaseError, names, one_of, sequence, text, whole
from wargame.cases.boards import board_from_case, square_of
from wargame.cases.errors import keys_of
from wargame.cases.musters import MUSTER_KEYS, MusterCase, judge_case, read_muster_case
from wargame.rules.armies.creatures import Creature
from wargame.rules.armies.findings import breaches
from wargame.rules.armies.muster import Muster, troops_of
from wargame.rules.armies.placement import Dropped, Standing, Starter, drop_armies, place_faults
from wargame.rules.armies.proxies import Wish, make_up
from wargame.rules.armies.recruiting import Barracks, Recruit
from wargame.rules.core.board import COLORS, Board, Square
from wargame.rules.core.dice import Dice, setup_dice
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import strength_by_slot

ROUND = "case"
PROXY_KEYS = (*MUSTER_KEYS, "catalogue")
ARMY_KEYS = ("name", "team", "rank", "colors", "base", "at")
CREATURE_KEYS = ("creature", "color", "size", "types", "kinds")


def check_proxy_case(document: dict[str, Any]) -> list[str]:
    """What differs from the case's `expect`, in words. CaseError where the case can't be read."""
    case, made = carry_out_proxy_case(document)
    where = f"“{case.name}”, expect"
    expect = keys_of(document["expect"], where, ("legal", "rules", "name", "colors", "troops", "creatures"), ("legal",))
    cites = sorted({finding.cites for finding in breaches(judge_case(case))})
    came: dict[str, Any] = {"legal": not cites, "rules": cites, "name": made.name}
    came["colors"] = len(made.colors) if isinstance(expect.get("colors"), int) else list(made.colors)
    came["troops"] = list(strength_by_slot(troops_of(made)))
    came["creatures"] = sorted(entry.creature.name for entry in made.entries)
    wanted = {key: sorted(value) if key in ("rules", "creatures") else value for key, value in expect.items()}
    return [f"{key}: expected {wanted[key]}, came {came[key]}" for key in wanted if came[key] != wanted[key]]


def show_proxy_case(document: dict[str, Any]) -> list[dict[str, Any]]:
    """The army that is made up."""
    case, made = carry_out_proxy_case(document)
    told = [f"{made.name}, {made.rank.title}" + (f", {'/'.join(made.colors)}" if made.colors else "")]
    told += [f"Slot {entry.slot}: {entry.number:,} {entry.creature.name}" for entry in made.entries]
    told += [f"{finding.sentence} ({finding.cites})" for finding in judge_case(case)]
    return [{"title": "Proxy", "told": told}]


def carry_out_proxy_case(document: dict[str, Any]) -> tuple[MusterCase, Muster]:
    """2.5.2.2: the case with what was made up in it, and the army."""
    where = f"“{text(document.get('case'), 'case')}”"
    keys_of(document, where, ("case", "about", "seed", "proxy", "expect"), ("case", "proxy", "expect"))
    data = keys_of(document["proxy"], f"{where}, proxy", PROXY_KEYS, ("team", "rank", "catalogue"))
    muster = {"names": [], "troops": [], **{key: data[key] for key in data if key != "catalogue"}}
    case = read_muster_case({"case": document["case"], "muster": muster, "expect": {"legal": True}})
    asked = case.muster
    made = make_up(
        Wish("proxy 1", asked.rank, asked.name, asked.colors, asked.entries, asked.legend),
        Barracks.of(_recruits(data["catalogue"], f"{where}, proxy, catalogue")),
        _dice(document, where),
        names=case.given.names or (),
        serving=case.given.serving,
        mustered=(),
    )
    return MusterCase(case.name, made, case.given, {}), made


def check_start_case(document: dict[str, Any]) -> list[str]:
    """What differs from the case's `expect`, in words. CaseError where the case can't be read."""
    board, starters, dropped = carry_out_start_case(document)
    where = f"“{document['case']}”, expect"
    expect = keys_of(document["expect"], where, ("at", "by", "rules"))
    for name in (name for key in expect for name in expect[key]):
        if name not in {starter.name for starter in starters}:
            raise CaseError(f"{where}: there is no army “{name}”")
    return list(_differences(board, starters, {one.name: one for one in dropped}, expect))


def show_start_case(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Where the armies are dropped, and what is wrong with it."""
    board, starters, dropped = carry_out_start_case(document)
    told = [f"{one.name}: {one.at}" + (f", by {one.base}" if one.base else "") for one in dropped]
    at = {one.name: one.at for one in dropped}
    faults = place_faults(board, [Standing(starter, at.get(starter.name)) for starter in starters])
    told += [f"{fault.sentence} ({fault.cites})" for fault in faults]
    return [{"title": "Start", "told": told}]


def carry_out_start_case(document: dict[str, Any]) -> tuple[Board, tuple[Starter, ...], tuple[Dropped, ...]]:
    """2.5.2.3: the board, the armies, and where they are dropped."""
    where = f"“{text(document.get('case'), 'case')}”"
    keys = ("case", "about", "seed", "board", "start", "expect")
    keys_of(document, where, keys, ("case", "board", "start", "expect"))
    board = board_from_case(document["board"], document["case"])
    data = keys_of(document["start"], f"{where}, start", ("armies",), ("armies",))
    read = [_starter(army, f"{where}, start, armies") for army in sequence(data["armies"], f"{where}, start, armies")]
    fixed = {starter.name: at for starter, at in read if at is not None}
    starters = tuple(starter for starter, _ in read)
    return board, starters, drop_armies(board, starters, fixed, _dice(document, where))


def _differences(
    board: Board, starters: tuple[Starter, ...], dropped: Mapping[str, Dropped], expect: Mapping[str, Any]
) -> Iterator[str]:
    for name, squares in expect.get("at", {}).items():
        came = str(dropped[name].at) if name in dropped else None
        if came not in (squares if isinstance(squares, list) else [squares]):
            yield f"{name} should be at {squares}, is at {came}"
    for name, base in expect.get("by", {}).items():
        came = dropped[name].base if name in dropped else None
        if came != base:
            yield f"{name} should start by {base}, starts by {came}"
    if "rules" in expect:
        at = {name: one.at for name, one in dropped.items()}
        found: dict[str, list[str]] = {}
        for fault in place_faults(board, [Standing(starter, at.get(starter.name)) for starter in starters]):
            if fault.is_breach:
                found.setdefault(fault.army, []).append(fault.cites)
        if found != expect["rules"]:
            yield f"rules should be {expect['rules']}, are {found}"


def _starter(data: Any, where: str) -> tuple[Starter, Square | None]:
    entry = keys_of(data, where, ARMY_KEYS, ("name", "team", "rank"))
    name = text(entry["name"], f"{where}: name")
    rank = one_of(Rank, entry["rank"], f"{where}, {name}: rank")
    side = one_of(Side, entry["team"], f"{where}, {name}: team")
    if rank.side is not side:
        raise CaseError(f"{where}, {name}: rank: {rank} is not a rank of {side.title}")
    colors = names(entry.get("colors", []), f"{where}, {name}: colors")
    for color in colors:
        if color not in COLORS:
            raise CaseError(f"{where}, {name}: colors: {color} is none of {', '.join(COLORS)}")
    at = square_of(entry["at"], f"{where}, {name}: at") if "at" in entry else None
    return Starter(name, side, rank.tier, colors, entry.get("base", "")), at


def _recruits(data: Any, where: str) -> Iterator[Recruit]:
    for value in sequence(data, where):
        entry = keys_of(value, where, CREATURE_KEYS, ("creature", "size"))
        kinds, types = entry.get("kinds", []), entry.get("types", ["Creature"])
        creature = Creature(
            name=text(entry["creature"], where),
            colors=tuple(sequence(entry.get("color", []), where)),
            size=text(entry["size"], where),
            types=names(types, where),
        )
        yield Recruit(creature, names(kinds, where))


def _dice(document: Mapping[str, Any], where: str) -> Dice:
    seed = whole(document.get("seed", 0), f"{where}: seed")
    return setup_dice(seed.to_bytes(32, "big"), ROUND)
