"""T6.2: the chain of a table's entries: each hash binds its entry to all before it, so the past can't be rewritten."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tables.core.proof.codec import Plain, canonical
from wargame.rules.core.saying import said

FIRST = ""
"""The `prev` of the first entry."""

HASHED = ("n", "at", "by", "kind", "args", "secret")
"""The parts of an entry that its hash covers; `secret` (the hash of hidden arguments) only if it has one."""


@dataclass(frozen=True, slots=True)
class Break:
    """T6.2: a break of the chain: the entry's number, counted from 1, and the reason, as a whole sentence."""

    n: int
    why: str


def entry_hash(prev: str, entry: Mapping[str, Plain]) -> str:
    """T6.2: `SHA-256(prev | canonical entry)` in 64 hexadecimal digits.

    `prev` is the hash of the entry before, or `FIRST`. Only the `HASHED` parts of the entry count: `first_break` checks
    its own hashes. An absent or empty `secret` is omitted. Raises ValueError for data that is not canonical
    (`codec.canonical`).
    """
    hashed = {key: entry[key] for key in HASHED if key in entry and (key != "secret" or entry[key])}
    return hashlib.sha256(f"{prev}|{canonical(hashed)}".encode()).hexdigest()


def first_break(entries: Iterable[Mapping[str, Plain]]) -> Break | None:
    """T6.2, T8: the first entry that breaks the chain, or None.

    Each entry has, besides `HASHED`, its `prev` and `hash`. Numbers run from 1 without a gap.
    """
    head = FIRST
    for number, entry in enumerate(entries, 1):
        if entry.get("n") != number:
            return Break(
                number, said("Entry %(number)s is numbered %(other)s.", number=number, other=_short(entry.get("n")))
            )
        if entry.get("prev") != head:
            return Break(number, said("Entry %(number)s does not follow the entry before it.", number=number))
        try:
            head = entry_hash(head, entry)
        except ValueError as error:
            return Break(number, said("Entry %(number)s can't be hashed: %(error)s.", number=number, error=error))
        if entry.get("hash") != head:
            return Break(number, said("Entry %(number)s doesn't match its hash.", number=number))
    return None


def _short(value: object) -> str:
    return repr(value)[:40]
