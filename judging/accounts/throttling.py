"""1.6: Limits for requests that cost emails or could be guesses, and one long job of a kind at a time per caller."""

import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.cache import BaseCache, cache, caches
from django.http import HttpRequest
from django.utils.translation import gettext

from wargame.web.client_ip import network

SLOTS = 3
"""How many long jobs of a kind can run at once."""

LEASE, RENEWED_EVERY, LONGEST = 30, 10, 900
"""Seconds: a slot of a killed process is free again after LEASE. A running job keeps its slot, for at most LONGEST."""


class Crowded(Exception):
    def __init__(self, *, is_own: bool) -> None:
        self.status_code = 429 if is_own else 503
        self.sentence = (
            gettext("Your previous request is still running.")
            if is_own
            else gettext("Too many requests are running right now.")
        )


@contextmanager
def one_at_a_time(request: HttpRequest, kind: str) -> Iterator[None]:
    """Run a long job as the only one of its kind for this caller, beside a few of others.

    Raises Crowded, with 429 for a second one of the same caller and 503 if all slots are taken.
    """
    caller = request.user.pk if request.user.is_authenticated else network(request)
    with _leased([f"running:{kind}:by:{caller}"], is_own=True), _leased(slots(kind), is_own=False):
        yield


@contextmanager
def _leased(keys: list[str], *, is_own: bool) -> Iterator[None]:
    """Lock the first free one of these keys. A thread renews its lease. Raises Crowded if none is free."""
    store, token, is_over = caches["default"], secrets.token_hex(8), threading.Event()
    key = next((key for key in keys if store.add(key, token, LEASE)), None)
    if key is None:
        raise Crowded(is_own=is_own)
    renewal = threading.Thread(target=_renew, args=(store, key, token, is_over), daemon=True)
    renewal.start()
    try:
        yield
    finally:
        is_over.set()
        renewal.join()
        if store.get(key) == token:
            store.delete(key)


def _renew(store: BaseCache, key: str, token: str, is_over: threading.Event) -> None:
    """Extends the lease until the job is over, has run too long or lost its slot."""
    end = time.monotonic() + LONGEST
    while not is_over.wait(RENEWED_EVERY) and time.monotonic() < end and store.get(key) == token:
        store.touch(key, LEASE)


def slots(kind: str) -> list[str]:
    """The keys for jobs of a kind, one for each that can run at once."""
    return [f"running:{kind}:{number}" for number in range(SLOTS)]


def is_too_often(request: HttpRequest, what: str, most: int, seconds: int) -> bool:
    """Count one more request; returns whether there were more than `most` within so many `seconds`. Each process may
    count alone."""
    key = f"often:{what}:{network(request)}"
    cache.add(key, 0, seconds)
    try:
        return cache.incr(key) > most
    except ValueError:  # it ran out between the two
        return False
