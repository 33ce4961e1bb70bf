"""2.2.1: the project's own list of creatures, `fixtures/creatures.yaml`, with what is ruled on some of them."""

from __future__ import annotations

from typing import Any

from .cards import LETTERS, Card, Entry, checked, in_order, type_words

RULING_KEYS = ("uses", "cites", "banned", "note", "asks")
"""What the list says of a creature besides what is printed on it (2.2.3 to 2.2.6)."""

_LETTER = {word: letter for letter, word in LETTERS.items()}


def read_row(row: dict[str, Any]) -> tuple[Entry, dict[str, Any]]:
    """A creature of the list, and what is ruled on it."""
    power, _, toughness = str(row["size"]).partition("/")
    card = Card(
        name=row["name"],
        colors=in_order(_LETTER[color] for color in row["color"]),
        power=power,
        toughness=toughness,
        types=type_words(row["types"]),
        subtypes=tuple(row.get("subtypes", ())),
        printed_in=row.get("set", ""),
    )
    return checked(card), {key: row[key] for key in RULING_KEYS if key in row}
