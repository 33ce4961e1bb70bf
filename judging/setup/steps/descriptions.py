"""2.5.1.2: the step of the descriptions of bases."""

from __future__ import annotations

from collections.abc import Iterator

from judging.armies.models import HandedIn
from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, missing
from judging.setup.steps.sites import KINDS, planned_sites, side_of
from wargame.rules.core.sides import Side


def find(setup: RoundSetup) -> Iterator[Problem]:
    """2.5.1.2: the descriptions that wait for their writers or for the judge."""
    sites = planned_sites(setup.round, KINDS.BASE, KINDS.PORTAL)
    if waiting := [site.name for site in sites if site.state == HandedIn.SENT]:
        yield missing(f"Waiting for your word: {', '.join(waiting)}.", "2.5.1.2")
    for side in (Side.COALITION, Side.PHYREXIA):
        unsent = [s.name for s in sites if side_of(s) is side and s.state in (HandedIn.DRAFT, HandedIn.REFUSED)]
        if unsent:
            yield missing(f"Not handed in by {side.title}: {', '.join(unsent)}.", "2.5.1.2")


STEP = StepKind(
    "descriptions",
    "Descriptions",
    "2.5.1.2",
    "Each team's leaders describe their bases, and the battle judge accepts the descriptions.",
    find,
)
