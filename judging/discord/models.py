"""3.1: the Discord accounts of the site's users."""

from django.conf import settings
from django.db import models


class DiscordLink(models.Model):
    """3.1: a Discord account that acts for a user: a command from it contained a code that only the user had."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="discord_link")
    discord = models.CharField(max_length=24, unique=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"Discord's {self.discord} is {self.user}"
