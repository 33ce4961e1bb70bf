"""1.6, T12: a user's own data at card tables, and their new name after their account is deleted."""

from typing import Any

from django.contrib.auth.models import User

from judging.accounts.signals import renamed
from judging.tables.conduct.models import Sanction, TableAppeal
from judging.tables.game_state import DamagedTable
from judging.tables.models import CardList, Deck, Entry, Hidden, Seat, Table, TableJudge, TableRuling
from judging.tables.queries import orders_of
from judging.tables.talk.models import TableMessage


def own_data(user: User) -> dict[str, Any]:
    """1.6: all of it, as JSON."""
    return {
        "opened": [*Table.objects.filter(opened_by=user).order_by("pk").values_list("slug", flat=True)],
        "seats": [_seat(seat) for seat in _seats(user)],
        "decks": [_deck(deck) for deck in Deck.objects.filter(owner=user).prefetch_related("versions").order_by("pk")],
        "lists": [_list(row) for row in CardList.objects.filter(made_by=user).order_by("pk")],
        "judged": [
            {"table": row.table.slug, "name": row.name, "is_head": row.is_head, "named_at": row.named_at.isoformat()}
            for row in TableJudge.objects.filter(user=user).select_related("table").defer("table__seed").order_by("pk")
        ],
        "rulings": [
            {"table": row.entry.table.slug, "card": row.card, "cites": row.cites, "program": row.program}
            | {"reason": row.reason, "at": row.entry.at.isoformat()}
            for row in TableRuling.objects.filter(entry__user=user).select_related("entry__table").order_by("pk")
        ],
    }  # fmt: skip


def _seats(user: User) -> list[Seat]:
    rows = Seat.objects.filter(user=user).select_related("table", "deck__deck").defer("table__seed")
    return list(rows.order_by("pk"))


def _seat(seat: Seat) -> dict[str, Any]:
    entries = list(Entry.objects.filter(table=seat.table, user=seat.user, by=seat.letter).order_by("n"))
    hidden = dict(Hidden.objects.filter(entry__in=entries).values_list("entry_id", "args"))
    return {
        "table": seat.table.slug, "letter": seat.letter, "name": seat.name, "sat_at": seat.sat_at.isoformat(),
        "deck": {"name": seat.deck.deck.name, "version": seat.deck.number, "cards": seat.deck.data},
        "bank_seconds": int(seat.bank.total_seconds()),
        "orders": _orders(seat),
        "entries": [
            {"n": row.n, "at": row.at.isoformat(), "kind": row.kind, **row.args, **hidden.get(row.pk, {})}
            for row in entries if row.kind != "deck"
        ],
    }  # fmt: skip


def _orders(seat: Seat) -> list[dict[str, Any]] | None:
    """T10.3: None if the table's log can't be read any more; the player's lines are in the entries all the same."""
    try:
        orders = orders_of(seat.table, seat)
    except DamagedTable:
        return None
    return [{"number": one.number, "text": one.text, "fired": one.fired, "ended": one.ended} for one in orders]


def _deck(deck: Deck) -> dict[str, Any]:
    return {
        "name": deck.name, "game": deck.game, "made_at": deck.made_at.isoformat(),
        "retired_at": deck.retired_at.isoformat() if deck.retired_at else None,
        "versions": [
            {"number": row.number, "saved_at": row.saved_at.isoformat(), "text": row.text}
            for row in deck.versions.all()
        ],
    }  # fmt: skip


def _list(row: CardList) -> dict[str, Any]:
    return {"key": row.key, "version": row.version, "made_at": row.made_at.isoformat(), "data": row.data}


def watch() -> None:
    """1.6: listen to every deletion from now on."""
    renamed.connect(_rename, dispatch_uid="judging.tables.personal_data")


def _rename(*, user: User, name: str, **_: object) -> None:
    for rows in (
        TableMessage.objects.filter(author=user, letter="", as_judge=False),
        Sanction.objects.filter(user=user, letter=""),
        TableAppeal.objects.filter(user=user, letter=""),
    ):
        rows.update(name=name)
