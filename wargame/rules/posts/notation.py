"""3.2.2.5: posts to orders and back. R8 to R12 say which lines are orders and in which forms."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import replace

from wargame.rules.core.faults import where
from wargame.rules.core.names import Names, names_of
from wargame.rules.core.orders import (
    HOLD_WORDS,
    IN_BATTLE_WORDS,
    READER_FAILED,
    Hold,
    InBattle,
    Intercept,
    Line,
    Move,
    Order,
    ReadOrder,
    Step,
    Suffix,
    Talk,
    Transfer,
    Unreadable,
)
from wargame.rules.core.orders import write_order as write_order
from wargame.rules.core.saying import marked, said
from wargame.rules.core.typography import PlainLine, plain, plain_line, undecorated
from wargame.rules.posts.grammar import Stop, mark_names, parse, square
from wargame.rules.posts.misreading import Misread, explain, nameless, overlong

LONGEST_LINE = 400
"""R8: a longer line is no order, so that no line takes long to read."""

_OWN_FAULT = marked("We couldn't read this line because of a fault in the service. The author made no mistake.")
_SAY_OTHERWISE = marked("Reword the order, or ask the judges, who can rule on the army (3.3.3).")

logger = logging.getLogger(__name__)

_LINE_END = re.compile(r"\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
_MEANT = re.compile(r">|\b(?a:intercept|transfer|joint[ -]+engage)\b", re.IGNORECASE)
NO_WORD = re.compile(r"https?://\S+|</?[a-z][^<>]*>", re.ASCII | re.IGNORECASE)
"""R8: addresses and tags: their `>` is no arrow."""

_STAR = re.compile(r"[^()]*\([^()]*[0-9a-z] *\*$", re.ASCII | re.IGNORECASE)
"""3.2.2.4: a `*` behind a square of a route stands for a dash, and is no emphasis."""

_SHORT = "|".join(words.replace(" ", " +") for words in HOLD_WORDS + IN_BATTLE_WORDS)
_IS_SHORT = re.compile(rf"(?:^|:) *(?:{_SHORT}) *(?:\. *)?$", re.ASCII | re.IGNORECASE)


def read_post(text: str, names: Iterable[str], own: str = "") -> list[Line]:
    """R8: a post line by line, numbered from 1; empty lines are talk, too. See `read_line`."""
    known = names_of(names)
    return [read_line(line, known, own, number) for number, line in enumerate(split_lines(text), 1)]


def split_lines(text: str) -> list[str]:
    """R8: the lines of a post, as they are numbered. Office programs have ends of lines of their own."""
    return _LINE_END.split(text)


def read_line(text: str, names: Iterable[str], own: str = "", number: int = 1) -> Line:
    """3.2.2.5, R8 to R10: what one line says.

    `names` are the armies on the map (a `Names` is not built anew); `own` is the army whose name the author
    may leave off, or empty. Squares may lie off the map: 1.2 is for legality. Never raises: a line at which
    the reader itself breaks down is unreadable, with a fault of its own, and logged.

    Beyond R9's forms: typographic signs, emphasis and list signs are looked through; `=>` and longer arrows
    are `>`, also between the squares of a route; one full stop may end the line; `joint engage NAME` keeps
    the name as its target, though none is needed (R15). A line that begins with `>` quotes somebody and is
    talk. `hold`, `in battle` and the like are orders only where nothing else follows.
    """
    try:
        return _read_line(text, names_of(names), own, number)
    except Exception as error:
        # Whatever it is: one player's line must not stop a settlement, nor a page that everybody reads. The text may be
        # sealed (R6), and the error quotes it, so the log says only where the reader broke down.
        logger.error("A line of %d characters can't be read: %s", len(text), where(error))
        return Unreadable(number, text, 1, said(_OWN_FAULT), said(_SAY_OTHERWISE), fault=READER_FAILED)


def _read_line(text: str, known: Names, own: str, number: int) -> Line:
    typed = text.rstrip()
    read: tuple[str, Order] | Misread | None
    if len(typed) > LONGEST_LINE:
        read = _read_overlong(typed)
    else:
        read = read_plain(typed, known, own) or _read_any(typed, known, own)
    if read is None:
        return Talk(number, text)
    if isinstance(read, Misread):
        told = read.wrong, read.expected, read.unknown
        return Unreadable(number, text, read.place + 1, *told, names=known)
    return ReadOrder(number, text, *read)


def _read_any(typed: str, names: Names, own: str) -> tuple[str, Order] | Misread | None:
    """R8: the army and its order, what is wrong with a line that was meant as an order, or None for talk."""
    line = plain_line(typed)
    bare = undecorated(line)
    if line.is_quoted or bare.is_quoted:
        return None
    misread: Misread | None = None
    for variant in (line,) if bare.text == line.text else (line, bare):
        if not (_MEANT.search(variant.text) or _IS_SHORT.search(variant.text)):
            continue
        read = _read_variant(variant, names, own)
        if not isinstance(read, Misread):
            return read
        if misread is None or read.place >= misread.place and not _STAR.match(line.text[: misread.place + 1]):
            misread = read
    if misread and not _is_meant(bare.text):
        return None
    return misread and replace(misread, place=_not_blank(typed, line.place(misread.place)))


def _read_variant(line: PlainLine, names: Names, own: str) -> tuple[str, Order] | Misread:
    marked = mark_names(line.text, line.start, names)
    parsed = parse(marked)
    if isinstance(parsed, Stop):
        return explain(parsed, marked, names)
    army, order = parsed
    return (army or own, order) if army or own else nameless(line.start)


def _is_meant(text: str) -> bool:
    """R8: whether a line that can't be read was meant as an order: the `>` of a tag or an address is no arrow."""
    text = NO_WORD.sub(" ", text)
    return bool(_MEANT.search(text) or _IS_SHORT.search(text))


def quotes_an_order(text: str) -> bool:
    """R8: whether a line quotes what would be an order, or was meant as one, if it did not begin with `>`."""
    line = undecorated(plain_line(text[:LONGEST_LINE]))
    return line.is_quoted and _is_meant(line.text.lstrip(" >"))


def _read_overlong(typed: str) -> Misread | None:
    if typed.lstrip().startswith(">") or not _is_meant(plain(typed)):
        return None
    return overlong(_not_blank(typed, LONGEST_LINE), LONGEST_LINE)


def _not_blank(typed: str, place: int) -> int:
    """The first place from there on that is not a blank."""
    return len(typed) - len(typed[place:].lstrip())


_WORDS: dict[str, Order] = {**dict.fromkeys(HOLD_WORDS, Hold()), **dict.fromkeys(IN_BATTLE_WORDS, InBattle())}
_SUFFIXES: dict[str, Suffix] = {"engage": "engage", "replace": "replace"}
_JOINT: Suffix = "joint engage"
# Without re.ASCII, IGNORECASE takes U+0130 and U+212A for letters of a square, which `read_square` rightly refuses.
_LETTERS = re.ASCII | re.IGNORECASE
_SQUARE = "(?:[0-9]{1,3}[a-z]|[a-z][0-9]{1,3})"
_NAME = r"([^>;:,()\"]+)"
_START = re.compile(rf"\s*({_SQUARE})\s*(?=[-=]*>)", _LETTERS)
_STEP = re.compile(
    rf"[-=]*>\s*({_SQUARE})\s*"
    rf"(?:\(\s*({_SQUARE}(?:\s*-\s*{_SQUARE})*)\s*\)\s*)?"
    rf"(?:[;,]\s*(?:(engage|replace)\s+{_NAME}|(joint\s+engage)\s*))?",
    _LETTERS,
)
_TO_ANOTHER = re.compile(rf"\s*(?:intercept\s+{_NAME}|transfer\s+to\s+{_NAME}\s+at\s+({_SQUARE}))\s*", _LETTERS)


def read_plain(text: str, names: Names, own: str) -> tuple[str, Order] | None:
    """R9: the army and its order in one of the plain forms; None leaves the line to the grammar."""
    head, colon, body = text.partition(":")
    army = names.get(head) if colon else own
    if not army:
        return None
    action = body if colon else head
    order = _move(action, names) or _WORDS.get(action.strip().casefold()) or _to_another(action, names)
    return (army, order) if order else None


def _move(action: str, names: Names) -> Move | None:
    found = _START.match(action)
    if found is None:
        return None
    here, place, steps = square(found[1]), found.end(), []
    while place < len(action):
        found = _STEP.match(action, place)
        if found is None:
            return None
        end, between, word, name, joint = found.groups()
        target = names.get(name) if name else None
        if name and target is None:
            return None
        to = square(end)
        route = tuple([square(part.strip()) for part in between.split("-")]) if between else None
        suffix = _JOINT if joint else _SUFFIXES[word.casefold()] if word else None
        steps.append(Step(here, to, route, suffix, target))
        here, place = to, found.end()
    return Move(tuple(steps))


def _to_another(action: str, names: Names) -> Intercept | Transfer | None:
    found = _TO_ANOTHER.fullmatch(action)
    if found is None:
        return None
    enemy, friend, at = found.groups()
    target = names.get(enemy or friend)
    if target is None:
        return None
    return Transfer(target, square(at)) if at else Intercept(target)
