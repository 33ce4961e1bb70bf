"""What a token may be made for; and what the API remembers: the answers to requests that may be sent again."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy


class Scope(models.TextChoices):
    """1.6: what a token may be made for."""

    READ = "read", gettext_lazy("read")
    POST = "post", gettext_lazy("post, vote and send as a player")
    JUDGE = "judge", gettext_lazy("see and act as a judge")
    OPERATE = "operate", gettext_lazy("run the site as an administrator")


class SentRequest(models.Model):
    """A request with an `Idempotency-Key`, and how it was answered: once more with the same key it is not carried out.

    `digest` is of its method, path and body, so that a key that is taken for something else is found out; the answer is
    empty while it is being carried out.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=80)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    answer = models.JSONField(null=True, blank=True)
    at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="request_once_a_key")]

    def __str__(self) -> str:
        return f"{self.key} by {self.user}"
