"""3.1: whose commands in Discord are whose here."""

from django.conf import settings
from django.db import models


class DiscordLink(models.Model):
    """3.1: an account of Discord that acts for a person here: he has shown there a code that only he had."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="discord_link")
    discord = models.CharField(max_length=24, unique=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"Discord's {self.discord} is {self.user}"
