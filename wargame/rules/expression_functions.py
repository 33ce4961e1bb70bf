"""R37: the functions and operators that a formula may use, exact and alike on every machine."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import reduce
from math import isqrt

from .formula_errors import FormulaError
from .ratios import Ratio, greater, lesser, plus

Env = Mapping[str, Ratio]

Run = Callable[[Env], Ratio]
"""How to work a part of a formula out from the numbers of its names."""

THOUSANDTHS = 1000
MOST_VALUES = 12


@dataclass(frozen=True, slots=True)
class Function:
    """R37: a function: how many values it takes, how it is made of them (and its column), and what it gives."""

    takes: tuple[int, int]
    make: Callable[[list[Run], int], Run]
    shape: str
    about: str


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
            raise FormulaError("This divides by 0.", column)
        return (a * d, b * c) if c > 0 else (-a * d, -b * c)

    return run


def divide_down(first: Run, second: Run, column: int) -> Run:
    def run(env: Env) -> Ratio:
        (a, b), (c, d) = first(env), second(env)
        if not c:
            raise FormulaError("This divides by 0.", column)
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


def _of_one(what: Callable[[int, int], Ratio]) -> Callable[[list[Run], int], Run]:
    def make(values: list[Run], column: int) -> Run:
        (value,) = values
        return lambda env: what(*value(env))

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
    which, *options = values
    many = len(options)

    def run(env: Env) -> Ratio:
        over, under = which(env)
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
            raise FormulaError("This takes the square root of a number below 0.", column)
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
    "min": Function((1, MOST_VALUES), _least, "min(a, b, …)", "the least of the values"),
    "max": Function((1, MOST_VALUES), _most, "max(a, b, …)", "the greatest of the values"),
    "clamp": Function((3, 3), _clamp, "clamp(x, least, most)", "x, but no less than least and no more than most"),
    "if": Function((3, 3), _if, "if(condition, a, b)", "a where the condition holds (is not 0), else b"),
    "pick": Function((2, MOST_VALUES), _pick, "pick(n, a, b, …)", "the n-th of the values after n"),
    "steps": Function((2, MOST_VALUES), _steps, "steps(x, a, b, …)", "how many of the values after x it reaches"),
    "sqrt": Function((1, 1), _root, "sqrt(x)", "the square root, rounded down to thousandths"),
    "abs": Function((1, 1), _of_one(_unsigned), "abs(x)", "x without its sign"),
    "floor": Function((1, 1), _of_one(_floor), "floor(x)", "x rounded down to a whole number"),
    "ceil": Function((1, 1), _of_one(_ceil), "ceil(x)", "x rounded up to a whole number"),
    "round": Function((1, 1), _of_one(_rounded), "round(x)", "x rounded to a whole number, halves up"),
}
"""R37: everything that a formula may call."""
