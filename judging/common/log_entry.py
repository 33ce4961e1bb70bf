"""1.3: the log of a round. What is recorded is public one day, so nothing secret goes into it."""

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
    """1.3: an entry, unsaved. `actor` is None for what the service does by the clock."""
    return LogEntry(round_id=round.pk, at=now, actor_id=actor.pk if actor else None, action=action, data=dict(data))


def record(
    round: Round,
    actor: AbstractBaseUser | AnonymousUser | None,
    action: str,
    data: Mapping[str, object],
    now: datetime,
) -> LogEntry:
    """1.3: adds an entry, as `entry_of` makes it; the service's own log has a line of it, too.

    A refusal is recorded after its transaction was undone, so it gets one of its own: an entry that nobody writes in
    a transaction of `locking` is no link of the chain (R38).
    """
    entry = entry_of(round, actor, action, data, now)
    with nullcontext() if locking.is_writing() else locking.transaction():
        entry.save()
    who = actor.pk if actor else "the clock"
    transaction.on_commit(lambda: log.info("%s: %s by %s", round.slug, action, who))
    return entry
