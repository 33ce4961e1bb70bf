"""3.3.3: what a judge typed as a ruling, checked, before it is stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from judging.game import rulebook
from judging.game.errors import Refused
from judging.game.texts import check_storable
from judging.turns.models import Ruling
from wargame.rules.core.board import read_square
from wargame.rules.core.orders import ReadOrder, Unreadable, write_order
from wargame.rules.core.position import Army, Position
from wargame.rules.core.troops import SLOTS
from wargame.rules.posts.notation import LONGEST_LINE, read_line
from wargame.rules.settling.ruled_armies import MOST_DAYS

Json = dict[str, Any]

MAX_REASON = 2_000
SQUARE_KINDS = (Ruling.Kind.SQUARE, Ruling.Kind.WINNER)


@dataclass(frozen=True)
class NewRuling:
    """3.3.3: a ruling as it is typed: every part as text, of which each kind needs some."""

    kind: str
    army: str
    cites: str
    reason: str
    square: str = ""
    order: str = ""
    days: str = ""
    slot: str = ""
    creature: str = ""
    alive: str = ""


def checked_ruling(new: NewRuling, position: Position, events: Iterable[Json]) -> Ruling:
    """The row, unsaved and without turn, judge, number and time. Refused, with the field that is wrong.

    `events` are those of the turn as it was worked out, in which a refusal that is lifted is found.
    """
    if new.kind not in Ruling.Kind.values:
        raise Refused("Say what is to be ruled: choose one of the kinds.", "3.3.3", "kind")
    army = _checked_army(new.army, position)
    row = Ruling(kind=new.kind, army=army.name)
    if new.kind in SQUARE_KINDS:
        row.square = _checked_square(new.square)
    row.data = _checked_data(new, army, position, events)
    row.cites = _checked_cites(new.cites)
    row.reason = checked_reason(new.reason)
    return row


def checked_reason(text: str, field: str = "reason") -> str:
    """3.3.3: a reason is public and required."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise Refused("Give a reason; it is public with the ruling.", "3.3.3", field)
    if len(text) > MAX_REASON:
        raise Refused(f"The reason has {len(text):,} characters; {MAX_REASON:,} is the limit.", "3.3.3", field)
    check_storable(text, what="reason", cites="3.3.3")
    return text


def _checked_cites(text: str) -> str:
    number = text.strip().rstrip(".").upper()
    if not number:
        raise Refused("Name the rule that the ruling follows, like 3.3.1 or R21.", "3.3.3", "cites")
    if rulebook.anchor_of(number) is None:
        raise Refused(f"The rulebook has no number {text.strip()[:20]}; name one like 3.3.1 or R21.", "3.3.3", "cites")
    return number


def _checked_army(text: str, position: Position) -> Army:
    name = position.names.get(text)
    if name is None:
        shown = text.strip()[:40]
        said = f"There is no army “{shown}” on the map of this turn." if shown else "Name an army."
        raise Refused(said, "3.2.2.5", "army")
    return position.by_name[name]


def _checked_square(text: str) -> str:
    try:
        square = read_square(text)
    except ValueError as error:
        raise Refused(f"{error}.", "", "square") from None
    if not square.on_map:
        raise Refused(f"{square} is not on the map, which ends at 38 and at N.", "1.2", "square")
    return str(square)


def _checked_data(new: NewRuling, army: Army, position: Position, events: Iterable[Json]) -> Json:
    match new.kind:
        case Ruling.Kind.ORDER:
            return {"order": checked_order(new.order, army, position)}
        case Ruling.Kind.LIFTED:
            return {"order": _refused_order(army, events)}
        case Ruling.Kind.DAYS:
            return {"days": _number(new.days, "days", 0, MOST_DAYS, "1.5")}
        case Ruling.Kind.TROOPS:
            return _checked_troops(new, army)
    return {}


def _refused_order(army: Army, events: Iterable[Json]) -> str:
    """R14: the order of an army that was refused."""
    refused = [event for event in events if event["kind"] == "refused" and event["army"] == army.name]
    if not refused:
        raise Refused(f"No order of {army.name} was refused, so there is nothing to lift.", "R14", "army")
    return str(refused[-1]["order"])


def checked_order(text: str, army: Army, position: Position) -> str:
    """3.2.2.5: an order for this army, in its canonical form."""
    typed = text.strip()
    if not typed or "\n" in typed or len(typed) > LONGEST_LINE:
        raise Refused("Write one order, like “3D > 5E; engage Bob” or “hold”.", "3.2.2.5", "order")
    check_storable(typed, what="order", cites="3.2.2.5")
    line = read_line(typed, position.names, army.name)
    if isinstance(line, Unreadable):
        raise Refused(f"At column {line.column}: {line.wrong} {line.expected}".strip(), "3.2.2.5", "order")
    if not isinstance(line, ReadOrder):
        raise Refused(f"“{typed[:60]}” is no order; write one like “3D > 5E” or “hold”.", "3.2.2.5", "order")
    if line.army != army.name:
        raise Refused(f"That is an order for {line.army}; write one for {army.name}.", "3.2.2.5", "order")
    return write_order(army.name, line.order)


def _checked_troops(new: NewRuling, army: Army) -> Json:
    slot = _number(new.slot, "slot", SLOTS[0], SLOTS[-1], "2.1")
    held = [troop for troop in army.troops if troop.slot == slot]
    creature = new.creature.strip()
    if creature:
        names = {troop.creature.casefold(): troop.creature for troop in held}
        creature = names.get(creature.casefold(), "")
        if not creature:
            has = " and ".join(names.values()) or "nothing"
            raise Refused(f"Slot {slot} of {army.name} holds {has}.", "2.1", "creature")
    most = sum(troop.of for troop in held if creature in ("", troop.creature))
    return {"slot": slot, "creature": creature, "alive": _number(new.alive, "alive", 0, most, "2.3.1")}


def _number(text: str, field: str, least: int, most: int, cites: str) -> int:
    digits = text.strip().replace(",", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10 and least <= int(digits) <= most):
        shown = f"“{text.strip()[:20]}” is not" if text.strip() else "Write"
        raise Refused(f"{shown} a whole number from {least} to {most:,}.", cites, field)
    return int(digits)
