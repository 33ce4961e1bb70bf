"""3.1, R4 to R6: which minute is in and which is out. The times are arguments, never read here."""

from datetime import datetime, timedelta

MINUTE = timedelta(minutes=1)
DEADLINE_BEFORE_LOCK = timedelta(hours=24)
"""R5: the battle deadline is 24 h before the lock."""
SEALED_BEFORE_LOCK = timedelta(hours=28)
"""R6: sealed orders are accepted from 28 h before the lock."""
CONTINGENCY_BEFORE_DEADLINE = timedelta(hours=24)
"""5.2.3: a contingency may send a strat in the last 24 h before the battle deadline."""


def closes(deadline: datetime) -> datetime:
    """R4: the first moment that is out. A minute is inclusive: with 05:00, 05:00:59 is in and 05:01:00 is out.

    A deadline with seconds, which only trial rounds with very short turns have, is exact to the second.
    """
    if deadline.second or deadline.microsecond:
        return deadline
    return deadline.replace(second=0, microsecond=0) + MINUTE


def is_in_time(at: datetime, deadline: datetime) -> bool:
    """R4: whether a thing received at `at` was in time for the deadline."""
    return at < closes(deadline)


def accepts_sealed(at: datetime, lock: datetime, before: timedelta = SEALED_BEFORE_LOCK) -> bool:
    """R6: whether a sealed order is accepted at `at`."""
    return lock - before <= at < closes(lock)
