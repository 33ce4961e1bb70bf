"""3.1: an account of Discord becomes somebody's, or is his no more."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core import signing
from django.utils.translation import gettext

from judging.discord.models import DiscordLink
from judging.game import locking
from judging.game.errors import Refused

SALT = "wargame.discord"
CODE_LASTS = timedelta(minutes=15)
LONGEST_CODE = 200


def code_of(user: User) -> str:
    """3.1: what a person shows in Discord so that his account there is known. It holds once, for a while."""
    return signing.dumps([user.pk, _state(user)], salt=SALT)


@locking.writes
def link_discord(*, code: str, discord: str, now: datetime) -> User:
    """3.1: the account of Discord acts for whose code it shows, and for nobody else any more. Refused for a code that
    is none, is old, or was shown before."""
    refused = Refused(gettext("That code is invalid or too old. Your page on this site shows a new one."), "1.6")
    try:
        found = signing.loads(code[:LONGEST_CODE], salt=SALT, max_age=CODE_LASTS)
    except signing.BadSignature:
        raise refused from None
    key, state = found
    user = locking.hold_first(User.objects.filter(pk=key, is_active=True))
    if user is None or state != _state(user):
        raise refused
    DiscordLink.objects.filter(discord=discord).delete()
    DiscordLink.objects.filter(user=user).delete()
    DiscordLink.objects.create(user=user, discord=discord, made_at=now)
    return user


@locking.writes
def unlink_discord(*, user: User) -> None:
    """3.1: no account of Discord acts for a person any more."""
    DiscordLink.objects.filter(user=user).delete()


def _state(user: User) -> int:
    """What changes once a code was shown."""
    return DiscordLink.objects.filter(user=user).values_list("pk", flat=True).first() or 0
