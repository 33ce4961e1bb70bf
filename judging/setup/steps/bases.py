"""2.5.1.1: the step of the bases and portals."""

from __future__ import annotations

from collections.abc import Iterator

from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, missing, wrong
from judging.setup.steps.sites import KINDS, planned_bases, planned_sites, unplaced
from wargame.rules.armies.sites import position_faults


def find(setup: RoundSetup) -> Iterator[Problem]:
    """2.5.1.1: bases and portals that have no square yet, or one that they may not have."""
    sites = planned_sites(setup.round, KINDS.BASE, KINDS.PORTAL)
    if names := unplaced(sites):
        yield missing(f"Without a square yet: {', '.join(names)}.", "2.5.1.1")
    for fault in position_faults(planned_bases(sites)):
        yield wrong(fault.sentence, fault.cites)


STEP = StepKind("bases", "Bases and portals", "2.5.1.1", "The battle judge chooses where the bases are.", find)
