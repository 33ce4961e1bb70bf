"""3.1, R7: posts in the movement thread, every version of them, and transfer manifests."""

import secrets

from django.db import models

from wargame.models import Player, Turn


def unguessable() -> int:
    """A key that tells nothing: a gap between two posts would give away that a sealed one was sent (R6)."""
    return 1 + secrets.randbits(52)


class Post(models.Model):
    """3.1: a player's post in a turn's movement thread; `sealed` ones appear at the lock (R6).

    `token` names the form that sent it, so that a double submit makes one post. `number` counts the posts
    of a turn and never changes. One that was taken back stays readable, and its lines count no more.
    """

    id = models.BigIntegerField(primary_key=True, default=unguessable, editable=False)
    turn = models.ForeignKey(Turn, models.CASCADE, related_name="posts")
    player = models.ForeignKey(Player, models.PROTECT, related_name="posts")
    number = models.PositiveIntegerField()
    sealed = models.BooleanField(default=False)
    posted_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    token = models.CharField(max_length=40)

    class Meta:
        ordering = ["turn_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "number"], name="post_number_once_a_turn"),
            models.UniqueConstraint(fields=["turn", "player", "token"], name="post_once_a_form"),
        ]

    def __str__(self) -> str:
        return f"post {self.number} of {self.turn}"


class PostVersion(models.Model):
    """R7: one version of a post. `stamps` holds for each line when it was last changed (ISO, UTC);
    `own_army` is the army that a line without a name meant at that time (R10)."""

    post = models.ForeignKey(Post, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    at = models.DateTimeField()
    stamps = models.JSONField()
    own_army = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["post_id", "number"]
        constraints = [models.UniqueConstraint(fields=["post", "number"], name="version_number_once_a_post")]

    def __str__(self) -> str:
        return f"version {self.number} of {self.post}"


class Manifest(models.Model):
    """3.2.4.2: what exactly a transfer sends; the last one counts (R28). `entries` are {slot, number, creature}."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="manifests")
    player = models.ForeignKey(Player, models.PROTECT, related_name="manifests")
    sender = models.CharField(max_length=40)
    receiver = models.CharField(max_length=40)
    entries = models.JSONField()
    sent_at = models.DateTimeField()

    class Meta:
        ordering = ["turn_id", "id"]

    def __str__(self) -> str:
        return f"{self.sender} to {self.receiver}"
