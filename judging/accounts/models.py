"""1.6: what is known of a person besides Django's own user: his name without case, and his mail address."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower


class Account(models.Model):
    """1.6: `key` is the log-in as `core.names.key` has it, so that no two differ in case alone; `skeleton` is what all
    names that look like it share, null for one of those that looked alike before it was asked.

    `mail` is secret: only its owner sees it. Without `confirmed_at` it is only claimed, maybe by several, and nothing
    is sent there but the letter that asks; `asked_at` is when that was sent. The first who confirms it has it.
    `language` is the code of the one in which its owner is written to; none is the site's first one.
    `hides_record`: the page that tells what he did over all rounds is shown to nobody. `bounced_at`: when a mail server
    refused the address for good; nothing that concerns him is sent there until it is confirmed anew.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="account")
    key = models.CharField(max_length=150, unique=True)
    skeleton = models.CharField(max_length=255, unique=True, null=True, blank=True)
    mail = models.EmailField(blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True)
    hides_record = models.BooleanField(default=False)
    bounced_at = models.DateTimeField(null=True, blank=True)
    language = models.CharField(max_length=16, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("mail"), condition=Q(confirmed_at__isnull=False), name="account_one_a_confirmed_address"
            ),
            models.CheckConstraint(
                name="account_confirms_what_it_has", condition=Q(confirmed_at__isnull=True) | ~Q(mail="")
            ),
        ]

    def __str__(self) -> str:
        return str(self.user)


def note_bounce(mail: str, now: datetime) -> int:
    """1.6: a mail server says that it takes nothing for this address and never will; whose it is finds that on his
    account page. How many accounts that are."""
    refused = Account.objects.filter(user__email__iexact=mail, confirmed_at__isnull=False, bounced_at__isnull=True)
    return refused.update(bounced_at=now)
