"""2.5: the last steps: formula book, control, and the start; and the page on which leaders ask for their armies."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from judging.books.reads import newest_version
from judging.books.writes import draw_formulas, save_book
from judging.game.errors import Refused
from judging.game.pages import viewer_for
from judging.game.viewer import Viewer
from judging.setup.common_pages import desk_for, logged_in, number_of, step_page, typed_in
from judging.setup.reads import SetupDesk, setup_of
from judging.setup.steps.calendar import lock_of_the_first_turn
from judging.setup.steps.control import starts_for, starts_of
from judging.setup.steps.control_writes import Asked, ask_for_starts
from judging.setup.steps.start_writes import NotReady, obstacles_of, start_round
from judging.setup.steps.team import team_desk
from wargame.models.choices import RoundState
from wargame.rules.core.sides import Side


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def book(request: HttpRequest, slug: str) -> HttpResponse:
    """R37, R38: the formula book and the commitment to it; a POST draws one, where there is none."""
    desk = desk_for(request, slug)
    refused = None
    if request.method == "POST":
        try:
            save_book(round=desk.round, judge=desk.judge, formulas=draw_formulas(), base_number=0, now=timezone.now())
        except Refused as error:
            refused = error
        else:
            messages.success(request, "A formula book is drawn and committed to.")
            return redirect("setup-book", slug)
    context = {
        "book": newest_version(desk.round),
        "editor": reverse("judge:book", args=[desk.round.pk]),
        "refused": refused,
    }
    return step_page(request, desk, "book", "setup/book.html", context, status=409 if refused else 200)


@require_safe
@logged_in
def control(request: HttpRequest, slug: str) -> HttpResponse:
    """5.2.1: who will control which army, as the leaders asked."""
    desk = desk_for(request, slug)
    groups = [(side, starts_of(desk.round, side)) for side in (Side.COALITION, Side.PHYREXIA)]
    return step_page(request, desk, "control", "setup/control.html", {"groups": groups})


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5: all that stands in the way; a POST starts the round. When it has begun, its map."""
    if viewer_for(request, slug).round.state != RoundState.SETUP:
        return redirect("map", slug)
    desk = desk_for(request, slug)
    if request.method == "POST":
        try:
            turn = start_round(round=desk.round, judge=desk.judge, now=timezone.now())
        except NotReady as error:
            return _start_page(request, desk, refused=error)
        messages.success(request, f"{desk.round.name} has begun: turn {turn.number} is open.")
        return redirect("map", slug)
    return _start_page(request, desk)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def starts(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.2.3, 5.2.1: where a side's armies are to start and who controls its proxies, for its leaders."""
    viewer = viewer_for(request, slug)
    if setup_of(viewer.round) is None or viewer.round.state != RoundState.SETUP:
        raise Http404("The round has begun; what its leaders asked for is done.")
    asked, refused = _asked(typed_in(request) or QueryDict()), None
    if request.method == "POST":
        try:
            changed = ask_for_starts(round=viewer.round, player=viewer.player, asked=asked, now=timezone.now())
        except Refused as error:
            refused = error
        else:
            messages.success(request, f"Saved: {changed} changed.")
            return redirect("setup-starts", slug)
    return _starts_page(request, viewer, asked, refused)


def _start_page(request: HttpRequest, desk: SetupDesk, refused: Refused | None = None) -> HttpResponse:
    now = timezone.now()
    lock = lock_of_the_first_turn(desk.setup, now)
    context = {
        "obstacles": obstacles_of(desk.setup),
        "lock": lock,
        "deadline": lock - desk.round.deadline_before_lock,
        "refused": refused,
        "refused_word": "Not started.",
    }
    return step_page(request, desk, "start", "setup/start.html", context, status=409 if refused else 200)


def _starts_page(
    request: HttpRequest, viewer: Viewer, asked: dict[int, Asked], refused: Refused | None
) -> HttpResponse:
    found, desk = starts_for(viewer), team_desk(viewer)
    if found is None or desk is None:
        raise PermissionDenied("Only the leaders of a side ask where its armies start (2.5.2.3).")
    saved = {start.muster.pk: Asked(start.muster.base, start.muster.controller_id) for start in found}
    rows = [(start, (saved | asked)[start.muster.pk]) for start in found]
    context = {"round": viewer.round, "desk": desk, "page": "starts", "rows": rows, "refused": refused}
    return render(request, "setup/starts.html", context, status=422 if refused else 200)


def _asked(post: QueryDict) -> dict[int, Asked]:
    """`base-12` and `controller-12`, by the number."""
    numbers = {number_of(key.partition("-")[2]) for key in post if key.startswith(("base-", "controller-"))}
    found = {}
    for number in sorted(number for number in numbers if number >= 0):
        controller = number_of(post.get(f"controller-{number}", ""))
        found[number] = Asked(post.get(f"base-{number}", "")[:60], controller if controller >= 0 else None)
    return found
