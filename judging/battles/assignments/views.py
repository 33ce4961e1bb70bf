"""R56, R59: The page on which a judge states conflicts and leaves and names a deputy. The page of the judges shows
them to everybody."""

from datetime import UTC, datetime, time
from functools import partial

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext

from judging.battles.assignments import services
from judging.battles.assignments.queries import judges_in
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_form, number_of
from judging.common.shortcuts import viewer_for
from judging.common.viewer import Viewer
from wargame.models import Judge, Player
from wargame.rules.core.board import COLORS
from wargame.rules.core.sides import Side

_FIELDS = ("act", "about", "player", "faction", "team", "why", "since", "until", "note", "deputy", "conflict")


@get_or_post
@login_required
def of_mine(request: HttpRequest, slug: str) -> HttpResponse:
    """R56, R59: A judge's own conflicts, leaves and deputies; a POST states, ends or names one."""
    viewer = viewer_for(request, slug)
    seats = list(viewer.seats)
    if not seats:
        raise PermissionDenied(gettext("This page is for the judges of this round."))
    return handle_form(
        request, partial(_page, request, viewer, seats), partial(_act, request, viewer, seats, timezone.now())
    )


def _act(request: HttpRequest, viewer: Viewer, seats: list[Judge], now: datetime) -> str:
    data, judge = _typed_in(request.POST), seats[0]
    act = data["act"]
    if act == "conflict":
        about = data["about"]
        name = data.get(about, "") if about in ("player", "faction", "team") else ""
        services.state_conflict(judge=judge, about=about, name=name, why=data["why"], now=now)
        return gettext("You declared a conflict. Everyone can see it. You can't open the battles it concerns.")
    if act == "withdraw":
        services.withdraw_conflict(judge=judge, conflict_id=number_of(data["conflict"]), now=now)
        return gettext("You withdrew the conflict.")
    if act == "leave":
        since = _day_of(data["since"], "since", is_needed=True)
        until = _day_of(data["until"], "until", is_needed=False)
        services.state_leave(judge=judge, since=since or now, until=until, note=data["note"], now=now)
        return gettext("You reported your absence. Everyone can see it.")
    if act == "back":
        ended = services.end_leave(judge=judge, now=now)
        return gettext("You are back.") if ended else gettext("You were not away.")
    if act == "deputy":
        own_seat = next((seat for seat in seats if str(seat.pk) == request.POST.get("seat", "")), None)
        if own_seat is None:
            raise Refused(gettext("You no longer have that role."), "R59", "deputy")
        deputy = None
        if data["deputy"]:
            deputy = Judge.objects.filter(round=viewer.round, pk=number_of(data["deputy"])).first()
            if deputy is None:
                raise Refused(gettext("That judge has since been dismissed."), "R59", "deputy")
        services.name_deputy(judge=own_seat, deputy=deputy, now=now)
        return (
            gettext("%(deputy)s is now your deputy.") % {"deputy": deputy.name}
            if deputy
            else gettext("You have no deputy.")
        )
    raise Refused(gettext("There is no such button. Reload the page."))


def _page(request: HttpRequest, viewer: Viewer, seats: list[Judge], *, refused: Refused | None = None) -> HttpResponse:
    judges = judges_in(viewer.round, timezone.now())
    seat_ids = {seat.pk for seat in seats}
    view = next(judge for judge in judges if judge.id in seat_ids)
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "mine": view,
        "seats": [(seat, next((j.deputy for j in judges if j.id == seat.pk), ""), _peers(seat)) for seat in seats],
        "players": Player.objects.filter(round=viewer.round).exclude(user=viewer.user_id).order_by("name"),
        "factions": COLORS,
        "teams": [(value, Side(value).title) for value in services.TEAMS],
        "refused": refused,
        "typed": _typed_in(request.POST),
    }
    return render(request, "bench/mine.html", context)


def _peers(seat: Judge) -> list[Judge]:
    return list(Judge.objects.filter(round=seat.round_id, role=seat.role).exclude(user=seat.user_id).order_by("name"))


def _typed_in(data: QueryDict) -> dict[str, str]:
    """The typed values by the fields' names; missing ones are empty."""
    return {name: data.get(name, "") for name in _FIELDS}


def _day_of(text: str, field: str, *, is_needed: bool) -> datetime | None:
    """The beginning of a day in UTC; None if the field is empty and optional. Raises Refused for an invalid day."""
    if not text.strip() and not is_needed:
        return None
    try:
        day = parse_date(text.strip())
    except ValueError:
        day = None
    if day is None:
        raise Refused(gettext("Write a day, like 2026-03-15."), "R59", field)
    return datetime.combine(day, time(), UTC)
