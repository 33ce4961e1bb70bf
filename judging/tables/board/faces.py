"""T7: a card's face: cost, colours, text with its stones, current and printed numbers."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext

from judging.tables.board.shapes import Bit, Stat, Stone
from judging.tables.board.words import COLOURS
from tables.core.lists.cards import Card, Number, Price

Plain = Mapping[str, Any]
"""The plain data of `views.view`, which documents its shape."""

_STONES = re.compile(r"\{([^{}]{1,6})\}|(\[>>>\])")


def stone(code: str, number: str = "") -> Stone:
    """A soul stone: `w`, two halves `w/u`, or a number of any colour."""
    if code == "any":
        return Stone("any", number, gettext("%(number)s of any colour") % {"number": number})
    label = gettext(" or ").join(gettext(COLOURS[half]) if half in COLOURS else half for half in code.split("/"))
    return Stone(code.replace("/", "-"), code, label)


def stones(price: Price) -> tuple[Stone, ...]:
    """8.1.1: a cost as its stones: one for each coloured, and the generic as a number before them."""
    result: list[Stone] = []
    for part in price.stones:
        number = str(part.n.n) if isinstance(part.n, Number) else part.n.word
        if part.colour in ("any", "mana"):
            result.insert(0, stone("any", number))
        elif number.isdigit():
            result += [stone(part.colour)] * int(number)
        else:
            result.append(Stone(part.colour.replace("/", "-"), f"{number}{part.colour}", f"{number} {part.colour}"))
    return tuple(result)


def bits(text: str) -> tuple[Bit, ...]:
    """A card's text in pieces: words, and `{2}`, `{w}`, `[>>>]` as stones."""
    pieces: list[Bit] = []
    at = 0
    for match in _STONES.finditer(text):
        if match.start() > at:
            pieces.append(Bit(text[at : match.start()]))
        inner = match[1]
        if inner is None:
            pieces.append(Bit(stone=Stone("engage", "↷", gettext("engage it"))))
        elif inner.isdigit() or inner == "X":
            pieces.append(Bit(stone=stone("any", inner)))
        else:
            pieces.append(Bit(stone=stone(inner)))
        at = match.end()
    if at < len(text):
        pieces.append(Bit(text[at:]))
    return tuple(pieces)


def stat(code: str, word: str, now: int | None, printed: int) -> Stat:
    """The current number, with the printed one where they differ."""
    if now is None or now == printed:
        return Stat(code, word, str(printed))
    return Stat(code, word, str(now), str(printed), "up" if now > printed else "down")


def spoken(name: str, type_: str, stats: Iterable[Stat], *more: str) -> str:
    """A card in one line for screen readers: name, type, numbers, states."""
    numbers = [
        f"{one.word} {one.now}{f'/{one.most}' if one.most else ''}{f' (printed {one.printed})' if one.printed else ''}"
        for one in stats
    ]
    return ", ".join(part for part in (name, type_, *numbers, *more) if part)


def type_line(card: Card) -> str:
    """The type with faction, class and kind."""
    return " · ".join(
        part for part in (card.type.capitalize(), card.faction, card.class_, card.kind.capitalize()) if part
    )
