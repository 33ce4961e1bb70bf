"""R38: what goes into the dice of a battle after its score is locked, so that nobody can know them when it is.

Words are sealed with the strats and handed over later; a beacon's value is given by others at a moment to come.
"""

import hashlib
import re
from datetime import UTC, datetime, timedelta

SHORTEST_WORD, LONGEST_WORD = 16, 200
"""Signs of a word: a shorter one could be guessed from its seal."""

BEACON = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
"""The hash of the chain of drand whose values are taken (quicknet)."""

BEGAN, EVERY = datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC), timedelta(seconds=3)
"""When that chain gave its first value, and how often it gives one."""

AHEAD = timedelta(minutes=1)
"""How long after the lock of a score a beacon's value is due at the earliest: by then the lock is written."""

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
    """R38: what a word that was handed over gives to the dice: another hash than its seal, which everybody knew."""
    return hashlib.sha256(f"wargame-word-1\n{word}".encode()).hexdigest()


def beacon_number(locked_at: datetime) -> int:
    """R38: the number of the beacon's value that a score locked then is mixed with: the first one that is given a
    minute or more later."""
    wait = max(timedelta(0), locked_at + AHEAD - BEGAN)
    return 1 - (-wait // EVERY)


def beacon_due(locked_at: datetime) -> datetime:
    """R38: when that value is given."""
    return BEGAN + (beacon_number(locked_at) - 1) * EVERY


def randomness(signature: str) -> str:
    """R38: the beacon's value, which is the SHA-256 of its signature (both in hexadecimal)."""
    return hashlib.sha256(bytes.fromhex(signature)).hexdigest()
