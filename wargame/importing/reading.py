"""2.2.1: a file of cards, whatever its format, piece by piece: memory does not grow with it."""

import gzip
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, TypeVar

import ijson
import yaml

from wargame.importing import mtgjson, scryfall, xmage
from wargame.importing.bounded_yaml import load_all
from wargame.importing.cards import LETTERS, BadField, Card, Entry, check_kinds, checked, in_order, type_words
from wargame.importing.objects import Objects
from wargame.rules.core.codec import Json
from wargame.rules.core.faults import where

CHUNK = 1 << 16
GZIP = b"\x1f\x8b"
BOM = b"\xef\xbb\xbf"
_LIST_WITHIN = re.compile(rb'"data"\s*:\s*\[')
"""Scryfall's way to wrap a list of cards; MTGJSON's `data` is an object."""

NEXT_STEP = "Nothing was imported."

Watch = Callable[[int], None]
Row = tuple[Entry, Json]
T = TypeVar("T")


class CardFileError(ValueError):
    """A file that can't be read; the text says where and what would be accepted."""


def read_cards(path: Path, watch: Watch = lambda offset: None) -> Iterator[Row]:
    """Every entry of a file, with its rulings (of the project's own list).

    MTGJSON, Scryfall and XMage files are recognised by their beginning; they may be gzipped. `watch` is called now and
    then with the number of bytes read. CardFileError says in which line it broke.
    """
    try:
        with path.open("rb") as file:
            yield from _read(path, file, watch)
    except OSError as error:
        if isinstance(error, gzip.BadGzipFile):
            raise CardFileError(f"{path} is damaged: {error}. Fetch it again. {NEXT_STEP}") from error
        raise CardFileError(f"{path} can't be opened: {error.strerror}.") from error
    except (EOFError, zlib.error) as error:
        raise CardFileError(f"{path} is gzipped, but cut off or damaged. Download it again. {NEXT_STEP}") from error


def _read(path: Path, file: IO[bytes], watch: Watch) -> Iterator[Row]:
    head = file.read(len(GZIP))
    file.seek(0)
    stream: IO[bytes] = gzip.GzipFile(fileobj=file) if head == GZIP else file  # type: ignore[assignment]
    start = stream.read(CHUNK).removeprefix(BOM)
    sign = start.lstrip()[:1]
    if not sign:
        raise CardFileError(f"{path} is empty.")
    if b"\0" in start[:200]:
        raise CardFileError(f"{path} is not a UTF-8 text. Save it as UTF-8. {NEXT_STEP}")
    if sign in (b"{", b"["):
        rows = _read_json(path, stream, start, is_list=sign == b"[" or bool(_LIST_WITHIN.search(start)))
    elif path.name.removesuffix(".gz").endswith((".yaml", ".yml")):
        rows = _read_yaml(path, start + stream.read())
    else:
        rows = _read_list(path, stream, start)
    for number, row in enumerate(rows):
        if number % 2000 == 0:
            watch(file.tell())
        yield row


def _read_json(path: Path, stream: IO[bytes], start: bytes, *, is_list: bool) -> Iterator[Row]:
    source = scryfall if is_list else mtgjson
    objects, count, chunk, offset = Objects(source.is_card, source.KEYS), 0, start, 0
    try:
        while chunk:
            for row in objects.feed(chunk):
                count += 1
                yield _card(path, source.read_card, row), {}
            offset += len(chunk)
            chunk = stream.read(CHUNK)
        objects.close()
    except ijson.JSONError as error:
        if not chunk:
            raise CardFileError(_cut_off(path, stream, objects.last_name)) from error
        raise CardFileError(_broken(path, stream, offset, Objects(source.is_card, source.KEYS))) from error
    if not count:
        raise CardFileError(
            f"{path} is JSON, but neither MTGJSON's AtomicCards or AllPrintings nor Scryfall's oracle-cards: it has no "
            f"cards where those have them. {NEXT_STEP}"
        )


def _cut_off(path: Path, stream: IO[bytes], last: str) -> str:
    """The error message for a JSON that ends too early."""
    stream.seek(0)
    lines = 1 + sum(piece.count(b"\n") for piece in iter(lambda: stream.read(CHUNK), b""))
    return f"{path} is cut off: it breaks off in line {lines}{_behind(last)}. Download it again. {NEXT_STEP}"


def _broken(path: Path, stream: IO[bytes], good: int, objects: Objects) -> str:
    """The error message for an invalid JSON: it is read again up to its last `good` piece, then byte by byte."""
    stream.seek(0)
    if stream.read(len(BOM)) != BOM:
        stream.seek(0)
    line = 1
    place = 0
    with suppress(ijson.JSONError):
        while True:
            piece = stream.read(max(1, min(CHUNK, good - place)))
            place += len(piece)
            list(objects.feed(piece))
            line += piece.count(b"\n")
    where = f"line {line}, byte {place:,}{_behind(objects.last_name)}"
    return f"{path} is not valid JSON in {where}. Download it again. {NEXT_STEP}"


def _behind(name: str) -> str:
    return f" behind “{name}”" if name else ""


def _read_list(path: Path, stream: IO[bytes], start: bytes) -> Iterator[Row]:
    for number, raw in enumerate(_lines(stream, start), 1):
        try:
            line = raw.decode()
        except UnicodeDecodeError as error:
            text = raw[max(0, error.start - 20) : error.start + 10].decode("latin-1").strip()
            raise CardFileError(
                f"{path}, line {number}: “{text}” is not UTF-8; the file seems to be Latin-1. Save it as UTF-8, as by "
                f"iconv -f latin1 -t utf-8. {NEXT_STEP}"
            ) from None
        if number == 1 and line.count(xmage.SEPARATOR) < xmage.PARTS - 1:
            raise CardFileError(
                f"{path}, line 1: this is no line of a card list, which has name|set|number|rarity|cost|types|power|"
                f"toughness|text|, and the file is no JSON. {NEXT_STEP}"
            )
        if line.strip():
            yield xmage.read_line(line), {}


def _lines(stream: IO[bytes], start: bytes) -> Iterator[bytes]:
    rest, chunk = b"", start
    while chunk:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole
        chunk = stream.read(CHUNK)
    yield rest


def _read_yaml(path: Path, text: bytes) -> Iterator[Row]:
    try:
        [content] = load_all(text)
        rows = [*content["creatures"], *content["legends"]]
        texts = dict(content.get("texts") or {})
    except (yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError, ValueError) as error:
        raise CardFileError(f"{path} is not a list of creatures: {error}. {NEXT_STEP}") from error
    for row in rows:
        entry, rulings = _card(path, read_row, row)
        card_text = texts.get(row["name"])
        yield entry, {**rulings, OWN_TEXT: str(card_text)} if card_text else rulings


def _card(path: Path, read: Callable[[dict[str, object]], T], row: dict[str, object]) -> T:
    """One card. CardFileError for one that does not have the shape that its format requires."""
    try:
        return read(row)
    except BadField as error:
        raise CardFileError(f"{path}: {error} {NEXT_STEP}") from error
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        name = str(row.get("name", ""))[:80] if isinstance(row, dict) else ""
        label = f"the card “{name}”" if name else "a card without a name"
        raise CardFileError(
            f"{path}: {label} is not a card of this file format ({where(error)}). {NEXT_STEP}"
        ) from error


OWN_TEXT = "own_text"
"""The list's own text of a creature's abilities: shown if no card file has given a text (2.2.3)."""

RULING_KEYS = ("uses", "cites", "banned", "note", "asks")
"""The list's keys for a creature besides those that are printed on it (2.2.3 to 2.2.6)."""

_LETTER = {word: letter for letter, word in LETTERS.items()}


def read_row(row: Json) -> tuple[Entry, dict[str, object]]:
    """A creature of the list, and its rulings."""
    check_kinds(row, texts=("name", "size", "set"), lists=("color", "subtypes"))
    power, _, toughness = str(row["size"]).partition("/")
    card = Card(
        name=row["name"],
        colors=in_order(_LETTER[color] for color in row["color"]),
        power=power,
        toughness=toughness,
        types=type_words(row["types"]),
        subtypes=tuple(row.get("subtypes", ())),
        printed_in=row.get("set", ""),
    )
    return checked(card), {key: row[key] for key in RULING_KEYS if key in row}
