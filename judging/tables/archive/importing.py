"""T12: a file of a table becomes rows, in one transaction: with the same chain, and the same state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils.text import slugify
from django.utils.translation import gettext

from judging.exchange.people import People, people_for
from judging.exchange.values import BadFile
from judging.game import locking
from judging.game.errors import Refused
from judging.tables.archive import absent, beside, drafted
from judging.tables.archive.reading import read_table_file
from judging.tables.archive.writing import AT, PLAIN, SPANS, state_hash
from judging.tables.models import (
    CardList,
    Deck,
    DeckVersion,
    Entry,
    Hidden,
    Seat,
    Table,
    TableEvents,
    TableJudge,
    TableRuling,
    TableState,
)
from tables.core.lists.decks import Deck as Cards
from tables.core.lists.decks import read_deck_data, write_deck
from tables.core.proof.draws import cut_commitment, cut_value

ENDED = (TableState.OVER, TableState.GIVEN_UP)
A_BATCH = 200


@dataclass(frozen=True)
class TakenIn:
    """T12: a table that was taken in, and its people."""

    table: Table
    people: People


def import_table(data: bytes, *, play: bool = False, link: bool = False) -> TakenIn:
    """T12: takes in a table; nothing of it if anything is wrong. BadFile says what and where.

    A table that is not over is taken in to be played on only (`play`), and from a file with its secrets. `link` gives
    seats to users of the same log-ins. Refused if there is a table of that name: its shuffles are drawn by it.
    """
    found = read_table_file(data)
    said = found["table"]
    if said["state"] not in ENDED and found["public"]:
        raise Refused(
            gettext(
                "This file only has the public part of an unfinished table. You can recompute it, but not import it."
            )
        )
    if said["state"] not in ENDED and not play:
        raise Refused(gettext("This table isn't finished. Import it to play on here, or wait until it is finished."))
    if Table.objects.filter(slug=said["slug"]).exists():
        raise Refused(
            gettext(
                "There is already a table “%(name)s” here. This one can't be renamed, because shuffles depend on "
                "the name."
            )
            % {"name": said["slug"]}
        )
    with locking.transaction():
        people = people_for(dict.fromkeys(_log_ins(found)), link=link, known=_known_users(found))
        table = _created(found, people)
        beside.take_beside(table, found, people)
        drafted.take_draft(table, found, lambda row: people.of(_log_in(found, row)))
        _check_state(table, str(found["state"]))
    return TakenIn(table, people)


def _check_state(table: Table, state: str) -> None:
    """T6: the table comes out as it was."""
    try:
        is_same = state_hash(table) == state
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise BadFile(
            gettext("We couldn't replay the file to its last entry here (%(name)s).") % {"name": type(error).__name__}
        ) from None
    if not is_same:
        raise BadFile(
            gettext("The game ends in a different state here. The file was written by another version of the rules.")
        )


def _log_ins(found: Mapping[str, Any]) -> list[str]:
    """The log-ins of a file; a public one names none, so that each is made of a name at the table."""
    names = [_log_in(found, row) for row in (*found["seats"], *found["judges"])]
    others = [row["user"] for row in found["entries"] if row.get("user")]
    beside_it = [*beside.log_ins(found), *drafted.log_ins(found), *absent.log_ins(found["seats"])]
    return [_opener(found), *names, *others, *beside_it]


def _log_in(found: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    return str(row.get("user") or f"{found['table']['slug']}-{slugify(row['name']) or 'somebody'}")[:150]


def _known_users(found: Mapping[str, Any]) -> dict[str, User]:
    """T12.10: who came with an earlier game of the same match, by his log-in in this file: one account a person."""
    users = beside.people_of_match(found)
    rows = [*found["seats"], *found["judges"]]
    return {_log_in(found, row): users[row["name"]] for row in rows if row["name"] in users}


def _opener(found: Mapping[str, Any]) -> str:
    given = found["table"].get("opener")
    return given or (_log_in(found, found["seats"][0]) if found["seats"] else f"{found['table']['slug']}-opener")


def _created(found: Mapping[str, Any], people: People) -> Table:
    said = {"still_until": None, **found["table"]}
    if not said["question"]:
        said["still_until"] = None
    elif said["still_until"] is None:
        said["still_until"] = (said["stopped_at"] or datetime.now(UTC)) + timedelta(days=3)
    opener = people.of(_opener(found))
    table = Table.objects.create(
        **{name: said[name] for name in (*PLAIN, *AT)}, **{name: timedelta(seconds=said[name]) for name in SPANS},
        **{name: said[name] for name in ("head", "entries", "winner", "question", "asked_by")},
        is_invited=said.get("is_invited", False), invitation=said.get("invitation", ""), opened_by=opener,
        beat_at=said.get("beat_at"),
        seed=bytes.fromhex(found.get("seed", "")), card_list=_list(found["list"], opener, said["opened_at"]),
    )  # fmt: skip
    for row in found["seats"]:
        seat = _seat(table, found, row, people.of(_log_in(found, row)))
        absent.take_absence(seat, row.get("absence"), people)
    for row in found["judges"]:
        judge = {name: row[name] for name in ("name", "is_head", "named_at", "dismissed_at")}
        TableJudge.objects.create(table=table, user=people.of(_log_in(found, row)), **judge)
    entries = _entries(table, found["entries"], people)
    Hidden.objects.bulk_create(
        [
            Hidden(entry=entries[int(n)], salt=row["salt"], args=row["args"])
            for n, row in found.get("hidden", {}).items()
        ],
        batch_size=A_BATCH,
    )
    TableEvents.objects.bulk_create(
        [TableEvents(entry=entries[int(n)], told=told) for n, told in found["told"].items()], batch_size=A_BATCH
    )
    for row in found["rulings"]:
        ruling = {name: row[name] for name in ("card", "cites", "program", "reason")}
        TableRuling.objects.create(entry=entries[row["n"]], game=table.game, **ruling)
    return table


def _entries(table: Table, rows: list[Mapping[str, Any]], people: People) -> dict[int, Entry]:
    made = [
        Entry(
            table=table, n=row["n"], at=datetime.fromtimestamp(row["at"], UTC), by=row["by"], kind=row["kind"],
            args=row["args"], secret=row["secret"], prev=row["prev"], hash=row["hash"], token=row.get("token", ""),
            user=people.of(row["user"]) if row.get("user") else None,
        )
        for row in rows
    ]  # fmt: skip
    Entry.objects.bulk_create(made, batch_size=A_BATCH)
    return {entry.n: entry for entry in made}


def _list(given: Mapping[str, Any] | None, opener: User, at: datetime) -> CardList | None:
    """T7: the list that is here already, or another row: unofficial, whatever it was elsewhere."""
    if given is None:
        return None
    head = given["data"]["list"]
    row = CardList.objects.filter(key=head["key"], version=head.get("version", 1)).first()
    if row is not None and row.hash != given["hash"]:
        raise Refused(
            gettext("A different list is already here as %(key)s, version %(version)s, so this one can't be imported.")
            % {"key": row.key, "version": row.version}
        )
    return row or CardList.objects.create(
        key=head["key"], version=head.get("version", 1), game=head["game"],
        name=str(head.get("name", head["key"]))[:120],
        about=given["about"], hash=given["hash"], data=given["data"], cards=len(given["data"]["cards"]),
        made_by=opener, made_up=bool(head.get("made_up")), made_at=at,
    )  # fmt: skip


def _seat(table: Table, found: Mapping[str, Any], row: Mapping[str, Any], user: User) -> Seat:
    """T8: a seat with what its entries say: the deck, and the cut once its word is handed in."""
    own = [entry for entry in found["entries"] if entry["by"] == row["letter"]]
    number = next((entry["n"] for entry in own if entry["kind"] == "deck"), 0)
    hidden = found.get("hidden", {}).get(str(number), {"salt": "", "args": {}})
    cuts = [entry["args"] for entry in own if entry["kind"] == "cut"]
    cut = next((cut_value(args["word"]) for args in cuts if "word" in args), "")
    cut_hash = next((args["commitment"] for args in cuts if "commitment" in args), cut and cut_commitment(cut))
    clock = {name: row[name] for name in ("missed", "reminded", "asked_at") if name in row}
    return Seat.objects.create(
        table=table, letter=row["letter"], user=user, name=row["name"], deck=_deck(table, row, hidden["args"], user),
        salt=hidden["salt"], cut_hash=cut_hash, cut=cut, bank=timedelta(seconds=row.get("bank", 0)),
        sat_at=row["sat_at"], **clock,
    )  # fmt: skip


def _deck(table: Table, row: Mapping[str, Any], data: Mapping[str, Any], user: User) -> DeckVersion:
    cards = read_deck_data(data)
    text = row.get("deck_text") or (write_deck(cards) if isinstance(cards, Cards) else "")
    name = row.get("deck_name") or (gettext("As played at %(table)s") % {"table": table.name})[:80]
    deck = Deck.objects.create(owner=user, name=name, game=table.game, made_at=row["sat_at"])
    return DeckVersion.objects.create(
        deck=deck, number=1, card_list=table.card_list, text=text, data=data, saved_at=row["sat_at"]
    )
