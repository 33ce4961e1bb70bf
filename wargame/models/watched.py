"""Rows whose writes are observed: by the service's chain (docs/play/verify/chain.md).

Django's signals report what `save` writes; this module reports bulk writes.
"""

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from django.db import models

M = TypeVar("M", bound=models.Model)


class Watcher(Protocol):
    """An observer of writes."""

    def is_on(self) -> bool:
        """Whether it wants to be notified now."""

    def before(self, rows: models.QuerySet[Any]) -> list[Any]:
        """These rows are about to be changed; returns their keys."""

    def note(self, model: type[models.Model], keys: Iterable[object]) -> None:
        """Rows of these keys were written."""


watchers: list[Watcher] = []


def tell(model: type[models.Model], keys: Iterable[object]) -> None:
    """Report rows written past Django. The keys are only evaluated if there is an active watcher."""
    for watcher in watchers:
        if watcher.is_on():
            watcher.note(model, keys)


class WatchedRows(models.QuerySet[M]):
    """Rows whose bulk writes are reported."""

    def update(self, **changes: Any) -> int:
        """Ask the watcher first: the same query may no longer find the changed rows afterwards."""
        watching = [(watcher, watcher.before(self)) for watcher in watchers if watcher.is_on()]
        count = super().update(**changes)
        if count:
            for watcher, keys in watching:
                watcher.note(self.model, keys)
        return count

    def bulk_create(self, objs: Iterable[M], *args: Any, **options: Any) -> list[M]:
        rows = super().bulk_create(objs, *args, **options)
        for watcher in watchers:
            if watcher.is_on():
                watcher.note(self.model, [row.pk for row in rows])
        return rows


class ChainedManager(models.Manager[M]):
    def get_queryset(self) -> models.QuerySet[M]:
        return WatchedRows(self.model, using=self._db)
