"""1.3, R57, T11.3: sanctions and appeals at a table, and the record of acts there beside the game."""

from collections.abc import Iterable
from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from judging.tables.models import Entry, Table, TableJudge


class Recorded(models.QuerySet["TableAct"]):
    """T6: records are read-only, and are deleted only with their table."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError("What is recorded of a table is never changed.")

    def bulk_update(self, objs: Iterable[object], fields: Iterable[str], batch_size: int | None = None) -> NoReturn:
        raise TypeError("What is recorded of a table is never changed.")

    def delete(self) -> NoReturn:
        raise TypeError("What is recorded of a table is never deleted.")


class TableAct(models.Model):
    """1.3, T10, T11.3: an act beside the game: an announced leave, an appeal, a sanction. `after` is the last entry
    of the log then. `user` is null for the clock; `data` has the facts."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="acts")
    number = models.PositiveIntegerField()
    after = models.PositiveIntegerField()
    at = models.DateTimeField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    action = models.CharField(max_length=30)
    data = models.JSONField(default=dict)

    objects = Recorded.as_manager()

    class Meta:
        ordering = ["table_id", "number"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="table_act_once_a_number")]

    def __str__(self) -> str:
        return f"{self.action} at {self.table_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("What is recorded of a table is never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("What is recorded of a table is never deleted.")


class Sanction(models.Model):
    """1.3: a sanction by a judge of a table: a warning, the loss of the game, or a bar.

    `letter` is the person's seat, empty for a mere commenter. `entry` is the one by which a game was lost. A barred
    person can neither sit down nor speak there until then, for good if `until` is null. A lifted one stays on record.
    """

    class Kind(models.TextChoices):
        WARNING = "warning", gettext_lazy("a warning")
        LOSS = "loss", gettext_lazy("the loss of the game")
        BAR = "bar", gettext_lazy("a ban")

    table = models.ForeignKey(Table, models.CASCADE, related_name="sanctions")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=7, choices=Kind)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    name = models.CharField(max_length=150)
    letter = models.CharField(max_length=2, blank=True)
    judge = models.ForeignKey(TableJudge, models.PROTECT, related_name="+")
    cites = models.CharField(max_length=60)
    reason = models.TextField()
    made_at = models.DateTimeField()
    token = models.CharField(max_length=40)
    until = models.DateTimeField(null=True, blank=True)
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="+")
    lifted_at = models.DateTimeField(null=True, blank=True)
    lifted_by = models.ForeignKey(TableJudge, models.PROTECT, null=True, blank=True, related_name="+")
    lifted_because = models.TextField(blank=True)

    class Meta:
        ordering = ["table_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="sanction_once_a_number"),
            models.UniqueConstraint(fields=["judge", "token"], name="sanction_once_a_form"),
            models.CheckConstraint(
                name="sanction_is_lifted_by_somebody",
                condition=Q(lifted_at__isnull=True, lifted_by__isnull=True)
                | Q(lifted_at__gte=F("made_at"), lifted_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"sanction {self.number} at {self.table_id}"


class EndingRuling(models.Model):
    """T11.3, R57: a ruling that ends the game, or removes a seat from it. The table is stopped until it takes
    effect: when the time for appeals is over, or an appeal is answered. `sanction`: the one it carries out. `entry`
    is the one by which it took effect; if closed without one, it never did."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="endings")
    judge = models.ForeignKey(TableJudge, models.PROTECT, related_name="+")
    program = models.CharField(max_length=500)
    cites = models.CharField(max_length=60)
    reason = models.TextField()
    card = models.CharField(max_length=120, blank=True)
    token = models.CharField(max_length=40)
    made_at = models.DateTimeField()
    due_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    sanction = models.OneToOneField(Sanction, models.CASCADE, null=True, blank=True, related_name="ending")
    entry = models.OneToOneField(Entry, models.PROTECT, null=True, blank=True, related_name="ending")

    class Meta:
        ordering = ["table_id", "id"]
        indexes = [models.Index(fields=["due_at"], condition=Q(closed_at__isnull=True), name="ending_open")]
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(closed_at__isnull=True), name="ending_one_open_at_a_table"
            ),
            models.UniqueConstraint(fields=["judge", "token"], name="ending_once_a_form"),
        ]

    def __str__(self) -> str:
        return f"ruling that ended {self.table_id}"


class TableAppeal(models.Model):
    """R57: an appeal against a ruling at a table, or against a sanction; `ending`: a pending ruling. `number` counts
    those of the table.

    `against` is the judge who decided, `judge` the one drawn to answer; `draws` are all draws, each {at, name, among,
    drew}. `mended` is the ruling by which that judge corrected or replaced the contested one.
    """

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("open")
        UPHELD = "upheld", gettext_lazy("the decision stands")
        MENDED = "mended", gettext_lazy("corrected")
        ANEW = "anew", gettext_lazy("ruled again")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")

    table = models.ForeignKey(Table, models.CASCADE, related_name="appeals")
    number = models.PositiveIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    name = models.CharField(max_length=150)
    letter = models.CharField(max_length=2, blank=True)
    entry = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="+")
    sanction = models.ForeignKey(Sanction, models.PROTECT, null=True, blank=True, related_name="appeals")
    ending = models.ForeignKey(EndingRuling, models.PROTECT, null=True, blank=True, related_name="appeals")
    against = models.ForeignKey(TableJudge, models.PROTECT, related_name="+")
    cites = models.CharField(max_length=60)
    reason = models.TextField()
    lodged_at = models.DateTimeField()
    token = models.CharField(max_length=40)
    judge = models.ForeignKey(TableJudge, models.PROTECT, null=True, blank=True, related_name="+")
    draws = models.JSONField(default=list, blank=True)
    due_at = models.DateTimeField()
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    answer = models.TextField(blank=True)
    answer_cites = models.CharField(max_length=60, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    mended = models.ForeignKey(Entry, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["table_id", "number"]
        indexes = [models.Index(fields=["due_at"], condition=Q(state="open"), name="table_appeal_open")]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="table_appeal_once_a_number"),
            models.UniqueConstraint(fields=["user", "token"], name="table_appeal_once_a_form"),
            models.UniqueConstraint(fields=["user", "entry"], name="table_appeal_once_a_ruling"),
            models.UniqueConstraint(fields=["user", "sanction"], name="table_appeal_once_a_sanction"),
            models.UniqueConstraint(fields=["user", "ending"], name="table_appeal_once_an_ending"),
            models.CheckConstraint(
                name="table_appeal_is_against_one_thing",
                condition=Q(entry__isnull=False, sanction__isnull=True, ending__isnull=True)
                | Q(entry__isnull=True, sanction__isnull=False, ending__isnull=True)
                | Q(entry__isnull=True, sanction__isnull=True, ending__isnull=False),
            ),
            models.CheckConstraint(
                name="table_appeal_is_answered_or_open",
                condition=Q(state="open", answered_at__isnull=True) | ~Q(state="open") & Q(answered_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"appeal {self.number} at {self.table_id}"
