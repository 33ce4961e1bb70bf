"""T12: a table as one file: its public part (everything, once the table is over), or all with its secrets."""

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from judging.common.errors import Refused
from judging.tables import game_state
from judging.tables.archive import parts
from judging.tables.conduct.models import EndingRuling
from judging.tables.models import Hidden, Seat, Table, TableEvents, TableRuling, TableState
from judging.tables.proof.verification import is_open, plain_entry
from tables.core.proof.codec import digest
from tables.core.views import SPECTATOR, view

FORMAT = "coalition-wargame-table"
VERSION = 1
"""Raise it with every change of the format that older readers would misread."""
PLAIN = ("slug", "name", "game", "format", "options", "places", "cuts", "state", "commitment", "rules_version")
AT = ("opened_at", "started_at", "ended_at", "stopped_at", "due_at", "still_until")
SPANS = ("decision_time", "bank", "turn_time")


def file_of(table: Table, *, whole: bool = False) -> bytes:
    """T12: the file of one table: JSON with the hash of the rest of it. `whole`: with every secret, so that the
    table can be played on elsewhere."""
    document = document_of(table, whole=whole)
    return json.dumps({**document, "sha256": digest(document)}, ensure_ascii=False, indent=1).encode() + b"\n"


def document_of(table: Table, *, whole: bool) -> dict[str, Any]:
    """T12: the content of the file. A `whole` one is refused while a ruling that ends the game waits."""
    if whole and EndingRuling.objects.filter(table=table, closed_at__isnull=True).exists():
        raise Refused(
            gettext(
                "A ruling that ends this game is pending, and a file can't include it. Withdraw the ruling, or "
                "wait until it takes effect."
            ),
            "T11.3",
        )
    is_all = whole or is_open(table)
    card_list = table.card_list
    document: dict[str, Any] = {
        "format": FORMAT, "version": VERSION, "public": not whole, "table": _table(table, whole=whole),
        "list": {"about": card_list.about, "hash": card_list.hash, "data": card_list.data} if card_list else None,
        "seats": [
            _seat(seat, whole=whole) for seat in table.seats.select_related("deck__deck", "user").order_by("letter")
        ],
        "judges": [
            {
                "name": judge.name, "is_head": judge.is_head, "named_at": judge.named_at.isoformat(),
                "dismissed_at": judge.dismissed_at and judge.dismissed_at.isoformat(),
                **({"user": judge.user.get_username()} if whole else {}),
            }
            for judge in table.judges.select_related("user").order_by("named_at", "pk")
        ],
        "entries": [
            {**plain_entry(row), **({"token": row.token, "user": row.user_id and _name(row.user)} if whole else {})}
            for row in table.log.select_related("user").order_by("n")
        ],
        "told": _events_by_entry(table, is_all=is_all), "rulings": _rulings(table), "state": state_hash(table),
        **parts.match_data(table, whole=whole),
        "draft": parts.draft_data(table, is_all=is_all, whole=whole),
    }  # fmt: skip
    if is_all:
        document["seed"] = bytes(table.seed).hex()
        hidden = Hidden.objects.filter(entry__table=table).select_related("entry").order_by("entry__n")
        document["hidden"] = {str(row.entry.n): {"salt": row.salt, "args": row.args} for row in hidden}
    plain: dict[str, Any] = json.loads(json.dumps(document))
    return plain


def state_hash(table: Table) -> str:
    """T6: the SHA-256 of the table's public state; empty before its start."""
    if table.state not in (TableState.RUNNING, TableState.OVER):
        return ""
    state: Any = view(game_state.rules_of(table), game_state.state_of(table), SPECTATOR)
    return digest(json.loads(json.dumps(state)))


def _table(table: Table, *, whole: bool) -> dict[str, object]:
    data = {name: getattr(table, name) for name in PLAIN}
    data |= {name: moment.isoformat() if (moment := getattr(table, name)) else None for name in AT}
    data |= {name: int(getattr(table, name).total_seconds()) for name in SPANS}
    data |= {"head": table.head, "entries": table.entries, "winner": table.winner}
    data |= {"question": table.question, "asked_by": table.asked_by}
    if whole:
        data |= {"is_invited": table.is_invited, "invitation": table.invitation, "opener": _name(table.opened_by)}
        data |= {"beat_at": table.beat_at.isoformat() if table.beat_at else None}
    return data


def _seat(seat: Seat, *, whole: bool) -> dict[str, object]:
    data: dict[str, object] = {"letter": seat.letter, "name": seat.name, "sat_at": seat.sat_at.isoformat()}
    if whole:
        data |= {"user": _name(seat.user), "deck_name": seat.deck.deck.name, "deck_text": seat.deck.text}
        data |= {"bank": int(seat.bank.total_seconds()), "missed": seat.missed, "reminded": seat.reminded}
        data |= {"asked_at": seat.asked_at.isoformat() if seat.asked_at else None}
        data["absence"] = parts.absence_of(seat)
    return data


def _events_by_entry(table: Table, *, is_all: bool) -> dict[str, object]:
    rows = TableEvents.objects.filter(entry__table=table).select_related("entry").order_by("entry__n")
    return {str(row.entry.n): row.told if is_all else {SPECTATOR: row.told[SPECTATOR]} for row in rows}


def _rulings(table: Table) -> list[Mapping[str, object]]:
    rows = TableRuling.objects.filter(entry__table=table).select_related("entry").order_by("entry__n")
    return [
        {"n": row.entry.n, "card": row.card, "cites": row.cites, "program": row.program, "reason": row.reason}
        for row in rows
    ]


def _name(user: Any) -> str:
    return str(user.get_username())
