"""3.1, R38: what is public about a turn, in the form in which programs read it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judging.turns.reads import turn_report
from judging.turns.rulings.reads import CorrectionView, RulingView, corrections_of_turn, rulings_of_turn
from wargame.models import Round, Turn
from wargame.models.choices import TurnState
from wargame.rules.core import clock
from wargame.rules.core.codec import Json


@dataclass(frozen=True)
class TurnFacts:
    """3.1: a turn. `is_open` is by the clock (R4); `seed` is empty until the turn is settled (R38)."""

    number: int
    state: str
    is_open: bool
    opened_at: datetime
    deadline: datetime
    lock_at: datetime
    settled_at: datetime | None
    commitment: str
    position_hash: str
    next_hash: str
    seed: str = ""
    is_draft: bool = False
    events: tuple[Json, ...] = ()
    rulings: tuple[RulingView, ...] = ()
    corrections: tuple[CorrectionView, ...] = ()


def turn_facts(turn: Turn, now: datetime) -> TurnFacts:
    """A turn with its update, as far as it is published."""
    report = turn_report(turn, now)
    events = [event for section in report.sections for event in section.events] if report else []
    return _facts(
        turn,
        now,
        is_draft=bool(report and report.is_draft),
        events=tuple(events),
        rulings=rulings_of_turn(turn, now),
        corrections=corrections_of_turn(turn),
    )


def turns_facts(round_: Round, now: datetime) -> list[TurnFacts]:
    """Every turn of a round, the newest first, without seeds and events."""
    turns = Turn.objects.filter(round=round_).order_by("-number").defer("position", "events", "seed")
    return [_facts(turn, now, is_listed=True) for turn in turns]


def _facts(turn: Turn, now: datetime, *, is_listed: bool = False, **more: Any) -> TurnFacts:
    shows_seed = turn.state == TurnState.SETTLED and not is_listed
    return TurnFacts(
        number=turn.number,
        state=turn.state,
        is_open=turn.state == TurnState.OPEN and clock.is_in_time(now, turn.lock_at),
        opened_at=turn.opened_at,
        deadline=turn.deadline,
        lock_at=turn.lock_at,
        settled_at=turn.settled_at,
        commitment=turn.commitment,
        position_hash=turn.position_hash,
        next_hash=turn.next_hash,
        seed=turn.seed if shows_seed else "",
        **more,
    )
