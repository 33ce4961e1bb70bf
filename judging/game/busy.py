"""What is answered when nothing could be stored: one sentence, 503, and when to ask again; never a mistake of ours.

A page with something typed in it shows `locking.Busy` in the place of a refusal. Here is what comes by any other way: a
button without a page, a statement outside of a writer, the session of a visitor.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.views import defaults

from judging.game.locking import RETRY_AFTER, Busy, busy_of

logger = logging.getLogger(__name__)


class BusyMiddleware:
    """Answers what a view could not store, and says of every 503 when to ask again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 503:
            response.headers.setdefault("Retry-After", str(RETRY_AFTER))
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The answer to what a view raised, if that is the database's being busy or full."""
        busy = error if isinstance(error, Busy) else busy_of(error)
        return _answer(request, busy) if busy else None


def server_error(request: HttpRequest) -> HttpResponse:
    """The page of a 500; a middleware that met a busy or full database, which no other can answer, comes here too."""
    error = sys.exc_info()[1]
    busy = error if isinstance(error, Busy) else busy_of(error) if error else None
    return _answer(request, busy) if busy else defaults.server_error(request)


def _answer(request: HttpRequest, busy: Busy) -> HttpResponse:
    if not busy.passes:
        logger.error("The database has no room left on its disk; nothing can be stored.")
    response: HttpResponse
    if request.path.startswith("/api/"):
        response = JsonResponse({"detail": busy.sentence, "cites": "", "code": "busy"}, status=503)
    else:
        # Without the request: the page's frame would ask the database who looks.
        response = HttpResponse(render_to_string("503.html", {"busy": busy}), status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response
