"""R38: the ingredients of a battle's dice after its score is locked, so that nobody can know them at the lock.

Words are sealed with the strats and handed over later; a beacon's value is published by others at a later moment.
"""

import hashlib
import re
from datetime import UTC, datetime, timedelta

SHORTEST_WORD, LONGEST_WORD = 16, 200
"""The length of a word in characters: a shorter one could be guessed from its seal."""

BEACON = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
"""The hash of the drand chain whose values are used (quicknet)."""

BEGAN, EVERY = datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC), timedelta(seconds=3)
"""The time of that chain's first value, and the interval between values."""

AHEAD = timedelta(minutes=1)
"""The minimum time between the lock of a score and a beacon's value: by then the lock is written."""

_SEAL = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{96}")


def is_seal(text: str) -> bool:
    """R38: whether it can be the seal of a word: 64 hexadecimal digits in lower case."""
    return bool(_SEAL.fullmatch(text))


def is_signature(text: str) -> bool:
    """R38: whether it can be a signature of the beacon: 96 hexadecimal digits in lower case."""
    return bool(_SIGNATURE.fullmatch(text))


def seal_of(word: str) -> str:
    """R38: the seal of a word, which is public before the word is: the SHA-256 of its UTF-8."""
    return hashlib.sha256(word.encode()).hexdigest()


def ingredient(word: str) -> str:
    """R38: the contribution of a handed-over word to the dice: another hash than its seal, which everybody knew."""
    return hashlib.sha256(f"wargame-word-1\n{word}".encode()).hexdigest()


def beacon_number(locked_at: datetime) -> int:
    """R38: the number of the beacon's value that is mixed into a score locked then: the first one published a minute
    or more later."""
    wait = max(timedelta(0), locked_at + AHEAD - BEGAN)
    return 1 - (-wait // EVERY)


def beacon_due(locked_at: datetime) -> datetime:
    """R38: the time of that value."""
    return BEGAN + (beacon_number(locked_at) - 1) * EVERY


def randomness(signature: str) -> str:
    """R38: the beacon's value, which is the SHA-256 of its signature (both in hexadecimal)."""
    return hashlib.sha256(bytes.fromhex(signature)).hexdigest()
