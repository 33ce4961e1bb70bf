"""1.3: the entries of the log, which are only ever added; the last runs of the jobs, for `/healthz`; unsent texts;
and how far a person has read a thread."""

import secrets
from collections.abc import Iterable
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils.translation import gettext

from wargame.models import Round
from wargame.models.watched import WatchedRows

GENERAL = 1
"""The number of a board's general talk: the topic that each board has from the start, without a row or a title."""

WHOLE = 0
"""The topic of a `ReadMark` for all topics of its board."""


def lot() -> str:
    """A random key for the address of an entry: keys that count up would reveal entries that are still secret (R6)."""
    return secrets.token_hex(6)


class Entries(WatchedRows["LogEntry"]):
    """1.3: entries can be added and read. They are deleted only with their round."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError("A log entry is never changed.")

    def bulk_update(self, objs: Iterable[object], fields: Iterable[str], batch_size: int | None = None) -> NoReturn:
        raise TypeError("A log entry is never changed.")

    def delete(self) -> NoReturn:
        raise TypeError("A log entry is never deleted.")

    def bulk_create(self, objs: Iterable[Any], *args: Any, **kwargs: Any) -> list[Any]:
        if kwargs.get("update_conflicts"):
            raise TypeError("A log entry is never changed.")
        return super().bulk_create(objs, *args, **kwargs)


class LogEntry(models.Model):
    """1.3: who did what, when. `action` is dotted, like `turn.locked`; `data` holds nothing secret.

    That an act happened can be secret for a time: `judging.log` says until when, for each action. Rows are never
    changed or deleted: not by the model, its querysets or the admin, and the database refuses both; they are deleted
    with their round (`judging.log.triggers`). `key` is the last part of an entry's address.
    """

    round = models.ForeignKey(Round, models.DO_NOTHING, related_name="log")
    at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    action = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    key = models.CharField(max_length=12, default=lot, editable=False)

    objects = Entries.as_manager()

    class Meta:
        verbose_name_plural = "log"
        ordering = ["id"]
        indexes = [models.Index(fields=["round", "action"]), models.Index(fields=["round", "at"])]
        constraints = [models.UniqueConstraint(fields=["round", "key"], name="log_key_once_a_round")]

    def __str__(self) -> str:
        return gettext("entry from %(time)s") % {"time": f"{self.at:%Y-%m-%d %H:%M}"}

    def save(self, *args: object, **kwargs: object) -> None:
        if self.pk is not None:
            raise TypeError("A log entry is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: object, **kwargs: object) -> tuple[int, dict[str, int]]:
        raise TypeError("A log entry is never deleted.")


class Unsent(models.Model):
    """3.1: the unsent text of a form of a round; nobody but its writer reads it. `place` names the form.

    `also` holds the short fields of the form by their names, such as a title, each as a list of its values. `turn` is
    the one in which it was typed. `sent` names the form that was sent last from there: what its page still stores
    afterwards is void.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    round = models.ForeignKey(Round, models.CASCADE, related_name="+")
    place = models.CharField(max_length=60)
    text = models.TextField(blank=True)
    also = models.JSONField(default=dict, blank=True)
    turn = models.PositiveIntegerField(null=True)
    sent = models.CharField(max_length=40, blank=True)
    kept_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "round", "place"], name="unsent_once_a_form")]

    def __str__(self) -> str:
        return f"unsent at {self.place}"


class Heartbeat(models.Model):
    """The last run of the job `name`. A row, because the workers and the site may share no cache."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at:%Y-%m-%d %H:%M:%S}"


class ReadMark(models.Model):
    """3.1: a person has read a topic of a board up to what was written at `until`; WHOLE: all topics."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="+")
    board = models.CharField(max_length=24)
    topic = models.PositiveIntegerField(default=GENERAL)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    until = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "round", "board", "topic"], name="read_mark_once_a_topic")
        ]

    def __str__(self) -> str:
        return f"{self.user} on {self.board}"
