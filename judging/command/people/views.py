"""1.1, 1.6, 5.1: The pages of both teams' players, of joining a team, and of a player's own status."""

from collections.abc import Sequence
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

from judging.command.badges import forget_team_waiting, players_without_army
from judging.command.control.requests import may_ask
from judging.command.models import Admission, Declaration
from judging.command.people.admission import invited_who_ask
from judging.command.people.forms import (
    AdmissionForm,
    LeadForm,
    ServiceForm,
    admit_all_invited,
    answer_invitation,
    decide_admission,
    player_named,
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
    """1.1: Both teams: players with their ranks, activity and absences, and requests for admission."""
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
    """1.1, 1.6: One player: ranks, armies, leaves, names. A POST is an act of one of their leaders."""
    viewer, now = viewer_for(request, slug), timezone.now()
    view = player_named(viewer.round, name, now)

    def act() -> Success:
        return LeadForm(request.POST).do(viewer, view, now)

    return handle_form(request, partial(_player_page, request, viewer, view, now), act)


def _player_page(
    request: HttpRequest, viewer: Viewer, view: PlayerView, now: datetime, *, refused: Refused | None = None
) -> HttpResponse:
    may_lead = leads(viewer, view.side) and view.member.player.left_at is None
    declaration: Declaration | None = view.member.declaration
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "found": view,
        "leads": may_lead,
        "choices": rank_choices(viewer.round, view.side, now) if may_lead else (),
        "declaration": declaration,
        "refused": refused,
        "typed": request.POST if refused else {},
        "is_self": viewer.player is not None and viewer.player.pk == view.member.player.pk,
    }
    return render(request, "command/player.html", context)


@get_or_post
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: The form to ask a team for admission, and the outcome."""
    viewer, key = viewer_for(request, slug), f"join:{slug}"
    if not request.user.is_authenticated:
        is_sent = request.method == "POST"
        return ask_to_log_in(request, key, request.path) if is_sent else _join(request, viewer, AdmissionForm({}))
    name = request.user.get_username()

    def page(*, refused: Refused | None = None) -> HttpResponse:
        if request.method == "POST":
            return _join(request, viewer, AdmissionForm(request.POST), refused)
        text = take_kept(request, key)
        return _join(request, viewer, AdmissionForm({"side": request.GET.get("side"), "name": name, "text": text}))

    def act() -> str:
        if request.POST.get("act") == "withdraw":
            return withdraw_own_admission(viewer, timezone.now())
        return AdmissionForm(request.POST).do(viewer, timezone.now())

    return handle_form(request, page, act)


@get_or_post
@login_required
def admissions(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: The requests for admission to a team; its leaders accept with a rank, or refuse with a reason."""
    viewer = viewer_for(request, slug)
    admission_id = request.POST.get("admission", "")
    admission = next((row for row in admissions_for(viewer) if str(row.pk) == admission_id), None)

    def act() -> str | Success:
        pressed, now = request.POST.get("act"), timezone.now()
        if pressed == "invited":
            outcome: str | Success = admit_all_invited(viewer, now)
        else:
            rank, reason = request.POST.get("rank", ""), request.POST.get("reason", "")
            outcome = decide_admission(viewer, admission, now, accepts=pressed == "accept", rank=rank, reason=reason)
        forget_team_waiting(viewer.player)
        return outcome

    return handle_form(request, partial(_admissions, request, viewer, admission), act)


@require_POST
@login_required
def invitation(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: The buttons that accept or decline an invitation."""
    viewer = viewer_for(request, slug)
    declines = request.POST.get("act") == "decline"
    return handle_button(
        request, lambda: answer_invitation(viewer, timezone.now(), declines=declines), reverse("rounds")
    )


def _join(request: HttpRequest, viewer: Viewer, form: AdmissionForm, refused: Refused | None = None) -> HttpResponse:
    admission, all_teams = own_admission(viewer) if viewer.user_id else None, teams(viewer.round, timezone.now())
    leaders = next((team.leaders for team in all_teams if admission and team.side == admission.side), ())
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "teams": all_teams,
        "colors": COLORS,
        "own": admission,
        "own_is_led": admission is not None and has_leader(viewer.round, admission.side),
        "own_leaders": leaders,
        "leader_names": ", ".join(f"{member.player.name} ({member.title})" for member in leaders),
        "wait": rough_wait(usual_wait(viewer.round)) if admission and admission.state == Admission.State.ASKED else "",
        "typed": form.cleaned_data,
        "claims": _claims(form.cleaned_data["factions"]),
        "token": new_token(),
        "refused": refused,
    }
    return render(request, "command/join.html", context)


def rough_wait(wait: timedelta | None) -> str:
    """1.1: The usual wait for an answer in plain words; a day or two if it is unknown."""
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
        "typed": request.POST if refused else {},
    }
    return render(request, "command/admissions.html", context)


@get_or_post
@login_required
def service(request: HttpRequest, slug: str) -> HttpResponse:
    """5.1, 1.6: The page for a player's own statements."""
    viewer = viewer_for(request, slug)

    def act() -> Success:
        return ServiceForm(request.POST).do(viewer, timezone.now())

    return handle_form(request, partial(_service_page, request, viewer), act if viewer.player else None)


def _service_page(request: HttpRequest, viewer: Viewer, *, refused: Refused | None = None) -> HttpResponse:
    player, now = viewer.player, timezone.now()
    leaves = player.leaves.order_by("-since") if player else ()
    values = ServiceForm(request.POST if refused else {"since": now.date().isoformat()}).cleaned_data
    factions = values["factions"] if values["act"] == "factions" else ()
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "open_leaves": [leave for leave in leaves if leave.until is None or leave.until > now],
        "name_changes": own_name_changes(player) if player else [],
        "claims": _claims(factions or player.factions) if player else (),
        "colors": COLORS,
        "typed": values,
        "refused": refused,
        "act": values["act"] if values["act"] in ServiceForm.SERVICES else "",
    }
    return render(request, "command/service.html", context)


def _claims(factions: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """1.1.2: the three claims, with what is chosen."""
    return tuple(zip((1, 2, 3), (*factions, "", "", ""), strict=False))
