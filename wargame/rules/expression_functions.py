"""R37: the functions and operators that a formula may use, exact and alike on every machine."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, isqrt

from .formula_errors import FormulaError

Number = int | Fraction
Env = Mapping[str, Number]
Run = Callable[[Env], Number]
"""How to work a part of a formula out from the numbers of its names."""

THOUSANDTHS = 1000
MOST_VALUES = 12
HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Function:
    """R37: a function: how many values it takes, how it is made of them (and its column), and what it gives."""

    takes: tuple[int, int]
    make: Callable[[list[Run], int], Run]
    shape: str
    about: str


def as_number(value: Number) -> Number:
    """The same number, as a whole one where it is whole: those are the fast ones."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def divide(first: Run, second: Run, column: int) -> Run:
    def run(env: Env) -> Number:
        over, under = first(env), second(env)
        if not under:
            raise FormulaError("This divides by 0.", column)
        return as_number(Fraction(over) / under)

    return run


def divide_down(first: Run, second: Run, column: int) -> Run:
    def run(env: Env) -> Number:
        over, under = first(env), second(env)
        if not under:
            raise FormulaError("This divides by 0.", column)
        return over // under

    return run


def compare(first: Run, second: Run, sign: str) -> Run:
    holds = COMPARISONS[sign]
    return lambda env: 1 if holds(first(env), second(env)) else 0


COMPARISONS: dict[str, Callable[[Number, Number], bool]] = {
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


def _of_one(what: Callable[[Number], Number]) -> Callable[[list[Run], int], Run]:
    def make(values: list[Run], column: int) -> Run:
        (value,) = values
        return lambda env: what(value(env))

    return make


def _least(values: list[Run], column: int) -> Run:
    return lambda env: min([value(env) for value in values])


def _most(values: list[Run], column: int) -> Run:
    return lambda env: max([value(env) for value in values])


def _clamp(values: list[Run], column: int) -> Run:
    value, least, most = values
    return lambda env: max(least(env), min(most(env), value(env)))


def _if(values: list[Run], column: int) -> Run:
    condition, then, otherwise = values
    return lambda env: then(env) if condition(env) else otherwise(env)


def _pick(values: list[Run], column: int) -> Run:
    which, *options = values
    last = len(options) - 1
    return lambda env: options[min(max(floor(which(env)) - 1, 0), last)](env)


def _steps(values: list[Run], column: int) -> Run:
    value, *steps = values

    def run(env: Env) -> Number:
        reached = value(env)
        return sum([reached >= step(env) for step in steps])

    return run


def _root(values: list[Run], column: int) -> Run:
    (value,) = values

    def run(env: Env) -> Number:
        squared = value(env)
        if squared < 0:
            raise FormulaError("This takes the square root of a number below 0.", column)
        return as_number(Fraction(isqrt(floor(squared * THOUSANDTHS * THOUSANDTHS)), THOUSANDTHS))

    return run


def _unsigned(value: Number) -> Number:
    return value if value >= 0 else -value


def _rounded(value: Number) -> Number:
    return value if isinstance(value, int) else floor(value + HALF)


FUNCTIONS: dict[str, Function] = {
    "min": Function((1, MOST_VALUES), _least, "min(a, b, …)", "the least of the values"),
    "max": Function((1, MOST_VALUES), _most, "max(a, b, …)", "the greatest of the values"),
    "clamp": Function((3, 3), _clamp, "clamp(x, least, most)", "x, but no less than least and no more than most"),
    "if": Function((3, 3), _if, "if(condition, a, b)", "a where the condition holds (is not 0), else b"),
    "pick": Function((2, MOST_VALUES), _pick, "pick(n, a, b, …)", "the n-th of the values after n"),
    "steps": Function((2, MOST_VALUES), _steps, "steps(x, a, b, …)", "how many of the values after x it reaches"),
    "sqrt": Function((1, 1), _root, "sqrt(x)", "the square root, rounded down to thousandths"),
    "abs": Function((1, 1), _of_one(_unsigned), "abs(x)", "x without its sign"),
    "floor": Function((1, 1), _of_one(floor), "floor(x)", "x rounded down to a whole number"),
    "ceil": Function((1, 1), _of_one(ceil), "ceil(x)", "x rounded up to a whole number"),
    "round": Function((1, 1), _of_one(_rounded), "round(x)", "x rounded to a whole number, halves up"),
}
"""R37: everything that a formula may call."""
