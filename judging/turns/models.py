"""3.1, R7: posts in the movement thread, every version of them, and transfer manifests.

3.3.3, 1.3: judges' rulings on a turn, and the corrections of a settled one. Nothing is ever deleted.
"""

import secrets

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy

from wargame.models import Judge, Player, Turn
from wargame.models.choices import TurnState
from wargame.models.watched import ChainedManager
from wargame.models.written import StoredEvents, StoredPlaces


def unguessable() -> int:
    """A key that reveals nothing: a gap between two posts would give away that a sealed one was sent (R6)."""
    return 1 + secrets.randbits(52)


class Post(models.Model):
    """3.1: a player's post in a turn's movement thread; `sealed` ones appear at the lock (R6).

    `token` names the form that sent it, so that a double submit makes one post. `number` counts the posts of a turn and
    never changes. A withdrawn one stays readable, and its lines no longer count.
    """

    id = models.BigIntegerField(primary_key=True, default=unguessable, editable=False)
    turn = models.ForeignKey(Turn, models.CASCADE, related_name="posts")
    player = models.ForeignKey(Player, models.PROTECT, related_name="posts")
    number = models.PositiveIntegerField()
    sealed = models.BooleanField(default=False)
    posted_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    token = models.CharField(max_length=40)

    objects = ChainedManager["Post"]()

    class Meta:
        ordering = ["turn_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "number"], name="post_number_once_a_turn"),
            models.UniqueConstraint(fields=["turn", "player", "token"], name="post_once_a_form"),
        ]

    def __str__(self) -> str:
        return gettext("post %(number)s of %(turn)s") % {"number": self.number, "turn": self.turn}


class PostVersion(models.Model):
    """R7: one version of a post. `stamps` has for each line the time of its last change (ISO, UTC); `own_army` is
    the army that a line without a name meant at that time (R10). `stays_talk`: its author was asked, and confirmed
    that its lines which only look like orders stay unchanged (R8)."""

    post = models.ForeignKey(Post, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    at = models.DateTimeField()
    stamps = models.JSONField()
    own_army = models.CharField(max_length=40, blank=True)
    stays_talk = models.BooleanField(default=False)

    objects = ChainedManager["PostVersion"]()

    class Meta:
        ordering = ["post_id", "number"]
        constraints = [models.UniqueConstraint(fields=["post", "number"], name="version_number_once_a_post")]

    def __str__(self) -> str:
        return gettext("version %(number)s: %(post)s") % {"number": self.number, "post": self.post}


class Manifest(models.Model):
    """3.2.4.2: the exact content of a transfer; the last one counts (R28). `entries` are {slot, number, creature}."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="manifests")
    player = models.ForeignKey(Player, models.PROTECT, related_name="manifests")
    sender = models.CharField(max_length=40)
    receiver = models.CharField(max_length=40)
    entries = models.JSONField()
    sent_at = models.DateTimeField()

    objects = ChainedManager["Manifest"]()

    class Meta:
        ordering = ["turn_id", "id"]

    def __str__(self) -> str:
        return f"{self.sender} to {self.receiver}"


class Correction(models.Model):
    """3.3.3: a settlement recomputed with further rulings, applied or dropped as a whole.

    `events`, `next_hash` and `position` are its result; `old_events`, `old_hash` and `old_position` the state before
    it, which stays public once it is applied. `first_number` is the number of the first of its rulings if it is
    applied.
    """

    class State(models.TextChoices):
        PROPOSED = "proposed", gettext_lazy("proposed")
        APPLIED = "applied", gettext_lazy("applied")
        DROPPED = "dropped", gettext_lazy("dropped")

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="corrections")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    state = models.CharField(max_length=8, choices=State, default=State.PROPOSED)
    events = StoredEvents()
    position = models.JSONField()
    next_hash = models.CharField(max_length=64)
    old_events = StoredEvents()
    old_position = models.JSONField()
    old_hash = models.CharField(max_length=64)
    first_number = models.PositiveIntegerField()
    made_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    token = models.CharField(max_length=40)

    objects = ChainedManager["Correction"]()

    class Meta:
        ordering = ["turn_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "judge", "token"], name="correction_once_a_form"),
            models.CheckConstraint(
                name="correction_is_decided_by_somebody",
                condition=Q(state="proposed", decided_at__isnull=True, decided_by__isnull=True)
                | ~Q(state="proposed") & Q(decided_at__isnull=False, decided_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"correction of {self.turn}"

    @property
    def changes_map(self) -> bool:
        """Whether it changes the map with which the next turn opens."""
        return self.next_hash != self.old_hash


class Ruling(models.Model):
    """3.3.3: a ruling on an army of a turn. `number` counts those of the turn without gaps, by which judges cite them:
    a correction's have none before it is applied.

    `data` has the data of its kind: `order` (text; also the one whose refusal is lifted), `days`, or `slot`, `creature`
    and `alive`.
    """

    class Kind(models.TextChoices):
        ORDER = "order", gettext_lazy("an order to take as given")
        LIFTED = "lifted", gettext_lazy("a refusal lifted")
        ASIDE = "aside", gettext_lazy("an army set aside")
        SQUARE = "square", gettext_lazy("a square on which an army ends its move")
        WINNER = "winner", gettext_lazy("the winner of a contested square")
        DAYS = "days", gettext_lazy("days")
        TROOPS = "troops", gettext_lazy("troops")

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="rulings")
    number = models.PositiveIntegerField(null=True, blank=True)
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="rulings")
    correction = models.ForeignKey(Correction, models.PROTECT, null=True, blank=True, related_name="rulings")
    kind = models.CharField(max_length=7, choices=Kind)
    army = models.CharField(max_length=40)
    square = models.CharField(max_length=3, blank=True)
    data = models.JSONField(default=dict, blank=True)
    cites = models.CharField(max_length=12)
    reason = models.TextField()
    made_at = models.DateTimeField()
    token = models.CharField(max_length=40)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    withdrawn_by = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    withdrawn_reason = models.TextField(blank=True)

    objects = ChainedManager["Ruling"]()

    class Meta:
        ordering = ["turn_id", "number", "id"]
        indexes = [models.Index(fields=["cites"])]
        constraints = [
            models.UniqueConstraint(fields=["turn", "number"], name="ruling_number_once_a_turn"),
            models.UniqueConstraint(
                fields=["turn", "judge", "token"], condition=Q(correction__isnull=True), name="ruling_once_a_form"
            ),
            models.CheckConstraint(
                name="ruling_has_a_number", condition=Q(number__isnull=False) | Q(correction__isnull=False)
            ),
            models.CheckConstraint(
                name="ruling_is_withdrawn_by_somebody",
                condition=Q(withdrawn_at__isnull=True, withdrawn_by__isnull=True)
                | Q(withdrawn_at__isnull=False, withdrawn_by__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        pattern = gettext("ruling %(number)s on %(turn)s") if self.number else gettext("proposed ruling on %(turn)s")
        return pattern % {"number": self.number, "turn": self.turn}


class Draft(models.Model):
    """R18, steps 1 to 6: the computed moves of a locked turn, one a turn.

    `publish_at` is when everybody may see it; empty until the movement judge says so. `digest` is the hash of the
    result, and `former` is what the last ruling changed: its `digest`, `events` and `places`.
    """

    turn = models.OneToOneField(Turn, models.CASCADE, related_name="draft")
    events = StoredEvents()
    places = StoredPlaces()
    digest = models.CharField(max_length=64, blank=True)
    former = models.JSONField(null=True, blank=True)
    computed_at = models.DateTimeField()
    publish_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"draft of {self.turn}"


class StageFailure(models.Model):
    """3.1: a turn whose stage failed `failures` times in a row; deleted as soon as a stage succeeds.

    It is retried at `retry_at`. `state` is the turn's state then, `error` the kind of the error and its place in the
    code, without its text: that may quote secrets. `told_at` is when its judges were notified.
    """

    turn = models.OneToOneField(Turn, models.CASCADE, related_name="failure")
    state = models.CharField(max_length=8, choices=TurnState)
    failures = models.PositiveIntegerField(default=0)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    retry_at = models.DateTimeField(db_index=True)
    error = models.CharField(max_length=200)
    told_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.turn} failed {self.failures} times"
