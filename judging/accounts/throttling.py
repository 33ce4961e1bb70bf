"""1.6: how often an address may do what costs letters, or could be a guess."""

from __future__ import annotations

from django.core.cache import cache
from django.http import HttpRequest

from wargame.web.visitors import network


def is_too_often(request: HttpRequest, what: str, most: int, seconds: int) -> bool:
    """Counts one more time; whether that is more than `most` within so many seconds. Each process may count alone."""
    key = f"often:{what}:{network(request)}"
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key) > most
    except ValueError:  # it ran out between the two
        return False
