"""What a page asks of the database more than once, it asks once: answers are kept for the length of one request.

Who looks, whose turn it is and who controls what is asked by several parts of a page, none of which knows of the
others. An answer is kept by the reading function and its arguments; nobody changes what he was given. While somebody
writes nothing is kept or taken from what is kept, and afterwards all of it is forgotten. Outside of requests, in jobs,
every question is asked.
"""

from collections.abc import Callable, Hashable
from contextvars import ContextVar
from functools import wraps
from typing import ParamSpec, TypeVar, cast

from django.http import HttpRequest, HttpResponse

from judging.common import locking

P = ParamSpec("P")
R = TypeVar("R")

_kept: ContextVar[dict[Hashable, object] | None] = ContextVar("kept", default=None)


class RequestCacheMiddleware:
    """Middleware: what `once` keeps begins and ends with the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = _kept.set({})
        try:
            return self.get_response(request)
        finally:
            _kept.reset(token)


def request_cached(read: Callable[P, R]) -> Callable[P, R]:
    """Decorates a reading function whose arguments can be hashed: rows count by their keys."""

    @wraps(read)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        kept = _kept.get()
        if kept is None or locking.is_writing():
            return read(*args, **kwargs)
        key = (read, args, tuple(sorted(kwargs.items())))
        if key not in kept:
            kept[key] = read(*args, **kwargs)
        return cast(R, kept[key])

    return asked


def _forget() -> None:
    if kept := _kept.get():
        kept.clear()


locking.after_writing.append(_forget)
