"""2.5.1.3: the step of the Coalition's win conditions."""

from __future__ import annotations

from collections.abc import Iterator

from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, missing, wrong
from judging.setup.steps.sites import KINDS, planned_sites

WIN_CONDITIONS = 5
"""2.5.1.3: how many of its bases the Coalition chooses."""


def find(setup: RoundSetup) -> Iterator[Problem]:
    """2.5.1.3: that the Coalition has not chosen yet."""
    chosen = sum(site.is_win for site in planned_sites(setup.round, KINDS.BASE))
    if setup.chosen_at is None:
        yield missing("The Coalition's leaders have not chosen their 5 win conditions.", "2.5.1.3")
    elif chosen != WIN_CONDITIONS:
        yield wrong(f"{chosen} bases are chosen; it must be exactly {WIN_CONDITIONS}.", "2.5.1.3")


STEP = StepKind(
    "wins", "Win conditions", "2.5.1.3", "The Coalition's leaders choose five bases as win conditions.", find
)
