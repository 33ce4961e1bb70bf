"""T12: a file of a table, held against what such a file may hold, and recomputed before a row of it is made."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext
from rest_framework import serializers

from judging.exchange.values import BadFile, read_number
from judging.tables.archive.absent import FileAbsence, check_absences
from judging.tables.archive.beside import FileAgreements, FileMatch, check_match
from judging.tables.archive.drafted import FileDraft, check_draft
from judging.tables.archive.writing import FORMAT, VERSION
from judging.tables.models import GAMES, TableState
from judging.tables.proof.checks import checks_of
from tables.core.lists.cardlist import read_list
from tables.core.lists.faults import in_quotes
from tables.core.proof.codec import digest
from wargame.rules.core.saying import grouped

LARGEST = 50_000_000
"""Bytes of a file, unpacked; a long table has a few millions."""
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
    """T12: the file by its fields. BadFile says what is wrong with it and where."""
    document = _parsed(_unpacked(data))
    if document.get("format") != FORMAT:
        raise BadFile(
            gettext("“format” is not “%(format)s”, so this is not a card table's file") % {"format": FORMAT},
            gettext("the file header"),
        )
    if document.get("version") != VERSION:
        told = gettext("it has version %(number)s, but this service reads version %(version)s") % {
            "number": str(document.get("version"))[:20],
            "version": VERSION,
        }
        raise BadFile(told, gettext("the file header"))
    seal = document.pop("sha256", None)
    try:
        is_sealed = seal == digest(document)
    except ValueError as error:
        raise BadFile(gettext("It contains an invalid value: %(error)s") % {"error": error}) from None
    if not is_sealed:
        raise BadFile(gettext("The file was changed after it was written: its sha256 doesn't match."))
    given = TableFile(data=document)
    if not given.is_valid():
        raise BadFile(*_first(given.errors))
    found: dict[str, Any] = dict(given.validated_data)
    _check(found, document)
    return found


def _check(found: Mapping[str, Any], document: Mapping[str, Any]) -> None:
    """T8: the chain and all that can be recomputed; then what no proof looks at."""
    table = found["table"]
    is_over = table["state"] == TableState.OVER
    proof = {
        "table": table["slug"], "game": table["game"], "head": table["head"], "entries": document["entries"],
        **({name: document.get(name, {}) for name in ("seed", "hidden")} if is_over else {}),
        **({"list": document["list"] and document["list"]["data"]} if is_over else {}),
        **({"draft": document["draft"]} if document.get("draft") else {}),
    }  # fmt: skip
    if is_over and "seed" not in found:
        raise BadFile(gettext("a finished table must include its seed"), in_quotes("seed"))
    for check in checks_of(proof):
        if not check.is_same:
            raise BadFile(gettext("%(what)s This check fails: %(wrong)s") % {"what": check.what, "wrong": check.wrong})
    opened = document["entries"][0]["args"]
    if len(found["entries"]) != table["entries"] or opened.get("table") != table["slug"]:
        raise BadFile(
            gettext("its chain belongs to another table, or has a different number of entries"), in_quotes("table")
        )
    check_match(found)
    check_draft(found)
    check_absences(found["seats"])
    if found["list"] is not None:
        _check_list(found["list"], opened)
    letters = [seat["letter"] for seat in found["seats"]]
    if len(set(letters)) < len(letters):
        raise BadFile(gettext("a letter appears twice"), in_quotes("seats"))
    numbers = set(range(1, table["entries"] + 1))
    named = [*map(str, numbers)]
    for name in ("told", "hidden"):
        if not set(found.get(name, {})) <= set(named):
            raise BadFile(gettext("it names an entry that doesn't exist"), in_quotes(name))
    if not {row["n"] for row in found["rulings"]} <= numbers:
        raise BadFile(gettext("a ruling names an entry that doesn't exist"), in_quotes("rulings"))
    for row in found.get("hidden", {}).values():
        if not (isinstance(row.get("salt"), str) and len(row["salt"]) <= 32 and isinstance(row.get("args"), dict)):
            raise BadFile(gettext("each entry needs a salt and its arguments"), in_quotes("hidden"))


def _check_list(given: Mapping[str, Any], opened: Mapping[str, Any]) -> None:
    read = read_list(given["data"])
    if isinstance(read, tuple):
        raise BadFile(gettext("we couldn't read it: %(why)s") % {"why": read[0]}, in_quotes("list"))
    if read.hash != given["hash"] or [[read.key, read.version, read.hash]] != opened.get("lists"):
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
    """The first thing that is wrong, and where."""
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
