"""1.6: the browsers in which a person is logged in, for himself to see and to end."""

from django.conf import settings
from django.db import models


class BrowserSession(models.Model):
    """1.6: a log-in in a browser: `key` is that of Django's session, which says until when it lasts; `browser` is its
    rough name. `last_seen` is exact to ten minutes. Without its session a row means nothing, and is tidied away.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="browser_sessions")
    key = models.CharField(max_length=40, unique=True)
    browser = models.CharField(max_length=60)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()

    class Meta:
        ordering = ["-last_seen", "-id"]

    def __str__(self) -> str:
        return f"{self.browser} of {self.user}"
