"""T8.5: a table recomputed for whoever asks. Folding its whole log takes long, so what came of it is kept; everything
else is held against the stored rows at each request.

What is kept belongs, by one hash, to all that was folded (entries, hidden arguments, seed, list) and to the rules as
they are written: whoever changes a row or a line of them makes another hash, and then the log is folded anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache as once
from pathlib import Path

from django.core.cache import cache

import tables
from judging.tables.models import Table
from judging.tables.proof.checks import Check, Proof, checks_of, folded_anew, folded_from
from judging.tables.proof.files import proof_of
from tables.core.proof.codec import digest

KEPT_AS = "table-folded-2"
"""The first word of every key: whoever changes the shape of what is kept changes this name."""

KEPT_FOR = 7 * 24 * 3600
"""Seconds."""


@dataclass(frozen=True)
class Verified:
    """T8.5: what recomputing a table gave. `folded_at`: when its log was folded, if it was; nothing of it has changed
    since."""

    checks: tuple[Check, ...]
    folded_at: datetime | None

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        return all(check.is_same for check in self.checks)


def verified(table: Table, now: datetime) -> Verified:
    """T8.5: everything that can be recomputed of a table, from its rows as they are now."""
    folded_at: datetime | None = None

    def folding(proof: Proof) -> Sequence[Check]:
        nonlocal folded_at
        checks, folded_at = _folded(proof, now)
        return checks

    checks = checks_of(proof_of(table), folding)
    return Verified(tuple(checks), folded_at)


@once
def _rules() -> str:
    """The SHA-256 of the rules by which a log is folded."""
    at = Path(tables.__file__).parent
    files = (file.relative_to(at).as_posix().encode() + b"\0" + file.read_bytes() for file in sorted(at.rglob("*.py")))
    return hashlib.sha256(b"".join(files)).hexdigest()


def _folded(proof: Proof, now: datetime) -> tuple[Sequence[Check], datetime]:
    try:
        key = f"{KEPT_AS}:{_rules()}:{digest(json.loads(json.dumps(folded_from(proof))))}"
    except (ValueError, KeyError):
        return folded_anew(proof), now
    known: tuple[Sequence[Check], datetime] | None = cache.get(key)
    if known is None:
        known = (folded_anew(proof), now)
        cache.set(key, known, KEPT_FOR)
    return known
