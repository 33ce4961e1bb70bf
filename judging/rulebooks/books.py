"""The books of the card games: document, rulings, and where a number stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from django.conf import settings
from django.urls import reverse

from judging.rulebooks import documents
from judging.rulebooks.reading import READERS, Paragraph, Ruling, rulings

FOLDER = Path(settings.BASE_DIR) / "fixtures" / "rules"
TITLES = {"kryptik": "Kryptik", "seize": "Seize: Guilded Treasures", "altered": "Altered"}
"""The games that have a book here, by name."""


@dataclass(frozen=True)
class Book:
    """A game's document, paragraph by paragraph, and the rulings of this service on it."""

    game: str
    title: str
    paragraphs: tuple[Paragraph, ...]
    rulings: tuple[Ruling, ...]

    @property
    def chapters(self) -> tuple[Paragraph, ...]:
        """What the contents list: all that has a title."""
        return tuple(each for each in self.paragraphs if each.title and each.level <= 2)


@cache
def book_of(game: str) -> Book:
    """The book of a game. KeyError for one without a book."""
    text = (FOLDER / f"{game}.txt").read_text(encoding="utf-8")
    ruled = (FOLDER / f"{game}-rulings.md").read_text(encoding="utf-8")
    return Book(game, TITLES[game], tuple(READERS[game](text)), tuple(rulings(ruled)))


@cache
def anchors(game: str) -> dict[str, str]:
    """The anchor on the page for each number that can be cited, by the number in small letters."""
    book = book_of(game)
    found = {each.number.casefold(): anchor(each.number) for each in book.paragraphs if each.number}
    for each in book.paragraphs:
        if each.number.startswith("G: "):
            names = re.split(r"[/(<\[]| x\b", each.title.casefold())
            found |= {f"g: {name.strip()}": anchor(each.number) for name in names if name.strip()}
    return found | {each.number.casefold(): each.number for each in book.rulings}


def anchor(number: str) -> str:
    """`r4.4.1` for a number, `g-weary` for an entry of the glossary."""
    if number.startswith("G"):
        return re.sub(r"[^a-z0-9]+", "-", number.casefold()).strip("-")
    return f"r{number}"


def anchor_of(game: str, number: str) -> str | None:
    """Where a citation leads on the page of its book: to the number itself, to the first one below it (`3.2.9`), or to
    the nearest one above it; None for what isn't in the book."""
    known, number = anchors(game), number.strip().rstrip(".").casefold()
    while number:
        below = next((name for name in known if name.startswith(f"{number}.")), "")
        if number in known or below:
            return known.get(number) or known[below]
        number = number.rpartition(".")[0]
    return None


@lru_cache(maxsize=4096)
def address_of(game: str, number: str) -> str:
    """The address of a citation, in the game's book or among our own sections (T9.2); empty where neither has it."""
    if found := documents.address(number):
        return found
    if game not in TITLES:
        return ""
    place = anchor_of(game, number)
    return f"{reverse('rulebook', args=[game])}#{place}" if place else ""
