"""The answer when nothing could be stored: one sentence, 503, and when to retry; never a bug of this service.

A page with typed text shows `locking.Busy` in the place of a refusal. This module covers all other cases: a button
without a page, a statement outside of a writer, a visitor's session. Damaged rows are reported the same way.
"""

import logging
import sys
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_noop
from django.views import defaults

from judging.common.errors import Damaged
from judging.common.locking import RETRY_AFTER, Busy, busy_of
from wargame.world import DamagedMap

AT_THE_DESK = gettext_noop("The judges and the site's host can see the problem on their dashboards.")

logger = logging.getLogger(__name__)


class BusyMiddleware:
    """Answer what a view could not store, and add Retry-After to every 503."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 503:
            response.headers.setdefault("Retry-After", str(RETRY_AFTER))
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The response to an exception of a view if the database is busy or full, or a row is damaged."""
        if isinstance(error, DamagedMap):
            message = gettext("The map data of turn %(turn)s is damaged, so we can't show this.") % {
                "turn": error.number
            }
            return _damaged(request, gettext("Damaged map"), f"{message} {gettext(AT_THE_DESK)}")
        if isinstance(error, Damaged):
            return _damaged(request, gettext("Damaged data"), error.told)
        busy = error if isinstance(error, Busy) else busy_of(error)
        return _answer(request, busy) if busy else None


def server_error(request: HttpRequest) -> HttpResponse:
    """The page of a 500, also for a busy or full database that a middleware met and no other handler can answer."""
    error = sys.exc_info()[1]
    busy = error if isinstance(error, Busy) else busy_of(error) if error else None
    return _answer(request, busy) if busy else defaults.server_error(request)


def _damaged(request: HttpRequest, title: str, message: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"detail": message, "cites": "", "code": "damaged"}, status=503)
    return HttpResponse(render_to_string("damaged.html", {"title": title, "told": message}), status=503)


def _answer(request: HttpRequest, busy: Busy) -> HttpResponse:
    if not busy.passes:
        logger.error("The database's disk is full. Nothing can be saved.")
    response: HttpResponse
    if request.path.startswith("/api/"):
        response = JsonResponse({"detail": busy.sentence, "cites": "", "code": "busy"}, status=503)
    else:
        # Without the request: the page's frame would ask the database who looks.
        response = HttpResponse(render_to_string("503.html", {"busy": busy}), status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response
