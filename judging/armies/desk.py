"""2.5.2.2, 2.3.2, 2.6: The battle judge's desk: musters and requests to accept or refuse."""

from datetime import datetime

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext

from judging.armies.changes.services import decide_change
from judging.armies.models import ChangeRequest, HandedIn, Muster
from judging.armies.musters.services import decide_muster, muster_for
from judging.common.form_views import Success
from judging.common.judges import User, judge_of
from judging.common.viewer import viewer_of
from wargame.models.choices import Role


def muster_on_desk(user: User, muster_id: int) -> Muster:
    """1.3: A muster of a round in which the user is a battle judge. Raises Http404."""
    row = Muster.objects.select_related("round").filter(pk=muster_id).first()
    viewer = viewer_of(user, row.round) if row else None
    muster = muster_for(viewer, muster_id) if viewer and viewer.is_judge(Role.BATTLE) else None
    if muster is None or row is None:
        raise Http404(gettext("This muster isn't on your dashboard."))
    muster.round = row.round
    return muster


def request_on_desk(user: User, request_id: int) -> ChangeRequest:
    """1.3: A submitted request, in a round in which the user is a battle judge. Raises Http404."""
    row = ChangeRequest.objects.select_related("round", "army", "player", "decided_by").filter(pk=request_id).first()
    viewer = viewer_of(user, row.round) if row else None
    if row is None or viewer is None or not viewer.is_judge(Role.BATTLE) or row.state == HandedIn.DRAFT:
        raise Http404(gettext("This request isn't on your dashboard."))
    return row


def decide_on_muster(user: User, muster: Muster, accept: bool, reason: str, now: datetime) -> Success:
    """1.3: the user, a battle judge, accepts or refuses a muster."""
    judge = judge_of(user, muster.round, Role.BATTLE)
    decide_muster(muster=muster, judge=judge, accept=accept, reason=reason, now=now)
    message = gettext("You accepted %(muster)s.") if accept else gettext("You refused %(muster)s.")
    return Success(message % {"muster": muster}, reverse("judge:musters"))


def decide_on_request(user: User, asked: ChangeRequest, accept: bool, reason: str, now: datetime) -> Success:
    """1.3: the user, a battle judge, accepts or refuses a request."""
    judge = judge_of(user, asked.round, Role.BATTLE)
    decide_change(request=asked, judge=judge, accept=accept, reason=reason, now=now)
    message = (
        gettext("The request for %(army)s is accepted.") if accept else gettext("The request for %(army)s is refused.")
    )
    return Success(message % {"army": asked.army}, reverse("judge:musters"))
