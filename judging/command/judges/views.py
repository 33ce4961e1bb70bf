"""1.3, 6: The judges of a round, for everybody to see and for their heads to name and dismiss."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy

from judging.battles.assignments.queries import JudgeView, judges_in
from judging.command.judges.forms import SeatForm
from judging.command.judges.services import Offer
from judging.command.models import Handover
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_form, number_of
from judging.common.judges import is_supreme, may_manage
from judging.common.shortcuts import viewer_for
from judging.common.viewer import Viewer
from wargame.models import Judge, Round
from wargame.models.choices import Role, RoundState

RULES = {Role.BATTLE: "1.3", Role.MOVEMENT: "1.3", Role.MERCENARY: "6"}
"""The rules about each role."""

TITLES = {
    Role.BATTLE: gettext_lazy("Battle judges"),
    Role.MOVEMENT: gettext_lazy("Movement judges"),
    Role.MERCENARY: gettext_lazy("Mercenary judges"),
}
ORDER = tuple(RULES)


@dataclass(frozen=True)
class JudgeSeat:
    """1.3: A judge. `until` is when they were dismissed. `may_dismiss`, `may_lead`: by the viewer, who `is_self`.
    `said` are their own statements: conflicts, leaves, a deputy (R56, R59)."""

    id: int
    name: str
    is_head: bool
    since: datetime
    until: datetime | None
    is_self: bool
    may_dismiss: bool
    may_lead: bool
    said: JudgeView | None = None


@dataclass(frozen=True)
class JudgesOfRole:
    """1.3: The judges of a role, the head first, and the former ones. `may_name`: by the viewer. `offer` is the open
    offer of the head's place, which the viewer `may_accept` or `may_withdraw`."""

    role: Role
    title: str
    cites: str
    seats: tuple[JudgeSeat, ...]
    former: tuple[JudgeSeat, ...]
    may_name: bool
    offer: Handover | None = None
    may_accept: bool = False
    may_withdraw: bool = False

    @property
    def head(self) -> JudgeSeat | None:
        return next((seat for seat in self.seats if seat.is_head), None)


def benches_for(viewer: Viewer) -> tuple[JudgesOfRole, ...]:
    """1.3, 6: the judges of all roles, as the viewer may see and change them."""
    judges = list(Judge.everybody.filter(round=viewer.round))
    own_judges = [judge for judge in judges if judge.user_id == viewer.user_id and judge.dismissed_at is None]
    judge_views = {each.id: each for each in judges_in(viewer.round, timezone.now())}
    open_offers = Handover.objects.filter(round=viewer.round, state=Offer.OPEN, lapses_at__gt=timezone.now())
    offers = {row.role: row for row in open_offers.select_related("to", "head", "by")}
    benches = (
        _bench(viewer, role, [judge for judge in judges if judge.role == role], own_judges, judge_views)
        for role in ORDER
    )
    return tuple(_with_offer(bench, offers.get(bench.role), viewer.user_id) for bench in benches)


def _with_offer(bench: JudgesOfRole, offer: Handover | None, user: int | None) -> JudgesOfRole:
    if offer is None:
        return bench
    may_withdraw = user in (offer.by.user_id, offer.head.user_id)
    return replace(bench, offer=offer, may_accept=user == offer.to.user_id, may_withdraw=may_withdraw)


def _bench(
    viewer: Viewer, role: Role, judges: list[Judge], own_judges: list[Judge], said: Mapping[int, JudgeView]
) -> JudgesOfRole:
    is_open = viewer.round.state == RoundState.RUNNING
    may = any(may_manage(judge, role) for judge in own_judges)
    manages = is_open and may
    hands_over = (
        may
        and viewer.round.state in (RoundState.RUNNING, RoundState.SETUP)
        and (role != Role.BATTLE or any(is_supreme(judge) for judge in own_judges))
    )
    seats = [replace(_seat(viewer, judge, manages, hands_over, is_open), said=said.get(judge.pk)) for judge in judges]
    seats.sort(key=lambda seat: (not seat.is_head, seat.since, seat.name.casefold()))
    serving = tuple(seat for seat in seats if seat.until is None)
    return JudgesOfRole(
        role, str(TITLES[role]), RULES[role], serving, tuple(seat for seat in seats if seat.until), manages
    )


def _seat(viewer: Viewer, judge: Judge, manages: bool, hands_over: bool, is_open: bool) -> JudgeSeat:
    is_self = judge.user_id == viewer.user_id
    serves = judge.dismissed_at is None
    return JudgeSeat(
        id=judge.pk,
        name=judge.name,
        is_head=judge.is_head,
        since=since(judge, viewer.round),
        until=judge.dismissed_at,
        is_self=is_self,
        may_dismiss=is_open and serves and not judge.is_head and (manages or is_self),
        may_lead=hands_over and serves and not judge.is_head,
    )


def since(judge: Judge, round: Round) -> datetime:
    """1.3: Since when a judge has their current place."""
    named_at = judge.named_at or round.created_at
    return judge.head_since or named_at if judge.is_head else named_at


@get_or_post
def judges(request: HttpRequest, slug: str) -> HttpResponse:
    """1.3: The judges, with dates; a POST names, dismisses, offers the head's place, or decides about such an offer.
    An offer needs a confirmation, with both names."""
    viewer = viewer_for(request, slug)
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect(f"{reverse('login')}?next={request.path}")

    def act() -> str:
        return SeatForm(request.POST).do(viewer, timezone.now())

    return handle_form(request, partial(_page, request, viewer), None if _asks(request, viewer) else act)


def _asks(request: HttpRequest, viewer: Viewer) -> bool:
    """1.3: Whether this is the first of two clicks to offer the head's place."""
    data = request.POST
    if data.get("act") != "head" or data.get("sure"):
        return False
    return Judge.objects.filter(round=viewer.round, pk=number_of(data.get("judge", ""))).exists()


def _page(request: HttpRequest, viewer: Viewer, *, refused: Refused | None = None) -> HttpResponse:
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "benches": benches_for(viewer),
        "refused": refused,
        "asks": refused is None and _asks(request, viewer),
        "typed": request.POST,
    }
    return render(request, "judges/judges.html", context)
