"""R38: the step of the formula book: that there is one, and the commitment to it."""

from __future__ import annotations

from collections.abc import Iterator

from judging.books.reads import newest_version
from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, missing


def find(setup: RoundSetup) -> Iterator[Problem]:
    """R38: that the round has no formula book yet."""
    if newest_version(setup.round) is None:
        yield missing("Write the formula book, or have one drawn.", "R38")


STEP = StepKind("book", "Formula book", "R38", "The battle judge decides on the secret formula book.", find)
