"""T7: the faults of a card, a list, a deck: place, fault, suggestion; all at once, and bounded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from wargame.rules.core.saying import said

MOST_FAULTS = 200
"""The most faults reported in full; the others are only counted."""

MOST_DEPTH = 16
"""The deepest nesting of data; self-references are stopped here, and reported."""

_LONGEST_QUOTE = 40


@dataclass(frozen=True, slots=True)
class Fault:
    """T7: one fault: the card, the key in it (`abilities 1, do 2, to`), what is wrong, and what is valid instead."""

    card: str
    key: str
    wrong: str
    would_do: str = ""

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.card, self.key) if part)
        return ": ".join(part for part in (place, f"{self.wrong} {self.would_do}".strip()) if part)


@dataclass(slots=True)
class Faults:
    """T7: the faults found so far; `left_out` counts those beyond `MOST_FAULTS`."""

    told: list[Fault] = field(default_factory=list)
    left_out: int = 0

    def add(self, fault: Fault) -> None:
        """T7: record a fault; the same one at the same place only once."""
        if fault in self.told[-3:]:
            return
        if len(self.told) < MOST_FAULTS:
            self.told.append(fault)
        else:
            self.left_out += 1

    def __bool__(self) -> bool:
        return bool(self.told)

    def all(self) -> tuple[Fault, ...]:
        """T7: all faults reported in full, and finally the number of others."""
        if not self.left_out:
            return tuple(self.told)
        more = Fault(
            "",
            "",
            said("There are %(number)s more errors.", number=self.left_out),
            said("Fix these first, then import the list again."),
        )
        return (*self.told, more)


@dataclass(frozen=True, slots=True)
class At:
    """T7: a position in the data, for use in faults; `depth` is its nesting level."""

    faults: Faults
    card: str = ""
    path: tuple[str, ...] = ()
    game: str = ""

    def within(self, key: str | int) -> At:
        """T7: a nested position: a key, or the number of an entry from 1 (joined to its list's key)."""
        if isinstance(key, int) and self.path:
            return At(self.faults, self.card, (*self.path[:-1], f"{self.path[-1]} {key}"), self.game)
        return At(self.faults, self.card, (*self.path, str(key)), self.game)

    def wrong(self, what: str, would_do: str = "") -> None:
        """T7: record a fault here."""
        self.faults.add(Fault(self.card, ", ".join(self.path), what, would_do))

    def too_deep(self) -> bool:
        """T7: whether data is nested too deeply; records that as a fault."""
        if len(self.path) < MOST_DEPTH:
            return False
        card, path = self.card, ", ".join(self.path[:4])
        self.faults.add(
            Fault(
                card,
                path,
                said("There are more than %(levels)s nested levels.", levels=MOST_DEPTH),
                said("Break it into steps, or let the players follow the card's text by hand."),
            )
        )
        return True


def quote(value: object) -> str:
    """T7: a piece of the input, short enough to show; of lists and mappings only their kind."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**_LONGEST_QUOTE:
        return said("a very long number")
    if isinstance(value, (str, int)):
        text = "".join(sign if sign.isprintable() else "\ufffd" for sign in str(value)[: _LONGEST_QUOTE + 1])
        return in_quotes(f"{text[:_LONGEST_QUOTE]}…" if len(text) > _LONGEST_QUOTE else text)
    if isinstance(value, Mapping):
        return said("a mapping")
    if isinstance(value, (list, tuple)):
        return said("a list")
    return said("nothing") if value is None else said("something else")


def in_quotes(text: str) -> str:
    """T7: a text in the quotation marks of the reader's language."""
    return said("“%(text)s”", text=text)


def one_of(words: Iterable[str], given: object = None) -> str:
    """T7: the valid alternatives: the nearest words first, else all."""
    by_key = {word.casefold(): word for word in words}
    return nearest(by_key.values(), given) or said("Try: %(words)s.", words=", ".join(by_key.values()))


def nearest(words: Iterable[str], given: object) -> str:
    """T7: a question whether one of the nearest words was meant; empty if none is near."""
    by_key = {word.casefold(): word for word in words}
    if not isinstance(given, str):
        return ""
    hints = [in_quotes(by_key[word]) for word in get_close_matches(given[:_LONGEST_QUOTE].casefold(), by_key, 2, 0.6)]
    if len(hints) == 2:
        return said("Did you mean %(word)s or %(other)s?", word=hints[0], other=hints[1])
    return said("Did you mean %(word)s?", word=hints[0]) if hints else ""
