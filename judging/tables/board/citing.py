"""T12.6: by which number somebody may do what the page offers him, for links beneath the buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from django.utils.translation import gettext, gettext_noop

from judging.tables.board.shapes import Act, Group
from judging.tables.board.words import GROUPS

BY_GAME: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "kryptik": {
        "cast": "8.1", "soul": "5.5", "energy": "8.2.1", "use": "9.1", "attack": "4.4.2", "block": "4.4.3",
        "order": "4.4.4.1", "eleven": "6.1", "recursion": "2.3.1", "triggers": "8.4", "discard": "G: Discard",
        "sacrifice": "G: Sacrifice", "abolish": "7.1.2", "target": "8.5", "choose": "10.4", "yes": "9.3", "no": "9.3",
        "pass": "8.3.2",
    },
    "seize": {
        "treasure": "8", "play": "11.4", "equip": "11.4.3", "unequip": "11.4.4", "exit": "11.4.2", "acquire": "11.3",
        "enough": "11.3", "move": "7.2", "attack": "7.1", "attack card": "9.2", "plunder": "7.3", "event": "9.3",
        "use": "6.F.1", "discard": "11.8", "mulligan": "3", "starter": "3", "pillar": "5.3", "champion": "5.3",
        "triggers": "12", "target": "12", "pass": "10",
    },
    "altered": {
        "mana": "1.3.2.b", "play": "1.3.2.d", "orb": "3.2.9.e", "quick": "5.3.a", "react": "5.5.a", "pay": "5.5.d",
        "keep": "4.2.5.c", "pass": "1.3.2.d",
    },
    "free": {"discard": "T11.7", "pass": "T11.7"},
})  # fmt: skip
"""By the game and the kind of a line; what is left out is said by the card or by what is asked."""

ALONE: Mapping[str, str] = MappingProxyType({
    "yes": gettext_noop("Yes or no"), "no": gettext_noop("Yes or no"),
    "pass to": gettext_noop("Pass until"), "enough": gettext_noop("Acquire"),
    "mulligan": gettext_noop("First hand"),
    "starter": gettext_noop("Who begins"), "pay": gettext_noop("Pay"),
})  # fmt: skip


def by_which(game: str, ready: Sequence[Act], groups: Sequence[Group]) -> tuple[tuple[str, str], ...]:
    """T12.6: what the offered acts are called and the number of each, in their order, each once."""
    found: dict[str, str] = {}
    for kind in (*(act.kind for act in ready), *(group.kind for group in groups)):
        cite = "T9.2" if kind == "pass to" else BY_GAME[game].get(kind, "")
        if cite:
            called = ALONE.get(kind) or GROUPS.get(kind)
            found.setdefault(gettext(called) if called else kind.capitalize(), cite)
    return tuple(found.items())
