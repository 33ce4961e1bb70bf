"""3.2.2.5, R9: the grammar of `orders.lark`, from a line with marked names to an order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from .board import Square, read_square
from .marking import Marked
from .orders import Hold, InBattle, Intercept, Move, Order, Step, Suffix, Transfer

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

    Parsed = Tree[Token]

END = "$END"

SUFFIXES: dict[str, Suffix] = {"ENGAGE": "engage", "REPLACE": "replace", "JOINT_ENGAGE": "joint engage"}
"""3.2.2.2, 3.2.5.1: the words of a suffix by their terminals."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Where the grammar could not go on: 0-based, with the terminals that it would have taken."""

    place: int
    expected: frozenset[str]


def parse(marked: Marked) -> tuple[str, Order] | Stop:
    """R9: the army (empty if the line names none) and its order, or where the text stops to be one."""
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
    """R1: `read_square`, remembered for the squares of the map in both forms."""
    return read_square(text)


@cache
def _grammar() -> Lark:
    from lark import Lark

    return Lark.open("orders.lark", rel_to=__file__, parser="lalr", maybe_placeholders=False)


def _read_tree(tree: Parsed, known: dict[int, str]) -> tuple[str, Order]:
    parts: list[Any] = list(tree.children)
    army = _name(parts.pop(0).children[0], known) if parts[0].data == "army" else ""
    (order,) = parts
    return army, _ORDERS[order.data](order.children, known)


def _name(token: Token, known: dict[int, str]) -> str:
    return known[token.start_pos or 0]


def _move(parts: list[Any], known: dict[int, str]) -> Move:
    start, *steps = parts
    here = square(start)
    read = []
    for part in steps:
        step = _step(here, part.children, known)
        read.append(step)
        here = step.to
    return Move(tuple(read))


def _step(start: Square, parts: list[Any], known: dict[int, str]) -> Step:
    to, *rest = parts
    route: tuple[Square, ...] | None = None
    suffix: Suffix | None = None
    target: str | None = None
    for part in rest:
        if part.data == "route":
            route = tuple(map(square, part.children))
        else:
            suffix = SUFFIXES[part.children[0].type]
            target = _name(part.children[1], known) if len(part.children) > 1 else None
    return Step(start, square(to), route, suffix, target)


def _intercept(parts: list[Any], known: dict[int, str]) -> Intercept:
    return Intercept(_name(parts[0], known))


def _transfer(parts: list[Any], known: dict[int, str]) -> Transfer:
    return Transfer(_name(parts[0], known), square(parts[1]))


_ORDERS: dict[str, Callable[[list[Any], dict[int, str]], Order]] = {
    "move": _move,
    "intercept": _intercept,
    "transfer": _transfer,
    "hold": lambda parts, known: Hold(),
    "in_battle": lambda parts, known: InBattle(),
}
