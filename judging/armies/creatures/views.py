"""2.2.1: the catalogue of creatures as a page."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.armies.creatures.services import KINDS, CreatureQuery, creature_called, found_creatures, names_near
from wargame.rules.core.board import COLORS

PAGE = 60
LARGEST_SLOT = 9
LONGEST_NAME = 150


@require_safe
def creature(request: HttpRequest, name: str) -> HttpResponse:
    """2.2.3: The card of one creature: its size, colours and abilities; for a script the card alone. If the
    catalogue lacks it, similar names."""
    row = None if "\0" in name else creature_called(name)
    context = {"creature": row, "name": name[:LONGEST_NAME], "near": () if row else names_near(name[:LONGEST_NAME])}
    template = "creatures/_card.html" if request.headers.get("X-Card") else "creatures/creature.html"
    return render(request, template, context, status=200 if row else 404)


@require_safe
def creatures(request: HttpRequest) -> HttpResponse:
    """2.2.1: Search and filters; for htmx the list alone."""
    query = CreatureQuery.of(request.GET)
    pages = Paginator(found_creatures(query), PAGE)
    number = request.GET.get("page", "1")
    page = pages.get_page(number)
    context = {
        "query": query,
        "page": page,
        "total": pages.count,
        "colors": COLORS,
        "kinds": KINDS.items(),
        "slots": range(1, LARGEST_SLOT + 1),
    }
    is_part = bool(request.headers.get("HX-Request")) and request.headers.get("HX-Target") == "found"
    return render(request, "creatures/_found.html" if is_part else "creatures/creatures.html", context)
