"""Standalone pictures, as SVG and as PNG: for link previews on other sites, and for small maps.

A PNG is rendered once for each SVG, one at a time in a process, and cached; browsers revalidate it.
"""

from hashlib import sha256
from threading import Lock

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext

from judging.common.texts import NO_XML

KEPT_SECONDS = 24 * 3600
FRESH_SECONDS = 3600
"""How long a browser can use a picture without revalidation."""

WAITS_SECONDS = 10
FOLDER = settings.BASE_DIR / "judging" / "static" / "judging" / "fonts"
FONTS = [str(FOLDER / name) for name in ("DejaVuSerif.ttf", "DejaVuSerif-Bold.ttf")]
"""The only fonts of a picture, so that it is the same on every machine."""

_drawing = Lock()


def picture(request: HttpRequest, svg: str, kind: str, *, fresh: int = FRESH_SECONDS) -> HttpResponseBase:
    """The response with a picture as `svg` or `png`; 304 if unchanged, 503 while too many others are rendered."""
    svg = NO_XML.sub("", svg)
    digest = sha256(svg.encode()).hexdigest()[:32]
    etag = f'"{digest}-{kind}"'
    response = get_conditional_response(request, etag)
    if response is None:
        if kind == "png":
            data = _png(svg, digest)
            if data is None:
                return HttpResponse(
                    gettext("Too many pictures are being drawn right now."), status=503, content_type="text/plain"
                )
            response = HttpResponse(data, content_type="image/png")
        else:
            response = HttpResponse(svg, content_type="image/svg+xml; charset=utf-8")
    response["ETag"] = etag
    response["Cache-Control"] = f"public, max-age={fresh}"
    return response


def _png(svg: str, digest: str) -> bytes | None:
    key = f"png:{digest}"
    data: bytes | None = cache.get(key)
    if data is None and _drawing.acquire(timeout=WAITS_SECONDS):
        try:
            data = cache.get(key) or _as_png(svg)
            cache.set(key, data, KEPT_SECONDS)
        finally:
            _drawing.release()
    return data


def _as_png(svg: str) -> bytes:
    """About 0.1 s of one core. The project's templates name no files, so only the fonts are read."""
    from resvg_py import svg_to_bytes  # 3 MB: loaded for the first picture

    family = "DejaVu Serif"
    return bytes(
        svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_files=FONTS, font_family=family, serif_family=family)
    )
