"""1.2: whether an open page has news, asked without the database by most of those who ask."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache


def version_now(what: str, slug: str, make: Callable[[], str]) -> str:
    """The version of a round's pages, at most `FRESH_SECONDS` old: made once in that time, however many ask."""
    key = f"news:{what}:{slug}"
    version: str | None = cache.get(key)
    if version is None:
        version = make()
        cache.set(key, version, settings.FRESH_SECONDS)
    return version
