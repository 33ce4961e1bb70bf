"""3.2.2.5, R9, R10: read a line as an order: first marks replace the names in it, then the grammar of `orders.lark`
reads the rest."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from wargame.rules.core.board import Square, read_square
from wargame.rules.core.names import Names
from wargame.rules.core.orders import Hold, InBattle, Intercept, Move, Order, Step, Suffix, Transfer
from wargame.rules.core.typography import NAME_MARK, UNKNOWN_MARK

_NAME_FOLLOWS = re.compile(r"\b(?a:engage|replace|intercept|(?P<transfer>transfer +to))\b *", re.IGNORECASE)
_NO_NAME = re.compile(r"[-=]*>|[;,.:()]|$")
_ENDS = r" *(?:[-=]*>|[;,(]|\.? *$"
_NO_WORD = r"(?!['-]\w) *+(?!\w)"


@dataclass(frozen=True, slots=True)
class _Slot:
    """A possible place of a name: the patterns behind a known name, best first, and the end of an unknown one."""

    after: tuple[re.Pattern[str], ...]
    ends: re.Pattern[str]


_TARGET = _Slot((re.compile(_NO_WORD),), re.compile(rf"{_ENDS})"))
_RECEIVER = _Slot(
    (
        re.compile(r" +at\b", re.IGNORECASE),
        re.compile(rf"{_NO_WORD}| +(?a:[a-z][0-9]+|[0-9]+[a-z])\b", re.IGNORECASE),
    ),
    re.compile(rf"{_ENDS}| at\b)", re.IGNORECASE),
)


@dataclass(slots=True)
class Marked:
    """A line whose names are marks, followed by blanks so that every other character keeps its place.

    `known` and `unknown` are the army's name and the text taken for a name, by 0-based place; `typed` is the line
    without marks.
    """

    typed: str
    text: str
    known: dict[int, str] = field(default_factory=dict)
    unknown: dict[int, str] = field(default_factory=dict)

    def name(self, start: int, end: int, name: str) -> None:
        self.known[start] = name
        self._replace(start, end, NAME_MARK)

    def stranger(self, start: int, end: int) -> None:
        self.unknown[start] = self.text[start:end]
        self._replace(start, end, UNKNOWN_MARK)

    def _replace(self, start: int, end: int, mark: str) -> None:
        self.text = self.text[:start] + mark.ljust(end - start) + self.text[end:]


def mark_names(text: str, start: int, names: Names) -> Marked:
    """3.2.2.5: the army's name before a colon, and the names after engage, replace, intercept, transfer to.

    `start` is the place of the line's first character. The first name that is not on the map is marked as a stranger;
    the rest of the line is ignored.
    """
    marked_line = Marked(text, text)
    place = _mark_army(marked_line, start, names)
    while not marked_line.unknown and (follows := _NAME_FOLLOWS.search(marked_line.text, place)):
        slot = _RECEIVER if follows["transfer"] else _TARGET
        place = _mark_target(marked_line, follows.end(), names, slot)
    return marked_line


def _mark_army(marked_line: Marked, start: int, names: Names) -> int:
    name_span = names.before_colon(marked_line.text, start)
    if name_span is not None:
        name, end = name_span
        marked_line.name(start, end, name)
        return end
    colon = marked_line.text.find(":", start)
    arrow = marked_line.text.find(">", start)
    if colon > start and (arrow < 0 or colon < arrow):
        marked_line.stranger(start, colon)
        return colon
    return start


def _mark_target(marked_line: Marked, place: int, names: Names, slot: _Slot) -> int:
    name_span = next(filter(None, (names.at(marked_line.text, place, after) for after in slot.after)), None)
    if name_span is not None:
        name, end = name_span
        marked_line.name(place, end, name)
        return end
    if _NO_NAME.match(marked_line.text, place):
        return place
    ends = slot.ends.search(marked_line.text, place)
    end = ends.start() if ends and ends.start() > place else len(marked_line.text)
    marked_line.stranger(place, end)
    return end


if TYPE_CHECKING:
    from lark import Lark, Token, Tree

    Parsed = Tree[Token]

END = "$END"

SUFFIXES: dict[str, Suffix] = {"ENGAGE": "engage", "REPLACE": "replace", "JOINT_ENGAGE": "joint engage"}
"""3.2.2.2, 3.2.5.1: the words of a suffix by their terminals."""


@dataclass(frozen=True, slots=True)
class Stop:
    """The place where the grammar could not go on: 0-based, with the terminals that it would have accepted."""

    place: int
    expected: frozenset[str]


def parse(marked: Marked) -> tuple[str, Order] | Stop:
    """R9: the army (empty if the line names none) and its order, or the place where the text ceases to be one."""
    # lark takes a sixth of a second to load: only who meets a line that needs it waits for it
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    try:
        tree = _grammar().parse(marked.text)
    except UnexpectedCharacters as error:
        return Stop(error.pos_in_stream or 0, frozenset(error.allowed or ()))
    except UnexpectedToken as error:
        at_end = error.token.type == END
        place = len(marked.typed.rstrip(" ")) if at_end else error.pos_in_stream or 0
        return Stop(place, frozenset(error.expected))
    return _read_tree(tree, marked.known)


@lru_cache(maxsize=1200)
def square(text: str) -> Square:
    """R1: `read_square`, cached for the squares of the map in both forms."""
    return read_square(text)


@cache
def _grammar() -> Lark:
    from lark import Lark

    return Lark.open("orders.lark", rel_to=__file__, parser="lalr", maybe_placeholders=False)


def _read_tree(tree: Parsed, by_place: dict[int, str]) -> tuple[str, Order]:
    parts: list[Any] = list(tree.children)
    army = _name(parts.pop(0).children[0], by_place) if parts[0].data == "army" else ""
    (order,) = parts
    return army, _ORDERS[order.data](order.children, by_place)


def _name(token: Token, by_place: dict[int, str]) -> str:
    return by_place[token.start_pos or 0]


def _move(parts: list[Any], by_place: dict[int, str]) -> Move:
    start, *steps = parts
    here = square(start)
    read = []
    for part in steps:
        step = _step(here, part.children, by_place)
        read.append(step)
        here = step.to
    return Move(tuple(read))


def _step(start: Square, parts: list[Any], by_place: dict[int, str]) -> Step:
    to, *rest = parts
    route: tuple[Square, ...] | None = None
    suffix: Suffix | None = None
    target: str | None = None
    for part in rest:
        if part.data == "route":
            route = tuple(map(square, part.children))
        else:
            suffix = SUFFIXES[part.children[0].type]
            target = _name(part.children[1], by_place) if len(part.children) > 1 else None
    return Step(start, square(to), route, suffix, target)


def _intercept(parts: list[Any], by_place: dict[int, str]) -> Intercept:
    return Intercept(_name(parts[0], by_place))


def _transfer(parts: list[Any], by_place: dict[int, str]) -> Transfer:
    return Transfer(_name(parts[0], by_place), square(parts[1]))


_ORDERS: dict[str, Callable[[list[object], dict[int, str]], Order]] = {
    "move": _move,
    "intercept": _intercept,
    "transfer": _transfer,
    "hold": lambda parts, known: Hold(),
    "in_battle": lambda parts, known: InBattle(),
}
