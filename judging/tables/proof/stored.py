"""T8.5: a table checked by whoever runs the service, who has the secrets of one that is still played: its log as in a
proof file of a table that is over, and the rows that repeat what the log says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from judging.game.words import Words, words
from judging.tables.models import Entry, Seat, Table
from judging.tables.proof.checks import Check, Proof, checks_of, done
from judging.tables.proof.differing import Differs
from judging.tables.proof.files import proof_of
from tables.core.proof.codec import digest

FEWEST_DIGITS = 12
"""So many digits of a head say which entry it is."""


def stored_checks(table: Table) -> list[Check]:
    """T8.5: everything that can be recomputed with the secrets, and the rows beside the log."""
    proof = proof_of(table, with_secrets=True)
    return [*checks_of(proof), *(done(what, look, proof) for what, look in _rows(table))]


def entry_of_head(table: Table, head: str) -> int | None:
    """T6.2: the number of the entry whose hash somebody kept as the end of the chain; None if there is none."""
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
