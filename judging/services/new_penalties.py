"""5.4.1, 1.3: what a judge typed as a penalty, checked, before it is stored."""

from __future__ import annotations

from dataclasses import dataclass

from judging import rulebook
from judging.models import Penalty
from judging.selectors.penalties import ACTING, lifted_roll
from judging.selectors.rounds import position_of
from judging.services.errors import Refused
from judging.services.texts import check_storable
from wargame.models import Army, Judge, Player, Turn
from wargame.models.choices import Role
from wargame.rules.core.troops import SLOT_MAXIMUM
from wargame.rules.core.turn import SEVERITIES

MAX_REASON = 2_000
Kind = Penalty.Kind


@dataclass(frozen=True)
class NewPenalty:
    """5.4.1: a penalty as it is typed: every part as text; `troops` are those of slots 1 to 4."""

    kind: str
    player: str
    army: str
    severity: str
    troops: tuple[str, str, str, str]
    cites: str
    reason: str


def checked_penalty(turn: Turn, judge: Judge, new: NewPenalty) -> Penalty:
    """The row, unsaved and without number, die and time. Refused, with the field that is wrong."""
    if new.kind not in Kind.values:
        raise Refused("Say what the penalty is: choose one of the kinds.", "5.4.1", "kind")
    row = Penalty(turn=turn, judge=judge, kind=new.kind)
    row.player = _checked_player(turn, new.player)
    if new.kind != Kind.REPRIMAND or new.army.strip():
        row.army = _checked_army(turn, new.army)
    if new.kind == Kind.DICE:
        row.severity = _checked_severity(new.severity)
        _check_not_rolled(row)
    elif new.kind == Kind.STATED:
        row.stated = _checked_troops(new.troops)
    row.cites = _checked_cites(new, judge)
    row.reason = checked_reason(new.reason)
    return row


def checked_reason(text: str, field: str = "reason") -> str:
    """1.3: a reason is public and required."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise Refused("Give a reason; it is public with the penalty.", "5.4.1", field)
    if len(text) > MAX_REASON:
        raise Refused(f"The reason has {len(text):,} characters; {MAX_REASON:,} is the limit.", "5.4.1", field)
    check_storable(text, what="reason", cites="5.4.1", field=field)
    return text


def _checked_player(turn: Turn, text: str) -> Player:
    name = _storable(text, "player")
    found = Player.objects.filter(round_id=turn.round_id, name__iexact=name).first() if name else None
    if found is None:
        said = f"Nobody called “{name[:40]}” plays in this round." if name else "Say which player acted."
        raise Refused(said, "5.4.1", "player")
    return found


def _checked_army(turn: Turn, text: str) -> Army:
    typed = _storable(text, "army")
    name = position_of(turn).names.get(typed)
    if name is None:
        said = f"There is no army “{typed[:40]}” on the map of this turn." if typed else "Say which army it takes from."
        raise Refused(said, "5.4.1", "army")
    return Army.objects.get(round_id=turn.round_id, name=name)


def _storable(text: str, field: str) -> str:
    check_storable(text, what=field, cites="5.4.1", field=field)
    return text.strip()


def _checked_severity(text: str) -> int:
    return _number(text, "severity", SEVERITIES[0], SEVERITIES[-1], "R47")


def _check_not_rolled(row: Penalty) -> None:
    """R38, R47: no die is rolled again until it suits somebody."""
    before = lifted_roll(row)
    if before:
        raise Refused(
            f"Penalty {before.number} was rolled for this player and army, and lifted; no die is rolled twice. "
            "State the loss by hand, with the reason.",
            "R47",
            "kind",
        )


def _checked_troops(troops: tuple[str, str, str, str]) -> list[int]:
    numbers = [
        _number(text or "0", f"slot{slot}", 0, most, "5.4.1")
        for slot, (text, most) in enumerate(zip(troops, SLOT_MAXIMUM, strict=True), 1)
    ]
    if not any(numbers):
        raise Refused("Say how many troops it takes, or hand down a reprimand.", "5.4.1", "slot1")
    return numbers


def _checked_cites(new: NewPenalty, judge: Judge) -> str:
    """5.4.1 leaves its penalties to the judges, 1.3 every other sanction to the battle judge."""
    number = new.cites.strip().rstrip(".").upper()
    if rulebook.anchor_of(number) is None:
        shown = f"The rulebook has no number {new.cites.strip()[:20]}." if number else "Name the rule that was broken."
        raise Refused(f"{shown} 5.4.1 is about acting with somebody else's army.", "1.3", "cites")
    if number != ACTING and new.kind == Kind.DICE:
        raise Refused("Severity and die are for acting with somebody else's army (5.4.1).", "R47", "cites")
    if number != ACTING and judge.role != Role.BATTLE:
        raise Refused(f"The battle judge sanctions what breaks {number}; yours is 5.4.1.", "1.3", "cites")
    return number


def _number(text: str, field: str, least: int, most: int, cites: str) -> int:
    digits = text.strip().replace(",", "")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10 and least <= int(digits) <= most):
        shown = f"“{text.strip()[:20]}” is not" if text.strip() else "Write"
        raise Refused(f"{shown} a whole number from {least} to {most:,}.", cites, field)
    return int(digits)
