"""3.1, R38: what is public about turns and their updates."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.schema import describe
from judging.api.shapes import TURN_STATES, Body, EventOut, Shape
from judging.turns.queries import turn_report
from judging.turns.rulings.services import CorrectionView, RulingView, corrections_of_turn, rulings_of_turn
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


class TurnOut(Shape):
    """3.1: a turn in the list."""

    made_of = TurnFacts
    shows: ClassVar[tuple[str, ...]] = (
        *("number", "state", "is_open", "opened_at", "deadline", "lock_at", "settled_at"),
        *("commitment", "position_hash", "next_hash"),
    )
    tells = {
        "is_open": "Whether you can send orders now; the clock decides (R4).",
        "deadline": "Battle deadline, when strats are due (R5).",
        "lock_at": "The lock, when orders are due (3.1). Orders count until the end of that minute (R4).",
        "commitment": "SHA-256 of the seed for the turn's draws, public from the start (R38).",
        "position_hash": "SHA-256 of the position at the start of the turn.",
        "next_hash": "SHA-256 of the position after the turn.",
    }
    state = serializers.ChoiceField(choices=TURN_STATES, help_text="The stage that the background jobs have reached.")


class RulingOut(Shape):
    """3.3.3: a judge's ruling on the turn."""

    made_of = RulingView
    shows = (
        *("number", "army", "what", "cites", "reason", "by", "made_at", "why_not"),
        *("is_correction", "is_withdrawn", "withdrawn_reason"),
    )
    tells = {
        "what": "What was decided.",
        "why_not": "Why it changed nothing; empty if it did.",
        "is_correction": "Whether it was made after the settlement, by a correction.",
    }
    number = serializers.IntegerField()


class ArmyChangeOut(Body):
    """3.3.3: what a correction changed about an army, in words."""

    army = serializers.CharField()
    changes = serializers.ListField(child=serializers.CharField())


class CorrectionOut(Shape):
    """3.3.3: a correction of the turn after it was settled."""

    made_of = CorrectionView
    shows = ("by", "at", "old_hash", "next_hash", "armies", "rulings")
    tells = {"old_hash": "SHA-256 of the turn's resulting position before the correction."}
    by = serializers.CharField(source="decided_by")
    at = serializers.DateTimeField(source="decided_at")
    armies = ArmyChangeOut(many=True, source="difference.armies")


class TurnDetailOut(TurnOut):
    """3.1: a turn with its update."""

    shows = (*TurnOut.shows, "seed", "is_draft", "events", "rulings", "corrections")
    tells = {
        **TurnOut.tells,
        "seed": "Shown once the turn is settled (R38).",
        "is_draft": "Whether the events only cover the moves, with battles still to come.",
        "rulings": "Empty until the moves are published.",
        "corrections": "The newest first.",
    }
    events = EventOut(many=True, help_text="Empty until the moves are published.")


class Turns(ListView):
    """3.1: the turns of a round."""

    @describe("turns_list", "turns", "List the turns, newest first", out=TurnOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.page(turns_facts(self.round(slug), timezone.now()), TurnOut)


class OneTurn(ApiView):
    """3.1: one turn with what happened."""

    @describe("turns_read", "turns", "Get a turn with its update", out=TurnDetailOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        turn = self.turn(self.round(slug), number)
        return Response(TurnDetailOut(turn_facts(turn, timezone.now())).data)
