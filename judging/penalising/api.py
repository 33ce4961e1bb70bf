"""5.4.1, R47: handing penalties down and lifting them, for programs."""

from datetime import datetime
from typing import cast

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Missing
from judging.api.fields import ActedOut, line, text
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body
from judging.common.judges import User
from judging.penalising.desk import SLOT_FIELDS, PenaltyDesk, impose, lift_penalty, penalty_desk, penalty_of
from judging.penalising.services import NewPenalty


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
        given, now = self.read_as_judge(PenaltyIn), timezone.now()
        desk = _desk(self, slug, now)
        typed = {name: given.get(name, "") for name in ("kind", "player", "army", "severity", "cites", "reason")}
        first, second, third, fourth = (given.get(name, "") for name in SLOT_FIELDS)
        new = NewPenalty(troops=(first, second, third, fourth), **typed)
        return self.done(impose(desk, new, given["token"], now), _page_of(desk))


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
        given, now = self.read_as_judge(LiftIn), timezone.now()
        desk = _desk(self, slug, now)
        row = penalty_of(desk, penalty_id)
        if row is None:
            raise Missing(gettext("There is no such penalty."))
        return self.done(lift_penalty(desk, row, given["reason"], now), _page_of(desk))


def _desk(view: ApiView, slug: str, now: datetime) -> PenaltyDesk:
    found = penalty_desk(cast(User, view.request.user), view.round(slug).pk, now)
    if found is None:
        raise Missing(gettext("You can't impose penalties in this round."))
    return found


def _page_of(desk: PenaltyDesk) -> str:
    return f"{reverse('judge:penalties', args=[desk.round.pk])}#penalties"
