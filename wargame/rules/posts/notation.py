"""3.2.2.5: posts to orders and back. R8 to R12 say which lines are orders and in which forms."""

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

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
from wargame.rules.posts.grammar import Marked, Stop, mark_names, parse, square

_LONGEST_QUOTE = 40
_PIECE = re.compile(r"\w[\w'-]*|[-=]*>|.")
_LAST_PIECE = re.compile(r"(?:\w[\w'-]*|[-=]*>|\S)$")
_NO_LETTER = re.compile(r"(?!['-]?\w)")
_TOLD_BY = ("engage", "replace", "joint")

_ORDER = marked("Try a move such as 3D > 5E, intercept NAME, transfer to NAME at 5E, hold or in battle.")
_WORD_OF_SQUARE = marked("Write a square: its number and letter, such as 8E.")
_WORDS_OF_NAME = marked("Write the name of an army on the map.")
_END = marked("End the line here.")
_NAME_FIRST = marked("Start with the army's name and a colon, then an order.")
_EACH = marked("Put each order on its own line.")

Sentences = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Misread:
    """R8: the place (0-based) where a line ceases to be an order, what is wrong there and what would be accepted;
    `unknown` is the name there that no army has."""

    place: int
    wrong: str
    expected: str
    unknown: str = ""


def nameless(place: int) -> Misread:
    """3.2.2.5, R10: an order without a name, by a player who may not leave it off."""
    return Misread(
        place,
        said("The line doesn't say which army it is for."),
        said(
            "Start with the army's name and a colon, such as Sai Rei: 3D > 5E. You can only leave the name off "
            "if an army has your name or you control exactly one army (3.2.2.5)."
        ),
    )


def explain(stop: Stop, marked: Marked, names: Names) -> Misread:
    """3.2.2.5: the sentences for the place where the grammar could not go on."""
    if stop.place in marked.unknown:
        return _stranger(stop.place, marked.unknown[stop.place])
    if "NAME" in stop.expected and "SQUARE" in stop.expected:
        return _no_beginning(stop.place, marked.typed, names)
    if "ENGAGE" in stop.expected and names.before_colon(marked.typed, stop.place) is not None:
        return Misread(stop.place, said("A second order begins here."), said(_EACH))
    quote = _quote(_piece(marked.typed, stop.place))
    before = _quote(_last_piece(marked.typed[: stop.place]))
    wrong, expected = _sentences(stop.expected, quote, before)
    return Misread(stop.place, wrong, expected)


def overlong(place: int, longest: int) -> Misread:
    """R8: a line that is too long to be an order is not tried."""
    return Misread(place, said("The line has more than %(most)s characters.", most=longest), said(_EACH))


def _stranger(place: int, text: str) -> Misread:
    """R10: a name that no army has."""
    wrong = said("No army on the map is called %(name)s.", name=_quote(text))
    return Misread(place, wrong, said(_WORDS_OF_NAME), text)


def _no_beginning(place: int, text: str, names: Names) -> Misread:
    """3.2.2.5: neither a name with a colon nor an order is at the beginning."""
    if (army := names.at(text, place, _NO_LETTER)) is not None:
        name, end = army
        place = end + len(text[end:]) - len(text[end:].lstrip(" "))
        wrong = said("There is no colon after %(name)s.", name=_quote(name))
        return Misread(place, wrong, said("Add a colon, such as %(name)s: 3D > 5E.", name=name))
    wrong = said("No order begins with %(found)s.", found=_quote(_piece(text, place)))
    return Misread(place, wrong, " ".join((said(_NAME_FIRST), said(_ORDER))))


def _sentences(expected: frozenset[str], found: str, before: str) -> Sentences:
    """The fault and the accepted alternatives, from the grammar's expectations; `found` is empty at the end."""
    if "_INTERCEPT" in expected:
        if found:
            return said("No order begins with %(found)s.", found=found), said(_ORDER)
        return said("There is no order after %(before)s.", before=before), said(_ORDER)
    if "SQUARE" in expected:
        return _no_square(found, before), said(_WORD_OF_SQUARE)
    if "ENGAGE" in expected:
        if found:
            wrong = said("%(found)s can't follow %(before)s.", found=found, before=before)
        else:
            wrong = said("Nothing follows %(before)s.", before=before)
        return wrong, said("Add engage NAME, replace NAME or joint engage.")
    if "_CLOSE" in expected:
        stray = said("%(found)s doesn't belong in a route.", found=found) if found else said("The route is not closed.")
        return stray, said("Add a dash and the next square, or a closing parenthesis.")
    if expected == {"NAME"}:
        return said("There is no name after %(before)s.", before=before), said(_WORDS_OF_NAME)
    return _no_word(expected, before) or _too_much(expected, found)


def _no_word(expected: frozenset[str], before: str) -> Sentences | None:
    """Where only one word or character is accepted."""
    if expected == {"_TO"}:
        wrong = said("There is no “>” after %(before)s.", before=before)
        return wrong, said("Add “>” and the square to go to, such as 3D > 5E.")
    if "_TOWARDS" in expected:
        return said("There is no “to” after %(before)s.", before=before), "transfer to NAME at 5E."
    if "_AT" in expected:
        wrong = said("There is no “at” after %(before)s.", before=before)
        return wrong, said("Add “at” and the square of that army, such as at 5E.")
    return None


def _no_square(found: str, before: str) -> str:
    like_square = any(sign.isdigit() for sign in found)
    if like_square:
        return said("%(found)s is not a square.", found=found)
    return said("There is no square after %(before)s.", before=before)


def _too_much(expected: frozenset[str], found: str) -> Sentences:
    """The order was complete before `found`."""
    wrong = said("%(found)s doesn't belong to the order.", found=found)
    if "_TO" not in expected:
        return wrong, said(_END)
    if "_SEMICOLON" not in expected:
        return wrong, said("End the line here, or add “>” and the next square. Put a route before the “;”.")
    if found.strip("“”„").casefold().startswith(_TOLD_BY):
        wrong = said("There is no “;” before %(found)s.", found=found)
        return wrong, said("Put “;” before engage, replace or joint engage.")
    return wrong, said("End the line here, or add “>” and the next square, or “;” and engage, replace or joint engage.")


def _piece(text: str, place: int) -> str:
    piece = _PIECE.match(text, place)
    return piece[0] if piece else ""


def _last_piece(text: str) -> str:
    piece = _LAST_PIECE.search(text.rstrip(" ")[-_LONGEST_QUOTE:])
    return piece[0] if piece else ""


def _quote(text: str) -> str:
    """A part of the line in quotation marks, short and without unprintable characters."""
    excerpt = "".join(sign if sign.isprintable() else "\ufffd" for sign in text.strip())
    if len(excerpt) > _LONGEST_QUOTE:
        excerpt = excerpt[: _LONGEST_QUOTE - 1] + "…"
    return said("“%(text)s”", text=excerpt) if excerpt else ""


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
    known_names = names_of(names)
    return [read_line(line, known_names, own, number) for number, line in enumerate(split_lines(text), 1)]


def split_lines(text: str) -> list[str]:
    """R8: the lines of a post, in their numbering. Office programs have their own line endings."""
    return _LINE_END.split(text)


def read_line(text: str, names: Iterable[str], own: str = "", number: int = 1) -> Line:
    """3.2.2.5, R8 to R10: the content of one line.

    `names` are the armies on the map (a `Names` is not built again); `own` is the army whose name the author may leave
    off, or empty. Squares may lie off the map: 1.2 is for legality. Never raises: a line at which the reader itself
    fails is unreadable, with its own fault, and logged.

    Beyond R9's forms: typographic characters, emphasis and list markers are ignored; `=>` and longer arrows are `>`,
    also between the squares of a route; one full stop may end the line; `joint engage NAME` keeps the name as its
    target, though none is needed (R15). A line that begins with `>` is a quotation and is talk. `hold`, `in battle` and
    the like are orders only where nothing else follows.
    """
    try:
        return _read_line(text, names_of(names), own, number)
    except Exception as error:
        # Whatever it is: one player's line must not stop a settlement, nor a page that everybody reads. The text may be
        # sealed (R6), and the error quotes it, so the log says only where the reader broke down.
        logger.error("A line of %d characters can't be read: %s", len(text), where(error))
        return Unreadable(number, text, 1, said(_OWN_FAULT), said(_SAY_OTHERWISE), fault=READER_FAILED)


def _read_line(text: str, names: Names, own_army: str, number: int) -> Line:
    line = text.rstrip()
    read: tuple[str, Order] | Misread | None
    if len(line) > LONGEST_LINE:
        read = _read_overlong(line)
    else:
        read = read_plain(line, names, own_army) or _read_any(line, names, own_army)
    if read is None:
        return Talk(number, text)
    if isinstance(read, Misread):
        details = read.wrong, read.expected, read.unknown
        return Unreadable(number, text, read.place + 1, *details, names=names)
    return ReadOrder(number, text, *read)


def _read_any(text: str, names: Names, own_army: str) -> tuple[str, Order] | Misread | None:
    """R8: the army and its order, the fault of a line that was meant as an order, or None for talk."""
    line = plain_line(text)
    bare = undecorated(line)
    if line.is_quoted or bare.is_quoted:
        return None
    misread: Misread | None = None
    for variant in (line,) if bare.text == line.text else (line, bare):
        if not (_MEANT.search(variant.text) or _IS_SHORT.search(variant.text)):
            continue
        read = _read_variant(variant, names, own_army)
        if not isinstance(read, Misread):
            return read
        if misread is None or read.place >= misread.place and not _STAR.match(line.text[: misread.place + 1]):
            misread = read
    if misread and not _is_meant(bare.text):
        return None
    return misread and replace(misread, place=_not_blank(text, line.place(misread.place)))


def _read_variant(line: PlainLine, names: Names, own_army: str) -> tuple[str, Order] | Misread:
    marked_line = mark_names(line.text, line.start, names)
    parsed = parse(marked_line)
    if isinstance(parsed, Stop):
        return explain(parsed, marked_line, names)
    army, order = parsed
    return (army or own_army, order) if army or own_army else nameless(line.start)


def _is_meant(text: str) -> bool:
    """R8: whether a line that can't be read was meant as an order: the `>` of a tag or an address is no arrow."""
    text = NO_WORD.sub(" ", text)
    return bool(_MEANT.search(text) or _IS_SHORT.search(text))


def quotes_an_order(text: str) -> bool:
    """R8: whether a line quotes an order: it would be one, or was meant as one, without its leading `>`."""
    line = undecorated(plain_line(text[:LONGEST_LINE]))
    return line.is_quoted and _is_meant(line.text.lstrip(" >"))


def _read_overlong(text: str) -> Misread | None:
    if text.lstrip().startswith(">") or not _is_meant(plain(text)):
        return None
    return overlong(_not_blank(text, LONGEST_LINE), LONGEST_LINE)


def _not_blank(text: str, place: int) -> int:
    return len(text) - len(text[place:].lstrip())


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
    step_match = _START.match(action)
    if step_match is None:
        return None
    here, place, steps = square(step_match[1]), step_match.end(), []
    while place < len(action):
        step_match = _STEP.match(action, place)
        if step_match is None:
            return None
        end, between, verb, name, joint = step_match.groups()
        target = names.get(name) if name else None
        if name and target is None:
            return None
        to = square(end)
        route = tuple([square(part.strip()) for part in between.split("-")]) if between else None
        suffix = _JOINT if joint else _SUFFIXES[verb.casefold()] if verb else None
        steps.append(Step(here, to, route, suffix, target))
        here, place = to, step_match.end()
    return Move(tuple(steps))


def _to_another(action: str, names: Names) -> Intercept | Transfer | None:
    action_match = _TO_ANOTHER.fullmatch(action)
    if action_match is None:
        return None
    enemy, friend, at = action_match.groups()
    target = names.get(enemy or friend)
    if target is None:
        return None
    return Transfer(target, square(at)) if at else Intercept(target)
