"""2.5: the words in which the steps of a set-up are told. Each step's module gives one `StepKind`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from judging.setup.models import RoundSetup


class Weight(StrEnum):
    """2.5: how much a problem weighs: something is wrong, something is missing, or something might be better."""

    WRONG = "wrong"
    MISSING = "missing"
    ADVICE = "advice"


class Problem(NamedTuple):
    """2.5: what stands in the way of the start, in a sentence that says what would do; `ADVICE` does not."""

    sentence: str
    cites: str = ""
    weight: Weight = Weight.MISSING


class StepState(StrEnum):
    """2.5: how far a step is."""

    DONE = "done"
    OPEN = "open"
    PROBLEM = "problem"


Finder = Callable[[RoundSetup], Iterable[Problem]]


@dataclass(frozen=True)
class StepKind:
    """2.5: a step of the set-up. Its page's address is called `setup-<key>`.

    `find` gives what is wrong or missing now, from the rows. `waits` tells the public what is waited for while the step
    is not done; it gives nothing away.
    """

    key: str
    title: str
    rule: str
    waits: str
    find: Finder


@dataclass(frozen=True)
class Step:
    """2.5: a step as it stands. Without problems for those who don't judge the round."""

    key: str
    title: str
    rule: str
    state: StepState
    problems: tuple[Problem, ...]
    url: str
    waits: str

    @property
    def is_done(self) -> bool:
        return self.state is StepState.DONE

    @property
    def faults(self) -> tuple[Problem, ...]:
        """What stands in the way of the start."""
        return tuple(problem for problem in self.problems if problem.weight is not Weight.ADVICE)

    @property
    def advice(self) -> tuple[Problem, ...]:
        """What might be better and stands in nobody's way."""
        return tuple(problem for problem in self.problems if problem.weight is Weight.ADVICE)


def wrong(sentence: str, cites: str = "") -> Problem:
    """Something that breaks a rule."""
    return Problem(sentence, cites, Weight.WRONG)


def missing(sentence: str, cites: str = "") -> Problem:
    """Something that is not there yet."""
    return Problem(sentence, cites, Weight.MISSING)


def advice(sentence: str, cites: str = "") -> Problem:
    """Something that might be better."""
    return Problem(sentence, cites, Weight.ADVICE)


def state_of(problems: Iterable[Problem]) -> StepState:
    """2.5: a step is done when nothing is wrong and nothing is missing."""
    weights = {problem.weight for problem in problems}
    if Weight.WRONG in weights:
        return StepState.PROBLEM
    return StepState.OPEN if Weight.MISSING in weights else StepState.DONE
