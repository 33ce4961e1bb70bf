"""1.6: Record the browsers in which people are logged in, at the log-in and then at most every ten minutes."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from judging.accounts.sessions.queries import browser_name
from judging.accounts.sessions.services import forget_session, note_session
from judging.common.locking import Busy

NOTED = "noted"
"""Session key: the key under which the session was recorded, and when."""

EVERY = timedelta(minutes=10)

logger = logging.getLogger(__name__)


class SessionRecordMiddleware:
    """Middleware: keeps the record of a session up to date with its key, which changes with a password, and its use."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.session.accessed and not request.session.is_empty() and SESSION_KEY in request.session:
            _note(request, timezone.now())
        return response


def watch() -> None:
    """Record log-ins and log-outs from now on; called once at startup."""
    user_logged_in.connect(_logged_in, dispatch_uid="judging.accounts.sessions")
    user_logged_out.connect(_logged_out, dispatch_uid="judging.accounts.sessions")


def _logged_in(sender: object, request: HttpRequest | None = None, **more: object) -> None:
    if request is not None and hasattr(request, "session"):
        request.session.pop(NOTED, None)
        _note(request, timezone.now())


def _logged_out(sender: object, request: HttpRequest | None = None, **more: object) -> None:
    key = getattr(getattr(request, "session", None), "session_key", None)
    if key:
        forget_session(key=key)


def _note(request: HttpRequest, now: datetime) -> None:
    key, (before, at) = request.session.session_key, request.session.get(NOTED, ("", 0))
    if not key or (key == before and now.timestamp() - at < EVERY.total_seconds()):
        return
    browser = browser_name(request.META.get("HTTP_USER_AGENT", ""))
    user_id = int(request.session[SESSION_KEY])
    try:
        note_session(user_id=user_id, key=key, before=before, browser=browser, now=now)
    except Busy:
        logger.info("A session could not be recorded. The next request will try again.")
    else:
        request.session[NOTED] = [key, int(now.timestamp())]
