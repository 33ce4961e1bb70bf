"""R9: the commonest lines, read without the grammar and to the same orders. A test holds the two together."""

from __future__ import annotations

import re

from wargame.rules.core.naming import Names
from wargame.rules.core.orders import (
    HOLD_WORDS,
    IN_BATTLE_WORDS,
    Hold,
    InBattle,
    Intercept,
    Move,
    Order,
    Step,
    Suffix,
    Transfer,
)
from wargame.rules.posts.grammar import square

_WORDS: dict[str, Order] = {**dict.fromkeys(HOLD_WORDS, Hold()), **dict.fromkeys(IN_BATTLE_WORDS, InBattle())}
_SUFFIXES: dict[str, Suffix] = {"engage": "engage", "replace": "replace"}
_JOINT: Suffix = "joint engage"
_SQUARE = "(?:[0-9]{1,3}[a-z]|[a-z][0-9]{1,3})"
_NAME = r"([^>;:,()\"]+)"
_START = re.compile(rf"\s*({_SQUARE})\s*(?=[-=]*>)", re.IGNORECASE)
_STEP = re.compile(
    rf"[-=]*>\s*({_SQUARE})\s*"
    rf"(?:\(\s*({_SQUARE}(?:\s*-\s*{_SQUARE})*)\s*\)\s*)?"
    rf"(?:[;,]\s*(?:(engage|replace)\s+{_NAME}|(joint\s+engage)\s*))?",
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
