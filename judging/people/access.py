"""1.6: what works for a person without their password: tokens, secret addresses, other browsers and services.

Apart from `own_pages`, because it reads and writes, and those are pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from judging.accounts.sessions.reads import sessions_of
from judging.accounts.sessions.writes import end_sessions
from judging.accounts.tokens.models import AccessToken
from judging.accounts.tokens.reads import good_tokens
from judging.discord.models import DiscordLink
from judging.game import locking
from judging.hooks.models import Hook
from judging.mailbox.models import MailAddress, SeatAddress
from judging.notifications.models import PushSubscription
from judging.subscribing.models import FeedAddress


@dataclass(frozen=True)
class Access:
    """1.6: how many of each there are."""

    tokens: int
    mail_addresses: int
    discord: int
    hooks: int
    feeds: int
    devices: int
    sessions: int

    @property
    def is_any(self) -> bool:
        """Whether there is anything to end."""
        return any(vars(self).values())


def access_of(user: User, session: str, now: datetime) -> Access:
    """1.6: what works for a user besides the browser with that session, for themselves alone."""
    return Access(
        tokens=AccessToken.objects.filter(good_tokens(now), user=user).count(),
        mail_addresses=MailAddress.objects.filter(player__user=user).count()
        + SeatAddress.objects.filter(user=user).count(),
        discord=DiscordLink.objects.filter(user=user).count(),
        hooks=Hook.objects.filter(user=user).count(),
        feeds=FeedAddress.objects.filter(user=user).count(),
        devices=PushSubscription.objects.filter(user=user, gone_at=None).count(),
        sessions=sum(not each.is_this for each in sessions_of(user, session, now)),
    )


@locking.writes
def end_access(*, user: User, but: str, now: datetime) -> None:
    """1.6: ends all of it, but for the browser with the session `but`."""
    locking.hold(User.objects, pk=user.pk)  # what a form makes at the same time comes before or after
    AccessToken.objects.filter(good_tokens(now), user=user).update(revoked_at=now)
    MailAddress.objects.filter(player__user=user).delete()
    for model in (SeatAddress, DiscordLink, Hook, FeedAddress, PushSubscription):
        model._default_manager.filter(user=user).delete()
    end_sessions(user=user, now=now, but=but)
