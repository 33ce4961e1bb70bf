"""R38: The chain of a round: its links and its latest hash (docs/play/verify/chain.md)."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from wargame.models import Round


class ChainHead(models.Model):
    """R38: The last link of a round's chain. Each append locks this row.

    All salts come from `secret`, which is never shown. `forms` says which fields a link of a kind seals: by kind, each
    [from which link on, the fields]; a new version of the service may have more of them. `number` is 0 if a chain must
    begin with the existing rows (an older data folder).
    """

    round = models.OneToOneField(Round, models.CASCADE, related_name="chain")
    number = models.PositiveIntegerField(default=0)
    hash = models.CharField(max_length=64, blank=True)
    secret = models.CharField(max_length=64, blank=True)
    forms = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"link {self.number} of {self.round}"


class ChainAnchor(models.Model):
    """R38: A latest hash that is recorded outside of the service, where its operator can't undo it: as a line in a git
    repository, or stamped by an authority (RFC 3161), whose answer is `stamp`, in base64.

    `where` is empty until then; afterwards the commit that has it, or the SHA-256 of the stamp. `next_at` is the time
    of the next try, None when it is done; `trouble` is why the last try failed. `link` is the last link that the hash
    covers.
    """

    class Way(models.TextChoices):
        GIT = "git", gettext_lazy("a git repository")
        STAMP = "stamp", gettext_lazy("a timestamp")

    round = models.ForeignKey(Round, models.CASCADE, related_name="anchors")
    way = models.CharField(max_length=5, choices=Way, default=Way.GIT)
    stamp = models.TextField(blank=True)
    head = models.CharField(max_length=90)
    link = models.PositiveIntegerField()
    made_at = models.DateTimeField()
    where = models.CharField(max_length=64, blank=True)
    done_at = models.DateTimeField(null=True, blank=True)
    next_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveIntegerField(default=0)
    trouble = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["round_id", "id"]
        constraints = [models.UniqueConstraint(fields=["round", "way", "head"], name="chain_anchor_once_a_head")]

    def __str__(self) -> str:
        return f"anchor of link {self.link} of {self.round}"


class ChainLink(models.Model):
    """R38: One row as it was written, bound to all earlier ones.

    `kind` and `row` identify the row for good: `row` is the number of its first link. `key` is its key here, for a
    person `person`; neither is bound, because another installation has others. `at` is the clock's time of writing.
    `opened` is in the first link, and in those of a public file: the public part of the row.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="links")
    number = models.PositiveIntegerField()
    row = models.PositiveIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=40, blank=True)
    key = models.BigIntegerField(null=True, blank=True)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    is_gone = models.BooleanField(default=False)
    digest = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    at = models.DateTimeField(null=True, blank=True)
    opened = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["round_id", "number"]
        indexes = [models.Index(fields=["round", "kind", "key"])]
        constraints = [models.UniqueConstraint(fields=["round", "number"], name="chain_link_number_once_a_round")]

    def __str__(self) -> str:
        return f"link {self.number} of {self.round}"
