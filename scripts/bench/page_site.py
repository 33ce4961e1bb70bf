"""The site with one more address that answers with constant bytes: the floor of every page on this machine."""

from __future__ import annotations

import gzip
from random import Random
from typing import TYPE_CHECKING

from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.urls import path

if TYPE_CHECKING:
    from django.core.handlers.wsgi import WSGIHandler

NOTHING, PACKED = "floor/nothing/", "floor/packed/"
BYTES = gzip.compress(Random(1).randbytes(9_000))
"""As many bytes as a map on an open page."""


def nothing(request: HttpRequest) -> HttpResponse:
    """The answer to a poll when nothing is new, without checking for news."""
    return HttpResponse(status=204)


def packed(request: HttpRequest) -> HttpResponse:
    """Bytes that were compressed before."""
    return HttpResponse(BYTES, headers={"Content-Encoding": "gzip"})


def application() -> WSGIHandler:
    """The site as gunicorn serves it, and the two floors."""
    site = get_wsgi_application()
    from wargame import urls

    floors = [path(NOTHING, nothing), path(PACKED, packed)]
    urls.urlpatterns = [*floors, *urls.urlpatterns]  # type: ignore[list-item]
    return site
