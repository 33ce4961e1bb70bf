"""1.6: The browsers in which a person is logged in, which they can see and log out."""

from django.conf import settings
from django.db import models


class BrowserSession(models.Model):
    """1.6: A log-in in a browser: `key` is that of Django's session, which has the expiry; `browser` is its
    approximate name. `last_seen` is exact to ten minutes. A row without its session means nothing and is cleaned up."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="browser_sessions")
    key = models.CharField(max_length=40, unique=True)
    browser = models.CharField(max_length=60)
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField()

    class Meta:
        ordering = ["-last_seen", "-id"]

    def __str__(self) -> str:
        return f"{self.browser} of {self.user}"
