"""1.6: outgoing letters: each is a row, written together with the fact that it reports, and sent by a separate job."""

from datetime import timedelta

from django.db import models
from django.utils.translation import gettext_lazy

from judging.common.outbox import Outgoing


class Letter(Outgoing):
    """A letter to one address. No request and no stage of a turn waits for a mail server: they only add a row.

    `error` is the kind of the last error, never its words: a mail server names addresses. A letter may hold a token
    that lets its reader in, so its `body` is shown nowhere, is in no export and no log, and is gone once it is sent.
    One of the kind ASKED has no body: somebody asked for a new password for this address; it becomes a letter if there
    is an account. `unsubscribe` is where its reader ends such letters with one click (RFC 8058), as secret as the body.
    """

    TITLE = "Email"
    LEASE = timedelta(minutes=10)  # longer than the job may run (`judging.tasks`)
    FIRST_PAUSE = timedelta(minutes=1)
    MOST_TRIES = 12  # so a server may be away for a day

    class Kind(models.TextChoices):
        CONFIRM = "confirm", gettext_lazy("address confirmation")
        ASKED = "asked", gettext_lazy("password reset request")
        RESET = "reset", gettext_lazy("password reset link")
        OVERDUE = "overdue", gettext_lazy("a battle is overdue")
        VOTE = "vote", gettext_lazy("a vote is open")
        ACCOUNT = "account", gettext_lazy("about an account")
        INVITED = "invited", gettext_lazy("an invitation to a round")
        STUCK = "stuck", gettext_lazy("a turn is stuck")
        NEWS = "news", gettext_lazy("notification")

    to = models.CharField(max_length=254)
    subject = models.CharField(max_length=200)
    body = models.TextField(blank=True)
    unsubscribe = models.CharField(max_length=300, blank=True)
    kind = models.CharField(max_length=8, choices=Kind)
    error = models.CharField(max_length=60, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["state", "due"])]

    def __str__(self) -> str:
        return f"letter {self.pk}: {self.get_kind_display()}"
