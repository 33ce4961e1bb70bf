"""1.1: asking a team for admission, and what its leaders say."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from judging.command.control.reads import TEAMS
from judging.command.models import Admission
from judging.command.people.joining import accept_admission, ask_admission, refuse_admission, withdraw_admission
from judging.command.people.roster import admissions_for, has_leader, leads, own_admission, rank_choices, teams
from judging.command.people.roster_pages import read_rank
from judging.game.acting import answer, asks_or_acts
from judging.game.errors import Refused
from judging.game.forms import new_token
from judging.game.pages import ask_to_log_in, take_kept, viewer_for
from judging.game.viewer import Viewer
from wargame.models.choices import RoundState
from wargame.rules.command.ranks import rank_title
from wargame.rules.core.board import COLORS
from wargame.rules.core.sides import Side


@dataclass(frozen=True)
class Typed:
    """1.1: what stands in the form of a request for admission."""

    side: str = ""
    name: str = ""
    text: str = ""
    factions: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[tuple[int, str], ...]:
        """1.1.2: the three claims, with what is chosen."""
        chosen = (*self.factions, "", "", "")
        return tuple((place, chosen[place - 1]) for place in (1, 2, 3))


@asks_or_acts
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: the form with which somebody asks a team for admission, and what became of it."""
    viewer, key = viewer_for(request, slug), f"join:{slug}"
    if not request.user.is_authenticated:
        is_sent = request.method == "POST"
        return ask_to_log_in(request, key, request.path) if is_sent else _join(request, viewer, Typed(), None)
    name = request.user.get_username()

    def page(*, refused: Refused | None = None) -> HttpResponse:
        is_sent = request.method == "POST"
        typed = _typed(request) if is_sent else Typed(request.GET.get("side", ""), name, take_kept(request, key))
        return _join(request, viewer, typed, refused)

    def act() -> str:
        return _asked(request, viewer, User.objects.get(username=name), timezone.now())

    return answer(request, page, act)


@asks_or_acts
@login_required
def admissions(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: who asks a team for admission; its leaders accept with a rank, or refuse with a reason."""
    viewer = viewer_for(request, slug)
    asked = request.POST.get("admission", "")
    found = next((row for row in admissions_for(viewer) if str(row.pk) == asked), None)

    def act() -> str:
        if found is None:
            raise Refused("There is no such request for admission, or you may not decide it.", "1.1")
        return _decide(request, viewer, found)

    return answer(request, partial(_admissions, request, viewer, found), act)


def _asked(request: HttpRequest, viewer: Viewer, user: User, now: datetime) -> str:
    own = own_admission(viewer)
    if request.POST.get("act") == "withdraw":
        if own is None:
            raise Refused("You have not asked for admission.", "1.1")
        withdraw_admission(admission=own, user=user, now=now)
        return "Your request is taken back."
    typed = _typed(request)
    asked = ask_admission(
        round=viewer.round,
        user=user,
        side=typed.side,
        name=typed.name,
        text=typed.text,
        factions=typed.factions,
        token=request.POST.get("token", ""),
        now=now,
    )
    team = Side(asked.side)
    is_led = has_leader(viewer.round, team)
    decides = "Its leaders decide." if is_led else "Nobody leads it yet, so the battle judge decides."
    told = f"{team.title[0].upper()}{team.title[1:]} has your request. {decides}"
    later = "You have claimed no faction; you can do that at Your service once you play."
    return f"{told} {later}" if _claims_later(asked) else told


def _claims_later(asked: Admission) -> bool:
    """1.1.2: a Coalition player may claim factions, and need not."""
    return asked.side == Side.COALITION and not asked.factions


def _decide(request: HttpRequest, viewer: Viewer, found: Admission) -> str:
    now = timezone.now()
    if request.POST.get("act") == "accept":
        rank = read_rank(request.POST.get("rank", ""), Side(found.side))
        player = accept_admission(admission=found, by=viewer.player, rank=rank, now=now)
        title = rank_title(rank, Side(found.side))
        needs = _needs_army(viewer) if rank and not player.controls.exists() else ""
        return f"{player.name} is one of you now, as {title}.{needs}"
    refuse_admission(admission=found, by=viewer.player, reason=request.POST.get("reason", ""), now=now)
    return f"{found.name} is refused, and can read why."


def _needs_army(viewer: Viewer) -> str:
    """2.5.2.2, 2.6: where the army of somebody who was taken in comes from."""
    if viewer.round.state == RoundState.SETUP:
        return " He can raise his army now, under Musters."
    return " Give him an army: those who may ask for changes do."


def _typed(request: HttpRequest) -> Typed:
    side, name, text = (request.POST.get(key, "") for key in ("side", "name", "text"))
    return Typed(side, name, text, factions_of(request))


def factions_of(request: HttpRequest) -> tuple[str, ...]:
    """1.1.2: the factions that were chosen in a form, the one of the rank first."""
    chosen = (request.POST.get(f"faction{place}", "") for place in (1, 2, 3))
    return tuple(faction for faction in chosen if faction)


def _join(request: HttpRequest, viewer: Viewer, typed: Typed, refused: Refused | None) -> HttpResponse:
    own = own_admission(viewer) if viewer.user_id else None
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "teams": teams(viewer.round, timezone.now()),
        "sides": TEAMS,
        "colors": COLORS,
        "own": own,
        "own_is_led": own is not None and has_leader(viewer.round, own.side),
        "typed": typed,
        "token": new_token(),
        "refused": refused,
    }
    return render(request, "command/join.html", context)


def _admissions(
    request: HttpRequest, viewer: Viewer, at: Admission | None, *, refused: Refused | None = None
) -> HttpResponse:
    side, rows = viewer.side, admissions_for(viewer)
    decides = side is not None and leads(viewer, side)
    is_shown = decides and any(at == row and row.state == Admission.State.ASKED for row in rows)
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "admissions": rows,
        "choices": rank_choices(viewer.round, side, timezone.now()) if side else (),
        "decides": decides,
        "at": at.pk if at and is_shown else None,
        "refused": refused,
        "typed": {key: request.POST.get(key, "") for key in ("rank", "reason")} if refused else {},
    }
    return render(request, "command/admissions.html", context)
