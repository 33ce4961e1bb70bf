"""2.5.1.1, 2.5.1.4: the steps in which bases, portals and towns get their squares, with the map beside the form."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from judging.game.errors import Refused
from judging.setup.common_pages import desk_for, logged_in, step_page, typed_in, version_of
from judging.setup.map_view import draw_land, draw_overlay
from judging.setup.reads import SetupDesk
from judging.setup.steps.sites import JUDGES, KINDS, JudgedSites, is_revealed, judged_sites, planned_sites
from judging.setup.steps.sites_writes import STEP_KINDS, SitesRefused, save_sites, show_sites
from judging.setup.steps.wishes import wishes_of
from wargame.rules.armies.sites import LEAST_DISTANCE, fairness
from wargame.rules.core.sides import Side

SHOWN = [
    (Side.COALITION.value, "the Coalition's leaders see their own bases"),
    (Side.PHYREXIA.value, "Phyrexia's leaders see their own portals"),
    (JUDGES, "the movement and mercenary judges see all, unless they play"),
]


ZONES = [
    (Side.COALITION.value, "the Coalition's bases", "a portal"),
    (Side.PHYREXIA.value, "Phyrexia's portals", "a base of the Coalition"),
]
"""2.5.1.1: whom the hatched squares bind, and what they are too near to."""


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def bases(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.1: bases and portals."""
    return _step(request, slug, "bases")


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def towns(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.4: towns."""
    return _step(request, slug, "towns")


@require_POST
@logged_in
def preview(request: HttpRequest, slug: str, step: str) -> HttpResponse:
    """2.5.1: the map and what is wrong with what is typed, as fragments."""
    desk = desk_for(request, slug)
    found = judged_sites(planned_sites(desk.round), _typed(request.POST))
    return render(request, "setup/_sites_preview.html", _context(desk, step, found) | {"is_fragment": True})


@require_POST
@logged_in
def shown(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.1: whom the judge lets see the squares before the reveal."""
    desk = desk_for(request, slug)
    try:
        given = request.POST.getlist("shown_to")
        show_sites(round=desk.round, judge=desk.judge, shown_to=given, now=timezone.now())
    except Refused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Saved.")
    return redirect("setup-bases", slug)


def _step(request: HttpRequest, slug: str, step: str) -> HttpResponse:
    desk, data = desk_for(request, slug), typed_in(request) or QueryDict()
    rows, typed = planned_sites(desk.round), _typed(data)
    found = judged_sites(rows, typed)
    texts = {row.pk: str(data[key]) for row in rows if (key := f"text-{row.pk}") in data}
    if request.method != "POST":
        return step_page(request, desk, step, f"setup/{step}.html", _context(desk, step, found, texts))
    try:
        save_sites(
            round=desk.round,
            judge=desk.judge,
            step=step,
            typed=typed,
            descriptions=texts,
            base_version=version_of(request),
            now=timezone.now(),
        )
    except Refused as error:
        context = _context(desk, step, found, texts)
        context |= {"not_saved": True} if isinstance(error, SitesRefused) else {"refused": error}
        return step_page(request, desk, step, f"setup/{step}.html", context, status=422)
    messages.success(request, "Saved.")
    return redirect(f"setup-{step}", slug)


def _typed(post: QueryDict) -> dict[int, tuple[str, str]]:
    """`name-12` and `at-12`, by the number."""
    keys = [key.removeprefix("at-") for key in post if key.startswith("at-")]
    numbers = [int(key) for key in keys if key.isascii() and key.isdigit() and len(key) < 16]
    return {n: (" ".join(post.get(f"name-{n}", "").split()), post.get(f"at-{n}", "").strip()) for n in numbers}


def _context(desk: SetupDesk, step: str, found: JudgedSites, texts: dict[int, str] | None = None) -> dict[str, Any]:
    kinds = STEP_KINDS[step]
    terrain = tuple(desk.round.terrain.split())
    sites = found.of(*kinds)
    return {
        "round": desk.round,
        "sites": [(site, (texts or {}).get(site.row.pk, site.row.description)) for site in sites],
        "groups": [
            ("The Coalition's bases", Side.COALITION, [s for s in sites if s.row.kind == KINDS.BASE]),
            ("Phyrexia's portals", Side.PHYREXIA, [s for s in sites if s.row.kind == KINDS.PORTAL]),
        ],
        "faults": found.faults_of(*kinds),
        "land": draw_land(terrain),
        "overlay": draw_overlay(found.bases, found.towns, forbids=step == "bases"),
        "fairness": fairness(found.towns, found.bases),
        "least": LEAST_DISTANCE,
        "zones": ZONES,
        "preview_step": step,
        "is_public": is_revealed(desk.setup),
        "wishes": wishes_of(desk.round),
        "shown": [(key, words, key in desk.setup.shown_to) for key, words in SHOWN],
    }
