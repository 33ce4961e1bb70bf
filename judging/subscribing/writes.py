"""1.2: the address of a person's own feeds."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.contrib.auth.models import User

from judging.game import locking
from judging.subscribing.models import FeedAddress


@locking.writes
def renew_feed_address(*, user: User, now: datetime) -> FeedAddress:
    """1.2: another address, or the first one; the one before shows nothing any more."""
    locking.hold(User.objects, pk=user.pk)
    found = FeedAddress.objects.filter(user=user).first() or FeedAddress(user=user)
    found.token, found.made_at = new_token(), now
    found.save()
    return found


@locking.writes
def drop_feed_address(*, user: User) -> None:
    """1.2: nobody reads a person's feeds any more, himself neither."""
    FeedAddress.objects.filter(user=user).delete()


def new_token() -> str:
    """The secret part of an address: 128 random bits in hexadecimal."""
    return secrets.token_hex(16)
