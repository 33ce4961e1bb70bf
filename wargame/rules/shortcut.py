"""R9: the commonest lines, read without the grammar and to the same orders. A test holds the two together."""

from __future__ import annotations

import re

from .grammar import square
from .naming import Names
from .orders import Hold, InBattle, Intercept, Move, Order, Step, Suffix, Transfer

HOLD_WORDS = ("hold", "no move", "stay")
IN_BATTLE_WORDS = ("in battle", "fighting", "cannot move", "can not move", "can't move", "cant move")

_WORDS: dict[str, Order] = {**dict.fromkeys(HOLD_WORDS, Hold()), **dict.fromkeys(IN_BATTLE_WORDS, InBattle())}
_SUFFIXES: dict[str, Suffix] = {"engage": "engage", "replace": "replace"}
_SQUARE = "(?:[0-9]{1,3}[a-z]|[a-z][0-9]{1,3})"
_NAME = r"([^>;:,.()\"]+)"
_MOVE = re.compile(
    rf"\s*({_SQUARE})((?:\s*>\s*{_SQUARE})+)\s*"
    rf"(?:\(\s*({_SQUARE}(?:\s*-\s*{_SQUARE})*)\s*\)\s*)?"
    rf"(?:[;,]\s*(engage|replace)\s+{_NAME})?",
    re.IGNORECASE,
)
_TO_ANOTHER = re.compile(rf"\s*(?:intercept\s+{_NAME}|transfer\s+to\s+{_NAME}\s+at\s+({_SQUARE}))\s*", re.IGNORECASE)


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
    found = _MOVE.fullmatch(action)
    if found is None:
        return None
    start, ends, between, word, name = found.groups()
    target = names.get(name) if name else None
    if name and target is None:
        return None
    squares = [square(start), *(square(end.strip()) for end in ends.split(">")[1:])]
    *early, last = zip(squares, squares[1:], strict=False)
    route = tuple(square(part.strip()) for part in between.split("-")) if between else None
    suffix = _SUFFIXES[word.casefold()] if word else None
    return Move((*(Step(here, to) for here, to in early), Step(*last, route, suffix, target)))


def _to_another(action: str, names: Names) -> Intercept | Transfer | None:
    found = _TO_ANOTHER.fullmatch(action)
    if found is None:
        return None
    enemy, friend, at = found.groups()
    target = names.get(enemy or friend)
    if target is None:
        return None
    return Transfer(target, square(at)) if at else Intercept(target)
