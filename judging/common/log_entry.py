"""1.3: the log of a round. Its entries become public one day, so nothing secret goes into it."""

import logging
from collections.abc import Mapping
from contextlib import nullcontext
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from judging.common import locking
from judging.common.models import LogEntry
from wargame.models import Round

log = logging.getLogger(__name__)


def entry_of(
    round: Round,
    actor: AbstractBaseUser | AnonymousUser | None,
    action: str,
    data: Mapping[str, object],
    now: datetime,
) -> LogEntry:
    """1.3: an unsaved entry. `actor` is None for what the service does by the clock."""
    return LogEntry(round_id=round.pk, at=now, actor_id=actor.pk if actor else None, action=action, data=dict(data))


def record(
    round: Round,
    actor: AbstractBaseUser | AnonymousUser | None,
    action: str,
    data: Mapping[str, object],
    now: datetime,
) -> LogEntry:
    """1.3: add an entry, as `entry_of` makes it, and a line to the service's own log.

    A refusal is recorded after its transaction was rolled back, so it gets one of its own: an entry that is written
    outside of a `locking` transaction is no link of the chain (R38).
    """
    entry = entry_of(round, actor, action, data, now)
    with nullcontext() if locking.is_writing() else locking.transaction():
        entry.save()
    actor_name = actor.pk if actor else "the clock"
    transaction.on_commit(lambda: log.info("%s: %s by %s", round.slug, action, actor_name))
    return entry
