"""2.5: the last step: what is checked once more before a round starts."""

from __future__ import annotations

from collections.abc import Iterator

from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, missing, wrong
from judging.setup.steps.placement import mustered
from judging.setup.steps.proxies import judged_all


def find(setup: RoundSetup) -> Iterator[Problem]:
    """2.5: that the round has not been started."""
    yield missing("Start the round, when nothing is missing.", "2.5")


def armies_once_more(setup: RoundSetup) -> Iterator[Problem]:
    """2.1, 2.2: the accepted armies, judged by the catalogue and the other armies as they are now."""
    musters = mustered(setup.round)
    for muster, found in zip(musters, judged_all(setup.round, musters), strict=True):
        for finding in found.breaches:
            yield wrong(f"{muster}: {finding.sentence}", finding.cites)
        if found.unreadable:
            yield wrong(f"{muster}: lines of its list can't be read any more.", "2.5.2.2")


STEP = StepKind("start", "Start", "2.5", "The battle judge starts the round.", find)
