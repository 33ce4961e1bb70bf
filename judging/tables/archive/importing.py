"""T12: check and recompute a table's file, then store it in one transaction, with the same chain and state."""

import gzip
import io
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.utils.text import slugify
from django.utils.translation import gettext
from rest_framework import serializers

from judging.common import locking
from judging.common.errors import Refused
from judging.import_export.file_format import BadFile, read_number
from judging.import_export.importing import People, people_for
from judging.tables.archive import parts
from judging.tables.archive.exporting import AT, FORMAT, PLAIN, SPANS, VERSION, state_hash
from judging.tables.archive.parts import (
    FileAbsence,
    FileAgreements,
    FileDraft,
    FileMatch,
    check_absences,
    check_draft,
    check_match,
)
from judging.tables.models import (
    GAMES,
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
from judging.tables.proof.checks import checks_of
from tables.core.lists.cardlist import read_list
from tables.core.lists.decks import Deck as Cards
from tables.core.lists.decks import read_deck_data, write_deck
from tables.core.lists.faults import in_quotes
from tables.core.proof.codec import digest
from tables.core.proof.draws import cut_commitment, cut_value
from wargame.rules.core.saying import grouped

LARGEST = 50_000_000
"""The most bytes of an unpacked file; a long table has a few million."""
LARGEST_NUMBER = 2**31 - 1
LONGEST_SPAN = 366 * 24 * 3600


def _text(most: int, *, needed: bool = True, blank: bool = True) -> Any:
    return serializers.CharField(max_length=most, allow_blank=blank, required=needed, trim_whitespace=False)


def _number(most: int = LARGEST_NUMBER, *, needed: bool = True) -> Any:
    return serializers.IntegerField(min_value=0, max_value=most, required=needed)


def _moment(*, null: bool = False, needed: bool = True) -> Any:
    return serializers.DateTimeField(allow_null=null, required=needed)


class FileTable(serializers.Serializer[Any]):
    """T6: the table's own row."""

    slug = serializers.SlugField(max_length=60)
    name = _text(80, blank=False)
    game = serializers.ChoiceField(choices=GAMES)
    format = _text(20, blank=False)
    options = serializers.DictField()
    places = serializers.IntegerField(min_value=2, max_value=8)
    cuts = serializers.ChoiceField(choices=["sealed", "simple"])
    state = serializers.ChoiceField(choices=TableState.choices)
    commitment = _text(64)
    rules_version = _text(20)
    opened_at = _moment()
    started_at, ended_at = _moment(null=True), _moment(null=True)
    stopped_at, due_at = _moment(null=True), _moment(null=True)
    decision_time, bank, turn_time = _number(LONGEST_SPAN), _number(LONGEST_SPAN), _number(LONGEST_SPAN)
    head = _text(64)
    entries = _number()
    winner, asked_by = _text(2), _text(2)
    question = _text(500)
    is_invited = serializers.BooleanField(required=False)
    invitation = _text(24, needed=False)
    opener = _text(150, needed=False, blank=False)
    beat_at = _moment(null=True, needed=False)
    still_until = _moment(null=True, needed=False)


class FileSeat(serializers.Serializer[Any]):
    """T6: a seat."""

    letter = _text(2, blank=False)
    name = _text(40, blank=False)
    sat_at = _moment()
    deck_name, deck_text = _text(80, needed=False), _text(200_000, needed=False)
    user = _text(150, needed=False, blank=False)
    bank, missed, reminded = _number(needed=False), _number(30_000, needed=False), _number(100, needed=False)
    asked_at = _moment(null=True, needed=False)
    absence = FileAbsence(required=False)


class FileJudge(serializers.Serializer[Any]):
    """T11.4: a judge."""

    name = _text(40, blank=False)
    is_head = serializers.BooleanField()
    named_at = _moment()
    dismissed_at = _moment(null=True)
    user = _text(150, needed=False, blank=False)


class FileEntry(serializers.Serializer[Any]):
    """T6: a link of the chain."""

    n = serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER)
    at = serializers.IntegerField(min_value=0, max_value=2**40)
    by = _text(7, blank=False)
    kind = _text(10, blank=False)
    args = serializers.DictField()
    secret, prev, hash = _text(64), _text(64), _text(64)
    token = _text(40, needed=False)
    user = serializers.CharField(max_length=150, required=False, allow_null=True)


class FileRuling(serializers.Serializer[Any]):
    """T11.3: a ruling, by its entry."""

    n = _number()
    card = _text(120)
    cites = _text(60)
    program = _text(500)
    reason = _text(10_000)


class FileList(serializers.Serializer[Any]):
    """T7: the list of cards."""

    about = _text(500)
    hash = _text(64)
    data = serializers.DictField()  # type: ignore[assignment]


class TableFile(serializers.Serializer[Any]):
    """T12: the whole file."""

    public = serializers.BooleanField()
    table = FileTable()
    list = FileList(allow_null=True)
    seats = FileSeat(many=True)
    judges = FileJudge(many=True)
    entries = FileEntry(many=True)
    told = serializers.DictField(child=serializers.DictField())
    rulings = FileRuling(many=True)
    state = _text(64)
    match = FileMatch(required=False, allow_null=True)
    agreements = FileAgreements(required=False, allow_null=True)
    draft = FileDraft(required=False, allow_null=True)
    seed = serializers.RegexField(r"\A[0-9a-f]{64}\Z", required=False)
    hidden = serializers.DictField(child=serializers.DictField(), required=False)


def is_table_file(data: bytes) -> bool:
    """T12: whether bytes may be a file of a table, gzipped or not."""
    return f'"{FORMAT}"'.encode() in _unpacked(data)


def read_table_file(data: bytes) -> dict[str, Any]:
    """T12: the file by its fields. Raises BadFile with each error and its place."""
    document = _parsed(_unpacked(data))
    if document.get("format") != FORMAT:
        raise BadFile(
            gettext("“format” is not “%(format)s”, so this is not a card table's file") % {"format": FORMAT},
            gettext("the file header"),
        )
    if document.get("version") != VERSION:
        message = gettext("it has version %(number)s, but this service reads version %(version)s") % {
            "number": str(document.get("version"))[:20],
            "version": VERSION,
        }
        raise BadFile(message, gettext("the file header"))
    seal = document.pop("sha256", None)
    try:
        is_sealed = seal == digest(document)
    except ValueError as error:
        raise BadFile(gettext("It contains an invalid value: %(error)s") % {"error": error}) from None
    if not is_sealed:
        raise BadFile(gettext("The file was changed after it was written: its sha256 doesn't match."))
    serializer = TableFile(data=document)
    if not serializer.is_valid():
        raise BadFile(*_first(serializer.errors))
    content: dict[str, Any] = dict(serializer.validated_data)
    _check(content, document)
    return content


def _check(content: Mapping[str, Any], document: Mapping[str, Any]) -> None:
    """T8: check the chain and all that can be recomputed, then what no proof covers."""
    table = content["table"]
    is_over = table["state"] == TableState.OVER
    proof = {
        "table": table["slug"], "game": table["game"], "head": table["head"], "entries": document["entries"],
        **({name: document.get(name, {}) for name in ("seed", "hidden")} if is_over else {}),
        **({"list": document["list"] and document["list"]["data"]} if is_over else {}),
        **({"draft": document["draft"]} if document.get("draft") else {}),
    }  # fmt: skip
    if is_over and "seed" not in content:
        raise BadFile(gettext("a finished table must include its seed"), in_quotes("seed"))
    for check in checks_of(proof):
        if not check.is_same:
            raise BadFile(gettext("%(what)s This check fails: %(wrong)s") % {"what": check.what, "wrong": check.wrong})
    opened = document["entries"][0]["args"]
    if len(content["entries"]) != table["entries"] or opened.get("table") != table["slug"]:
        raise BadFile(
            gettext("its chain belongs to another table, or has a different number of entries"), in_quotes("table")
        )
    check_match(content)
    check_draft(content)
    check_absences(content["seats"])
    if content["list"] is not None:
        _check_list(content["list"], opened)
    letters = [seat["letter"] for seat in content["seats"]]
    if len(set(letters)) < len(letters):
        raise BadFile(gettext("a letter appears twice"), in_quotes("seats"))
    numbers = set(range(1, table["entries"] + 1))
    known_numbers = [*map(str, numbers)]
    for name in ("told", "hidden"):
        if not set(content.get(name, {})) <= set(known_numbers):
            raise BadFile(gettext("it names an entry that doesn't exist"), in_quotes(name))
    if not {row["n"] for row in content["rulings"]} <= numbers:
        raise BadFile(gettext("a ruling names an entry that doesn't exist"), in_quotes("rulings"))
    for row in content.get("hidden", {}).values():
        if not (isinstance(row.get("salt"), str) and len(row["salt"]) <= 32 and isinstance(row.get("args"), dict)):
            raise BadFile(gettext("each entry needs a salt and its arguments"), in_quotes("hidden"))


def _check_list(content: Mapping[str, Any], opened: Mapping[str, Any]) -> None:
    read = read_list(content["data"])
    if isinstance(read, tuple):
        raise BadFile(gettext("we couldn't read it: %(why)s") % {"why": read[0]}, in_quotes("list"))
    if read.hash != content["hash"] or [[read.key, read.version, read.hash]] != opened.get("lists"):
        raise BadFile(gettext("it is not the list the table was opened with"), in_quotes("list"))


def _unpacked(data: bytes) -> bytes:
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(LARGEST + 1)
        except (OSError, EOFError, zlib.error):
            raise BadFile(gettext("The gzipped file is damaged or cut off.")) from None
    if len(data) > LARGEST:
        raise BadFile(
            gettext("The file has more than %(number)s bytes, too many for a table.") % {"number": grouped(LARGEST)}
        )
    return data


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        document = json.loads(data.decode(), parse_constant=read_number, parse_float=read_number)
    except UnicodeDecodeError:
        raise BadFile(gettext("This is not UTF-8 text, so it is not a card table's file.")) from None
    except json.JSONDecodeError as error:
        where = gettext("line %(line)s, column %(column)s") % {"line": error.lineno, "column": error.colno}
        raise BadFile(gettext("this is not valid JSON: %(why)s") % {"why": error.msg}, where) from None
    except RecursionError:
        raise BadFile(gettext("The file is nested too deeply for a card table.")) from None
    if not isinstance(document, dict):
        raise BadFile(gettext("The file has no JSON object, so it is not a card table's file."))
    if b"\\u0000" in data and "\0" in json.dumps(document, ensure_ascii=False).replace("\\u0000", "\0"):
        raise BadFile(gettext("It contains a character that is not text."))
    return document


def _first(errors: Any, place: str = "") -> tuple[str, str]:
    if isinstance(errors, Mapping):
        name, inner = next(pair for pair in errors.items() if pair[1])
        if isinstance(name, int):
            return _first(inner, _row(place, name + 1))
        return _first(inner, f"{place}, {in_quotes(name)}" if place else in_quotes(name))
    if isinstance(errors, list):
        for number, each in enumerate(errors, 1):
            if isinstance(each, Mapping) and each:
                return _first(each, _row(place, number))
        return str(errors[0]), place or gettext("the file")
    return str(errors), place or gettext("the file")


def _row(place: str, number: int) -> str:
    return gettext("%(place)s, row %(number)s") % {"place": place or gettext("the file"), "number": number}


ENDED = (TableState.OVER, TableState.GIVEN_UP)
A_BATCH = 200


@dataclass(frozen=True)
class TakenIn:
    """T12: an imported table and its people."""

    table: Table
    people: People


def import_table(data: bytes, *, play: bool = False, link: bool = False) -> TakenIn:
    """T12: import a table as a whole. Raises BadFile with the error and its place.

    A table that is not over is imported only to be played on (`play`), from a file with its secrets. `link` gives seats
    to users with the same log-ins. Refused if there is a table with that name: its shuffles depend on it.
    """
    content = read_table_file(data)
    header = content["table"]
    if header["state"] not in ENDED and content["public"]:
        raise Refused(
            gettext(
                "This file only has the public part of an unfinished table. You can recompute it, but not import it."
            )
        )
    if header["state"] not in ENDED and not play:
        raise Refused(gettext("This table isn't finished. Import it to play on here, or wait until it is finished."))
    if Table.objects.filter(slug=header["slug"]).exists():
        raise Refused(
            gettext(
                "There is already a table “%(name)s” here. This one can't be renamed, because shuffles depend on "
                "the name."
            )
            % {"name": header["slug"]}
        )
    with locking.transaction():
        people = people_for(dict.fromkeys(_log_ins(content)), link=link, known=_known_users(content))
        table = _created(content, people)
        parts.take_beside(table, content, people)
        parts.take_draft(table, content, lambda row: people.of(_log_in(content, row)))
        _check_state(table, str(content["state"]))
    return TakenIn(table, people)


def _check_state(table: Table, state: str) -> None:
    """T6: check that the imported table has the same state as the exported one."""
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


def _log_ins(content: Mapping[str, Any]) -> list[str]:
    """The log-ins of a file; a public one has none, so each is made from a name at the table."""
    names = [_log_in(content, row) for row in (*content["seats"], *content["judges"])]
    authors = [row["user"] for row in content["entries"] if row.get("user")]
    beside_it = [
        *parts.log_ins_of_agreements(content),
        *parts.log_ins_of_draft(content),
        *parts.log_ins_of_absences(content["seats"]),
    ]
    return [_opener(content), *names, *authors, *beside_it]


def _log_in(content: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    return str(row.get("user") or f"{content['table']['slug']}-{slugify(row['name']) or 'somebody'}")[:150]


def _known_users(content: Mapping[str, Any]) -> dict[str, User]:
    """T12.10: the people from earlier games of the same match, by their log-ins in this file: one account a person."""
    users = parts.people_of_match(content)
    rows = [*content["seats"], *content["judges"]]
    return {_log_in(content, row): users[row["name"]] for row in rows if row["name"] in users}


def _opener(content: Mapping[str, Any]) -> str:
    name = content["table"].get("opener")
    return name or (_log_in(content, content["seats"][0]) if content["seats"] else f"{content['table']['slug']}-opener")


def _created(content: Mapping[str, Any], people: People) -> Table:
    header = {"still_until": None, **content["table"]}
    if not header["question"]:
        header["still_until"] = None
    elif header["still_until"] is None:
        header["still_until"] = (header["stopped_at"] or datetime.now(UTC)) + timedelta(days=3)
    opener = people.of(_opener(content))
    table = Table.objects.create(
        **{name: header[name] for name in (*PLAIN, *AT)}, **{name: timedelta(seconds=header[name]) for name in SPANS},
        **{name: header[name] for name in ("head", "entries", "winner", "question", "asked_by")},
        is_invited=header.get("is_invited", False), invitation=header.get("invitation", ""), opened_by=opener,
        beat_at=header.get("beat_at"),
        seed=bytes.fromhex(content.get("seed", "")), card_list=_list(content["list"], opener, header["opened_at"]),
    )  # fmt: skip
    for row in content["seats"]:
        seat = _seat(table, content, row, people.of(_log_in(content, row)))
        parts.take_absence(seat, row.get("absence"), people)
    for row in content["judges"]:
        judge = {name: row[name] for name in ("name", "is_head", "named_at", "dismissed_at")}
        TableJudge.objects.create(table=table, user=people.of(_log_in(content, row)), **judge)
    entries = _entries(table, content["entries"], people)
    Hidden.objects.bulk_create(
        [
            Hidden(entry=entries[int(n)], salt=row["salt"], args=row["args"])
            for n, row in content.get("hidden", {}).items()
        ],
        batch_size=A_BATCH,
    )
    TableEvents.objects.bulk_create(
        [TableEvents(entry=entries[int(n)], told=events) for n, events in content["told"].items()], batch_size=A_BATCH
    )
    for row in content["rulings"]:
        ruling = {name: row[name] for name in ("card", "cites", "program", "reason")}
        TableRuling.objects.create(entry=entries[row["n"]], game=table.game, **ruling)
    return table


def _entries(table: Table, rows: list[Mapping[str, Any]], people: People) -> dict[int, Entry]:
    new_entries = [
        Entry(
            table=table, n=row["n"], at=datetime.fromtimestamp(row["at"], UTC), by=row["by"], kind=row["kind"],
            args=row["args"], secret=row["secret"], prev=row["prev"], hash=row["hash"], token=row.get("token", ""),
            user=people.of(row["user"]) if row.get("user") else None,
        )
        for row in rows
    ]  # fmt: skip
    Entry.objects.bulk_create(new_entries, batch_size=A_BATCH)
    return {entry.n: entry for entry in new_entries}


def _list(content: Mapping[str, Any] | None, opener: User, at: datetime) -> CardList | None:
    """T7: the list that is already here, or a new row: unofficial, whatever it was elsewhere."""
    if content is None:
        return None
    head = content["data"]["list"]
    row = CardList.objects.filter(key=head["key"], version=head.get("version", 1)).first()
    if row is not None and row.hash != content["hash"]:
        raise Refused(
            gettext("A different list is already here as %(key)s, version %(version)s, so this one can't be imported.")
            % {"key": row.key, "version": row.version}
        )
    return row or CardList.objects.create(
        key=head["key"], version=head.get("version", 1), game=head["game"],
        name=str(head.get("name", head["key"]))[:120],
        about=content["about"], hash=content["hash"], data=content["data"], cards=len(content["data"]["cards"]),
        made_by=opener, made_up=bool(head.get("made_up")), made_at=at,
    )  # fmt: skip


def _seat(table: Table, content: Mapping[str, Any], row: Mapping[str, Any], user: User) -> Seat:
    """T8: a seat with the data from its entries: the deck, and the cut once its word is handed in."""
    entries = [entry for entry in content["entries"] if entry["by"] == row["letter"]]
    number = next((entry["n"] for entry in entries if entry["kind"] == "deck"), 0)
    hidden = content.get("hidden", {}).get(str(number), {"salt": "", "args": {}})
    cuts = [entry["args"] for entry in entries if entry["kind"] == "cut"]
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
