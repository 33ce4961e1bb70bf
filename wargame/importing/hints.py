"""2.2.3 to 2.2.6: which rules a card's text calls for. They help the judge; only copies are certain."""

from __future__ import annotations

import re

from .cards import Card

HINTS: tuple[tuple[str, str], ...] = (
    ("2.2.3.1.1", r"\bprotection from\b"),
    ("2.2.3.1.2", r"\bindestructible\b"),
    ("2.2.3.1.3", r"\bmodular\b"),
    ("2.2.3.1.4", r"\bimprint\b"),
    ("2.2.3.2", r"\}[^:\n]*:[^\n]*"),
    ("2.2.3.3", r"\b(?:kicker|multikicker|threshold)\b"),
    ("2.2.6", r"\+1/\+1 counter|\b(?:modular|graft|sunburst|bloodthirst|evolve|undying|adapt|devour|unleash)\b"),
)
"""A rule, and the words by which a text calls for it."""

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
    found = [rule for rule, pattern in HINTS if re.search(pattern, card.text, re.IGNORECASE)]
    if is_copy(card):
        found.append("2.2.4")
    if "Sliver" in card.subtypes and _SLIVER.search(card.text):
        found.append("2.2.5")
    return sorted(found)


def is_copy(card: Card) -> bool:
    """2.2.4: whether it is a copy card, like Clone; such a card is printed as 0/0."""
    return (card.power, card.toughness) == ("0", "0") and bool(_COPIES.search(card.text))
