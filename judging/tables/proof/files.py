"""T8.5: the proof file of a table: its chain, and when it is over all that was hidden: seed, words, decks, choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judging.tables.drafts.proving import published
from judging.tables.models import Entry, Hidden, Table, TableState

VERSION = 3
"""Since 2 each entry after the deal has the hash of the state after it, and since 3 a draft stands in the file; files
of before are read as well."""


def proof_of(table: Table, *, with_secrets: bool = False) -> dict[str, Any]:
    """T8.5: the file as JSON. Before the end it holds what everybody knows; `seed`, `hidden` and `list` come after
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
    """T6: an entry as its hash covers it, with its place in the chain."""
    return {
        "n": row.n, "at": int(row.at.timestamp()), "by": row.by, "kind": row.kind, "args": row.args,
        "secret": row.secret, "prev": row.prev, "hash": row.hash,
    }  # fmt: skip


def is_open(table: Table) -> bool:
    """T8.5: whether the table is over, and so all of it may be known."""
    return table.state == TableState.OVER
