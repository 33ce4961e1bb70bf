"""1.1, 1.6, 5.1: The pages of both teams' players, of joining a team, and of a player's own status."""

from datetime import datetime, timedelta
from functools import partial
from math import ceil

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST, require_safe

from judging.command.badges import players_without_army
from judging.command.control.requests import may_ask
from judging.command.models import Admission, Declaration
from judging.command.people.admission import invited_who_ask
from judging.command.people.forms import (
    SERVICES,
    TypedAdmission,
    TypedLead,
    TypedService,
    admit_all_invited,
    answer_invitation,
    claimed_factions,
    decide_admission,
    lead_player,
    player_named,
    send_admission,
    serve,
    withdraw_own_admission,
)
from judging.command.people.roster import (
    PlayerView,
    admissions_for,
    has_leader,
    leads,
    own_admission,
    own_name_changes,
    rank_choices,
    teams,
    usual_wait,
)
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_button, handle_form
from judging.common.forms import new_token
from judging.common.shortcuts import ask_to_log_in, take_kept, viewer_for
from judging.common.viewer import Viewer
from wargame.models.choices import RoundState
from wargame.rules.core.board import COLORS


@require_safe
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: both teams: who plays with which rank, who is active, who is away, and who asks for admission."""
    viewer, now = viewer_for(request, slug), timezone.now()
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "teams": teams(viewer.round, now),
        "leads": viewer.player is not None and leads(viewer, viewer.player.side),
        "gives": may_ask(viewer) and viewer.round.state == RoundState.RUNNING,
        "own": own_admission(viewer) if viewer.user_id and not viewer.player else None,
    }
    return render(request, "command/players.html", context)


@get_or_post
def player(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """1.1, 1.6: one player: ranks, armies, leaves, names. A POST is an act of one of his leaders."""
    viewer, now = viewer_for(request, slug), timezone.now()
    found = player_named(viewer.round, name, now)

    def act() -> Success:
        typed = {key: request.POST.get(key, "") for key in ("act", "rank", "reason")}
        return lead_player(viewer, found, TypedLead(**typed, shown=request.POST.get("shown")), now)

    return handle_form(request, partial(_player_page, request, viewer, found, now), act)


def _player_page(
    request: HttpRequest, viewer: Viewer, found: PlayerView, now: datetime, *, refused: Refused | None = None
) -> HttpResponse:
    may_lead = leads(viewer, found.side) and found.member.player.left_at is None
    declaration: Declaration | None = found.member.declaration
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "found": found,
        "leads": may_lead,
        "choices": rank_choices(viewer.round, found.side, now) if may_lead else (),
        "declaration": declaration,
        "refused": refused,
        "typed": {key: request.POST.get(key, "") for key in ("act", "rank", "reason")} if refused else {},
        "is_self": viewer.player is not None and viewer.player.pk == found.member.player.pk,
    }
    return render(request, "command/player.html", context)


@get_or_post
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: the form with which somebody asks a team for admission, and what became of it."""
    viewer, key = viewer_for(request, slug), f"join:{slug}"
    if not request.user.is_authenticated:
        is_sent = request.method == "POST"
        return ask_to_log_in(request, key, request.path) if is_sent else _join(request, viewer, TypedAdmission(), None)
    name = request.user.get_username()

    def page(*, refused: Refused | None = None) -> HttpResponse:
        is_sent = request.method == "POST"
        typed = (
            _typed(request) if is_sent else TypedAdmission(request.GET.get("side", ""), name, take_kept(request, key))
        )
        return _join(request, viewer, typed, refused)

    def act() -> str:
        if request.POST.get("act") == "withdraw":
            return withdraw_own_admission(viewer, timezone.now())
        return send_admission(viewer, _typed(request), request.POST.get("token", ""), timezone.now())

    return handle_form(request, page, act)


@get_or_post
@login_required
def admissions(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: who asks a team for admission; its leaders accept with a rank, or refuse with a reason."""
    viewer = viewer_for(request, slug)
    asked = request.POST.get("admission", "")
    found = next((row for row in admissions_for(viewer) if str(row.pk) == asked), None)

    def act() -> str | Success:
        pressed, now = request.POST.get("act"), timezone.now()
        if pressed == "invited":
            return admit_all_invited(viewer, now)
        rank, reason = request.POST.get("rank", ""), request.POST.get("reason", "")
        return decide_admission(viewer, found, now, accepts=pressed == "accept", rank=rank, reason=reason)

    return handle_form(request, partial(_admissions, request, viewer, found), act)


@require_POST
@login_required
def invitation(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: the buttons by which an invitation is accepted or declined."""
    viewer = viewer_for(request, slug)
    declines = request.POST.get("act") == "decline"
    return handle_button(
        request, lambda: answer_invitation(viewer, timezone.now(), declines=declines), reverse("rounds")
    )


def _typed(request: HttpRequest) -> TypedAdmission:
    side, name, text = (request.POST.get(key, "") for key in ("side", "name", "text"))
    return TypedAdmission(side, name, text, factions_of(request))


def factions_of(request: HttpRequest) -> tuple[str, ...]:
    """1.1.2: the factions that were chosen in a form, the one of the rank first."""
    return claimed_factions([request.POST.get(f"faction{place}", "") for place in (1, 2, 3)])


def _join(request: HttpRequest, viewer: Viewer, typed: TypedAdmission, refused: Refused | None) -> HttpResponse:
    own, found = own_admission(viewer) if viewer.user_id else None, teams(viewer.round, timezone.now())
    leaders = next((team.leaders for team in found if own and team.side == own.side), ())
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "teams": found,
        "colors": COLORS,
        "own": own,
        "own_is_led": own is not None and has_leader(viewer.round, own.side),
        "own_leaders": leaders,
        "leader_names": ", ".join(f"{member.player.name} ({member.title})" for member in leaders),
        "wait": rough_wait(usual_wait(viewer.round)) if own and own.state == Admission.State.ASKED else "",
        "typed": typed,
        "token": new_token(),
        "refused": refused,
    }
    return render(request, "command/join.html", context)


def rough_wait(wait: timedelta | None) -> str:
    """1.1: how long an answer takes as somebody would say it; a day or two where nobody can know."""
    if wait is None:
        return gettext("within a day or two")
    hours = wait / timedelta(hours=1)
    if hours < 1:
        return gettext("within the hour")
    if hours <= 24:
        return gettext("within half a day") if hours <= 12 else gettext("within a day")
    days = ceil(hours / 24)
    return ngettext("within %(days)s day", "within %(days)s days", days) % {"days": days}


def _admissions(
    request: HttpRequest, viewer: Viewer, at: Admission | None, *, refused: Refused | None = None
) -> HttpResponse:
    side, rows = viewer.side, admissions_for(viewer)
    decides = side is not None and leads(viewer, side)
    gives = may_ask(viewer) and viewer.round.state == RoundState.RUNNING
    is_shown = decides and any(at == row and row.state == Admission.State.ASKED for row in rows)
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "admissions": rows,
        "choices": rank_choices(viewer.round, side, timezone.now()) if side else (),
        "decides": decides,
        "gives": gives,
        "waits_for_army": set(players_without_army(viewer.player, timezone.now()).values_list("pk", flat=True))
        if viewer.player and gives
        else (),
        "invited": len(invited_who_ask(viewer.round, [side.value])) if side and decides else 0,
        "at": at.pk if at and is_shown else None,
        "refused": refused,
        "typed": {key: request.POST.get(key, "") for key in ("rank", "reason")} if refused else {},
    }
    return render(request, "command/admissions.html", context)


@get_or_post
@login_required
def service(request: HttpRequest, slug: str) -> HttpResponse:
    """5.1, 1.6: the page on which a player says of himself what only he can say."""
    viewer = viewer_for(request, slug)

    def act() -> Success:
        return serve(viewer, request.POST.get("act", ""), _typed_service(request), timezone.now())

    return handle_form(request, partial(_service_page, request, viewer), act if viewer.player else None)


def _typed_service(request: HttpRequest) -> TypedService:
    names = ("since", "until", "note", "leave", "name", "change")
    return TypedService(
        **{name: request.POST.get(name, "") for name in names},
        factions=factions_of(request),
        permits=bool(request.POST.get("permits")),
        sure=bool(request.POST.get("sure")),
    )


def _service_page(request: HttpRequest, viewer: Viewer, *, refused: Refused | None = None) -> HttpResponse:
    player, now = viewer.player, timezone.now()
    leaves = player.leaves.order_by("-since") if player else ()
    typed = {"since": now.date().isoformat()}
    typed |= {key: request.POST.get(key, "") for key in ("since", "until", "note", "name")} if refused else {}
    typed_act = request.POST.get("act", "")
    factions = factions_of(request) if refused and typed_act == "factions" else None
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "open_leaves": [leave for leave in leaves if leave.until is None or leave.until > now],
        "name_changes": own_name_changes(player) if player else [],
        "claims": TypedAdmission(factions=factions or tuple(player.factions)).claims if player else (),
        "colors": COLORS,
        "typed": typed,
        "refused": refused,
        "act": typed_act if refused and typed_act in SERVICES else "",
    }
    return render(request, "command/service.html", context)
