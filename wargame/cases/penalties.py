"""Turn cases (CASES.md): the penalties that a turn is given (5.4.1, R47), and what they expect of them.

Besides the keys of CASES.md a turn may have `penalties`, handed down in this order: `army`, `by` (who acted),
and either `severity` with a `roll` (drawn as `penalty/N` without it) or `troops`, the loss by hand for slots 1 to 4;
`after_battle: true` where the army's battle was over already. `expect` may have `penalised`: army: what penalties
took of slots 1 to 4, for all armies that were given one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wargame.cases.armies import CaseError, four, sequence, text, whole
from wargame.cases.errors import keys_of
from wargame.rules.core.dice import Dice
from wargame.rules.core.events import Event
from wargame.rules.core.position import Position
from wargame.rules.core.turn import DIE, NOTHING, SEVERITIES, Penalty, draw_name
from wargame.rules.settling.events import Penalised

TURN_KEYS = ("penalties",)
KEYS = ("army", "by", "severity", "roll", "troops", "after_battle")


def penalties_from_case(turn: dict[str, Any], where: str, position: Position, dice: Dice) -> tuple[Penalty, ...]:
    """5.4.1: a turn's `penalties`, with dice of the turn that nothing else is drawn from. CaseError names the key."""
    where = f"{where}, penalties"
    given = sequence(turn.get("penalties", []), where)
    return tuple(_penalty(number, data, where, position, dice) for number, data in enumerate(given, 1))


def penalised(after: Position, events: tuple[Event, ...], wanted: dict[str, list[int]]) -> Iterator[str]:
    """What penalties took of each army that was given one, of slots 1 to 4."""
    came: dict[str, list[int]] = {}
    for event in events:
        if isinstance(event, Penalised):
            before = came.get(event.army, NOTHING)
            came[event.army] = [had + lost for had, lost in zip(before, event.lost, strict=True)]
    if came != wanted:
        yield f"penalised should be {wanted}, is {came}"


def _penalty(number: int, data: Any, where: str, position: Position, dice: Dice) -> Penalty:
    entry = keys_of(data, where, KEYS, ("army",))
    army = text(entry["army"], f"{where}: army")
    if army not in position.by_name:
        raise CaseError(f"{where}: there is no army “{army}”")
    if ("severity" in entry) == ("troops" in entry):
        raise CaseError(f"{where}: a penalty has either a severity or troops")
    severity, roll = _factors(number, entry, where, dice) if "severity" in entry else (0, 0)
    return Penalty(
        number=number,
        army=army,
        by=text(entry.get("by", army), f"{where}: by"),
        cites="5.4.1",
        reason="It was not his.",
        severity=severity,
        roll=roll,
        stated=four(entry["troops"], f"{where}: troops") if "troops" in entry else NOTHING,
        after_battle=bool(entry.get("after_battle")),
    )


def _factors(number: int, entry: dict[str, Any], where: str, dice: Dice) -> tuple[int, int]:
    """R47: severity and die."""
    severity = whole(entry["severity"], f"{where}: severity")
    if severity not in SEVERITIES:
        raise CaseError(f"{where}: severity: it is 1 to {SEVERITIES[-1]}, not {severity}")
    roll = whole(entry["roll"], f"{where}: roll") if "roll" in entry else dice.roll(draw_name(number), DIE)
    if not 1 <= roll <= DIE:
        raise CaseError(f"{where}: roll: a die shows 1 to {DIE}, not {roll}")
    return severity, roll
