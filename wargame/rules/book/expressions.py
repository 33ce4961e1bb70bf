"""R37, R38: a formula's text is checked and compiled: exactly, and identically on every machine. Its faults are shown
to the judge who wrote it.

A formula is read by the grammar of `formula.lark` into closures over exact numbers (`ratios.py`). It has no loops,
reaches nothing but its given numbers and the functions listed here, and is refused if it is long, nested deeply, or
could grow numbers without end. So it always ends, soon, and with an exact number.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, lru_cache, reduce
from math import isqrt
from operator import itemgetter
from typing import TYPE_CHECKING, Any, cast

from wargame.rules.book.ratios import NOTHING, ONE, Number, Ratio, as_number, as_ratio, greater, lesser, plus, reduced
from wargame.rules.core.saying import grouped, marked, said


class FormulaError(ValueError):
    """R37: a formula that can't be read, or that has no result; `column` counts characters from 1."""

    def __init__(self, sentence: str, column: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.column = column


Env = Mapping[str, Ratio]

Run = Callable[[Env], Ratio]
"""Computes a part of a formula from the numbers of its names."""

THOUSANDTHS = 1000
MOST_VALUES = 12


@dataclass(frozen=True, slots=True)
class Function:
    """R37: a function: its number of values, its implementation (with its column), and its meaning."""

    takes: tuple[int, int]
    make: Callable[[list[Run], int], Run]
    shape: str
    meant: str

    @property
    def about(self) -> str:
        return said(self.meant)


def add(first: Run, second: Run) -> Run:
    return lambda env: plus(first(env), second(env))


def subtract(first: Run, second: Run) -> Run:
    def run(env: Env) -> Ratio:
        (a, b), (c, d) = first(env), second(env)
        return (a - c, b) if b == d else (a * d - c * b, b * d)

    return run


def multiply(first: Run, second: Run) -> Run:
    def run(env: Env) -> Ratio:
        (a, b), (c, d) = first(env), second(env)
        return a * c, b * d

    return run


def divide(first: Run, second: Run, column: int) -> Run:
    def run(env: Env) -> Ratio:
        (a, b), (c, d) = first(env), second(env)
        if not c:
            raise FormulaError(said("This divides by 0."), column)
        return (a * d, b * c) if c > 0 else (-a * d, -b * c)

    return run


def divide_down(first: Run, second: Run, column: int) -> Run:
    def run(env: Env) -> Ratio:
        (a, b), (c, d) = first(env), second(env)
        if not c:
            raise FormulaError(said("This divides by 0."), column)
        return a * d // (b * c), 1

    return run


def compare(first: Run, second: Run, sign: str) -> Run:
    holds = COMPARISONS[sign]

    def run(env: Env) -> Ratio:
        (a, b), (c, d) = first(env), second(env)
        return int(holds(a * d, c * b)), 1

    return run


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "≤": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "≥": operator.ge,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<>": operator.ne,
    "≠": operator.ne,
}


def _of_one(operation: Callable[[int, int], Ratio]) -> Callable[[list[Run], int], Run]:
    def make(values: list[Run], column: int) -> Run:
        (value,) = values
        return lambda env: operation(*value(env))

    return make


def _least(values: list[Run], column: int) -> Run:
    return lambda env: reduce(lesser, [value(env) for value in values])


def _most(values: list[Run], column: int) -> Run:
    return lambda env: reduce(greater, [value(env) for value in values])


def _clamp(values: list[Run], column: int) -> Run:
    value, least, most = values
    return lambda env: greater(least(env), lesser(most(env), value(env)))


def _if(values: list[Run], column: int) -> Run:
    condition, then, otherwise = values
    return lambda env: then(env) if condition(env)[0] else otherwise(env)


def _pick(values: list[Run], column: int) -> Run:
    selector, *options = values
    many = len(options)

    def run(env: Env) -> Ratio:
        over, under = selector(env)
        place = over // under - 1
        if 0 <= place < many:
            return options[place](env)
        return options[0 if place < 0 else -1](env)

    return run


def _steps(values: list[Run], column: int) -> Run:
    value, *steps = values

    def run(env: Env) -> Ratio:
        over, under = value(env)
        reached = [step(env) for step in steps]
        return sum([over * part >= whole * under for whole, part in reached]), 1

    return run


def _root(values: list[Run], column: int) -> Run:
    (value,) = values

    def run(env: Env) -> Ratio:
        over, under = value(env)
        if over < 0:
            raise FormulaError(said("This takes the square root of a number below 0."), column)
        return isqrt(over * THOUSANDTHS * THOUSANDTHS // under), THOUSANDTHS

    return run


def _unsigned(over: int, under: int) -> Ratio:
    return abs(over), under


def _floor(over: int, under: int) -> Ratio:
    return over // under, 1


def _ceil(over: int, under: int) -> Ratio:
    return -(-over // under), 1


def _rounded(over: int, under: int) -> Ratio:
    return (2 * over + under) // (2 * under), 1


FUNCTIONS: dict[str, Function] = {
    "min": Function((1, MOST_VALUES), _least, "min(a, b, …)", marked("the smallest of the values")),
    "max": Function((1, MOST_VALUES), _most, "max(a, b, …)", marked("the largest of the values")),
    "clamp": Function(
        (3, 3), _clamp, "clamp(x, least, most)", marked("x, but no less than least and no more than most")
    ),
    "if": Function((3, 3), _if, "if(condition, a, b)", marked("a if the condition is true (not 0), else b")),
    "pick": Function((2, MOST_VALUES), _pick, "pick(n, a, b, …)", marked("the n-th of the values after n")),
    "steps": Function(
        (2, MOST_VALUES), _steps, "steps(x, a, b, …)", marked("how many of the values after x are x or less")
    ),
    "sqrt": Function((1, 1), _root, "sqrt(x)", marked("the square root, rounded down to thousandths")),
    "abs": Function((1, 1), _of_one(_unsigned), "abs(x)", marked("x without its sign")),
    "floor": Function((1, 1), _of_one(_floor), "floor(x)", marked("x rounded down to a whole number")),
    "ceil": Function((1, 1), _of_one(_ceil), "ceil(x)", marked("x rounded up to a whole number")),
    "round": Function((1, 1), _of_one(_rounded), "round(x)", marked("x rounded to a whole number, halves up")),
}
"""R37: everything that a formula may call."""


if TYPE_CHECKING:
    from lark import Lark, Token, Tree

    Parsed = Tree[Token]

MOST_CHARACTERS = 1000
MOST_DEPTH = 100
MOST_DIGITS = 12
MOST_EXPONENT = 9
LEAF_BITS = 80
MOST_BITS = 10_000
"""The limits of a formula: characters, nesting, digits of a number, an exponent, and the bits that its numbers could
need, where a name counts for 80."""

SMALL_LETTERS = str.maketrans({chr(code): chr(code + 32) for code in range(ord("A"), ord("Z") + 1)})


@dataclass(frozen=True, slots=True)
class Expression:
    """R37: a parsed formula: its text, the names that it uses, and its evaluation.

    `run` takes a number for each of the names. It raises FormulaError where there is no result.
    """

    text: str
    names: frozenset[str]
    run: Run = field(compare=False, repr=False)

    def value(self, **numbers: Number) -> Number:
        return as_number(self.run({name: as_ratio(number) for name, number in numbers.items()}))


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a formula: its evaluation, its names, and the bits that its numbers could need."""

    run: Run
    names: frozenset[str] = frozenset()
    bits: int = LEAF_BITS


@lru_cache(maxsize=512)
def read_expression(text: str, known: frozenset[str]) -> Expression:
    """R37: the formula in a text, over the `known` names. FormulaError, with the column, where it is invalid."""
    if not text.strip():
        raise FormulaError(said("This is empty: write a formula or a number."), 1)
    if len(text) > MOST_CHARACTERS:
        wrong = said(
            "A formula can have at most %(most)s characters; this one has %(number)s.",
            most=MOST_CHARACTERS,
            number=grouped(len(text)),
        )
        raise FormulaError(wrong, 1)
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
        raise FormulaError(said("“%(sign)s” can't be used in a formula.", sign=text[place]), place + 1) from None
    except UnexpectedToken as error:
        raise _unexpected(text, error.token) from None


def _unexpected(text: str, token: Token) -> FormulaError:
    if token.type == "$END":
        return FormulaError(said("The formula ends too early: something is missing here."), len(text.rstrip()) + 1)
    wrong = said("“%(part)s” isn't valid here.", part=_short(token))
    if token.type == "COMPARED":
        how = said("Compare two numbers at a time; join comparisons with “and”.")
        wrong = f"{wrong} {how}"
    return FormulaError(wrong, _column(token))


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
    wrong = said("This has more than %(most)s nested operations. Make it simpler.", most=MOST_DEPTH)
    raise FormulaError(wrong, 1)


class _Reader:
    """Makes parts from the nodes of a tree; each method reads the node of its name."""

    def __init__(self, known: Collection[str]) -> None:
        self.known = known

    def part(self, node: Parsed) -> _Part:
        """The part for a node; evaluated at once if it has no names."""
        part: _Part = getattr(self, node.data)(node.children)
        if part.bits > MOST_BITS:
            raise FormulaError(said("The numbers here could grow without limit: use smaller powers."), _first(node))
        if part.names:
            return part
        over, under = ratio = reduced(*part.run({}))
        return _Part(_always(ratio), bits=over.bit_length() + under.bit_length())

    def number(self, parts: list[Token]) -> _Part:
        return _Part(_always(as_ratio(_number(parts[0]))))

    def name(self, parts: list[Token]) -> _Part:
        name = str(parts[0])
        if name not in self.known:
            raise _unknown(parts[0], self.known, FUNCTIONS)
        return _Part(itemgetter(name), frozenset([name]))

    def call(self, parts: list[Any]) -> _Part:
        token, *nodes = parts
        function = FUNCTIONS.get(token)
        if function is None:
            raise _unknown(token, FUNCTIONS, self.known, is_function=True)
        least, most = function.takes
        if not least <= len(nodes) <= most:
            wrong = said(
                "“%(name)s” takes %(wanted)s values in its brackets, not %(found)s.",
                name=token,
                wanted=least if least == most else said("%(least)s to %(most)s", least=least, most=most),
                found=len(nodes),
            )
            raise FormulaError(wrong, _column(token))
        arguments = [self.part(node) for node in nodes]
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
            wrong = said("A power must be a whole number from 0 to %(most)s, written as a number.", most=MOST_EXPONENT)
            raise FormulaError(wrong, _column(parts[1]) + len(parts[1]))

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
        raise FormulaError(said("A number can have at most %(most)s digits.", most=MOST_DIGITS), _column(token))
    value = Fraction(token.rstrip("%"))
    return value / 100 if token.endswith("%") else value


def _unknown(
    token: Token, known: Collection[str], other_names: Collection[str], *, is_function: bool = False
) -> FormulaError:
    """The error for an unknown name, with the nearest known one, or all known ones."""
    name = str(token)
    facts = {"name": _short(token), "known": ", ".join(sorted(known))}
    here = said("There is no function “%(name)s” here", **facts)
    if not is_function:
        here = said("There is nothing called “%(name)s” here", **facts)
    if name in other_names:
        mistaken = said("“%(name)s” is a function and needs brackets.", name=name)
        if is_function:
            mistaken = said("“%(name)s” is a number, not a function.", name=name)
        wrong = f"{here}: {mistaken}"
    elif matches := get_close_matches(name, sorted(known), 1):
        wrong = said("%(here)s; did you mean “%(near)s”?", here=here, near=matches[0])
    elif known:
        wrong = said("%(here)s. You can use %(known)s.", here=here, known=facts["known"])
    else:
        wrong = said("%(here)s; this formula can only use numbers.", here=here)
    return FormulaError(wrong, _column(token))


def _column(token: Token) -> int:
    return (token.start_pos or 0) + 1


def _first(node: Parsed) -> int:
    """The column where a node begins."""
    tokens = node.scan_values(lambda value: hasattr(value, "start_pos"))
    return min((_column(token) for token in tokens), default=1)


def _short(text: str) -> str:
    return text if len(text) <= 30 else f"{text[:29]}…"
