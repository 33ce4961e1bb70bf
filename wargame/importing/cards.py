"""2.2.1: the output of every reader: creatures with the rules that their text calls for, and skipped entries with
reasons."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from wargame.rules.armies.creatures import CREATURE_COLORS, LEGEND
from wargame.rules.armies.sizes import read_size

LETTERS = dict(zip("WUBRG", CREATURE_COLORS, strict=True))
"""The letters of the colours, in the order in which cards are printed with them."""

CREATURE_WORDS = ("Creature", "Summon", "Eaturecray")
"""The words for a creature on a card's type line, old ones too."""

_TYPE_WORDS = ("Artifact", "Enchantment", "Land", "Planeswalker", "Instant", "Sorcery", "Tribal", "Kindred", "Battle")
_ANY_SPACE = re.compile(r"\s+")


class WhyNot(Enum):
    """Why an entry of a file is no creature of the catalogue. `told`: whether a report names it."""

    NO_CREATURE = "no creature", False
    TOKEN = "a token", True
    BACK = "a back face or second half; the card is read by its front face", True
    NO_SIZE = "power or toughness is missing", True
    ODD_SIZE = "power or toughness isn't a number that fits a slot (an un-card)", True
    HALF_CREATURE = "an augment, which is only part of a creature", True
    NEVER_PRINTED = "never printed, only digital (2.2.1)", True
    NO_PLAYING_CARD = "not a playing card (an emblem, a picture or a scheme)", True
    NO_COLOR = "its colours are unknown: it has no cost and no text about them", True
    NO_NAME = "an entry without a name", True
    BAD_LINE = "not a line of a card list: too few parts between the “|”", True

    def __init__(self, words: str, told: bool) -> None:
        self.words = words
        self.told = told


@dataclass(frozen=True, slots=True)
class Card:
    """2.2.1: a creature in the form of a file. `colors` are letters of WUBRG in that order; sizes as printed.

    `is_front`: read from the front of a card that has more faces. `is_funny`: an un-card.
    """

    name: str
    colors: str
    power: str
    toughness: str
    types: tuple[str, ...]
    subtypes: tuple[str, ...] = ()
    printed_in: str = ""
    text: str = ""
    is_front: bool = False
    is_funny: bool = False


class BadField(ValueError):
    """A value of a card that is of an unexpected type; the text names the card and the field."""


def check_kinds(row: Mapping[str, object], *, texts: Iterable[str], lists: Iterable[str], name: str = "") -> None:
    """2.2.1: raise BadField for the first field of an entry that is not text, or not a list of words, as required.

    A missing field is valid, a text may be null or a number; a list may not, since a creature without types would be
    left out silently.
    """
    card_name = row.get("faceName") or row.get("name") or name
    label = f"“{card_name}”" if isinstance(card_name, str) and card_name else "A card without a name"
    for field in lists:
        value = row.get(field, [])
        if not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            raise BadField(f"{label} has {_as_json(value)} as its “{field}”; expected a list of words.")
    for field in texts:
        value = row.get(field)
        if not (value is None or (isinstance(value, str | int | float) and not isinstance(value, bool))):
            raise BadField(f"{label} has {_as_json(value)} as its “{field}”; expected a text.")


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)[:60]


@dataclass(frozen=True, slots=True)
class Skipped:
    name: str
    why: WhyNot


Entry = Card | Skipped


def is_creature(words: Iterable[str]) -> bool:
    """2.2.1: whether the words of a type line are those of a creature."""
    return any(word in CREATURE_WORDS for word in words)


def checked(card: Card) -> Entry:
    """2.1: the card if its size can be used; any kind of star becomes a `*`."""
    power, toughness = (part.strip().replace("★", "*") for part in (card.power, card.toughness))
    if not power or not toughness:
        return Skipped(card.name, WhyNot.NO_SIZE)
    if power.startswith("+") or toughness.startswith("+"):
        return Skipped(card.name, WhyNot.HALF_CREATURE)
    size = read_size(f"{power}/{toughness}")
    if size is None or size.grows or len(power) > 8 or len(toughness) > 8:
        return Skipped(card.name, WhyNot.ODD_SIZE)
    return card


def type_words(words: Iterable[str]) -> tuple[str, ...]:
    """2.2.1: the types that the rules ask for, `Artifact Creature Legend`, whatever a file calls them."""
    all_words = tuple(words)
    legend = any(word in ("Legendary", LEGEND) for word in all_words)
    card_types = tuple(word for word in _TYPE_WORDS if word in all_words)
    return (*card_types, "Creature", *((LEGEND,) if legend else ()))


def split_type_line(line: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """`Legendary Creature — Goblin Wizard`, with any kind of dash: its types and its subtypes."""
    head, _, tail = re.sub(r"\s[-–—]+\s", " — ", line).partition(" — ")
    return tuple(head.split()), tuple(tail.split())


def in_order(letters: Iterable[str]) -> str:
    """Colours as letters, in the order of cards and each once."""
    letter_set = set(letters)
    return "".join(letter for letter in LETTERS if letter in letter_set)


def one_line(text: str) -> str:
    """A name or a set without extra whitespace."""
    return _ANY_SPACE.sub(" ", text).strip()


HINTS: tuple[tuple[str, str], ...] = (
    ("2.2.3.1.1", r"\bprotection from\b"),
    ("2.2.3.1.2", r"\bindestructible\b"),
    ("2.2.3.1.3", r"\bmodular\b"),
    ("2.2.3.1.4", r"\bimprint\b"),
    ("2.2.3.2", r"\}[^:\n]*:[^\n]*"),
    ("2.2.3.3", r"\b(?:kicker|multikicker|threshold)\b"),
    ("2.2.6", r"\+1/\+1 counter|\b(?:modular|graft|sunburst|bloodthirst|evolve|undying|adapt|devour|unleash)\b"),
)
"""A rule, and the words that make a text call for it."""

SIZE_RULES = ("2.2.3.3", "2.2.5", "2.2.6")
"""The rules by which a creature may be of another size than the printed one."""

COPY = ("*/*",)

_COPIES = re.compile(
    r"(?:enters?|comes? into play|becomes?|be)\b[^.]{0,60}\bcopy of (?:any|a|another|target) [^.]*creature",
    re.IGNORECASE,
)
_SLIVER = re.compile(r"(?:all )?sliver(?:s| creatures)(?: you control)? (?:each )?(?:get|have|gain)", re.IGNORECASE)


def hints_of(card: Card) -> list[str]:
    """2.2.3 to 2.2.6: the numbers of the rules that a card's text calls for, in the rulebook's order."""
    numbers = [rule for rule, pattern in HINTS if re.search(pattern, card.text, re.IGNORECASE)]
    if is_copy(card):
        numbers.append("2.2.4")
    if "Sliver" in card.subtypes and _SLIVER.search(card.text):
        numbers.append("2.2.5")
    return sorted(numbers)


def is_copy(card: Card) -> bool:
    """2.2.4: whether it is a copy card, like Clone; such a card is printed as 0/0."""
    return (card.power, card.toughness) == ("0", "0") and bool(_COPIES.search(card.text))
