"""Each request has a number, shown in its log lines and its response; one line logs its result."""

import logging
import re
import time
from collections.abc import Callable
from urllib.parse import urlsplit
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from wargame.web import logs, metrics

log = logging.getLogger(__name__)

ALIVE, UNKEPT = {"status": "alive"}, {"Cache-Control": "no-store"}

CALLED_BY_ANY_NAME = ("/healthz",)
"""The paths for machines that only know the service's address. A host name would not change the response."""

NUMBER = re.compile(r"[A-Za-z0-9._-]{8,64}", re.ASCII)
"""The valid X-Request-ID of a proxy; anything else is ignored."""


class RequestIdMiddleware:
    """Middleware, the outermost except that for static files: it times all others too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        header = request.headers.get("X-Request-ID", "")
        number = header if NUMBER.fullmatch(header) else uuid4().hex[:16]
        logs.subject.set({"request": number})
        start = time.perf_counter()
        # Whoever asks whether the process answers may call it by any name: a balancer has its address alone.
        if request.path in CALLED_BY_ANY_NAME and request.method in ("GET", "HEAD"):
            request.META["HTTP_HOST"] = urlsplit(settings.PUBLIC_URL).netloc
        is_probe = request.path == "/livez" and request.method in ("GET", "HEAD")
        response = JsonResponse(ALIVE, headers=UNKEPT) if is_probe else self.get_response(request)
        seconds = time.perf_counter() - start
        response["X-Request-ID"] = number
        page = request.resolver_match.view_name if request.resolver_match else "none"
        metrics.pages.labels(page, str(response.status_code)).observe(seconds)
        path = request.path.encode("unicode_escape").decode("ascii")  # no break in it makes a line of its own
        level = logging.INFO if response.status_code < 400 else logging.WARNING
        log.log(level, "%s %s: %d in %.0f ms", request.method, path, response.status_code, seconds * 1000)
        logs.subject.set({})  # threads are used again
        return response
