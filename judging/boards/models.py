"""1.1, 3.1: what people write on the boards of a round, whom they name, and what each has read."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from wargame.models import Player, Round


class BoardThread(models.Model):
    """3.1: a board of a round, from its first message on. `key` is that of `selectors/boards.py`."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="boards")
    key = models.CharField(max_length=24)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "key"], name="board_once_a_round")]

    def __str__(self) -> str:
        return f"{self.key} of {self.round}"


class Message(models.Model):
    """3.1: a message on a board.

    `number` counts those of its board alone: a gap tells of none on another one. `name` and `roles` are what its author
    was called and judged when he wrote it (1.6, 1.3); `player` is None for who does not play. `token` names the form.
    `text` is version `version`; the texts before it are `MessageVersion`s. A moderator hides it with a reason.
    """

    thread = models.ForeignKey(BoardThread, models.CASCADE, related_name="messages")
    number = models.PositiveIntegerField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    player = models.ForeignKey(Player, models.RESTRICT, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=150)
    roles = models.JSONField(default=list, blank=True)
    at = models.DateTimeField()
    text = models.TextField()
    version = models.PositiveIntegerField(default=1)
    edited_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    hidden_at = models.DateTimeField(null=True, blank=True)
    hidden_by = models.CharField(max_length=60, blank=True)
    hidden_because = models.TextField(blank=True)
    token = models.CharField(max_length=40)

    class Meta:
        ordering = ["thread_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["thread", "number"], name="message_number_once_a_board"),
            models.UniqueConstraint(fields=["thread", "author", "token"], name="message_once_a_form"),
        ]
        indexes = [models.Index(fields=["thread", "at"])]

    def __str__(self) -> str:
        return f"message {self.number} on {self.thread}"


class MessageVersion(models.Model):
    """3.1: a text that a message had before it was edited, and since when it had it."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    text = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["message_id", "number"]
        constraints = [models.UniqueConstraint(fields=["message", "number"], name="message_version_number_once")]

    def __str__(self) -> str:
        return f"version {self.number} of {self.message}"


class Mention(models.Model):
    """3.1: a message names somebody who reads its board. `seen_at`: it was shown to him."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="mentions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message", "user"], name="mention_once_a_message")]

    def __str__(self) -> str:
        return f"{self.user} in {self.message}"


class ReadMark(models.Model):
    """3.1: somebody has read a board up to what was written at `until`."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="+")
    board = models.CharField(max_length=24)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    until = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "round", "board"], name="read_mark_once_a_board")]

    def __str__(self) -> str:
        return f"{self.user} on {self.board}"
