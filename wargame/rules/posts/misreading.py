"""R8: why a line that was meant as an order can't be read, in words for its author.

Apart from `notation`, because a line that can be read never comes here: it is all about people's errors.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from wargame.rules.core.names import Names
from wargame.rules.core.saying import marked, said
from wargame.rules.posts.grammar import Marked, Stop

_LONGEST_QUOTE = 40
_PIECE = re.compile(r"\w[\w'-]*|[-=]*>|.")
_LAST_PIECE = re.compile(r"(?:\w[\w'-]*|[-=]*>|\S)$")
_NO_LETTER = re.compile(r"(?!['-]?\w)")
_TOLD_BY = ("engage", "replace", "joint")

_ORDER = marked("Try a move such as 3D > 5E, intercept NAME, transfer to NAME at 5E, hold or in battle.")
_SQUARE = marked("Write a square: its number and letter, such as 8E.")
_NAME = marked("Write the name of an army on the map.")
_END = marked("End the line here.")
_NAME_FIRST = marked("Start with the army's name and a colon, then an order.")
_EACH = marked("Put each order on its own line.")

Sentences = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Misread:
    """R8: where a line stops to be an order (0-based), what is wrong there and what would do; `unknown` is the
    name there that no army has."""

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
    found = _quote(_piece(marked.typed, stop.place))
    before = _quote(_last_piece(marked.typed[: stop.place]))
    wrong, expected = _sentences(stop.expected, found, before)
    return Misread(stop.place, wrong, expected)


def overlong(place: int, longest: int) -> Misread:
    """R8: a line that is too long to be an order is not tried."""
    return Misread(place, said("The line has more than %(most)s characters.", most=longest), said(_EACH))


def _stranger(place: int, text: str) -> Misread:
    """R10: a name that no army has."""
    wrong = said("No army on the map is called %(name)s.", name=_quote(text))
    return Misread(place, wrong, said(_NAME), text)


def _no_beginning(place: int, text: str, names: Names) -> Misread:
    """3.2.2.5: neither a name with a colon nor an order stands at the beginning."""
    if (army := names.at(text, place, _NO_LETTER)) is not None:
        name, end = army
        place = end + len(text[end:]) - len(text[end:].lstrip(" "))
        wrong = said("There is no colon after %(name)s.", name=_quote(name))
        return Misread(place, wrong, said("Add a colon, such as %(name)s: 3D > 5E.", name=name))
    wrong = said("No order begins with %(found)s.", found=_quote(_piece(text, place)))
    return Misread(place, wrong, " ".join((said(_NAME_FIRST), said(_ORDER))))


def _sentences(expected: frozenset[str], found: str, before: str) -> Sentences:
    """What is wrong and what would do, by what the grammar would have taken; `found` is empty at the end."""
    if "_INTERCEPT" in expected:
        if found:
            return said("No order begins with %(found)s.", found=found), said(_ORDER)
        return said("There is no order after %(before)s.", before=before), said(_ORDER)
    if "SQUARE" in expected:
        return _no_square(found, before), said(_SQUARE)
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
        return said("There is no name after %(before)s.", before=before), said(_NAME)
    return _no_word(expected, before) or _too_much(expected, found)


def _no_word(expected: frozenset[str], before: str) -> Sentences | None:
    """Where one word or sign alone could have stood."""
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
    """A part of the line in quotation marks, short and without signs that can't be printed."""
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in text.strip())
    if len(shown) > _LONGEST_QUOTE:
        shown = shown[: _LONGEST_QUOTE - 1] + "…"
    return said("“%(text)s”", text=shown) if shown else ""
