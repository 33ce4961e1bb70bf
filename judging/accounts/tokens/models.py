"""1.6: The tokens with which a person's scripts log in to the API."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from judging.api.models import Scope


class AccessToken(models.Model):
    """1.6: A person's token: `prefix` finds the row and is shown; of the secret after it, only the hash is stored.

    `scopes` are codes of `Scope`. `expires_at` is null for a token that is valid until it is revoked; `last_used_at` is
    exact to an hour. A revoked row stays, so that its owner sees what happened to it.
    """

    Scope = Scope

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="access_tokens")
    prefix = models.CharField(max_length=8, unique=True)
    digest = models.CharField(max_length=64)
    name = models.CharField(max_length=60)
    scopes = models.JSONField()
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-id"]
        constraints = [
            models.CheckConstraint(
                name="access_token_ends_after_it_began",
                condition=Q(expires_at__isnull=True) | Q(expires_at__gt=models.F("made_at")),
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"
