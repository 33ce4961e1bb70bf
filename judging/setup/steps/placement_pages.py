"""2.5.2.3: the step of the placement: the armies in a list and on the map, and the judge's buttons."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from judging.game.errors import Refused
from judging.setup.armies_view import draw_armies, pins_of
from judging.setup.common_pages import desk_for, logged_in, number_of, step_page, typed_in, version_of
from judging.setup.map_view import draw_land, draw_overlay
from judging.setup.models import ArmySetup
from judging.setup.reads import SetupDesk
from judging.setup.steps.armies import TEAMS
from judging.setup.steps.placement import Placed, board_of, placed_armies, plans_of
from judging.setup.steps.placement_writes import accept_placement, drop_all, place_armies
from judging.setup.steps.sites import is_revealed
from wargame.rules.armies.placement import NEARBY
from wargame.rules.core.board import Square, read_square

STEP = "placement"
Texts = dict[int, str]


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def placement(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.2.3: the armies' squares; a POST drops them, keeps what is typed, or accepts it."""
    desk = desk_for(request, slug)
    texts = typed_squares(typed_in(request) or QueryDict())
    if request.method != "POST":
        return _page(request, desk, texts)
    try:
        messages.success(request, _do(request, desk, texts))
    except Refused as error:
        return _page(request, desk, texts, refused=error)
    return redirect("setup-placement", slug)


@require_POST
@logged_in
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.2.3: the map and what is said of the squares as they are typed, as fragments."""
    desk = desk_for(request, slug)
    context = _context(desk, typed_squares(request.POST)) | {"is_fragment": True}
    return render(request, "setup/_placement_preview.html", context)


def typed_squares(post: QueryDict) -> Texts:
    """`at-12`, by the number."""
    found = {number_of(key.removeprefix("at-")): text for key, text in post.items() if key.startswith("at-")}
    return {number: str(text).strip() for number, text in found.items() if number >= 0}


def readable(texts: Texts) -> dict[int, Square | None]:
    """R1: what is typed, as squares; None for what is none."""
    return {number: _square(text) for number, text in texts.items()}


def _do(request: HttpRequest, desk: SetupDesk, texts: Texts) -> str:
    """Does what the button says; what is said of it then."""
    act = request.POST.get("act", "save")
    common: dict[str, Any] = {"round": desk.round, "judge": desk.judge, "now": timezone.now()}
    common["base_version"] = version_of(request)
    if act == "accept":
        accept_placement(squares=texts, **common)
        return "The squares are accepted."
    if act in ("drop", "fill"):
        moved = drop_all(keep=texts if act == "fill" else None, **common)
        return f"{_armies(moved)} moved. It is a proposal until you accept it."
    return f"Saved: {_armies(place_armies(squares=texts, **common))} moved."


def _armies(count: int) -> str:
    return "one army" if count == 1 else f"{count} armies"


def _page(request: HttpRequest, desk: SetupDesk, texts: Texts, refused: Refused | None = None) -> HttpResponse:
    context = _context(desk, texts) | {"refused": refused}
    return step_page(request, desk, STEP, "setup/placement.html", context, status=422 if refused else 200)


def _context(desk: SetupDesk, texts: Texts) -> dict[str, Any]:
    board = board_of(desk.round)
    armies = placed_armies(desk.round, board, readable(texts))
    pins = pins_of(armies, plans_of(desk.round))
    return {
        "round": desk.round,
        "is_public": is_revealed(desk.setup),
        "groups": [(side, [_row(army, texts) for army in armies if army.muster.side is side]) for side in TEAMS],
        "count": len(armies),
        "unplaced": sum(army.at is None for army in armies),
        "faults": [fault for army in armies if army.at is not None for fault in army.faults],
        "land": draw_land(board.terrain),
        "overlay": {**draw_overlay(board.bases, board.towns), "armies": draw_armies(pins)},
        "nearby": NEARBY,
        "draws": ArmySetup.objects.filter(round=desk.round).first(),
    }


def _row(army: Placed, texts: Texts) -> dict[str, Any]:
    at = str(army.at) if army.at else ""
    return {"army": army, "at": texts.get(army.muster.pk, at), "is_wrong": any(f.is_breach for f in army.faults)}


def _square(text: str) -> Square | None:
    try:
        return read_square(text)
    except ValueError:
        return None
