"""A cache of query results for the length of one request.

Several independent parts of a page ask who the viewer is, whose turn it is and who controls what. A result is cached by
the reading function and its arguments; callers must not change it. During a write nothing is cached or taken from the
cache, and afterwards all of it is dropped. Outside of requests, in jobs, nothing is cached.
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
    """Middleware: clear the cache at the start and the end of a request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = _kept.set({})
        try:
            return self.get_response(request)
        finally:
            _kept.reset(token)


def request_cached(read: Callable[P, R]) -> Callable[P, R]:
    """Decorate a reading function with hashable arguments: rows count by their keys."""

    @wraps(read)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        cache = _kept.get()
        if cache is None or locking.is_writing():
            return read(*args, **kwargs)
        key = (read, args, tuple(sorted(kwargs.items())))
        if key not in cache:
            cache[key] = read(*args, **kwargs)
        return cast(R, cache[key])

    return asked


def _forget() -> None:
    if cache := _kept.get():
        cache.clear()


locking.after_writing.append(_forget)
