"""1.2, R2: the step in which the map is painted, or pasted as text."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from judging.game.errors import Refused
from judging.setup.common_pages import desk_for, logged_in, step_page, typed_in, version_of
from judging.setup.map_view import draw_land
from judging.setup.reads import SetupDesk
from judging.setup.steps.terrain import demo_terrain
from judging.setup.steps.terrain_writes import TerrainRefused, save_terrain
from wargame.rules.armies.terrain_text import EMPTY, TerrainFault, read_terrain
from wargame.rules.core.board import PLAINS, TERRAINS

STARTS = {"ocean": EMPTY, "plains": PLAINS}
MOST = 5_000
"""Characters of a text that are looked at; a map has 545."""


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def terrain(request: HttpRequest, slug: str) -> HttpResponse:
    """1.2: the map as text and as a picture that can be painted on; a POST saves it or fills the form."""
    desk, typed = desk_for(request, slug), typed_in(request)
    if typed is None:
        return _page(request, desk, desk.round.terrain)
    act, text = typed.get("act", "save"), typed.get("terrain", "")[:MOST]
    if request.method != "POST":
        return _page(request, desk, text, is_unsaved=True)
    if act in ("demo", *STARTS):
        rows = STARTS[act] if act in STARTS else demo_terrain()
        messages.info(request, "The map below is not saved yet.")
        return _page(request, desk, "\n".join(rows), is_unsaved=True)
    try:
        save_terrain(
            round=desk.round, judge=desk.judge, text=text, base_version=version_of(request), now=timezone.now()
        )
    except TerrainRefused as error:
        return _page(request, desk, text, refused=error, faults=error.faults)
    except Refused as error:
        return _page(request, desk, text, refused=error)
    messages.success(request, "The map is saved.")
    return redirect("setup-terrain", slug)


@require_safe
@logged_in
def download(request: HttpRequest, slug: str) -> HttpResponse:
    """R2: the saved terrain as 14 lines of 38 letters, which can be pasted again."""
    desk = desk_for(request, slug)
    response = HttpResponse(f"{desk.round.terrain}\n", content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{desk.round.slug}-terrain.txt"'
    return response


def _page(
    request: HttpRequest,
    desk: SetupDesk,
    text: str,
    *,
    refused: Refused | None = None,
    faults: tuple[TerrainFault, ...] = (),
    is_unsaved: bool = False,
) -> HttpResponse:
    rows, wrong = read_terrain(text)
    counts = Counter("".join(rows))
    context: dict[str, Any] = {
        "text": text.replace("\r\n", "\n"),
        "refused": refused,
        "faults": faults,
        "terrains": [(letter, name, counts[letter]) for letter, name in TERRAINS.items()],
        "land": draw_land(tuple(desk.round.terrain.split()) if wrong else rows),
        "is_unsaved": is_unsaved or refused is not None,
    }
    return step_page(request, desk, "terrain", "setup/terrain.html", context, 422 if refused else 200)
