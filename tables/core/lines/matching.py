"""T9.1: match patterns of lines against the input: literals, slots, optional parts; how far it went, and what was
expected there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from tables.core.lines.actions import Action, Ambiguous, Ref
from tables.core.lines.forms import ORDINALS, STATS
from tables.core.lists.words import folded
from wargame.rules.core.saying import said

LONGEST_NAME = 80
MOST_REFS = 60

_NODE = re.compile(r"\{(\w+)\}|(\[)|(\])|([^\s\[\]{}]+)")
_NUMBER = re.compile(r"#([0-9]{1,6})(?![0-9])")
_PLACE = re.compile(r"11y ?([0-9]{1,3})(?![0-9])", re.IGNORECASE)
_SMALL = re.compile(r"(soul) ?([0-9]{1,3})(?!\w)|([a-h])([1-8])(?!\w)", re.IGNORECASE)
_NEXT = re.compile(r"([0-9]{1,3})(?![0-9\w])")
_OF = re.compile(r" +of +(\w+)", re.IGNORECASE)
_AND = re.compile(r" *(?:,(?: *and\b)?|\bthen\b|\band\b) *", re.IGNORECASE)
_LITTLE = re.compile(r"(?:the|my|a|an|his|her|their) +", re.IGNORECASE)
_FREE_END = re.compile(r"[;,:#<>!=(]|$")

Value: TypeAlias = str | int | tuple[Ref, ...] | tuple[str, ...] | tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Literal:
    """T9.1: a required word, in one of these forms."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Slot:
    """T9.1: a place to fill in."""

    name: str


@dataclass(frozen=True, slots=True)
class Maybe:
    """T9.1: an optional part."""

    nodes: tuple[Node, ...]


Node: TypeAlias = Literal | Slot | Maybe


@cache
def nodes_of(pattern: str) -> tuple[Node, ...]:
    """T9.1: a form's pattern as nodes."""
    stack: list[list[Node]] = [[]]
    for token in _NODE.finditer(pattern):
        slot, opens, closes, literal = token.groups()
        if slot:
            stack[-1].append(Slot(slot))
        elif opens:
            stack.append([])
        elif closes:
            inner = tuple(stack.pop())
            stack[-1].append(Maybe(inner))
        else:
            stack[-1].append(Literal(tuple(literal.split("|"))))
    return tuple(stack[0])


@dataclass(slots=True)
class Far:
    """T9.1: how far reading got (0-based), what was expected there, and whether a name was ambiguous."""

    place: int = 0
    expected: list[str] = field(default_factory=list)
    wrong: str = ""
    form: str = ""
    ambiguous: Ambiguous | None = None

    def stopped(self, place: int, expected: str, form: str, wrong: str = "") -> None:
        """T9.1: record that a form went no further than this."""
        if place > self.place:
            self.place, self.expected, self.wrong, self.form = place, [], "", form
        if place == self.place:
            self.form = self.form or form
            self.wrong = self.wrong or wrong
            if expected not in self.expected:
                self.expected.append(expected)


@dataclass(frozen=True, slots=True)
class KnownNames:
    """T9.1: the possible names: those of the table's cards by their folded form, and the seats."""

    names: Mapping[str, str]
    seats: tuple[str, ...] = ()

    def seat(self, text: str) -> str:
        """T9.1: a seat or player by the table's name; an unknown one as it was written, a letter in upper case."""
        for seat in self.seats:
            if folded(seat) == folded(text):
                return seat
        return text.upper() if len(text) == 1 else text


@dataclass(slots=True)
class Text:
    """T9.1: the line with plain blanks and arrows in their places, the known names, and how far reading got."""

    line: str
    known: KnownNames
    far: Far
    end: int
    form: str = ""
    columns: list[tuple[str, int]] = field(default_factory=list)

    def skip(self, place: int) -> int:
        """T9.1: the next place that is not a blank."""
        while place < self.end and self.line[place] == " ":
            place += 1
        return place

    def fail(self, place: int, expected: str, wrong: str = "") -> None:
        """T9.1: record what was expected at a place."""
        self.far.stopped(min(self.skip(place), self.end), expected, self.form, wrong)

    def literal(self, place: int, words: tuple[str, ...]) -> int | None:
        """T9.1: the place after one of these words, or None."""
        place = self.skip(place)
        for word in words:
            if word == ">":
                if arrow := re.compile(r"[-=]*>").match(self.line, place, self.end):
                    return arrow.end()
                continue
            end = place + len(word)
            if end > self.end or self.line[place:end].casefold() != word.casefold():
                continue
            if end == self.end or not (word[-1].isalnum() and self.line[end].isalnum()):
                return end
        return None


def match(
    text: Text, nodes: Sequence[Node], place: int, stops: tuple[str, ...], read: Reader
) -> Iterator[tuple[int, Found]]:
    """T9.1: every way to read the nodes from that place on: its end, and the contents of the slots."""
    if not nodes:
        yield place, ()
        return
    node, rest = nodes[0], nodes[1:]
    if isinstance(node, Literal):
        end = text.literal(place, node.words)
        if end is None:
            text.fail(place, node.words[0])
        else:
            yield from match(text, rest, end, stops, read)
    elif isinstance(node, Maybe):
        yield from match(text, (*node.nodes, *rest), place, stops, read)
        yield from match(text, rest, place, stops, read)
    else:
        for end, value in read.slot(text, node.name, place, _stops(rest) + stops):
            for last, captures in match(text, rest, end, stops, read):
                yield last, ((node.name, value), *captures)


def _stops(nodes: Sequence[Node]) -> tuple[str, ...]:
    """T9.1: the words that may come next, at which a free name ends."""
    stops: tuple[str, ...] = ()
    for node in nodes:
        if isinstance(node, Literal):
            return stops + node.words
        if isinstance(node, Maybe):
            stops += _stops(node.nodes)
        else:
            return stops + {"ability": ORDINALS, "stat": STATS}.get(node.name, ())
    return stops


Found: TypeAlias = tuple[tuple[str, Value], ...]


class Reader:
    """T9.1: reads the contents of a slot; `notation` adds its own slots."""

    def slot(self, text: Text, name: str, place: int, stops: tuple[str, ...]) -> Iterator[tuple[int, Value]]:
        """T9.1: every way to fill the slot from that place on."""
        raise NotImplementedError


# ------------------------------------------------------------------------------------------------ names and things


def read_name(text: Text, place: int, stops: tuple[str, ...], *, strict: bool) -> tuple[int, str] | None:
    """T9.1: a card's name: the longest known one, else the text up to the next word of the form.

    The first part of a known name is enough if it is unique. With `strict`, an unknown name is refused if names are
    known at all.
    """
    place = text.skip(place)
    if known_name := _known_name_at(text, place, stops):
        return known_name
    if little := _LITTLE.match(text.line, place, text.end):
        place = little.end()
        if known_name := _known_name_at(text, place, stops):
            return known_name
    end = _free_end(text, place, stops)
    fragment = text.line[place:end].strip()
    if not fragment or len(fragment) > LONGEST_NAME:
        text.fail(place, said("a card's name"))
        return None
    names = text.known.names
    start = folded(fragment)
    fits = [
        name for key, name in names.items() if key.startswith(start) and not key[len(start) : len(start) + 1].isalnum()
    ]
    if len(fits) == 1:
        fragment = fits[0]
    elif fits:
        text.fail(
            place,
            said("more of the name"),
            said("“%(written)s” can mean %(fits)s.", written=fragment, fits=said(" or ").join(fits[:4])),
        )
        text.far.ambiguous = text.far.ambiguous or Ambiguous(place + 1, fragment, tuple(fits[:8]))
        return None
    elif names and strict:
        text.fail(
            place,
            said("the name of a card at this table"),
            said("No card at this table is called “%(written)s”.", written=fragment),
        )
        return None
    text.columns.append((fragment, place + 1))
    return end, fragment


def _known_name_at(text: Text, place: int, stops: tuple[str, ...]) -> tuple[int, str] | None:
    last = min(text.end, place + LONGEST_NAME + 1)
    for end in range(last, place, -1):
        if text.line[end - 1] == " " or (end < text.end and text.line[end].isalnum() and text.line[end - 1].isalnum()):
            continue
        name = text.known.names.get(folded(text.line[place:end]))
        if name is not None and _may_end(text, end, stops):
            text.columns.append((name, place + 1))
            return end, name
    return None


def _may_end(text: Text, end: int, stops: tuple[str, ...]) -> bool:
    place = text.skip(end)
    if place >= text.end or text.line[place] in ";,!:#>=(-":
        return True
    return text.literal(place, (*stops, "of", "and", "then")) is not None


def _free_end(text: Text, place: int, stops: tuple[str, ...]) -> int:
    end_match = _FREE_END.search(text.line, place, text.end)
    end = end_match.start() if end_match else text.end
    for stop in stops:
        if stop[0].isalnum():
            pattern = re.compile(rf"(?<= ){re.escape(stop)}\b", re.IGNORECASE)
            if ahead := pattern.search(text.line, place + 1, end):
                end = ahead.start()
    while end > place and text.line[end - 1] == " ":
        end -= 1
    return end


def read_refs(text: Text, place: int, stops: tuple[str, ...]) -> tuple[int, tuple[Ref, ...]] | None:
    """T9.1: things one after the other: `#5, #6`, `11y 2, 5 of B`, `Gull of B, c5`."""
    refs: list[Ref] = []
    row: list[int] = []
    while True:
        read = _read_ref(text, place, stops, after_row=bool(row))
        if read is None or len(refs) >= MOST_REFS:
            return None
        end, ref, is_row = read
        # a bare number goes on with the row before it; `11y` begins another
        begins = _PLACE.match(text.line, text.skip(place), text.end) is not None
        row = [len(refs)] if is_row and begins else [*row, len(refs)] if is_row else []
        refs.append(ref)
        if is_row and (owner_match := _OF.match(text.line, end, text.end)):
            seat = text.known.seat(owner_match[1])
            for at in row:
                refs[at] = f"{refs[at]} of {seat}"
            row, end = [], owner_match.end()
        more = _AND.match(text.line, end, text.end)
        if more is None or more.end() >= text.end and text.line[text.skip(end)] != ",":
            return end, tuple(refs)
        place = more.end()


def read_ref(text: Text, place: int, stops: tuple[str, ...], *, strict: bool = False) -> tuple[int, Ref] | None:
    """T9.1: one thing; with `strict`, no unknown name."""
    read = _read_ref(text, place, stops, after_row=False, strict=strict)
    return (read[0], read[1]) if read else None


def _read_ref(
    text: Text, place: int, stops: tuple[str, ...], *, after_row: bool, strict: bool = False
) -> tuple[int, Ref, bool] | None:
    place = text.skip(place)
    little = _LITTLE.match(text.line, place, text.end)
    if little is not None and (_NUMBER.match(text.line, little.end()) or _PLACE.match(text.line, little.end())):
        place = little.end()
    if number_match := _NUMBER.match(text.line, place, text.end):
        number = int(number_match[1])
        text.columns.append((f"#{number}", place + 1))
        return number_match.end(), number, False
    in_row = _PLACE.match(text.line, place, text.end) or (after_row and _NEXT.match(text.line, place, text.end))
    if in_row:
        ref = f"11y {int(in_row[1])}"
        text.columns.append((ref, place + 1))
        return in_row.end(), ref, True
    if small := _SMALL.match(text.line, place, text.end):
        prefix, number_of, column, rank = small.groups()
        small_ref = f"soul {int(number_of)}" if prefix else f"{column.lower()}{rank}"
        text.columns.append((small_ref, place + 1))
        return small.end(), small_ref, False
    if place < text.end and text.line[place] == "#":
        text.fail(place, said("a number such as #4"))
        return None
    read = read_name(text, place, stops, strict=strict)
    if read is None:
        text.fail(place, said("#4 or a name"))
        return None
    end, name = read
    if len(name) == 1 or name.casefold() in {seat.casefold() for seat in text.known.seats}:
        name = text.known.seat(name)
    if owner_match := _OF.match(text.line, end, text.end):
        column = dict(text.columns).get(name, place + 1)
        name, end = f"{name} of {text.known.seat(owner_match[1])}", owner_match.end()
        text.columns.append((name, column))
    return end, name, False
