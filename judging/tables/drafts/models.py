"""5.2: the rows of a draft, which takes place before its table and decides the cards of each player."""

from django.conf import settings
from django.db import models

from judging.tables.models import Table, new_salt, new_seed


class TableDraft(models.Model):
    """5.2: the draft before a table. `seed` is a secret until the table is over, and only
    `judging.tables.drafts.queries` reads it; its SHA-256, `commitment`, is in the table's first entry. `due_at`: the
    deadline of the open picks."""

    table = models.OneToOneField(Table, models.CASCADE, related_name="draft")
    seed = models.BinaryField(default=new_seed)
    commitment = models.CharField(max_length=64)
    begun_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="draft_due")]

    def __str__(self) -> str:
        return f"draft of {self.table_id}"


class Drafter(models.Model):
    """5.2: a drafter, with the public word that they mix into the draws.

    `wishes` are cards that are picked for them as soon as they are available, in order of preference; only the drafter
    reads them.
    """

    draft = models.ForeignKey(TableDraft, models.CASCADE, related_name="drafters")
    letter = models.CharField(max_length=2)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="drafts")
    name = models.CharField(max_length=40)
    word = models.CharField(max_length=200)
    wishes = models.JSONField(default=list, blank=True)
    joined_at = models.DateTimeField()

    class Meta:
        ordering = ["draft_id", "letter"]
        constraints = [
            models.UniqueConstraint(fields=["draft", "letter"], name="drafter_once_a_letter"),
            models.UniqueConstraint(fields=["draft", "user"], name="drafter_once_a_user"),
        ]

    def __str__(self) -> str:
        return f"{self.name} drafts at {self.draft_id}"


class DraftPick(models.Model):
    """5.2: a sealed pick. `hash` is the SHA-256 of its salt and card, public at once; `card` and `salt` are the
    drafter's secret until the table is over. `by_default`: the time had run out."""

    drafter = models.ForeignKey(Drafter, models.CASCADE, related_name="picks")
    number = models.PositiveSmallIntegerField()
    card = models.CharField(max_length=120)
    salt = models.CharField(max_length=32, default=new_salt)
    hash = models.CharField(max_length=64)
    by_default = models.BooleanField(default=False)
    at = models.DateTimeField()

    class Meta:
        ordering = ["drafter_id", "number"]
        constraints = [models.UniqueConstraint(fields=["drafter", "number"], name="draft_pick_once_a_number")]

    def __str__(self) -> str:
        return f"pick {self.number} of {self.drafter_id}"
