"""1.3: the log of a round. What is recorded is public one day, so nothing secret goes into it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser

from judging.game.models import LogEntry
from wargame.models import Round


def entry_of(
    round: Round,
    actor: AbstractBaseUser | AnonymousUser | None,
    action: str,
    data: Mapping[str, object],
    now: datetime,
) -> LogEntry:
    """1.3: an entry, unsaved. `actor` is None for what the service does by the clock."""
    return LogEntry(round_id=round.pk, at=now, actor_id=actor.pk if actor else None, action=action, data=dict(data))


def record(
    round: Round,
    actor: AbstractBaseUser | AnonymousUser | None,
    action: str,
    data: Mapping[str, object],
    now: datetime,
) -> LogEntry:
    """1.3: adds an entry, as `entry_of` makes it."""
    entry = entry_of(round, actor, action, data, now)
    entry.save()
    return entry
