"""R54: the criteria of a round, as typed and as read, and the bonus suggested by the marks on them."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from wargame.rules.core.saying import marked, said

FEWEST, MOST = 3, 6

LONGEST_NAME = 60
MOST_WEIGHT = 9
MOST_NUMBER = 10
"""R54: the maximum of a criterion for the side that gets the bonus: 0 to 10; below 0 it favours the other one."""

MOST_APART = 2
"""R54: the maximum distance of a bonus from the one suggested by the marks, without a comment."""

DEFAULTS = (
    *(marked("Plan against this enemy"), marked("Use of the land and weather")),
    *(marked("Use of its own creatures"), marked("What may go wrong")),
)
DEFAULT_CRITERIA = "\n".join(DEFAULTS)
"""R54: the criteria of a round that sets none."""

_LINE = re.compile(r"(?P<name>.*?)(?:\s*:\s*(?P<weight>\d{1,3}))?\s*")


def default_criteria() -> str:
    """R54: the usual criteria, one a line, in the language of the person who begins a round."""
    return "\n".join(said(name) for name in DEFAULTS)


class Criterion(NamedTuple):
    """R54: one criterion of a score; `weight` is its weight among the others."""

    name: str
    weight: int = 1


def read_criteria(text: str) -> tuple[tuple[Criterion, ...], tuple[str, ...]]:
    """R54: the criteria of a text, one a line, each with `: 2` behind it where it has a weight; and the faults of
    the text, in sentences."""
    criteria: list[Criterion] = []
    faults: list[str] = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        match = _LINE.fullmatch(line)
        name, weight = (match["name"], int(match["weight"] or 1)) if match else (line, 1)
        if not name or len(name) > LONGEST_NAME:
            faults.append(
                said(
                    "“%(line)s” is not a criterion: write 1 to %(most)s characters, one criterion per line (R54).",
                    line=line[:40],
                    most=LONGEST_NAME,
                )
            )
        elif not 1 <= weight <= MOST_WEIGHT:
            wrong = said(
                "The weight of “%(name)s” must be 1 to %(most)s, not %(weight)s (R54).",
                name=name,
                most=MOST_WEIGHT,
                weight=weight,
            )
            faults.append(wrong)
        elif any(other.name.casefold() == name.casefold() for other in criteria):
            faults.append(said("“%(name)s” appears twice (R54).", name=name))
        else:
            criteria.append(Criterion(name, weight))
    if not faults and not FEWEST <= len(criteria) <= MOST:
        wrong = said(
            "A round needs %(fewest)s to %(most)s criteria, one per line; you entered %(number)s (R54).",
            fewest=FEWEST,
            most=MOST,
            number=len(criteria),
        )
        faults.append(wrong)
    return tuple(criteria), tuple(faults)


def offered_bonus(marks: Iterable[tuple[int, int]]) -> int:
    """R54: the bonus suggested by marks, each with its weight: their weighted mean, rounded, halves away from 0;
    below 0 for the other side."""
    pairs = list(marks)
    total, weights = sum(mark * weight for mark, weight in pairs), sum(weight for _, weight in pairs)
    if not weights:
        return 0
    rounded = (2 * abs(total) + weights) // (2 * weights)
    return rounded if total >= 0 else -rounded


def departs(offered: int, bonus: int) -> bool:
    """R54: whether a bonus is so far from the suggested one that its judge must give a reason."""
    return abs(bonus - offered) > MOST_APART
