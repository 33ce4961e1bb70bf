"""T11.5: how cards were ruled at the tables of a game, by the cards' names: shown wherever a card's text is."""

from __future__ import annotations

from collections.abc import Mapping

from judging.tables.models import TableRuling
from judging.tables.reads import Precedent

MOST = 400
"""So many rulings of a game are looked through, the newest."""
OF_A_CARD = 5


def rulings_by_card(game: str) -> Mapping[str, tuple[Precedent, ...]]:
    """T11.5: the newest rulings on each card of a game, by its name in small letters. One statement."""
    rows = TableRuling.objects.filter(game=game).exclude(card="").select_related("entry__table")
    found: dict[str, tuple[Precedent, ...]] = {}
    for row in rows.defer("entry__table__seed", "entry__args")[:MOST]:
        known = found.get(row.card.casefold(), ())
        if len(known) < OF_A_CARD:
            table = row.entry.table
            one = Precedent(table.name, table.slug, row.card, row.program, row.cites, row.reason)
            found[row.card.casefold()] = (*known, one)
    return found
