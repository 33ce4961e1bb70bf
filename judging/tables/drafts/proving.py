"""T8: what is published of a draft, so that whoever likes deals its boosters anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from judging.tables.drafts.models import DraftPick, TableDraft
from judging.tables.models import Table


def published(table: Table, *, is_over: bool) -> Mapping[str, Any]:
    """5.2, T8: what stands of a table's draft in its proof file; empty where no draft has begun."""
    draft = TableDraft.objects.filter(table=table, begun_at__isnull=False).first()
    return drafted_at(draft, is_over=is_over) if draft is not None else {}


def drafted_at(draft: TableDraft, *, is_over: bool) -> Mapping[str, Any]:
    """5.2, T8: who drafted, with the word of each and the hashes of his picks; once the table is over the seed, the
    cards and their salts as well. `seat`: where he sat down afterwards."""
    seats = dict(draft.table.seats.values_list("user_id", "letter"))
    found: dict[str, Any] = {
        "drafters": [
            {
                "letter": one.letter, "name": one.name, "seat": seats.get(one.user_id, ""), "word": one.word,
                "picks": [_pick(pick, is_over=is_over) for pick in one.picks.all()],
            }
            for one in draft.drafters.prefetch_related("picks")
        ]
    }  # fmt: skip
    return {**found, "seed": bytes(draft.seed).hex()} if is_over else found


def _pick(row: DraftPick, *, is_over: bool) -> Mapping[str, Any]:
    public = {"number": row.number, "hash": row.hash, "by_default": row.by_default}
    return {**public, "card": row.card, "salt": row.salt} if is_over else public
