"""R37: exact numbers as pairs of integers, a fifth of the work of Python's fractions."""

from collections.abc import Iterable
from fractions import Fraction
from math import gcd

Number = int | Fraction

Ratio = tuple[int, int]
"""A number as numerator and denominator, the latter above 0. It is not reduced during the evaluation of a formula:
that would take longer than all the rest."""

NOTHING: Ratio = (0, 1)
ONE: Ratio = (1, 1)


def as_number(ratio: Ratio) -> Number:
    """The ratio as a number: an int where it is whole, else a Fraction."""
    over, under = ratio
    return Fraction(over, under) if over % under else over // under


def as_ratio(number: Number) -> Ratio:
    """The reduced pair of a number."""
    return number.numerator, number.denominator


def reduced(over: int, under: int) -> Ratio:
    shared = gcd(over, under)
    return over // shared, under // shared


def total(ratios: Iterable[Ratio]) -> Ratio:
    over, under = NOTHING
    for a, b in ratios:
        over, under = (over + a, under) if b == under else (over * b + a * under, under * b)
    return reduced(over, under)


def plus(first: Ratio, second: Ratio) -> Ratio:
    (a, b), (c, d) = first, second
    return (a + c, b) if b == d else (a * d + c * b, b * d)


def lesser(first: Ratio, second: Ratio) -> Ratio:
    """The lesser of two; of equal ones the first."""
    return second if second[0] * first[1] < first[0] * second[1] else first


def greater(first: Ratio, second: Ratio) -> Ratio:
    """The greater of two; of equal ones the first."""
    return second if second[0] * first[1] > first[0] * second[1] else first
