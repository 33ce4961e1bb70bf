"""1.2: a person's own feed and calendar, at addresses that nobody else knows."""

from django.conf import settings
from django.db import models


class FeedAddress(models.Model):
    """1.2: where a person's own feed and calendar are read without a log-in. Whoever knows its `token` reads what
    concerns him, so it is shown to him alone, and he may have another one."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="feed_address")
    token = models.CharField(max_length=40, unique=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"the feeds of {self.user}"
