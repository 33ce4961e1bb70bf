"""2.5.2.1: the step of the name and of the numbers of armies."""

from __future__ import annotations

from collections.abc import Iterator

from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, advice, missing, wrong
from wargame.models import Player, Round
from wargame.rules.armies.numbers import RECOMMENDED, number_faults
from wargame.rules.core.sides import Rank


def holders(round: Round) -> list[tuple[str, Rank]]:
    """2.5.2.1: the players who hold a rank, by name."""
    ranked = Player.objects.filter(round=round, left_at__isnull=True).exclude(rank="").order_by("name")
    return [(name, Rank(rank)) for name, rank in ranked.values_list("name", "rank")]


def find(setup: RoundSetup) -> Iterator[Problem]:
    """2.5.2.1: what is wrong with the numbers, or that they were not chosen yet."""
    if not setup.version("name"):
        yield missing("Choose how many armies of each rank a side has.", "2.5.2.1")
    for fault in number_faults(setup.armies, holders(setup.round)):
        yield wrong(fault.sentence, "2.5.2.1")
    if tuple(setup.armies) != RECOMMENDED:
        yield advice(
            f"{'/'.join(map(str, RECOMMENDED))} is recommended, which is {sum(RECOMMENDED)} armies.", "2.5.2.1"
        )


STEP = StepKind(
    "name",
    "Name and armies",
    "2.5.2.1",
    "The battle judge chooses how many armies of each rank there are.",
    find,
)
