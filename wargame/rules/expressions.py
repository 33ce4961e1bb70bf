"""R37, R38: a formula's text to something that can be worked out: exactly, and alike on every machine.

A formula is read by the grammar of `formula.lark` into closures over exact numbers (`ratios.py`). It has no loops,
reaches nothing but the numbers it is given and the functions of `expression_functions.py`, and is refused if it is
long, nested deeply, or could grow numbers without end. So it always ends, soon, and with an exact number.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, cast

from .expression_functions import (
    FUNCTIONS,
    Env,
    Run,
    add,
    compare,
    divide,
    divide_down,
    multiply,
    subtract,
)
from .formula_errors import FormulaError
from .ratios import NOTHING, ONE, Number, Ratio, as_number, as_ratio, reduced

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

    Parsed = Tree[Token]

MOST_CHARACTERS = 1000
MOST_DEPTH = 100
MOST_DIGITS = 12
MOST_EXPONENT = 9
LEAF_BITS = 80
MOST_BITS = 10_000
"""What a formula may have: characters, things within things, digits of a number, an exponent, and how many bits
the numbers that it works with could need, where a name counts for 80."""

SMALL_LETTERS = str.maketrans({chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})


@dataclass(frozen=True, slots=True)
class Expression:
    """R37: a formula that was read: its text, the names that it uses, and how to work it out.

    `run` takes a number for each of the names. It raises FormulaError where there is no result.
    """

    text: str
    names: frozenset[str]
    run: Run = field(compare=False, repr=False)

    def value(self, **numbers: Number) -> Number:
        """What `run` gives, as a number."""
        return as_number(self.run({name: as_ratio(number) for name, number in numbers.items()}))


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a formula: how to work it out, its names, and the bits that its numbers could need."""

    run: Run
    names: frozenset[str] = frozenset()
    bits: int = LEAF_BITS


@lru_cache(maxsize=512)
def read_expression(text: str, known: frozenset[str]) -> Expression:
    """R37: the formula that a text is, over the `known` names. FormulaError, with the column, where it is none."""
    if not text.strip():
        raise FormulaError("There is nothing here: write a formula, or a number.", 1)
    if len(text) > MOST_CHARACTERS:
        raise FormulaError(f"A formula has at most {MOST_CHARACTERS} characters; this one has {len(text):,}.", 1)
    tree = _parse(text)
    _check_depth(tree)
    part = _Reader(known).part(cast("Parsed", tree.children[0]))
    return Expression(text, part.names, part.run)


def _parse(text: str) -> Parsed:
    # lark takes a sixth of a second to load: only who meets a formula waits for it
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    try:
        return _grammar().parse(text.translate(SMALL_LETTERS))
    except UnexpectedCharacters as error:
        place = error.pos_in_stream or 0
        raise FormulaError(f"“{text[place]}” can't stand in a formula.", place + 1) from None
    except UnexpectedToken as error:
        raise _unexpected(text, error.token) from None


def _unexpected(text: str, token: Token) -> FormulaError:
    if token.type == "$END":
        return FormulaError("The formula ends too early: something is missing here.", len(text.rstrip()) + 1)
    said = f"“{_short(token)}” does not fit here."
    if token.type == "COMPARED":
        said += " Compare two numbers at a time; join comparisons by “and”."
    return FormulaError(said, _column(token))


@cache
def _grammar() -> Lark:
    from lark import Lark

    return Lark.open("formula.lark", rel_to=__file__, parser="lalr", maybe_placeholders=False)


def _check_depth(tree: Parsed) -> None:
    """Level by level, so that no depth can exhaust the stack."""
    level: list[Any] = [tree]
    for _ in range(MOST_DEPTH + 1):
        level = [child for node in level for child in node.children if hasattr(child, "children")]
        if not level:
            return
    raise FormulaError(f"This has more than {MOST_DEPTH} operations within one another. Make it simpler.", 1)


class _Reader:
    """Makes parts of the nodes of a tree; each method reads the node of its name."""

    def __init__(self, known: Collection[str]) -> None:
        self.known = known

    def part(self, node: Parsed) -> _Part:
        """What a node is; worked out at once where no name is in it."""
        part: _Part = getattr(self, node.data)(node.children)
        if part.bits > MOST_BITS:
            raise FormulaError("The numbers in this could grow beyond all bounds: use smaller powers.", _first(node))
        if part.names:
            return part
        over, under = ratio = reduced(*part.run({}))
        return _Part(_always(ratio), bits=over.bit_length() + under.bit_length())

    def number(self, parts: list[Token]) -> _Part:
        return _Part(_always(as_ratio(_number(parts[0]))))

    def name(self, parts: list[Token]) -> _Part:
        name = str(parts[0])
        if name not in self.known:
            raise _unknown(parts[0], "nothing called", self.known, FUNCTIONS)
        return _Part(itemgetter(name), frozenset([name]))

    def call(self, parts: list[Any]) -> _Part:
        token, *given = parts
        function = FUNCTIONS.get(token)
        if function is None:
            raise _unknown(token, "no function", FUNCTIONS, self.known)
        least, most = function.takes
        if not least <= len(given) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            found = len(given)
            raise FormulaError(f"“{token}” takes {wanted} values in its brackets, not {found}.", _column(token))
        arguments = [self.part(node) for node in given]
        bits = sum([one.bits for one in arguments]) + 24
        return _Part(function.make([one.run for one in arguments], _column(token)), _names(arguments), bits)

    def add(self, parts: list[Parsed]) -> _Part:
        return self._pair(parts, add)

    def subtract(self, parts: list[Parsed]) -> _Part:
        return self._pair(parts, subtract)

    def multiply(self, parts: list[Parsed]) -> _Part:
        return self._pair(parts, multiply)

    def divide(self, parts: list[Any]) -> _Part:
        return self._pair([parts[0], parts[2]], lambda a, b: divide(a, b, _column(parts[1])))

    def divide_down(self, parts: list[Any]) -> _Part:
        return self._pair([parts[0], parts[2]], lambda a, b: divide_down(a, b, _column(parts[1])))

    def compare(self, parts: list[Any]) -> _Part:
        return self._pair([parts[0], parts[2]], lambda a, b: compare(a, b, parts[1]))

    def both(self, parts: list[Parsed]) -> _Part:
        return self._pair(parts, lambda a, b: lambda env: ONE if a(env)[0] and b(env)[0] else NOTHING)

    def either(self, parts: list[Parsed]) -> _Part:
        return self._pair(parts, lambda a, b: lambda env: ONE if a(env)[0] or b(env)[0] else NOTHING)

    def no(self, parts: list[Parsed]) -> _Part:
        one = self.part(parts[0])
        return _Part(lambda env: NOTHING if one.run(env)[0] else ONE, one.names)

    def negate(self, parts: list[Parsed]) -> _Part:
        one = self.part(parts[0])

        def run(env: Env) -> Ratio:
            over, under = one.run(env)
            return -over, under

        return _Part(run, one.names, one.bits)

    def power(self, parts: list[Any]) -> _Part:
        base, exponent = self.part(parts[0]), self.part(parts[2])
        power = None if exponent.names else as_number(exponent.run({}))
        if not (isinstance(power, int) and 0 <= power <= MOST_EXPONENT):
            said = f"A power is a whole number from 0 to {MOST_EXPONENT}, written as a number."
            raise FormulaError(said, _column(parts[1]) + len(parts[1]))

        def run(env: Env) -> Ratio:
            over, under = base.run(env)
            return over**power, under**power

        return _Part(run, base.names, base.bits * max(power, 1))

    def _pair(self, parts: list[Parsed], make: Callable[[Run, Run], Run]) -> _Part:
        first, second = self.part(parts[0]), self.part(parts[1])
        return _Part(make(first.run, second.run), first.names | second.names, first.bits + second.bits + 1)


def _always(ratio: Ratio) -> Run:
    return lambda env: ratio


def _names(parts: list[_Part]) -> frozenset[str]:
    return frozenset().union(*[part.names for part in parts])


def _number(token: Token) -> Number:
    """A number as written: whole, with a decimal point, or in percent."""
    if sum([character.isdigit() for character in token]) > MOST_DIGITS:
        raise FormulaError(f"A number has at most {MOST_DIGITS} digits.", _column(token))
    value = Fraction(token.rstrip("%"))
    return value / 100 if token.endswith("%") else value


def _unknown(token: Token, what: str, known: Collection[str], others: Collection[str]) -> FormulaError:
    """A name that is none, with the nearest one that is, or all that there are."""
    name = str(token)
    said = f"There is {what} “{_short(token)}” here"
    if name in others:
        is_name = what.startswith("no ")
        said += f": “{name}” is a {'number, not a function' if is_name else 'function, and needs brackets'}."
    elif near := get_close_matches(name, sorted(known), 1):
        said += f"; is “{near[0]}” meant?"
    else:
        said += f". There is {', '.join(sorted(known))}." if known else "; this formula knows only numbers."
    return FormulaError(said, _column(token))


def _column(token: Token) -> int:
    return (token.start_pos or 0) + 1


def _first(node: Parsed) -> int:
    """The column where a node begins."""
    tokens = node.scan_values(lambda value: hasattr(value, "start_pos"))
    return min((_column(token) for token in tokens), default=1)


def _short(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:29]}…"
