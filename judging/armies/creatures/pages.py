"""2.2.1: the catalogue of creatures as a page."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from judging.armies.creatures.reads import KINDS, CreatureQuery, found_creatures
from wargame.rules.core.board import COLORS

PAGE = 60
LARGEST_SLOT = 9


@require_safe
def creatures(request: HttpRequest) -> HttpResponse:
    """2.2.1: search and filters; to htmx the list alone."""
    query = CreatureQuery.of(request.GET)
    pages = Paginator(found_creatures(query), PAGE)
    number = request.GET.get("page", "1")
    page = pages.get_page(number)
    asked = {key: request.GET[key] for key in ("q", "color", "kind", "size", "fits") if request.GET.get(key)}
    context = {
        "query": query,
        "page": page,
        "total": pages.count,
        "asked": urlencode(asked),
        "colors": COLORS,
        "kinds": KINDS.items(),
        "slots": range(1, LARGEST_SLOT + 1),
    }
    is_part = bool(request.headers.get("HX-Request")) and request.headers.get("HX-Target") == "found"
    return render(request, "creatures/_found.html" if is_part else "creatures/creatures.html", context)
