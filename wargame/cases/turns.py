"""Turn cases (CASES.md): a position, posts, and what must come of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from wargame.cases import mercenaries
from wargame.cases import penalties as case_penalties
from wargame.cases.armies import CaseError
from wargame.cases.boards import board_from_case, position_from_case
from wargame.cases.errors import keys_of
from wargame.cases.expectations import differences
from wargame.cases.penalties import penalties_from_case
from wargame.cases.posts import given_from_case
from wargame.rules.core.codec import position_to_json
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.events import Event
from wargame.rules.core.position import Position
from wargame.rules.settlement import settle
from wargame.rules.settling.events import Captured, Liberated, Personalised
from wargame.rules.telling.telling import tell

Control = dict[str, tuple[str, ...]]

CASE_KEYS = ("case", "about", "seed", "board", "players", "control", "armies", "turns")
TURN_KEYS = ("posts", "control", "results", "changes", "expect", *mercenaries.TURN_KEYS, *case_penalties.TURN_KEYS)


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn of a case: the position before and after, what happened, and what the case expects of it."""

    number: int
    before: Position
    after: Position
    events: tuple[Event, ...]
    expect: dict[str, Any]


def play_turn_case(document: dict[str, Any]) -> Iterator[PlayedTurn]:
    """Carries a case out turn by turn. CaseError if it can't be read."""
    name = document["case"]
    keys_of(document, f"“{name}”", CASE_KEYS, ("armies", "turns"))
    position = position_from_case(document, board_from_case(document.get("board", {}), name))
    control = _control_at_start(document, position)
    seed = str(document.get("seed", 0)).encode()
    for number, turn in enumerate(document["turns"], 1):
        where = f"“{name}”, turn {number}"
        keys_of(turn, where, TURN_KEYS)
        given, control = given_from_case(turn, where, number, position, control)
        penalties = penalties_from_case(turn, where, position, turn_dice(seed, name, number))
        try:
            settled = settle(position, replace(given, penalties=penalties), turn_dice(seed, name, number))
        except ValueError as error:
            raise CaseError(f"{where}: {error}") from error
        yield PlayedTurn(number, position, settled.position, settled.events, turn.get("expect", {}))
        position, control = settled.position, control_after(control, settled.events)


def check_turn_case(document: dict[str, Any]) -> list[str]:
    """What differs from what the case expects, in words; empty if nothing does."""
    found: list[str] = []
    for turn in play_turn_case(document):
        where = f"“{document['case']}”, turn {turn.number}"
        differ = differences(turn.before, turn.after, turn.events, turn.expect, where)
        found.extend(f"turn {turn.number}: {text}" for text in differ)
    return found


def show_turn_case(document: dict[str, Any]) -> list[dict[str, Any]]:
    """What happens, turn by turn, with the position that each turn ends in."""
    return [
        {
            "title": f"Turn {turn.number}",
            "told": [f"{event.sentence} ({event.cites})" for event in turn.events],
            "events": [tell(event) for event in turn.events],
            "position": position_to_json(turn.after),
        }
        for turn in play_turn_case(document)
    ]


def control_after(control: Control, events: tuple[Event, ...]) -> Control:
    """R40: nobody controls a captured army; one that is freed is its old controllers' again. 2.6: a renamed one goes by
    its new name."""
    after = dict(control)
    for event in events:
        if isinstance(event, Captured):
            after[event.army] = ()
        elif isinstance(event, Liberated):
            after[event.army] = event.controllers
        elif isinstance(event, Personalised) and event.name:
            after[event.name] = after.pop(event.army, ())
    return after


def _control_at_start(document: dict[str, Any], position: Position) -> Control:
    given = document.get("control", {})
    control: Control = {army.name: (army.name,) for army in position.armies}
    for army, players in given.items():
        if army not in control:
            raise CaseError(f"“{document['case']}”, control: there is no army “{army}”")
        control[army] = tuple(players) if isinstance(players, list) else (players,)
    return control
