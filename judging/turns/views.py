"""3.1, R34: the turns of a round and their updates; and the battle judge's confirmation of the winner."""

from functools import partial
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from judging.battles.queries import battles_of_turn
from judging.common.form_views import handle_button
from judging.common.judges import User
from judging.common.shortcuts import turn_for, viewer_for
from judging.polling.views import live_version
from judging.turns import queries
from judging.turns.failures import retry_on_desk
from judging.turns.rulings.services import corrections_of_turn, rulings_of_turn
from judging.turns.states import is_open
from judging.turns.victories import confirm_on_desk


@require_safe
def turns(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = viewer_for(request, slug)
    context = {"viewer": viewer, "round": viewer.round, "turns": queries.turns_of(viewer.round, timezone.now())}
    return render(request, "turns/turns.html", context)


@require_safe
def turn(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A turn's update: the moves, the refusals with reasons, and the battles."""
    viewer = viewer_for(request, slug)
    row = turn_for(viewer.round, number)
    now = timezone.now()
    is_last = not queries.has_turn(viewer.round, number + 1)
    version = live_version(row, now) if is_last else ""
    report = queries.turn_report(row, now)
    own_armies = queries.controlled_in(row, viewer.player.pk) if report and viewer.player else frozenset()
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "turn": row,
        "report": report,
        "own": queries.events_of(report, own_armies) if report and own_armies else (),
        "withdrawn": [ruling for ruling in rulings_of_turn(row, now) if ruling.is_withdrawn],
        "corrections": corrections_of_turn(row),
        "battles": battles_of_turn(row, viewer, now),
        "is_last": is_last,
        "live": version,
        "is_open": is_open(row, now),
    }
    return render(request, "turns/turn.html", context)


@require_safe
def update_text(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The update as plain text, to paste into a forum."""
    viewer = viewer_for(request, slug)
    report = queries.turn_report(turn_for(viewer.round, number), timezone.now())
    if report is None:
        raise Http404(gettext("Turn %(number)s has no update yet.") % {"number": number})
    notes = [correction.words for correction in corrections_of_turn(report.turn)]
    name = f"{slug}-turn-{number}.txt"
    return HttpResponse(
        queries.update_text(report, notes),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'inline; filename="{name}"'},
    )


@require_POST
def retry(request: HttpRequest, turn_id: int) -> HttpResponse:
    """3.1: retry a turn with a failing stage; redirect to the desk with a message."""
    act = partial(retry_on_desk, cast(User, request.user), turn_id, timezone.now())
    return handle_button(request, act, reverse("judge:index"))


@require_POST
def confirm_win(request: HttpRequest, round_id: int) -> HttpResponse:
    """R34: confirm one side's win; redirect to the desk with a message."""
    user, winner = cast(User, request.user), request.POST.get("winner", "")
    return handle_button(
        request, partial(confirm_on_desk, user, round_id, winner, timezone.now()), reverse("judge:index")
    )
