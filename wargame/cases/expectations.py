"""Turn cases (CASES.md): what came, held against what a case expects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from wargame.cases import changes, mercenaries, penalties
from wargame.cases.armies import CaseError
from wargame.rules.core.events import Event
from wargame.rules.core.position import Battle, Position
from wargame.rules.core.troops import alive_by_slot
from wargame.rules.moves.events import Intercepted, MovedPartially, Refused
from wargame.rules.settling.events import BaseDestroyed, Captured, Killed

Events = tuple[Event, ...]
Check = Callable[[Position, Events, Any], Iterator[str]]


def differences(before: Position, after: Position, events: Events, expect: dict[str, Any], where: str) -> list[str]:
    """What differs, in words. CaseError for a key of `expect` that is not known, or an army that never was."""
    found: list[str] = []
    known = set(before.by_name) | set(after.by_name)
    for key, wanted in expect.items():
        if key not in _CHECKS:
            raise CaseError(f"{where}, expect: the key “{key}” is not known")
        if key in ("at", "days", "alive", "creatures") and (strange := set(wanted) - known):
            raise CaseError(f"{where}, expect, {key}: there is no army “{sorted(strange)[0]}”")
        found.extend(_CHECKS[key](after, events, wanted))
    return found


def _at(after: Position, events: Events, wanted: dict[str, Any]) -> Iterator[str]:
    for name, square in wanted.items():
        army = after.by_name.get(name)
        came = str(army.at) if army else None
        if came not in (square if isinstance(square, list) else [square]):
            yield f"{name} should be at {square}, is at {came}"


def _battles(after: Position, events: Events, wanted: list[dict[str, Any]]) -> Iterator[str]:
    came = sorted(map(_battle_key, after.battles), key=repr)
    expected = sorted(map(_wanted_battle_key, wanted), key=repr)
    if came != expected:
        yield f"battles should be {expected}, are {came}"


def _battle_key(battle: Battle) -> tuple[str, Any]:
    first, second = (tuple(sorted(side)) for side in battle.sides)
    if battle.defends is None:
        return str(battle.at), tuple(sorted((first, second)))
    defender, attacker = (first, second) if battle.defends == 0 else (second, first)
    return str(battle.at), {"attacker": attacker, "defender": defender}


def _wanted_battle_key(wanted: dict[str, Any]) -> tuple[str, Any]:
    if "sides" in wanted:
        return wanted["at"], tuple(sorted(map(_names, wanted["sides"])))
    return wanted["at"], {"attacker": _names(wanted["attacker"]), "defender": _names(wanted["defender"])}


def _names(value: Any) -> tuple[str, ...]:
    return tuple(sorted(value)) if isinstance(value, list) else (value,)


def _rejected(after: Position, events: Events, wanted: dict[str, str]) -> Iterator[str]:
    came = {event.army: event.cites for event in events if isinstance(event, Refused) and event.counts}
    expected = {name: str(cites) for name, cites in wanted.items()}
    if came != expected:
        yield f"rejected should be {expected}, is {came}"


def _exact(name: str, names_of: Callable[[Events], list[str]]) -> Check:
    def check(after: Position, events: Events, wanted: list[str]) -> Iterator[str]:
        came = sorted(set(names_of(events)))
        if came != sorted(wanted):
            yield f"{name} should be {sorted(wanted)}, is {came}"

    return check


def _days(after: Position, events: Events, wanted: dict[str, int]) -> Iterator[str]:
    for name, days in wanted.items():
        army = after.by_name.get(name)
        if army is None or army.days != days:
            yield f"{name} should have {days} days, has {army.days if army else 'died'}"


def _alive(after: Position, events: Events, wanted: dict[str, list[int]]) -> Iterator[str]:
    for name, numbers in wanted.items():
        army = after.by_name.get(name)
        came = list(alive_by_slot(army.troops)) if army else None
        if came != numbers:
            yield f"{name} should have {numbers} alive, has {came}"


def _captured(after: Position, events: Events, wanted: dict[str, str]) -> Iterator[str]:
    came = {event.army: event.side.value for event in events if isinstance(event, Captured)}
    if came != wanted:
        yield f"captured should be {wanted}, is {came}"


def _winner(after: Position, events: Events, wanted: Any) -> Iterator[str]:
    came = [side.value for side in after.won_by]
    expected = [] if wanted is None else wanted if isinstance(wanted, list) else [wanted]
    if came != sorted(expected):
        yield f"the winner should be {wanted}, is {came or None}"


_CHECKS: dict[str, Check] = {
    "at": _at,
    "battles": _battles,
    "rejected": _rejected,
    "partial": _exact("partial", lambda events: [x.army for x in events if isinstance(x, MovedPartially)]),
    "intercepted": _exact("intercepted", lambda events: [x.army for x in events if isinstance(x, Intercepted)]),
    "days": _days,
    "alive": _alive,
    "dead": _exact("dead", lambda events: [x.army for x in events if isinstance(x, Killed)]),
    "captured": _captured,
    "destroyed": _exact("destroyed", lambda events: [x.base for x in events if isinstance(x, BaseDestroyed)]),
    "winner": _winner,
    "changed": changes.changed,
    "unchanged": changes.unchanged,
    "creatures": changes.creatures,
    "penalised": penalties.penalised,
    "guideline": mercenaries.guideline,
    "at_war": mercenaries.at_war,
    "spawned": mercenaries.spawned,
    "disbanded": mercenaries.disbanded,
}
