"""1.2: The outbox of emails, push notifications and webhooks.

Each is a row, written in the transaction that causes it, and sent by a job outside of any transaction.
"""

import logging
from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.db import models
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy, gettext_noop

NO_ANSWER = gettext_noop("no answer")
"""The error of a row that is given up because its sender never came back."""

AT_ONCE = 20
"""Rows that are read to claim one."""

logger = logging.getLogger(__name__)


class Outgoing(models.Model):
    """A row to send. It can be claimed from `due` on; a claim moves `due` by LEASE, after which another process can
    claim it. It is tried MOST_TRIES times, with pauses that grow by the factor GROWTH from FIRST_PAUSE."""

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("waiting")
        SENDING = "sending", gettext_lazy("being sent")
        SENT = "sent", gettext_lazy("sent")
        GIVEN_UP = "given up", gettext_lazy("given up")

    TITLE: ClassVar[str]
    LEASE: ClassVar[timedelta]
    FIRST_PAUSE: ClassVar[timedelta]
    LONGEST_PAUSE: ClassVar[timedelta] = timedelta(hours=2)
    GROWTH: ClassVar[int] = 2
    MOST_TRIES: ClassVar[int]
    JOINED: ClassVar[tuple[str, ...]] = ()
    """Related rows that are read with a claimed one."""

    created = models.DateTimeField()
    due = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)

    class Meta:
        abstract = True

    @classmethod
    def on_their_way(cls) -> QuerySet[Self]:
        """The rows that are neither sent nor given up."""
        return cls._default_manager.filter(state__in=(cls.State.WAITING, cls.State.SENDING))

    @classmethod
    def due_at(cls, moment: datetime) -> QuerySet[Self]:
        """The rows that can be claimed: waiting ones, and those whose lease has ended."""
        return cls.on_their_way().filter(due__lte=moment)

    @classmethod
    def claim(cls, now: datetime) -> Self | None:
        """Claim the row that is due first, for this process alone; None if none is due."""
        due = cls.due_at(now).order_by("due", "pk")
        for row in (due.select_related(*cls.JOINED) if cls.JOINED else due)[:AT_ONCE]:
            if row.is_hopeless():
                row.give_up(now)
            elif row.change(state=cls.State.SENDING, due=now + cls.LEASE, tries=row.tries + 1):
                return row
        return None

    @classmethod
    def pause_after(cls, tries: int) -> timedelta:
        """The pause after this number of tries."""
        factor: int = cls.GROWTH ** min(max(tries - 1, 0), 20)
        return min(cls.LONGEST_PAUSE, cls.FIRST_PAUSE * factor)

    def as_read(self) -> QuerySet[Self]:
        """The row, if it has not changed since it was read: of two claims at once one succeeds, and a sender that
        comes back after its LEASE changes nothing."""
        return type(self)._default_manager.filter(pk=self.pk, state=self.state, due=self.due, tries=self.tries)

    def change(self, **fields: object) -> bool:
        """Update the row unless it has changed since it was read; returns whether it was updated."""
        if not self.as_read().update(**fields):
            return False
        for name, value in fields.items():
            setattr(self, name, value)
        return True

    def is_hopeless(self) -> bool:
        """Whether all tries are used up, which happens if senders die again and again."""
        return self.tries >= self.MOST_TRIES

    def give_up(self, now: datetime, **fields: object) -> None:
        """End all tries."""
        self.change(state=self.State.GIVEN_UP, ended=now, **{"error": NO_ANSWER} | fields)

    def fail(
        self, now: datetime, why: str, *, is_for_good: bool = False, earliest: datetime | None = None, **fields: object
    ) -> bool:
        """Schedule the next try, not before `earliest`, or give up; returns whether it gave up. The log never names
        the receiver."""
        logger.warning("%s %d could not be sent: %s.", self.TITLE, self.pk, why)
        if is_for_good or self.tries >= self.MOST_TRIES:
            self.give_up(now, **fields)
            return True
        due = max(now + self.pause_after(self.tries), earliest or now)
        self.change(state=self.State.WAITING, due=due, **fields)
        return False
