"""1.6, 5.1: what a player says of himself: when he is away, how he is called, for whom he plays, that he quits."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import partial

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from judging.command.control.powers import permit_namesake
from judging.command.models import Leave, NameChange
from judging.command.people.absence import end_leave, state_leave
from judging.command.people.joining import leave_team
from judging.command.people.pages import TypedAdmission, factions_of
from judging.command.people.ranks import claim_factions
from judging.command.people.roster import own_name_changes
from judging.command.people.screen_names import ask_name, withdraw_name
from judging.game.acting import Done, answer, asks_or_acts, number_of
from judging.game.errors import Refused
from judging.game.pages import viewer_for
from judging.game.viewer import Viewer
from wargame.models import Player
from wargame.rules.core.board import COLORS


@asks_or_acts
@login_required
def service(request: HttpRequest, slug: str) -> HttpResponse:
    """5.1, 1.6: the page on which a player says of himself what only he can say."""
    viewer = viewer_for(request, slug)
    player, pressed = viewer.player, request.POST.get("act", "")

    def act() -> Done:
        if player is None or pressed not in SERVICES:
            raise Refused(gettext("You can't do that here."))
        said = SERVICES[pressed](request, player, timezone.now())
        return Done(said, reverse("players", args=[slug]) if pressed == "quit" else "")

    return answer(request, partial(_service_page, request, viewer), act if player else None)


def _leave(request: HttpRequest, player: Player, now: datetime) -> str:
    """5.1: days are whole ones (UTC): a leave that ends on a day lasts through it."""
    first, last = _day(request, "since"), _day(request, "until")
    since = datetime.combine(first, time(), UTC) if first else now
    until = datetime.combine(last + timedelta(days=1), time(), UTC) if last else None
    state_leave(player=player, since=since, until=until, note=request.POST.get("note", ""), now=now)
    return gettext("Your absence is now on the player list.")


def _back(request: HttpRequest, player: Player, now: datetime) -> str:
    leave = Leave.objects.filter(player=player, pk=_key(request, "leave")).first()
    if leave is None:
        raise Refused(gettext("You have no such absence."), "5.1")
    end_leave(leave=leave, player=player, now=now)
    return gettext("Your absence is over.")


def _name(request: HttpRequest, player: Player, now: datetime) -> str:
    asked = ask_name(player=player, name=request.POST.get("name", ""), now=now)
    return gettext("The battle judge has your request to be called %(new)s.") % {"new": asked.new}


def _keep_name(request: HttpRequest, player: Player, now: datetime) -> str:
    change = NameChange.objects.filter(player=player, pk=_key(request, "change")).first()
    if change is None:
        raise Refused(gettext("You have no such request."), "1.6")
    withdraw_name(change=change, player=player, now=now)
    return gettext("You withdrew your request and will keep your name.")


def _factions(request: HttpRequest, player: Player, now: datetime) -> str:
    claim_factions(player=player, factions=factions_of(request), now=now)
    return gettext("You changed your factions. Armies keep their colours (2.4).")


def _permit(request: HttpRequest, player: Player, now: datetime) -> str:
    permits = bool(request.POST.get("permits"))
    permit_namesake(player=player, permits=permits, now=now)
    return (
        gettext("Your leaders can now give your namesake army to other players.")
        if permits
        else gettext("Your namesake army stays yours.")
    )


def _quit(request: HttpRequest, player: Player, now: datetime) -> str:
    if not request.POST.get("sure"):
        raise Refused(gettext("Tick the box to confirm."), "", "sure")
    leave_team(player=player, now=now)
    return gettext("You have left %(name)s. Thank you for playing.") % {"name": player.round.name}


SERVICES = {
    "leave": _leave,
    "back": _back,
    "name": _name,
    "keep-name": _keep_name,
    "factions": _factions,
    "permit": _permit,
    "quit": _quit,
}


def _day(request: HttpRequest, field: str) -> date | None:
    text = request.POST.get(field, "").strip()
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
        if not 2000 <= day.year <= 9000:
            raise ValueError
    except ValueError:
        raise Refused(
            gettext("“%(text)s” is not a date. Write one like 2026-03-09.") % {"text": text[:30]}, "5.1", field
        ) from None
    return day


def _key(request: HttpRequest, field: str) -> int:
    return number_of(request.POST.get(field, ""))


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
