"""The books of the card games: parsing their documents into numbered paragraphs, and finding a number."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse

from judging.rulebooks import documents


@dataclass(frozen=True)
class Paragraph:
    """The text under one number. `title` is empty where the text begins on the number's own line; `number` is empty
    for the text before the first one."""

    number: str
    title: str
    lines: tuple[str, ...]

    @property
    def level(self) -> int:
        """1 for a chapter, 2 for `3.2`, and so on."""
        return self.number.count(".") + 1


class Ruling(NamedTuple):
    """The interpretation of a gap: its number, its subject, the problem and the ruling."""

    number: str
    where: str
    trouble: str
    ruling: str


_KRYPTIK = re.compile(r"(?P<number>\d+(?:\.\d+)+|\d+(?=\. ))\.?(?: +(?P<rest>.*))?")
_ALTERED = re.compile(r"(?P<number>\d+(?:\.\d+)*\.(?:\d+|[a-z]))\b *(?P<rest>.*)")
_RUN_ON = re.compile(r"(?<=[a-z]\.)(?=\d\.\d\.\d)")
_RULING = re.compile(r"\| ([KSA]\d+) \| (.*?) \| (.*) \| (.*) \|")
LONGEST_TITLE = 40


def kryptik(text: str) -> Iterator[Paragraph]:
    """Kryptik's sections, without the table of contents, then its glossary: `G: Weary`."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    begin = max(at for at, line in enumerate(lines) if line == "1. Deckbuilding")
    glossary = max(at for at, line in enumerate(lines) if line == "Glossary")
    yield from _cut(lines[begin:glossary], _KRYPTIK)
    yield Paragraph("G", "Glossary", ())
    name, body = "", list[str]()
    for line in lines[glossary + 1 :]:
        if len(line) <= LONGEST_TITLE and not line.endswith((".", ":", ",")):
            if name:
                yield Paragraph(f"G: {name}", name, tuple(body))
            name, body = line, []
        else:
            body.append(line)
    yield Paragraph(f"G: {name}", name, tuple(body))


def altered(text: str) -> Iterator[Paragraph]:
    """Altered's numbers; a number in the middle of a line begins a line of its own, and a lone character belongs to
    the line before it."""
    lines: list[str] = []
    for line in (part.strip() for raw in text.splitlines() for part in _RUN_ON.split(raw)):
        if line and lines and (len(line) < 3 or line[0] in ",.|"):
            lines[-1] = f"{lines[-1]} {line}"
        elif line:
            lines.append(line.replace("++", ""))
    yield from _cut(lines, _ALTERED)


def seize(text: str) -> Iterator[Paragraph]:
    headings = iter([*SEIZE, ("", "")])
    number, begins = next(headings)
    present, title, body = "", "", list[str]()
    for line in (raw.strip() for raw in text.splitlines()):
        if begins and line.startswith(begins):
            if present or body:
                yield Paragraph(present, title, tuple(body))
            present, (title, body) = number, _heading(line)
            number, begins = next(headings)
        elif line:
            body.append(line)
    yield Paragraph(present, title, tuple(body))


def _heading(line: str) -> tuple[str, list[str]]:
    """A heading alone on its line is a title; else its text begins on the same line."""
    if line.endswith(":") or len(line) <= LONGEST_TITLE:
        return line.removesuffix(":"), []
    return "", [line]


def _cut(lines: list[str], numbered: re.Pattern[str]) -> Iterator[Paragraph]:
    number, title, body = "", "", list[str]()
    for line in lines:
        match = numbered.fullmatch(line)
        if match is None:
            body.append(line)
            continue
        if number or body:
            yield Paragraph(number, title, tuple(body))
        number, rest = match["number"], match["rest"] or ""
        is_title = 0 < len(rest) <= LONGEST_TITLE and not rest.endswith(".")
        title, body = (rest, []) if is_title else ("", [rest] if rest else [])
    yield Paragraph(number, title, tuple(body))


def rulings(text: str) -> Iterator[Ruling]:
    for line in text.splitlines():
        if match := _RULING.fullmatch(line.strip()):
            yield Ruling(*match.groups())


READERS: dict[str, Callable[[str], Iterator[Paragraph]]] = {"kryptik": kryptik, "seize": seize, "altered": altered}
SEIZE = (
    ("1", "If your Vault total"), ("2", "Set Up"), ("3", "Pre-Game Procedure"), ("4", "Deck Construction"),
    ("5", "Formats"), ("5.1", "Standard"), ("5.2", "Draft"), ("5.3", "Arena"), ("5.4", "Guild Master"),
    ("6", "TYPES OF CARDS"), ("6.A", "A: Class"), ("6.B", "B: Card Name"), ("6.C", "C: Base Health"),
    ("6.D", "D: 1st Edition"), ("6.E", "E: Rarity"), ("6.F", "F: Innate"), ("6.F.1", "Active -"),
    ("6.F.2", "Passives -"), ("6.G", "G: Melee"), ("6.H", "H: Secondary"), ("6.H.1", "Ranged Attack -"),
    ("6.H.2", "Defense -"), ("6.I", "I: Bounty"), ("6.J", "J: Move"), ("6.K", "K: Set"), ("6.L", "L: Artist"),
    ("7", "Actions:"), ("7.1", "Attack -"), ("7.2", "Movement -"), ("7.3", "Plunder -"),
    ("8", "Treasures:"), ("8.A", "A: Card Name"), ("8.B", "B: Treasure"), ("8.C", "C: Edition"), ("8.D", "D: Rarity"),
    ("8.E", "E: Ability"), ("8.F", "F: Set"), ("8.G", "G: Artist"),
    ("9", "Abilities:"), ("9.A", "A: Class"), ("9.B", "B: Card Name"), ("9.C", "C: Treasure Cost"),
    ("9.D", "D: Edition"), ("9.E", "E: Rarity"), ("9.F", "F: Ability"), ("9.G", "G: Set"), ("9.H", "H: Artist"),
    ("9.1", "Instant:"), ("9.2", "Attack:"), ("9.3", "Event:"), ("10", "Action Priority"), ("11", "Anatomy of a Turn"),
    ("11.1", "Beginning Phase"), ("11.2", "Draw Phase"), ("11.3", "Acquire:"), ("11.4", "Rally Phase:"),
    ("11.4.1", "Upstage is"), ("11.4.2", "Exiting may"), ("11.4.3", "Equipping may"), ("11.4.4", "Unequipping is"),
    ("11.5", "First Movement"), ("11.6", "Attack Phase:"), ("11.7", "Second Movement"), ("11.8", "End Phase:"),
    ("12", "Ability Stack"), ("13", "Glossary"), ("13.1", "Line of sight"), ("13.2", "Range:"),
    ("13.3", "Different Types"), ("13.3.1", "1. Physical"), ("13.3.2", "2. Magic"), ("13.3.4", "4. True"),
    ("13.3.5", "5. Pure"), ("13.3.6", "6. Lethal"), ("13.4", "Types of Damage Reduction"), ("13.4.1", "1. Armor"),
    ("13.4.2", "2. Magic Armor"), ("13.4.3", "3. Defense"), ("13.5", "Mend:"), ("13.6", "Cleanse:"),
    ("13.7", "Physical Statuses"), ("13.7.1", "Exhaust:"), ("13.7.2", "Bleed:"), ("13.7.3", "Blind:"),
    ("13.7.4", "Poison:"), ("13.8", "Magical Statuses"), ("13.8.1", "Fog:"), ("13.8.2", "Frost:"), ("13.8.3", "Burn:"),
    ("13.8.4", "Silence:"), ("13.8.5", "Stealth:"), ("13.9", "Beneficial Statuses"), ("13.9.1", "Regen"),
    ("13.9.2", "Fortify X"), ("13.9.3", "Leech"),
)  # fmt: skip
"""Seize's headings: their numbers, and how their lines begin; searched for one after the other."""


FOLDER = Path(settings.BASE_DIR) / "fixtures" / "rules"
TITLES = {"kryptik": "Kryptik", "seize": "Seize: Guilded Treasures", "altered": "Altered"}


@dataclass(frozen=True)
class Book:
    game: str
    title: str
    paragraphs: tuple[Paragraph, ...]
    rulings: tuple[Ruling, ...]

    @property
    def chapters(self) -> tuple[Paragraph, ...]:
        """The entries of the table of contents: all paragraphs with a title."""
        return tuple(each for each in self.paragraphs if each.title and each.level <= 2)


@cache
def book_of(game: str) -> Book:
    """The book of a game. KeyError for one without a book."""
    text = (FOLDER / f"{game}.txt").read_text(encoding="utf-8")
    ruled = (FOLDER / f"{game}-rulings.md").read_text(encoding="utf-8")
    return Book(game, TITLES[game], tuple(READERS[game](text)), tuple(rulings(ruled)))


@cache
def anchors(game: str) -> dict[str, str]:
    """The anchor on the page for each number that can be cited, by the number in lower case."""
    book = book_of(game)
    by_number = {each.number.casefold(): anchor(each.number) for each in book.paragraphs if each.number}
    for each in book.paragraphs:
        if each.number.startswith("G: "):
            names = re.split(r"[/(<\[]| x\b", each.title.casefold())
            by_number |= {f"g: {name.strip()}": anchor(each.number) for name in names if name.strip()}
    return by_number | {each.number.casefold(): each.number for each in book.rulings}


def anchor(number: str) -> str:
    """`r4.4.1` for a number, `g-weary` for an entry of the glossary."""
    if number.startswith("G"):
        return re.sub(r"[^a-z0-9]+", "-", number.casefold()).strip("-")
    return f"r{number}"


def anchor_of(game: str, number: str) -> str | None:
    """The anchor of a citation on the page of its book: of the number itself, of the first one below it (`3.2.9`),
    or of the nearest one above it; None for what isn't in the book."""
    targets, number = anchors(game), number.strip().rstrip(".").casefold()
    while number:
        child = next((name for name in targets if name.startswith(f"{number}.")), "")
        if number in targets or child:
            return targets.get(number) or targets[child]
        number = number.rpartition(".")[0]
    return None


@lru_cache(maxsize=4096)
def address_of(game: str, number: str) -> str:
    """The address of a citation, in the game's book or among this service's own sections (T9.2); empty where neither
    has it."""
    if address := documents.address(number):
        return address
    if game not in TITLES:
        return ""
    place = anchor_of(game, number)
    return f"{reverse('rulebook', args=[game])}#{place}" if place else ""
