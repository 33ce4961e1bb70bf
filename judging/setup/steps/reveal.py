"""2.5.1.3: the step in which the places of the bases become public."""

from __future__ import annotations

from collections.abc import Iterator

from judging.armies.models import HandedIn
from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, Weight, advice, missing
from judging.setup.steps import bases, wins
from judging.setup.steps.sites import KINDS, is_revealed, planned_sites


def hindrances(setup: RoundSetup) -> tuple[Problem, ...]:
    """2.5.1.1, 2.5.1.3: why the bases can't be revealed yet: places that are missing or illegal, or no choice made."""
    found = (*bases.find(setup), *wins.find(setup))
    return tuple(problem for problem in found if problem.weight is not Weight.ADVICE)


def find(setup: RoundSetup) -> Iterator[Problem]:
    """2.5.1.3: that the bases are not public yet, and what would be published later than they are."""
    if is_revealed(setup):
        return
    yield missing("Reveal the bases, once they are placed and the win conditions are chosen.", "2.5.1.3")
    sites = planned_sites(setup.round)
    if waiting := [site.name for site in sites if site.kind != KINDS.TOWN and site.state != HandedIn.ACCEPTED]:
        yield advice(
            f"Revealed without a description, which follows when you accept it: {', '.join(waiting)}.", "2.5.1.2"
        )
    if unplaced := [site.name for site in sites if site.kind == KINDS.TOWN and not site.at]:
        yield advice(f"Not placed yet, and public when they are: {', '.join(unplaced)}.", "2.5.1.4")


STEP = StepKind("reveal", "Reveal", "2.5.1.3", "The battle judge reveals the bases.", find)
