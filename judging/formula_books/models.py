"""R37, R38: the versions of a round's formula book."""

from django.db import models
from django.db.models import Q

from wargame.models import Judge, Round
from wargame.models.watched import ChainedManager


class BookVersion(models.Model):
    """R38: a formula book as it was saved; a later version replaces it, none is changed.

    It decides the battles of turn `from_turn` and later. `formulas` and `salt` are secret until the round is over,
    `commitment` is public from the start. Without a `judge` the service drew it from the salt.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="books")
    number = models.PositiveIntegerField()
    from_turn = models.PositiveIntegerField()
    formulas = models.JSONField()
    salt = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    judge = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="books")
    at = models.DateTimeField()

    objects = ChainedManager["BookVersion"]()

    class Meta:
        ordering = ["round_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="book_number_once_a_round"),
            models.CheckConstraint(name="book_is_for_a_turn", condition=Q(from_turn__gte=1)),
        ]

    def __str__(self) -> str:
        return f"formula book of {self.round}, version {self.number}"
