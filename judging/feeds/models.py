"""1.2: a person's own feed and calendar, at secret addresses."""

from django.conf import settings
from django.db import models


class FeedAddress(models.Model):
    """1.2: the address of a person's own feed and calendar, read without a log-in. Its `token` gives access to what
    concerns them, so it is shown to them alone, and they can replace it."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="feed_address")
    token = models.CharField(max_length=40, unique=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"the feeds of {self.user}"
