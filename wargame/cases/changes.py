"""Turn cases (CASES.md): the changes of troops that a turn is given (2.3.2, 2.6), and what they expect of them.

Besides the keys of CASES.md a turn may have `changes`, accepted by the judge in this order: `army`, `by` (the player,
the army's name without the key), `troops` (slot, creature, number, color, size, types), and for 2.6 `new_player`
(`battles`, `turns` since the offer, `joined_later`) with `name` and `legend`. `expect` may have `changed` (all armies
whose change was carried out), `unchanged` (army: citation; all of the others) and `creatures` (army: `4000 of 5000 Kris
Mage`, slot by slot in their order).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wargame.cases.armies import COLORLESS, CREATURE_COLORS, CaseError, names, sequence, text, whole
from wargame.cases.errors import keys_of
from wargame.rules.core.events import Event
from wargame.rules.core.position import Position
from wargame.rules.core.troops import SLOTS, Troop
from wargame.rules.core.turn import NewPlayer, TroopChange
from wargame.rules.settling.events import ChangeRefused, Personalised, TroopsChanged

CHANGE_KEYS = ("army", "by", "troops", "new_player", "name", "legend")
TROOP_KEYS = ("slot", "creature", "number", "color", "size", "types")
NEW_PLAYER_KEYS = ("joined_later", "battles", "turns")


def change_from_case(data: Any, where: str, position: Position) -> TroopChange:
    """2.3.2, 2.6: one of a turn's `changes`. CaseError names the key."""
    where = f"{where}, changes"
    entry = keys_of(data, where, CHANGE_KEYS, ("army", "troops"))
    army = text(entry["army"], f"{where}: army")
    if army not in position.by_name:
        raise CaseError(f"{where}: there is no army “{army}”")
    by = text(entry.get("by", army), f"{where}: by")
    return TroopChange(
        army=army,
        by=by,
        makeup=tuple(_troop(troop, f"{where}: troops") for troop in sequence(entry["troops"], f"{where}: troops")),
        newcomer=_newcomer(by, entry["new_player"], f"{where}: new_player") if "new_player" in entry else None,
        name=text(entry["name"], f"{where}: name") if "name" in entry else "",
        legend=text(entry["legend"], f"{where}: legend") if "legend" in entry else "",
    )


def changed(after: Position, events: tuple[Event, ...], wanted: list[str]) -> Iterator[str]:
    """All armies whose change was carried out, by the names that they had before."""
    came = sorted(event.army for event in events if isinstance(event, TroopsChanged | Personalised))
    if came != sorted(wanted):
        yield f"changed should be {sorted(wanted)}, is {came}"


def unchanged(after: Position, events: tuple[Event, ...], wanted: dict[str, Any]) -> Iterator[str]:
    """All armies whose change was refused, with the rule that it was asked for by."""
    came = {event.army: event.cites for event in events if isinstance(event, ChangeRefused)}
    expected = {army: str(cites) for army, cites in wanted.items()}
    if came != expected:
        yield f"unchanged should be {expected}, is {came}"


def creatures(after: Position, events: tuple[Event, ...], wanted: dict[str, list[str]]) -> Iterator[str]:
    """An army's troops, each as `4000 of 5000 Kris Mage`."""
    for name, lines in wanted.items():
        army = after.by_name.get(name)
        came = [f"{troop.alive} of {troop.of} {troop.creature}" for troop in army.troops] if army else None
        if came != lines:
            yield f"{name} should have {lines}, has {came}"


def _troop(data: Any, where: str) -> Troop:
    entry = keys_of(data, where, TROOP_KEYS, ("slot", "creature", "number"))
    slot, number = whole(entry["slot"], f"{where}: slot"), whole(entry["number"], f"{where}: number")
    if slot not in SLOTS:
        raise CaseError(f"{where}: slot: an army has the slots 1 to 4, not {slot}")
    colors = entry.get("color", [])
    for color in () if colors == [COLORLESS] else names(colors, f"{where}: color"):
        if color not in CREATURE_COLORS:
            raise CaseError(f"{where}: color: {color} is none of {', '.join(CREATURE_COLORS)}")
    return Troop(
        slot=slot,
        creature=text(entry["creature"], f"{where}: creature"),
        alive=number,
        of=number,
        colors=() if colors == [COLORLESS] else names(colors, f"{where}: color"),
        size=text(entry["size"], f"{where}: size") if "size" in entry else "",
        types=names(entry.get("types", ["Creature"]), f"{where}: types"),
    )


def _newcomer(by: str, data: Any, where: str) -> NewPlayer:
    entry = keys_of(data, where, NEW_PLAYER_KEYS, ("battles", "turns"))
    turns, battles = whole(entry["turns"], f"{where}: turns"), whole(entry["battles"], f"{where}: battles")
    return NewPlayer(by, bool(entry.get("joined_later", True)), battles, 0, turns)
