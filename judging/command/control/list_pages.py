"""5.2.1: the public control list, now and at any past moment, and the history of an army's control."""

from __future__ import annotations

from datetime import UTC, datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.views.decorators.http import require_safe

from judging.command.control.reads import control_lists, history_of_army, lock_moment
from judging.command.control.requests import waiting_requests
from judging.game.errors import Refused
from judging.game.pages import turn_for, viewer_for
from judging.game.rounds import current_turn
from judging.game.viewer import Viewer

LARGEST_TURN = 2**31 - 1


@require_safe
def lists(request: HttpRequest, slug: str) -> HttpResponse:
    """5.2.1: who controls what since when, by team; with `turn` or `at` as it was then."""
    viewer, now = viewer_for(request, slug), timezone.now()
    asked = {key: request.GET.get(key, "").strip() for key in ("turn", "at", "q")}
    wrong = ""
    try:
        when = moment_asked(viewer, asked["turn"], asked["at"], now)
    except Refused as error:
        when, wrong = now, error.sentence
    turn = current_turn(viewer.round)
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "list": control_lists(viewer.round, when, now, asked["q"][:60]),
        "asked": asked,
        "wrong": wrong,
        "turns": range(turn.number, 0, -1) if turn else (),
        "waiting": waiting_requests(viewer) if viewer.player or viewer.roles else [],
    }
    return render(request, "command/list.html", context, status=400 if wrong else 200)


@require_safe
def army(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """5.2: everybody who has controlled an army, from when to when."""
    viewer = viewer_for(request, slug)
    found = history_of_army(viewer.round, name) if "\0" not in name else None
    if found is None:
        raise Http404(f"There is no army “{name[:60]}” in this round.")
    context = {"round": viewer.round, "viewer": viewer, "army": found[0], "spans": found[1]}
    return render(request, "command/army.html", context)


def moment_asked(viewer: Viewer, turn: str, at: str, now: datetime) -> datetime:
    """The moment that was asked for: the lock of a turn, a time (UTC), or now. Refused for what is neither."""
    if turn:
        number = int(turn) if turn.isdecimal() and len(turn) < 11 else 0
        if not 0 < number <= LARGEST_TURN:
            raise Refused(f"“{turn[:20]}” is no number of a turn.", "3.1", "turn")
        try:
            return min(now, lock_moment(turn_for(viewer.round, number)))
        except Http404 as error:
            raise Refused(str(error), "3.1", "turn") from None
    if at:
        return min(now, _read_time(at))
    return now


def _read_time(text: str) -> datetime:
    try:
        when = parse_datetime(text)
        day = None if when else parse_date(text)
    except ValueError:
        when = day = None
    if when is None and day is not None:
        when = datetime(day.year, day.month, day.day, tzinfo=UTC)
    if when is None:
        raise Refused(f"“{text[:40]}” is no time; write one like 2026-03-09T05:00 (UTC).", "", "at")
    try:
        return when if when.tzinfo else when.replace(tzinfo=UTC)
    except OverflowError:
        raise Refused(f"“{text[:40]}” is no time that can be.", "", "at") from None
