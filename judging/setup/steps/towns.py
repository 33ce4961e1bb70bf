"""2.5.1.4: the step of the towns."""

from __future__ import annotations

from collections.abc import Iterator

from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, advice, missing, wrong
from judging.setup.steps.sites import KINDS, planned_bases, planned_sites, planned_towns, unplaced
from wargame.rules.armies.sites import fairness, town_faults


def find(setup: RoundSetup) -> Iterator[Problem]:
    """2.5.1.4: towns that have no square yet or one that is taken, and a noticeable advantage."""
    sites = planned_sites(setup.round)
    towns, bases = planned_towns(sites), planned_bases(sites)
    if names := unplaced(site for site in sites if site.kind == KINDS.TOWN):
        yield missing(f"Without a square yet: {', '.join(names)}.", "2.5.1.4")
    for fault in town_faults(towns, bases):
        yield wrong(fault.sentence, fault.cites)
    figure = fairness(towns, bases)
    if figure and figure.favours and figure.is_noticeable:
        yield advice(
            f"The towns are on average {float(figure.difference):.1f} squares nearer to {figure.favours.title}.",
            "2.5.1.4",
        )


STEP = StepKind("towns", "Towns", "2.5.1.4", "The battle judge chooses where the towns are.", find)
