"""1.1, 3.1: Messages on the boards of a round and in private, with mentions, reports to moderators, and blocks."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy

from judging.common.models import GENERAL
from judging.turns.models import Post
from wargame.models import Player, Round


class BoardThread(models.Model):
    """3.1: a board of a round, from its first message on. `key` is that of `reads/boards.py`."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="boards")
    key = models.CharField(max_length=24)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "key"], name="board_once_a_round")]

    def __str__(self) -> str:
        return f"{self.key} of {self.round}"


class Topic(models.Model):
    """3.1: A topic of a board, other than its general talk. `number` counts those of its board, from 2 on."""

    thread = models.ForeignKey(BoardThread, models.CASCADE, related_name="topics")
    number = models.PositiveIntegerField()
    title = models.CharField(max_length=120)
    pinned_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["thread_id", "number"]
        constraints = [models.UniqueConstraint(fields=["thread", "number"], name="topic_number_once_a_board")]

    def __str__(self) -> str:
        return f"topic {self.number} on {self.thread}"


class Conversation(models.Model):
    """1.6: Private press: a board of its own that only its participants see."""

    thread = models.OneToOneField(BoardThread, models.CASCADE, related_name="conversation")
    title = models.CharField(max_length=120, blank=True)
    begun_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"conversation {self.thread.key} of {self.thread.round}"


class Participant(models.Model):
    """1.6: A player who reads and writes in a conversation, until they leave it."""

    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="people")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+")
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["conversation", "player"], name="once_in_a_conversation")]

    def __str__(self) -> str:
        return f"{self.player} in {self.conversation}"


class Message(models.Model):
    """3.1: A message on a board.

    `number` counts those of its board alone, so that a gap reveals no message on another one. `topic` is the number of
    its topic there. `name` and `roles` are the author's name and judge roles when they wrote it (1.6, 1.3); `player` is
    None for authors who do not play. `token` identifies the form. `text` is version `version`; earlier texts are
    `MessageVersion`s. A moderator hides it with a reason.
    """

    thread = models.ForeignKey(BoardThread, models.CASCADE, related_name="messages")
    number = models.PositiveIntegerField()
    topic = models.PositiveIntegerField(default=GENERAL)
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
        indexes = [
            models.Index(fields=["thread", "at"]),
            models.Index(fields=["thread", "topic", "at"]),
        ]

    def __str__(self) -> str:
        return f"message {self.number} on {self.thread}"


class MessageVersion(models.Model):
    """3.1: A text of a message before it was edited, and since when it had it."""

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
    """3.1: A message mentions a reader of its board. `seen_at`: it was shown to them."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="mentions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    seen_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message", "user"], name="mention_once_a_message")]

    def __str__(self) -> str:
        return f"{self.user} in {self.message}"


class Report(models.Model):
    """1.3: A report to the moderators about a message, or a post of the movement thread.

    `text` is its text at that time. `decided_by` is the moderator who decided, `answer` their reason, which the
    reporter and a warned author read. `author_saw_at`: the warning was shown to its author.
    """

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("waiting")
        HIDDEN = "hidden", gettext_lazy("hidden")
        WARNED = "warned", gettext_lazy("author warned")
        DISMISSED = "dismissed", gettext_lazy("dismissed")

    round = models.ForeignKey(Round, models.CASCADE, related_name="reports")
    message = models.ForeignKey(Message, models.CASCADE, null=True, blank=True, related_name="reports")
    post = models.ForeignKey(Post, models.CASCADE, null=True, blank=True, related_name="reports")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    text = models.TextField()
    reason = models.TextField()
    at = models.DateTimeField()
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    decided_by = models.CharField(max_length=60, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    answer = models.TextField(blank=True)
    author_saw_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["round_id", "id"]
        constraints = [
            models.CheckConstraint(
                name="report_is_of_a_message_or_a_post",
                condition=models.Q(message__isnull=True) ^ models.Q(post__isnull=True),
            ),
            models.UniqueConstraint(fields=["message", "user"], name="report_once_a_message"),
            models.UniqueConstraint(fields=["post", "user"], name="report_once_a_post"),
        ]

    def __str__(self) -> str:
        return f"report {self.pk} in {self.round}"


class Block(models.Model):
    """1.6: A user does not see another one's texts, and gets no private messages from them. `name` is the other's
    name when they were blocked."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=150)
    at = models.DateTimeField()

    class Meta:
        ordering = ["user_id", "id"]
        constraints = [models.UniqueConstraint(fields=["user", "blocked"], name="block_once_a_person")]

    def __str__(self) -> str:
        return f"{self.user} blocks {self.blocked}"
