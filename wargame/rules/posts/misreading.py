"""R8: why a line that was meant as an order can't be read, in words for its author."""

from __future__ import annotations

import re
from dataclasses import dataclass

from wargame.rules.core.names import Names
from wargame.rules.posts.grammar import Marked, Stop

_LONGEST_QUOTE = 40
_PIECE = re.compile(r"\w[\w'-]*|[-=]*>|.")
_LAST_PIECE = re.compile(r"(?:\w[\w'-]*|[-=]*>|\S)$")
_NO_LETTER = re.compile(r"(?!['-]?\w)")
_TOLD_BY = ("engage", "replace", "joint")

_ORDER = "A move such as 3D > 5E, intercept NAME, transfer to NAME at 5E, hold or in battle."
_SQUARE = "A square: its number and its letter, such as 8E."
_NAME = "The name of an army on the map."
_END = "The end of the line."

Sentences = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Misread:
    """R8: where a line stops to be an order (0-based), what is wrong there and what would do."""

    place: int
    wrong: str
    expected: str
    suggestions: tuple[str, ...] = ()


def nameless(place: int) -> Misread:
    """3.2.2.5, R10: an order without a name, by a player who may not leave it off."""
    return Misread(
        place,
        "The line does not say which army it is for.",
        "The army's name and a colon first, such as Sai Rei: 3D > 5E. Only who has the name of an army, or "
        "controls exactly one, may leave it off (3.2.2.5).",
    )


def explain(stop: Stop, marked: Marked, names: Names) -> Misread:
    """3.2.2.5: the sentences for the place where the grammar could not go on."""
    if stop.place in marked.unknown:
        return _stranger(stop.place, marked.unknown[stop.place], names)
    if "NAME" in stop.expected and "SQUARE" in stop.expected:
        return _no_beginning(stop.place, marked.typed, names)
    if "ENGAGE" in stop.expected and names.before_colon(marked.typed, stop.place) is not None:
        return Misread(stop.place, "A second order begins here.", "Each order on a line of its own.")
    found = _quote(_piece(marked.typed, stop.place))
    before = _quote(_last_piece(marked.typed[: stop.place]))
    wrong, expected = _sentences(stop.expected, found, before)
    return Misread(stop.place, wrong, expected)


def overlong(place: int, longest: int) -> Misread:
    """R8: a line that is too long to be an order is not tried."""
    return Misread(place, f"The line has more than {longest} characters.", "Each order on a line of its own.")


def _stranger(place: int, text: str, names: Names) -> Misread:
    """R10: a name that no army has; names like it are suggestions only."""
    return Misread(place, f"No army on the map is called {_quote(text)}.", _NAME, names.like(text))


def _no_beginning(place: int, text: str, names: Names) -> Misread:
    """3.2.2.5: neither a name with a colon nor an order stands at the beginning."""
    if (army := names.at(text, place, _NO_LETTER)) is not None:
        name, end = army
        place = end + len(text[end:]) - len(text[end:].lstrip(" "))
        wrong = f"There is no colon after {_quote(name)}."
        return Misread(place, wrong, f"A colon, such as {name}: 3D > 5E.")
    wrong = f"No order begins with {_quote(_piece(text, place))}."
    return Misread(place, wrong, f"The army's name and a colon, then an order. {_ORDER}")


def _sentences(expected: frozenset[str], found: str, before: str) -> Sentences:
    """What is wrong and what would do, by what the grammar would have taken; `found` is empty at the end."""
    if "_INTERCEPT" in expected:
        return (f"No order begins with {found}." if found else f"There is no order after {before}."), _ORDER
    if "SQUARE" in expected:
        return _no_square(found, before), _SQUARE
    if "ENGAGE" in expected:
        wrong = f"{found} can't follow {before}." if found else f"Nothing follows {before}."
        return wrong, "engage NAME, replace NAME or joint engage."
    if "_CLOSE" in expected:
        wrong = f"{found} does not belong in a route." if found else "The route is not closed."
        return wrong, "A dash and the next square, or a closing parenthesis."
    if expected == {"NAME"}:
        return f"There is no name after {before}.", _NAME
    if expected == {"_TO"}:
        return f"There is no “>” after {before}.", "“>” and the square to go to, such as 3D > 5E."
    if "_TOWARDS" in expected:
        return f"There is no “to” after {before}.", "transfer to NAME at 5E."
    if "_AT" in expected:
        return f"There is no “at” after {before}.", "“at” and the square of that army, such as at 5E."
    return _too_much(expected, found)


def _no_square(found: str, before: str) -> str:
    like_square = any(sign.isdigit() for sign in found)
    return f"{found} is not a square." if like_square else f"There is no square after {before}."


def _too_much(expected: frozenset[str], found: str) -> Sentences:
    """The order was complete before `found`."""
    wrong = f"{found} does not belong to the order."
    if "_TO" not in expected:
        return wrong, _END
    if "_SEMICOLON" not in expected:
        return wrong, "The end of the line, or “>” and the next square; a route stands before the “;”."
    if found.strip("“”").casefold().startswith(_TOLD_BY):
        return f"There is no “;” before {found}.", "“;” before engage, replace or joint engage."
    return wrong, "The end of the line, “>” and the next square, “;” and engage, replace or joint engage."


def _piece(text: str, place: int) -> str:
    piece = _PIECE.match(text, place)
    return piece[0] if piece else ""


def _last_piece(text: str) -> str:
    piece = _LAST_PIECE.search(text.rstrip(" ")[-_LONGEST_QUOTE:])
    return piece[0] if piece else ""


def _quote(text: str) -> str:
    """A part of the line in quotation marks, short and without signs that can't be printed."""
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in text.strip())
    if len(shown) > _LONGEST_QUOTE:
        shown = shown[: _LONGEST_QUOTE - 1] + "…"
    return f"“{shown}”" if shown else ""
