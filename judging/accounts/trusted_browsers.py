"""1.6: Slow down password guessing, without letting anybody lock somebody else out.

There are three counts besides that of name and address, which django-axes keeps in the database: of an address,
whatever names it tries; of a name, wherever it is tried; and of a browser in which its owner has logged in before. Such
a browser has a count of its own, so that the tries of others, even from the same address, don't lock its owner out.
Once the count of a name is full, each network still has a few tries: otherwise strangers could lock its owner out for
good. The counts are in the cache: where each process has its own, each counts alone.
"""

import secrets
from collections.abc import Callable, Mapping
from hashlib import sha256

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.core import signing
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

from wargame.rules.core.names import key
from wargame.web.client_ip import network

COOKIE = "known"
SALT = "judging.known-browser"
YEAR = 365 * 24 * 3600
MOST_NAMES = 5
"""How many people can share a browser."""

LIMITS = {"browser": 10, "address": 50, "name": 100, "name_here": 2}
"""Wrong passwords within AXES_COOLOFF_TIME. A house full of players is one address; a name is tried from anywhere, and
once that is full, from each network a few times more."""


class Guard(ModelBackend):
    """First authentication backend: stops a try before any password is checked, and loads a logged-in user like the
    last."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: object
    ) -> None:
        """None, so that the other backends are asked. Raises PermissionDenied if a count is full."""
        if request is None:
            return
        counts = {kind: cache.get(key, 0) for kind, key in _counts(request, username).items()}
        full = [kind for kind, number in counts.items() if number >= LIMITS[kind]]
        for kind in ("browser", "address", "name"):
            if kind in full and (kind != "name" or "name_here" in full):
                request.axes_locked_out = True  # type: ignore[attr-defined]
                request.locked_for = kind  # type: ignore[attr-defined]
                raise PermissionDenied

    def get_all_permissions(self, user_obj: object, obj: object = None) -> set[str]:
        """Empty: the other backends know them, and need not be asked twice."""
        return set()


class TrustedBrowserMiddleware:
    """Middleware: marks a browser as known once somebody has logged in with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if name := getattr(request, "known_name", ""):
            browser, names = _known_browser(request)
            mark = _mark(name)
            value = [browser or secrets.token_urlsafe(9), [mark, *(one for one in names if one != mark)][:MOST_NAMES]]
            response.set_cookie(
                COOKIE,
                signing.dumps(value, salt=SALT),
                max_age=YEAR,
                secure=bool(settings.SESSION_COOKIE_SECURE),
                httponly=True,
                samesite="Lax",
            )
        return response


def is_known(request: HttpRequest, credentials: Mapping[str, object] | None = None) -> bool:
    """Whether the owner of this name has logged in with this browser before. django-axes uses it, too: tries of
    others from the same address don't count against the owner."""
    name = (credentials or {}).get("username") or request.POST.get("username", "")
    return _mark(str(name)) in _known_browser(request)[1]


def make_known(request: HttpRequest, name: str) -> None:
    """Mark the browser of this request as known for that username: its owner has proved it."""
    request.known_name = name  # type: ignore[attr-defined]


def forget(name: str) -> None:
    """Reset the counts of a name, in all browsers. Where each process has a cache of its own, in this process alone."""
    lasts = 2 * settings.AXES_COOLOFF_TIME.total_seconds()
    cache.set(f"forgotten:{_mark(name)}", secrets.token_urlsafe(6), lasts)


def watch() -> None:
    """Count from now on; called once at startup."""
    user_login_failed.connect(_count_failure, dispatch_uid="judging.accounts.trusted_browsers")
    user_logged_in.connect(_remember, dispatch_uid="judging.accounts.trusted_browsers")


def _count_failure(
    sender: object, credentials: Mapping[str, object], request: HttpRequest | None = None, **more: object
) -> None:
    if request is None or hasattr(request, "locked_for") or getattr(request, "axes_locked_out", False):
        return  # it was refused before any password was looked at
    for count_key in _counts(request, credentials.get("username")).values():
        cache.add(count_key, 0, settings.AXES_COOLOFF_TIME.total_seconds())
        try:
            cache.incr(count_key)
        except ValueError:  # it ran out between the two
            continue


def _remember(sender: object, user: AbstractBaseUser, request: HttpRequest | None = None, **more: object) -> None:
    if request is not None:
        make_known(request, user.get_username())


def _counts(request: HttpRequest, name: object) -> dict[str, str]:
    """The counts that a try belongs to, as cache keys."""
    mark = _mark(str(name or ""))
    since = cache.get(f"forgotten:{mark}", "")
    if is_known(request, {"username": str(name or "")}):
        return {"browser": f"failed:browser:{_known_browser(request)[0]}:{mark}{since}"}
    here = network(request)
    return {
        "address": f"failed:address:{here}",
        "name": f"failed:name:{mark}{since}",
        "name_here": f"failed:name-here:{here}:{mark}{since}",
    }


def _known_browser(request: HttpRequest) -> tuple[str, list[str]]:
    """The browser's identifier and the marks of the users who have logged in with it; empty for a forged one."""
    try:
        browser, names = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=YEAR)
    except (signing.BadSignature, ValueError, TypeError):
        return "", []
    return str(browser), list(names)


def _mark(name: str) -> str:
    return sha256(key(name).encode("utf-8", "replace")).hexdigest()[:32]
