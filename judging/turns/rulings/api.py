"""3.3.3, R18, R34: rulings, drafts and corrections, a stage that is tried again and a win, for programs."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Missing
from judging.api.fields import ActedOut, Nothing, line, one_of, text
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import TEAM_SIDES, Body
from judging.turns.failures import retry_on_desk
from judging.turns.models import Ruling
from judging.turns.rulings.corrections import decide_proposal, send_proposal
from judging.turns.rulings.desk import correction_desk, draft_desk, publish, rule, ruling_of, withdraw
from judging.turns.rulings.services import NewRuling
from judging.turns.victories import confirm_on_desk

RULED = "The name of the army."
RULING_KINDS = Ruling.Kind.choices


class RulingIn(Body):
    """3.3.3: a ruling. Each kind needs some of its parts."""

    kind = one_of("What is ruled.", *RULING_KINDS)
    army = line(RULED, needed=True)
    cites = line("The rule behind the ruling.", needed=True)
    reason = text("The reason; public with the turn.", needed=True)
    square = line("The square where it ends, or the square it wins.")
    order = line("The order, without the army's name.")
    days = line("Its days.")
    slot = line("The slot; 1 is the lowest.")
    creature = line("The creature.")
    alive = line("Its living troops.")
    token = line("Idempotency key: repeating it won't make a second ruling.")


class CorrectionIn(RulingIn):
    """3.3.3: a correction of a settled turn, by a ruling."""

    instead_of = line("Id of the proposal it replaces.")


class WithdrawalIn(Body):
    """3.3.3: a ruling that is taken back."""

    reason = text("Why.", needed=True)


class PublishingIn(Body):
    """R18: the moves of a locked turn, published."""

    digest = line("Digest of the draft you have read.", needed=True)


class ProposalIn(Body):
    """3.3.3: what becomes of a correction that was proposed."""

    act = one_of("What is done.", "apply", "drop")


class WinIn(Body):
    """R34: who has won the round."""

    winner = one_of("The team.", *TEAM_SIDES)


class Rulings(ApiView):
    """3.3.3: rulings on a locked turn."""

    @describe(
        "rulings_add",
        "judges",
        "Rule on a locked turn",
        out=ActedOut,
        takes=RulingIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:draft",
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        data, now = self.read_as_judge(RulingIn), timezone.now()
        desk = draft_desk(request.user, self.turn(self.round(slug), number).pk, now)
        return self.done(rule(request.user, desk, _ruling(data), data["token"], now))


class OneRuling(ApiView):
    """3.3.3: a ruling."""

    @describe(
        "rulings_withdraw",
        "judges",
        "Withdraw a ruling",
        out=ActedOut,
        takes=WithdrawalIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:ruling-withdraw",
    )
    def post(self, request: Request, slug: str, number: int, ruling_id: int) -> Response:
        data = self.read_as_judge(WithdrawalIn)
        turn, ruling = self.turn(self.round(slug), number), ruling_of(request.user, ruling_id)
        if ruling.turn != turn:
            raise Missing(gettext("There is no such ruling on your dashboard."))
        return self.done(withdraw(request.user, ruling, data["reason"], timezone.now()))


class Publishing(ApiView):
    """R18: the draft of the moves."""

    @describe(
        "draft_publish",
        "judges",
        "Publish the moves of a locked turn",
        out=ActedOut,
        takes=PublishingIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:draft",
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        data, now = self.read_as_judge(PublishingIn), timezone.now()
        turn = draft_desk(request.user, self.turn(self.round(slug), number).pk, now).turn
        message = publish(request.user, turn, data["digest"], now)
        return self.done(message, reverse("judge:draft", args=[turn.pk]))


class Corrections(ApiView):
    """3.3.3: corrections of a settled turn."""

    @describe(
        "corrections_propose",
        "judges",
        "Propose a correction to a settled turn",
        out=ActedOut,
        takes=CorrectionIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:corrections",
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        data, now = self.read_as_judge(CorrectionIn), timezone.now()
        desk = correction_desk(request.user, self.turn(self.round(slug), number).pk, now)
        instead_of = data.pop("instead_of", "")
        return self.done(send_proposal(desk.turn, desk.judge, _ruling(data), data["token"], instead_of, now))


class OneCorrection(ApiView):
    """3.3.3: a correction that was proposed."""

    @describe(
        "corrections_decide",
        "judges",
        "Apply or drop a correction",
        out=ActedOut,
        takes=ProposalIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:corrections",
    )
    def post(self, request: Request, slug: str, number: int, correction_id: int) -> Response:
        data, now = self.read_as_judge(ProposalIn), timezone.now()
        desk = correction_desk(request.user, self.turn(self.round(slug), number).pk, now)
        message = decide_proposal(desk.turn, desk.judge, correction_id, data["act"], now)
        return self.done(message, reverse("judge:corrections", args=[desk.turn.pk]))


class Retry(ApiView):
    """3.1: a stage of a turn that breaks down."""

    @describe(
        "turns_retry",
        "judges",
        "Retry a turn that failed to settle",
        out=ActedOut,
        takes=Nothing,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:retry",
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        self.read_as_judge(Nothing)
        turn = self.turn(self.round(slug), number)
        return self.done(retry_on_desk(request.user, turn.pk, timezone.now()), reverse("judge:index"))


class Win(ApiView):
    """R34: the end of a round."""

    @describe(
        "rounds_win",
        "judges",
        "Confirm that a side has won",
        out=ActedOut,
        takes=WinIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:victory",
    )
    def post(self, request: Request, slug: str) -> Response:
        data = self.read_as_judge(WinIn)
        message = confirm_on_desk(request.user, self.round(slug).pk, data["winner"], timezone.now())
        return self.done(message, reverse("judge:index"))


def _ruling(data: dict[str, Any]) -> NewRuling:
    return NewRuling(**{name: value for name, value in data.items() if name != "token"})
