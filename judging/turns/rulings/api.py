"""3.3.3, R18, R34: rulings, drafts and corrections, a stage that is tried again and a win, for programs."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import door
from judging.api.fields import Nothing, line, one_of, text
from judging.api.models import Scope
from judging.api.shapes import TEAM_SIDES, Body
from judging.turns.models import Ruling

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

    post = door(
        *("rulings_add", "judges", "Rule on a locked turn", "judge:draft"),
        takes=RulingIn,
        scope=Scope.JUDGE,
        presses={"act": "rule"},
    )


class OneRuling(ApiView):
    """3.3.3: a ruling."""

    post = door(
        *("rulings_withdraw", "judges", "Withdraw a ruling", "judge:ruling-withdraw"),
        takes=WithdrawalIn,
        scope=Scope.JUDGE,
    )


class Publishing(ApiView):
    """R18: the draft of the moves."""

    post = door(
        *("draft_publish", "judges", "Publish the moves of a locked turn", "judge:draft"),
        takes=PublishingIn,
        scope=Scope.JUDGE,
        presses={"act": "publish"},
    )


class Corrections(ApiView):
    """3.3.3: corrections of a settled turn."""

    post = door(
        *("corrections_propose", "judges", "Propose a correction to a settled turn", "judge:corrections"),
        takes=CorrectionIn,
        scope=Scope.JUDGE,
        presses={"act": "propose"},
    )


class OneCorrection(ApiView):
    """3.3.3: a correction that was proposed."""

    post = door(
        *("corrections_decide", "judges", "Apply or drop a correction", "judge:corrections"),
        takes=ProposalIn,
        scope=Scope.JUDGE,
        form=lambda view, given, where: {**given, "correction": where["correction_id"]},
    )


class Retry(ApiView):
    """3.1: a stage of a turn that breaks down."""

    post = door(
        "turns_retry", "judges", "Retry a turn that failed to settle", "judge:retry", scope=Scope.JUDGE, takes=Nothing
    )


class Win(ApiView):
    """R34: the end of a round."""

    post = door(
        *("rounds_win", "judges", "Confirm that a side has won", "judge:victory"),
        takes=WinIn,
        scope=Scope.JUDGE,
    )
