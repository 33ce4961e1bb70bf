"""3.1: turns and their updates."""

from __future__ import annotations

from typing import ClassVar

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.schema import describe
from judging.api.shapes import TURN_STATES, Body, EventOut, Shape
from judging.turns.facts import TurnFacts, turn_facts, turns_facts
from judging.turns.rulings.reads import CorrectionView, RulingView


class TurnOut(Shape):
    """3.1: a turn in the list."""

    made_of = TurnFacts
    shows: ClassVar[tuple[str, ...]] = (
        *("number", "state", "is_open", "opened_at", "deadline", "lock_at", "settled_at"),
        *("commitment", "position_hash", "next_hash"),
    )
    tells = {
        "is_open": "Whether orders are accepted now; the clock decides (R4).",
        "deadline": "The battle deadline: strats are due (R5).",
        "lock_at": "The lock: orders are due (3.1). Its minute is in (R4).",
        "commitment": "SHA-256 of the seed of the turn's draws, public from the start (R38).",
        "position_hash": "SHA-256 of the position as the turn opened.",
        "next_hash": "The same of what came of it.",
    }
    state = serializers.ChoiceField(choices=TURN_STATES, help_text="The stage that the jobs have reached.")


class RulingOut(Shape):
    """3.3.3: a judge's ruling on the turn."""

    made_of = RulingView
    shows = (
        *("number", "army", "what", "cites", "reason", "by", "made_at", "why_not"),
        *("is_correction", "is_withdrawn", "withdrawn_reason"),
    )
    tells = {
        "what": "What was decided.",
        "why_not": "Why it changed nothing, if it did not.",
        "is_correction": "Whether it came after the settlement, by a correction.",
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
    tells = {"old_hash": "SHA-256 of the position that came of the turn before it."}
    by = serializers.CharField(source="decided_by")
    at = serializers.DateTimeField(source="decided_at")
    armies = ArmyChangeOut(many=True, source="difference.armies")


class TurnDetailOut(TurnOut):
    """3.1: a turn with its update."""

    shows = (*TurnOut.shows, "seed", "is_draft", "events", "rulings", "corrections")
    tells = {
        **TurnOut.tells,
        "seed": "Shown when the turn is settled (R38).",
        "is_draft": "The events are the moves alone; battles are still to come.",
        "rulings": "Empty until the moves are published.",
        "corrections": "The newest first.",
    }
    events = EventOut(many=True, help_text="Empty until the moves are published.")


class Turns(ListView):
    """3.1: the turns of a round."""

    @describe("turns_list", "turns", "The turns, the newest first", out=TurnOut(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.page(turns_facts(self.round(slug), timezone.now()), TurnOut)


class OneTurn(ApiView):
    """3.1: one turn with what happened."""

    @describe("turns_read", "turns", "One turn with its update", out=TurnDetailOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        turn = self.turn(self.round(slug), number)
        return Response(TurnDetailOut(turn_facts(turn, timezone.now())).data)
