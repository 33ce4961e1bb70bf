"""1.2: what an open map fetches when it has changed. It is the same for everybody, so it is drawn and packed once."""

from __future__ import annotations

import gzip
from threading import Lock

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from judging.game.pages import round_for, turn_for
from judging.map.pages import drawn
from judging.map.reads import map_version
from judging.notices.live_pages import version_now

PACKED_SECONDS = 60
"""How long it is kept; it says how long ago something was, which the page counts on by itself."""

_drawing = Lock()


@require_safe
@never_cache
@gzip_page
def fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """The map without its ground, if its version is no longer `?v=`; else 204, which changes nothing on the page."""
    version = version_now("map", slug, lambda: map_version(turn_for(round_for(slug))))
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    packed = _packed(request, slug, version)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(packed, headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})
    return HttpResponse(gzip.decompress(packed))


def _packed(request: HttpRequest, slug: str, version: str) -> bytes:
    """Drawn by one, and waited for by all others who ask meanwhile."""
    key = f"map-packed:{version}"
    packed: bytes | None = cache.get(key)
    if packed is None:
        with _drawing:
            packed = cache.get(key)
            if packed is None:
                packed = _draw(request, slug)
                cache.set(key, packed, PACKED_SECONDS)
    return packed


def _draw(request: HttpRequest, slug: str) -> bytes:
    context = drawn(turn_for(round_for(slug)), without_ground=True) | {"is_fragment": True}
    return gzip.compress(render_to_string("map/fragment.html", context, request).encode(), mtime=0)
