"""1.6: Recovery codes, for a lost authenticator; the authenticator itself is django-otp's row."""

from django.conf import settings
from django.db import models


class RecoveryCode(models.Model):
    """1.6: A recovery code, which was shown once: only its hash is stored, and it works once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64)
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["user", "digest"], name="recovery_code_once_a_user")]

    def __str__(self) -> str:
        return f"code {self.pk} of {self.user}"
