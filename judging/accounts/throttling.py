"""1.6: how often an address may do what costs emails or could be a guess, and what each caller runs one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext

from wargame.web.visitors import network

SLOTS, LONGEST = 3, 60
"""How many long jobs of a kind run at once, and after how many seconds one counts as over should it never end."""


class Crowded(Exception):
    """A long job that can't start now."""

    def __init__(self, *, is_own: bool) -> None:
        self.status_code = 429 if is_own else 503
        self.sentence = (
            gettext("Your last one is still running.") if is_own else gettext("Too many are running right now.")
        )


@contextmanager
def one_at_a_time(request: HttpRequest, kind: str) -> Iterator[None]:
    """Runs a long job as the only one of its kind for this caller, beside a few of others.

    Raises Crowded, with 429 for a second one of the same caller and 503 if all slots are taken.
    """
    caller = request.user.pk if request.user.is_authenticated else network(request)
    own = f"running:{kind}:by:{caller}"
    if not cache.add(own, True, LONGEST):
        raise Crowded(is_own=True)
    try:
        slot = next((key for key in slots(kind) if cache.add(key, True, LONGEST)), None)
        if slot is None:
            raise Crowded(is_own=False)
        try:
            yield
        finally:
            cache.delete(slot)
    finally:
        cache.delete(own)


def slots(kind: str) -> list[str]:
    """The keys of the jobs of a kind that can run at once."""
    return [f"running:{kind}:{number}" for number in range(SLOTS)]


def is_too_often(request: HttpRequest, what: str, most: int, seconds: int) -> bool:
    """Counts one more time; whether that is more than `most` within so many seconds. Each process may count alone."""
    key = f"often:{what}:{network(request)}"
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key) > most
    except ValueError:  # it ran out between the two
        return False
