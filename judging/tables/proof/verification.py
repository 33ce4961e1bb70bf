"""T8.5: the proof file of a table, recomputing it on request, and checking a running table for the host."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache as once
from functools import partial
from pathlib import Path
from typing import Any

from django.core.cache import cache

import tables
from judging.common.stored_messages import Words, words
from judging.tables.drafts.queries import published
from judging.tables.models import Entry, Hidden, Seat, Table, TableState
from judging.tables.proof.checks import Check, Differs, Proof, checks_of, done, folded_anew, folded_from
from tables.core.proof.codec import digest

VERSION = 3
"""Since 2 each entry after the deal has the hash of the state after it, and since 3 the file has the draft; older
files are read as well."""


def proof_of(table: Table, *, with_secrets: bool = False) -> dict[str, Any]:
    """T8.5: the file as JSON. Before the end it holds only public data; `seed`, `hidden` and `list` are added after
    it, or for a host's own check `with_secrets`."""
    shows_all = with_secrets or is_open(table)
    rows = Entry.objects.filter(table=table).order_by("n")
    proof: dict[str, Any] = {
        "proof": VERSION, "table": table.slug, "game": table.game, "head": table.head, "over": is_open(table),
        "entries": [plain_entry(row) for row in rows],
    }  # fmt: skip
    if draft := published(table, is_over=shows_all):
        proof["draft"] = draft
    if shows_all:
        secrets = Hidden.objects.filter(entry__table=table).select_related("entry").order_by("entry__n")
        proof["seed"] = bytes(table.seed).hex()
        proof["hidden"] = {str(row.entry.n): {"salt": row.salt, "args": row.args} for row in secrets}
        proof["list"] = table.card_list.data if table.card_list is not None else None
    return proof


def plain_entry(row: Entry) -> Mapping[str, Any]:
    """T6: an entry as hashed, with its place in the chain."""
    return {
        "n": row.n, "at": int(row.at.timestamp()), "by": row.by, "kind": row.kind, "args": row.args,
        "secret": row.secret, "prev": row.prev, "hash": row.hash,
    }  # fmt: skip


def is_open(table: Table) -> bool:
    """T8.5: whether the table is over, and so all of it is public."""
    return table.state == TableState.OVER


KEPT_AS = "table-folded-2"
"""The prefix of every cache key: change it with the shape of the cached data."""

KEPT_FOR = 7 * 24 * 3600
"""Seconds."""


@dataclass(frozen=True)
class Verified:
    """T8.5: the result of recomputing a table. `folded_at`: when its log was folded, if it was; it has not changed
    since."""

    checks: tuple[Check, ...]
    folded_at: datetime | None

    @property
    def is_same(self) -> bool:
        return all(check.is_same for check in self.checks)


def verified(table: Table, now: datetime) -> Verified:
    """T8.5: all checks of a table, from its current rows."""
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
    cached: tuple[Sequence[Check], datetime] | None = cache.get(key)
    if cached is None:
        cached = (folded_anew(proof), now)
        cache.set(key, cached, KEPT_FOR)
    return cached


FEWEST_DIGITS = 12
"""The fewest digits of a hash that identify an entry."""


def stored_checks(table: Table) -> list[Check]:
    """T8.5: all checks with the secrets, and of the rows beside the log."""
    proof = proof_of(table, with_secrets=True)
    return [*checks_of(proof), *(done(label, look, proof) for label, look in _rows(table))]


def entry_of_head(table: Table, head: str) -> int | None:
    """T6.2: the number of the entry with this hash, noted by a user as the end of the chain; None if there is none."""
    digits = head.strip().rstrip("….").lower()
    if len(digits) < FEWEST_DIGITS:
        return None
    return Entry.objects.filter(table=table, hash__startswith=digits).values_list("n", flat=True).first()


def _rows(table: Table) -> Iterator[tuple[Words, Callable[[Proof], None]]]:
    yield words("The stored table matches its first and last entries."), partial(_table, table)
    yield words("Each seat still has its original deck and salt."), partial(_seats, table)
    yield words("The stored card list matches its hash."), partial(_list, table)


def _table(table: Table, proof: Proof) -> None:
    if table.commitment != proof["entries"][0]["args"]["commitment"]:
        raise Differs(words("The commitment to the seed is different."))
    if table.entries != len(proof["entries"]):
        raise Differs(
            words(
                "The stored table says it has %(number)s entries, but the log has a different number.",
                number=table.entries,
            )
        )


def _seats(table: Table, proof: Proof) -> None:
    sealed = {entry["by"]: proof["hidden"][str(entry["n"])] for entry in proof["entries"] if entry["kind"] == "deck"}
    for seat in Seat.objects.filter(table=table).select_related("deck").order_by("letter"):
        opened = sealed.get(seat.letter)
        if opened and (seat.salt, digest(seat.deck.data)) != (opened["salt"], digest(opened["args"])):
            raise Differs(words("The deck of seat %(seat)s is different.", seat=seat.letter))


def _list(table: Table, proof: Proof) -> None:
    cards = table.card_list
    if cards is not None and digest(cards.data) != cards.hash:
        raise Differs(words("The card list doesn't match its hash."))
