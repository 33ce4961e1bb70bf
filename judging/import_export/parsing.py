"""Parsing a round's file, and checking its form, tables, fields and links."""

import gzip
import hashlib
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from django.db.models import NOT_PROVIDED, CharField, TextField
from django.utils.translation import gettext

from judging.import_export.exporting import FORMAT, VERSION
from judging.import_export.file_format import (
    GONE,
    BadFile,
    BadValue,
    Column,
    ExchangeTable,
    from_json,
    read_number,
    row_place,
    tables,
)
from wargame.rules.battle.four_dice import Why
from wargame.rules.core import codec
from wargame.rules.core.codec import Json
from wargame.rules.core.saying import grouped
from wargame.rules.telling.telling import event_from_json, event_to_json

LARGEST = 100_000_000
"""Bytes of an unpacked file; a round of a hundred turns has about 30 million."""

LONGEST_LOG_IN = 150

Values = Json
"""A row by field name, with Python values."""

_SEAL = re.compile(rb'"sha256": "([0-9a-f]{64})"\n}\n\Z')
_DOUBTFUL = re.compile(rb"\\u(?:0000|[dD][89abAB])")


@dataclass
class RoundFile:
    """A parsed file. `rows` has the rows of each table by its name, in their order, with Python values; links are
    numbers of rows, and people their log-ins."""

    is_public: bool
    rows: dict[str, list[Values]] = field(default_factory=dict)

    @property
    def round(self) -> Values:
        return self.rows["round"][0]


def read_round_file(data: bytes) -> RoundFile:
    """The parsed file, unpacked if it is gzipped. BadFile says what is wrong with it and where."""
    data = _unpacked(data)
    document = _parsed(data)
    _check_head(document)
    _check_seal(data)
    round_file = RoundFile(is_public=document["public"])
    table_rows = document["tables"]
    if not isinstance(table_rows, dict):
        raise BadFile(gettext("“tables” must be an object"), gettext("the file header"))
    table_names = {table.name for table in tables()} | GONE
    for name in table_rows:
        if name not in table_names:
            raise BadFile(
                gettext("the table “%(name)s” is unknown here; a newer version of the service wrote this file")
                % {"name": name}
            )
    for table in tables():
        round_file.rows[table.name] = [*_rows(table, table_rows.pop(table.name, []), round_file.is_public)]
    if len(round_file.rows["round"]) != 1:
        raise BadFile(
            gettext("it has %(number)s rounds; there must be exactly one") % {"number": len(round_file.rows["round"])},
            gettext("the table “round”"),
        )
    _check_links(round_file)
    return round_file


def _unpacked(data: bytes) -> bytes:
    if data[:2] == b"\x1f\x8b":
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                data = packed.read(LARGEST + 1)
        except (OSError, EOFError, zlib.error):
            raise BadFile(gettext("The gzipped file is damaged or cut off.")) from None
    if len(data) > LARGEST:
        raise BadFile(
            gettext("The file is larger than %(largest)s bytes, which is too large for a round.")
            % {"largest": grouped(LARGEST)}
        )
    return data


def _parsed(data: bytes) -> Json:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFile(
            gettext("this is not UTF-8 text, so it isn't a round file"), gettext("line %(line)s") % {"line": line}
        ) from None
    try:
        document = json.loads(text, object_pairs_hook=_unique, parse_constant=read_number, parse_float=read_number)
    except json.JSONDecodeError as error:
        rest = text[error.pos :].rstrip()  # empty, or the first letters of a word that JSON has
        if any(literal.startswith(rest) for literal in ("true", "false", "null")) or "Unterminated" in error.msg:
            place = gettext("line %(line)s") % {"line": error.lineno}
            raise BadFile(gettext("the file ends in the middle; it was cut off"), place) from None
        place = gettext("line %(line)s, column %(column)s") % {"line": error.lineno, "column": error.colno}
        raise BadFile(gettext("this is not JSON: %(msg)s") % {"msg": error.msg}, place) from None
    except RecursionError:
        raise BadFile(gettext("The file is nested too deeply for a round.")) from None
    if not isinstance(document, dict):
        raise BadFile(gettext("The file has no JSON object, so it isn't a round file."))
    if _DOUBTFUL.search(data):
        _check_texts(document, gettext("the file"))
    return document


def _unique(pairs: list[tuple[str, object]]) -> Json:
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadFile(gettext("the name “%(value)s” appears twice in one object") % {"value": twice[:60]})
    return data


def _check_texts(value: object, place: str) -> None:
    """No database can store NUL, or a lone surrogate."""
    if isinstance(value, dict):
        for key, item in value.items():
            _check_texts(key, place)
            _check_texts(item, gettext("“%(text)s”") % {"text": key[:60]})
    elif isinstance(value, list):
        for item in value:
            _check_texts(item, place)
    elif isinstance(value, str) and any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in value):
        raise BadFile(gettext("it contains a character that isn't text"), place)


def _check_head(document: Json) -> None:
    place = gettext("the file header")
    if document.get("format") != FORMAT:
        raise BadFile(gettext("“format” is not “%(format)s”, so this isn't a round file") % {"format": FORMAT}, place)
    version = document.get("version")
    if version != VERSION:
        raise BadFile(
            gettext("it has version %(value)s; this service reads version %(version)s")
            % {"value": str(version)[:20], "version": VERSION},
            place,
        )
    if not isinstance(document.get("public"), bool) or "tables" not in document:
        raise BadFile(gettext("“public” and “tables” are required"), place)


def _check_seal(data: bytes) -> None:
    """The last line has the hash of all bytes before it."""
    seal = _SEAL.search(data)
    if seal is None:
        raise BadFile(
            gettext("the line with “sha256” is missing, or something follows it"), gettext("the end of the file")
        )
    if hashlib.sha256(data[: seal.start()]).hexdigest() != seal[1].decode():
        raise BadFile(gettext("The file was changed after it was written: its sha256 doesn't match."))


def _rows(table: ExchangeTable, items: object, is_public: bool) -> Iterator[Values]:
    if not isinstance(items, list):
        raise BadFile(gettext("expected a list of rows"), gettext("the table “%(table)s”") % {"table": table.name})
    names = {each.name for each in table.fields} | {key.name for key, _ in table.links}
    names |= {key.name for key in table.users}
    for number, row in enumerate(items, 1):
        place = row_place(table.name, number)
        if not isinstance(row, dict) or row.pop("n", None) != number:
            raise BadFile(gettext("it must be an object with the number %(number)s as “n”") % {"number": number}, place)
        try:
            row = _in_codes(table.name, row)
        except ValueError as error:
            raise BadFile(str(error), place) from None
        for name in row:
            if name not in names:
                raise BadFile(gettext("the field “%(value)s” is unknown here") % {"value": name[:60]}, place)
        yield _values(table, row, number, is_public)


def _values(table: ExchangeTable, row: Json, number: int, is_public: bool) -> Values:
    values: Values = {}
    for each in table.fields:
        try:
            is_given = each.name in row
            values[each.name] = from_json(each, row[each.name]) if is_given else _missing(each, number, is_public)
        except BadValue as error:
            raise BadFile(str(error), row_place(table.name, number, each.name)) from None
    for key in [*(key for key, _ in table.links), *table.users]:
        values[key.name] = _reference(table, key, row, number, is_public)
    return values


def _missing(each: Column, number: int, is_public: bool) -> object:
    """The value of a field that the file does not contain: the default of a new row. A public file omits secrets."""
    if each.has_default():
        return each.get_default()
    if each.null:
        return None
    if is_public and each.name == "token":
        return f"imported-{number}"
    if is_public and isinstance(each, CharField | TextField):
        return ""
    if is_public and each.default is NOT_PROVIDED and each.get_internal_type() == "JSONField":
        return {}
    raise BadValue(gettext("it is missing"))


def _reference(table: ExchangeTable, key: Column, row: Json, number: int, is_public: bool) -> int | str | None:
    """A link's number or a person's name; a public file names no log-ins."""
    is_user = key in table.users
    value, place = row.get(key.name), row_place(table.name, number, key.name)
    if value is None and not key.null and not (is_user and is_public):
        raise BadFile(gettext("it is missing"), place)
    kind = str if is_user else int
    if value is not None and (not isinstance(value, kind) or isinstance(value, bool) or value == ""):
        raise BadFile(
            gettext("expected a log-in") if is_user else gettext("expected a row number"),
            place,
        )
    if isinstance(value, str) and len(value) > LONGEST_LOG_IN:
        raise BadFile(
            gettext("a log-in can have at most %(longest_log_in)s characters") % {"longest_log_in": LONGEST_LOG_IN},
            place,
        )
    return value


def _check_links(round_file: RoundFile) -> None:
    for table in tables():
        ends = [(key.name, to) for key, to in table.links]
        for number, row in enumerate(round_file.rows[table.name], 1):
            for name, to in ends:
                value, last = row[name], len(round_file.rows[to])
                if value is not None and not (isinstance(value, int) and 1 <= value <= last):
                    message = gettext("there is no row %(value)s in “%(to)s”; its number of rows is %(last)s") % {
                        "value": value,
                        "to": to,
                        "last": last,
                    }
                    raise BadFile(message, row_place(table.name, number, name))


def _in_codes(table: str, row: Json) -> Json:
    """A row as it is stored here: events and outcomes parsed with the rules' types, and serialized again.

    Older versions stored their sentences beside the codes. They are left out here, because they are composed when they
    are read. ValueError for invalid events and outcomes.
    """
    change = _CHANGES.get(table)
    return change(dict(row)) if change else row


def _turn(row: Json) -> Json:
    return _with_events(row, "events")


def _correction(row: Json) -> Json:
    """3.3.3: a correction's changes are derived from its state before and after."""
    row.pop("difference", None)
    for name in ("position", "old_position"):
        try:
            codec.position_from_json(row[name])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"its {name.replace('_', ' ')} can't be read ({error!r})") from None
    return _with_events(row, "events", "old_events")


def _draft(row: Json) -> Json:
    events = row.get("events")
    row = _with_events(row, "events")
    if isinstance(row.get("former"), dict):
        row["former"] = _with_digest(_with_events(dict(row["former"]), "events"))
    return row if row.get("events") == events else _with_digest(row)


def _with_digest(draft: Json) -> Json:
    content = {"events": draft.get("events"), "places": draft.get("places")}
    return draft | {"digest": codec.digest(content)}


def _with_outcome(row: Json) -> Json:
    outcome = row.get("outcome")
    if not outcome:
        return row
    if not isinstance(outcome, dict):
        raise ValueError("an outcome must be an object")
    why = outcome.get("why")
    if isinstance(why, dict):
        why = next((each.name for each in Why if each.of_one == why.get("text")), None)
    if why not in Why.__members__:
        raise ValueError(f"“why” of an outcome must be one of {', '.join(Why.__members__)}")
    return row | {"outcome": outcome | {"why": why}}


def _battle(row: Json) -> Json:
    if isinstance(row.get("weather"), dict):
        row["weather"] = {key: value for key, value in row["weather"].items() if key != "text"}
    return row


def _notice(row: Json) -> Json:
    """3.1: the data of an older version's notice are incomplete beside its text; so the text is stored among them."""
    text, data = row.pop("text", ""), row.get("data") or {}
    return row | {"data": {**data, "told": text}} if text and isinstance(data, dict) else row


def _with_events(row: Json, *names: str) -> Json:
    return row | {name: _events(row[name]) for name in names if row.get(name)}


def _events(events: object) -> list[Json]:
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        raise ValueError("expected a list of events")
    return [event_to_json(event_from_json(event)) for event in events]


_CHANGES: dict[str, Callable[[Json], Json]] = {
    "turn": _turn,
    "draft": _draft,
    "correction": _correction,
    "result": _with_outcome,
    "proposal": _with_outcome,
    "battle": _battle,
    "notice": _notice,
}
