"""T8.4: all chance at a table: fixed by the committed seed and the seats' cut words from the start.

`docs/play/verify/shuffles.md` explains how a stranger recomputes it, in forty lines.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from wargame.rules.core.dice import Dice, commitment
from wargame.rules.core.saying import said

SCHEME = "tables-draws-1"
"""The first line of every message: any change to how a draw is made changes this name."""

SEED_BYTES = 32
WORD_SIGNS = 20
"""T8.4: the length of a cut word that is typed by hand; a shorter one can be guessed from its commitment."""

_PLAIN = re.compile(r"[^\r\n]+")
_VALUE = re.compile(r"[0-9a-f]{64}")

__all__ = ["SCHEME", "SEED_BYTES", "WORD_SIGNS", "Draws", "commitment", "cut_commitment", "cut_value", "weak_word"]


def cut_value(word: str) -> str:
    """T8.4: the value of a seat's cut: SHA-256 of its word in UTF-8, in hexadecimal digits."""
    return hashlib.sha256(word.encode()).hexdigest()


def cut_commitment(value: str) -> str:
    """T8.4: a seat's commitment, published before any word is known: SHA-256 of the value's 32 bytes."""
    return hashlib.sha256(bytes.fromhex(value)).hexdigest()


def weak_word(word: str) -> str:
    """T8.4: why a word typed by hand is not good enough, as a sentence; empty if it is."""
    if len(word) < WORD_SIGNS:
        return said(
            "The word has %(number)s characters. It needs at least %(least)s, or it can be guessed from its hash.",
            number=len(word),
            least=WORD_SIGNS,
        )
    return ""


@dataclass(frozen=True, slots=True)
class Draws:
    """T8.4: the draws of one table: the seed's 32 bytes, the table's name, the cut values in the order of the seats.

    A draw has a name (`shuffle A.deck 2`, `coin`) and a number; a name and number always give the same outcome,
    whatever else was drawn. `fresh` is 0, or how often a rewind asked for fresh draws: then names get that suffix.
    """

    seed: bytes
    table: str
    cuts: tuple[str, ...] = ()
    fresh: int = 0

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(self.seed)}")
        if not _PLAIN.fullmatch(self.table):
            raise ValueError("a table's name is one line")
        for cut in self.cuts:
            if not _VALUE.fullmatch(cut):
                raise ValueError("a cut is a SHA-256 in 64 hexadecimal digits")

    def refreshed(self) -> Draws:
        """T8.4: the draws after a rewind that asked for fresh ones: independent of the outcomes that were seen."""
        return replace(self, fresh=self.fresh + 1)

    def draw(self, name: str, number: int, sides: int) -> int:
        """T8.4: a number from 1 to `sides`, each equally likely."""
        if not _PLAIN.fullmatch(name):
            raise ValueError("a draw's name is one line")
        context = f"{SCHEME}\n{self.table}\n{' '.join(self.cuts)}"
        return Dice(self.seed, context).roll(f"{name} fresh {self.fresh}" if self.fresh else name, sides, number)

    def shuffle(self, cards: Sequence[str], zone: str, nth: int) -> tuple[str, ...]:
        """T8.4: the cards' secret keys in their new order, the top first; the order before does not matter.

        `nth` counts the shuffles of that zone from 1. Keys must differ from each other.
        """
        order = sorted(cards)
        if len(set(order)) != len(order):
            raise ValueError("two cards have one key")
        for remaining in range(len(order), 1, -1):
            at = self.draw(f"shuffle {zone} {nth}", remaining, remaining)
            order[remaining - 1], order[at - 1] = order[at - 1], order[remaining - 1]
        return tuple(order)

    def coin(self, number: int) -> bool:
        """T8.4: whether the player who flips the table's nth coin wins it (1 is won)."""
        return self.draw("coin", number, 2) == 1

    def die(self, number: int, sides: int = 6) -> int:
        """T8.4: the table's nth die."""
        return self.draw("die", number, sides)

    def random_card(self, cards: Sequence[str], zone: str, number: int) -> str:
        """T8.4: one of a zone's cards by their keys, each equally likely (`random A.hand`)."""
        return self._one_of(sorted(cards), f"random {zone}", number)

    def default(self, seat: str, options: Sequence[str], number: int) -> str:
        """T8.4: the outcome of an absent player's forced choice; the options in the order in which they are shown."""
        return self._one_of(options, f"default {seat}", number)

    def starter(self, seats: Sequence[str]) -> str:
        """T8.4, K2: the seat that begins, if nobody has agreed on it."""
        return self._one_of(seats, "starter", 1)

    def first(self, seats: Sequence[str]) -> str:
        """T8.4, 4.1.g: the first player of a table of Altered."""
        return self._one_of(seats, "first", 1)

    def _one_of(self, options: Sequence[str], name: str, number: int) -> str:
        if not options:
            raise ValueError("nothing to draw from")
        return options[self.draw(name, number, len(options)) - 1]
