"""R60: the buttons on the movement thread and the map: a player is done with a turn, and a judge locks it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from judging.common.form_views import handle_button, number_of
from judging.common.shortcuts import turn_for, viewer_for
from judging.turns.done.services import mark_done, send_early_lock, take_back, undo_early_lock
from wargame.models import Round, Turn


@require_POST
@login_required
def mark(request: HttpRequest, slug: str) -> HttpResponse:
    """The player is done with the current turn, or with `act=back` is not."""
    viewer, now = viewer_for(request, slug), timezone.now()
    turn = _turn(request, viewer.round)

    def act() -> str:
        if request.POST.get("act") == "back":
            take_back(turn=turn, player=viewer.player, now=now)
            return gettext("You are no longer marked as done with this turn.")
        mark_done(turn=turn, player=viewer.player, now=now)
        return gettext("You are marked as done with this turn. Posting in its Orders thread removes the mark.")

    return handle_button(request, act, _page(request, slug))


@require_POST
@login_required
def early(request: HttpRequest, slug: str) -> HttpResponse:
    """A judge brings the lock of the current turn forward, or with `act=back` puts it back."""
    viewer, now = viewer_for(request, slug), timezone.now()
    turn = _turn(request, viewer.round)

    def act() -> str:
        if request.POST.get("act") == "back":
            return undo_early_lock(request.user, turn, now)
        return send_early_lock(request.user, turn, number_of(request.POST.get("hours", "")), now)

    return handle_button(request, act, _page(request, slug))


def _turn(request: HttpRequest, round_: Round) -> Turn:
    """The turn of the button's page, so that a past one is not mistaken for the next one."""
    return turn_for(round_, number_of(request.POST.get("turn", "")))


def _page(request: HttpRequest, slug: str) -> str:
    """The referring page, if it is one of this site."""
    address = request.POST.get("to", "")
    return address if url_has_allowed_host_and_scheme(address, allowed_hosts=None) else reverse("movement", args=[slug])
