"""5.4.1, R47: the penalties of a round, for programs; judges impose and lift them."""

from datetime import datetime
from typing import cast

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Missing
from judging.api.fields import ActedOut, line, text
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import TEAM_SIDES, Body, Shape
from judging.common.judges import User
from judging.penalties.desk import PenaltyDesk, impose, lift_penalty, penalty_desk, penalty_of
from judging.penalties.forms import PenaltyForm
from judging.penalties.models import Penalty
from judging.penalties.queries import PenaltyView, penalty_views

PENALTY_KINDS = Penalty.Kind.choices


class PenaltyQuery(Body):
    """Whose penalties are asked for; all of the round's without either."""

    army = serializers.CharField(required=False, allow_blank=True, max_length=60, help_text="An army's name.")
    player = serializers.CharField(required=False, allow_blank=True, max_length=60, help_text="A player's name.")


class PenaltyOut(Shape):
    """5.4.1: a penalty, lifted or not."""

    made_of = PenaltyView
    shows = (
        *("turn", "number", "kind", "player", "side", "army", "what", "severity", "roll", "draw", "takes"),
        *("after_battle", "extended_to", "cites", "reason", "by", "made_at"),
        *("is_lifted", "lifted_by", "lifted_at", "lifted_reason"),
    )
    tells = {
        "number": "Number within the turn.",
        "player": "Who acted.",
        "army": "Empty for a reprimand without an army.",
        "what": "The effect, in words.",
        "severity": "1 to 5; 0 without a roll.",
        "roll": "The die, 1 to 6; 0 without a roll.",
        "draw": "Name of the draw from the turn's seed (R38).",
        "takes": "Troops lost in slots 1 to 4, never more than the slot has.",
        "after_battle": "Whether it is taken from what the army's battle left (R38).",
        "extended_to": "The strat deadline of the army, if the penalty extends it.",
        "by": "The judge.",
    }
    kind = serializers.ChoiceField(choices=PENALTY_KINDS)
    side = serializers.ChoiceField(choices=TEAM_SIDES)


class Penalties(ListView):
    """5.4.1: penalties and reprimands."""

    @describe(
        "penalties_list",
        "turns",
        "List the penalties of a round, newest first",
        out=PenaltyOut(many=True),
        asks=PenaltyQuery,
        problems=(400, 404),
        description="All penalties are public, even lifted ones. `map` shows armies without the losses from "
        "penalties in "
        "force.",
    )
    def get(self, request: Request, slug: str) -> Response:
        query = self.read(PenaltyQuery, request.query_params)
        rows = penalty_views(self.round(slug), army=query.get("army", ""), player=query.get("player", ""))
        return self.page(rows, PenaltyOut)


class PenaltyIn(Body):
    """5.4.1, R47: a penalty."""

    player = line("Who acted.", needed=True)
    army = line("The army; empty for a reprimand without an army.")
    kind = line("The kind of penalty: a code, as in `penalties_list`.", needed=True)
    severity = line("Severity: `1`, `2` or `3`, if dice decide.")
    slot1 = line("Troops lost in the lowest slot.")
    slot2 = line("Troops lost in the second slot.")
    slot3 = line("Troops lost in the third slot.")
    slot4 = line("Troops lost in the highest slot.")
    cites = line("The rule that was broken.", needed=True)
    reason = text("The reason; public.", needed=True)
    token = line("Idempotency key: repeating it won't impose a second penalty.")


class LiftIn(Body):
    """1.3: a penalty that is lifted."""

    reason = text("The reason; public.", needed=True)


class HandDown(ApiView):
    """5.4.1: penalties, for judges."""

    @describe(
        *("penalties_hand_down", "judges", "Impose a penalty"),
        out=ActedOut,
        takes=PenaltyIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:penalties",
    )
    def post(self, request: Request, slug: str) -> Response:
        data, now = self.read_as_judge(PenaltyIn), timezone.now()
        desk = _desk(self, slug, now)
        return self.done(impose(desk, PenaltyForm(data).new_penalty, data["token"], now), _page_of(desk))


class Lift(ApiView):
    """1.3: a penalty, for judges."""

    @describe(
        *("penalties_lift", "judges", "Lift a penalty"),
        out=ActedOut,
        takes=LiftIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:penalties",
    )
    def post(self, request: Request, slug: str, penalty_id: int) -> Response:
        data, now = self.read_as_judge(LiftIn), timezone.now()
        desk = _desk(self, slug, now)
        row = penalty_of(desk, penalty_id)
        if row is None:
            raise Missing(gettext("There is no such penalty."))
        return self.done(lift_penalty(desk, row, data["reason"], now), _page_of(desk))


def _desk(view: ApiView, slug: str, now: datetime) -> PenaltyDesk:
    found = penalty_desk(cast(User, view.request.user), view.round(slug).pk, now)
    if found is None:
        raise Missing(gettext("You can't impose penalties in this round."))
    return found


def _page_of(desk: PenaltyDesk) -> str:
    return f"{reverse('judge:penalties', args=[desk.round.pk])}#penalties"
