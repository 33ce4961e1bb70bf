"""4.1.1: the Battle Announcements, the page of a battle, and the Battle Results."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from judging.battles.reads import battle_view, battles_of_turn, cancelled_battles, published_battles
from judging.game.pages import turn_for, viewer_for
from judging.notices.live import live_version
from judging.notices.reads import commitments_in
from judging.turns.reads import fought_turns

TURNS_A_PAGE = 5


@require_safe
def present(request: HttpRequest, slug: str) -> HttpResponse:
    """The battles of the present turn."""
    return of_turn(request, slug, None)


@require_safe
def of_turn(request: HttpRequest, slug: str, number: int | None) -> HttpResponse:
    """The battles of a turn."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round, number)
    now = timezone.now()
    version = "" if number else live_version(turn, now)
    battles = battles_of_turn(turn, viewer, now)
    cancelled = cancelled_battles(turn)
    context = {"viewer": viewer, "round": viewer.round, "turn": turn, "battles": battles, "cancelled": cancelled}
    context |= {"commitments": commitments_in(turn), "live": version}
    return render(request, "battles/announcements.html", context)


@require_safe
def battle(request: HttpRequest, slug: str, battle_id: int) -> HttpResponse:
    """One battle: who fights where, which strats came, and the result when it is there."""
    viewer = viewer_for(request, slug)
    now = timezone.now()
    version = live_version(turn_for(viewer.round), now)
    view = battle_view(battle_id, viewer, now)
    if view is None:
        raise Http404("There is no such battle in this round.")
    context = {"viewer": viewer, "round": viewer.round, "battle": view, "live": version}
    return render(request, "battles/battle.html", context)


@require_safe
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """4.2.5: the published results, some turns a page, the newest first."""
    viewer = viewer_for(request, slug)
    before = request.GET.get("before", "")
    turns, older = fought_turns(viewer.round, int(before) if before.isdecimal() else None, TURNS_A_PAGE)
    battles = published_battles(turns, viewer, timezone.now())
    context = {"viewer": viewer, "round": viewer.round, "battles": battles, "older": older, "before": before}
    return render(request, "battles/results.html", context)
