"""R53, R54: what a round has decided about the judging of its battles, as the rules read it."""

from __future__ import annotations

from wargame.models import Round
from wargame.rules.battle.adjusting import Bounds
from wargame.rules.battle.criteria import DEFAULT_CRITERIA, Criterion, read_criteria


def bounds_of(round_: Round) -> Bounds:
    """R53: what one judge may do alone in this round; published with its settings."""
    return Bounds(round_.runner_least, round_.pair_least, round_.pair_most)


def criteria_of(round_: Round) -> tuple[Criterion, ...]:
    """R54: the criteria of a round. One whose own can't be read any more has the usual ones."""
    found, faults = read_criteria(round_.criteria)
    return found if not faults else read_criteria(DEFAULT_CRITERIA)[0]
