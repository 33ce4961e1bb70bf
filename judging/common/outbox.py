"""1.2: what is on its way to another machine: emails, messages to browsers and to webhooks.

Each is a row, written in the transaction that causes it, and sent by a job outside of any transaction.
"""

import logging
from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.db import models
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy, gettext_noop

NO_ANSWER = gettext_noop("no answer")
"""Why something is given up whose sender never came back."""

AT_ONCE = 20
"""Rows that are read to claim one."""

logger = logging.getLogger(__name__)


class Outgoing(models.Model):
    """`due` is when it may be tried and, while it is SENDING, until when whoever claimed it has time: after LEASE
    somebody else takes it up. It is tried MOST_TRIES times, with pauses that grow by GROWTH from FIRST_PAUSE."""

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
    """What is read with a row that is to be sent."""

    created = models.DateTimeField()
    due = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)

    class Meta:
        abstract = True

    @classmethod
    def on_their_way(cls) -> QuerySet[Self]:
        """All that is neither sent nor given up."""
        return cls._default_manager.filter(state__in=(cls.State.WAITING, cls.State.SENDING))

    @classmethod
    def due_at(cls, moment: datetime) -> QuerySet[Self]:
        """What may be tried: what waits, and what a sender claimed who hasn't come back in time."""
        return cls.on_their_way().filter(due__lte=moment)

    @classmethod
    def claim(cls, now: datetime) -> Self | None:
        """One that may be tried, for its caller alone; None if there is none."""
        due = cls.due_at(now).order_by("due", "pk")
        for row in (due.select_related(*cls.JOINED) if cls.JOINED else due)[:AT_ONCE]:
            if row.is_hopeless():
                row.give_up(now)
            elif row.change(state=cls.State.SENDING, due=now + cls.LEASE, tries=row.tries + 1):
                return row
        return None

    @classmethod
    def pause_after(cls, tries: int) -> timedelta:
        """How long it waits after so many tries."""
        factor: int = cls.GROWTH ** min(max(tries - 1, 0), 20)
        return min(cls.LONGEST_PAUSE, cls.FIRST_PAUSE * factor)

    def as_read(self) -> QuerySet[Self]:
        """The row, if nobody has changed it since: of two who claim it at once one does, and whoever comes back after
        their LEASE changes nothing."""
        return type(self)._default_manager.filter(pk=self.pk, state=self.state, due=self.due, tries=self.tries)

    def change(self, **fields: object) -> bool:
        """Changes the row if it is as it was read; whether it was."""
        if not self.as_read().update(**fields):
            return False
        for name, value in fields.items():
            setattr(self, name, value)
        return True

    def is_hopeless(self) -> bool:
        """Whether it need not be tried any more: whoever tried it last did not come back, again and again."""
        return self.tries >= self.MOST_TRIES

    def give_up(self, now: datetime, **fields: object) -> None:
        """It is not tried again."""
        self.change(state=self.State.GIVEN_UP, ended=now, **{"error": NO_ANSWER} | fields)

    def fail(
        self, now: datetime, why: str, *, is_for_good: bool = False, earliest: datetime | None = None, **fields: object
    ) -> bool:
        """Tries it again later, not before the `earliest` moment, or gives it up; whether it did. Where it was to go is
        nobody's business."""
        logger.warning("%s %d could not be sent: %s.", self.TITLE, self.pk, why)
        if is_for_good or self.tries >= self.MOST_TRIES:
            self.give_up(now, **fields)
            return True
        due = max(now + self.pause_after(self.tries), earliest or now)
        self.change(state=self.State.WAITING, due=due, **fields)
        return False
