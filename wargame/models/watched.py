"""Rows that somebody wishes to know of when they are written: the service's chain (docs/play/verify/chain.md).

What `save` writes is told by Django's signals, what is written many rows at a time is told here.
"""

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from django.db import models

M = TypeVar("M", bound=models.Model)


class Watcher(Protocol):
    """Who wishes to know."""

    def is_on(self) -> bool:
        """Whether it wishes to know just now."""

    def before(self, rows: models.QuerySet[Any]) -> list[Any]:
        """These rows are about to be changed; their keys."""

    def note(self, model: type[models.Model], keys: Iterable[object]) -> None:
        """Rows of these keys were written."""


watchers: list[Watcher] = []


def tell(model: type[models.Model], keys: Iterable[object]) -> None:
    """Rows of these keys were written past Django. The keys are asked for only where somebody wishes to know."""
    for watcher in watchers:
        if watcher.is_on():
            watcher.note(model, keys)


class WatchedRows(models.QuerySet[M]):
    """Rows that are told of when many of them are written at once."""

    def update(self, **changes: Any) -> int:
        """Who wishes to know is asked before: what is changed may not be found by the same question any more."""
        watching = [(watcher, watcher.before(self)) for watcher in watchers if watcher.is_on()]
        count = super().update(**changes)
        if count:
            for watcher, keys in watching:
                watcher.note(self.model, keys)
        return count

    def bulk_create(self, objs: Iterable[M], *args: Any, **options: Any) -> list[M]:
        made = super().bulk_create(objs, *args, **options)
        for watcher in watchers:
            if watcher.is_on():
                watcher.note(self.model, [row.pk for row in made])
        return made


class ChainedManager(models.Manager[M]):
    """The manager of rows that are watched."""

    def get_queryset(self) -> models.QuerySet[M]:
        return WatchedRows(self.model, using=self._db)
