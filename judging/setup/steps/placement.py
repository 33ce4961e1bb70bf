"""2.5.2.3: the step of the placement: where the accepted armies are to start, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judging.armies.models import HandedIn, Muster
from judging.setup.models import ArmySetup, MercenaryPlan, RoundSetup
from judging.setup.step import Problem, StepKind, advice, missing, wrong
from judging.setup.steps.sites import is_revealed
from wargame.models import Round
from wargame.rules.armies.placement import PlaceFault, Standing, Starter, place_faults
from wargame.rules.core.board import Board, Square, read_square
from wargame.rules.core.sides import RANKS, Rank, Side
from wargame.rules.mercenaries.faults import Planned, standing_of
from wargame.rules.mercenaries.muster import POST_OF, POSTS
from wargame.world import load_position


@dataclass(frozen=True)
class Placed:
    """2.5.2.3: an army of the round's start with its square, and what is said of that."""

    muster: Muster
    rank: Rank
    at: Square | None
    faults: tuple[PlaceFault, ...]


def board_of(round: Round) -> Board:
    """1.2, 2.5.1: the map with the bases and towns that are public."""
    return load_position(round).board


def mustered(round: Round, side: Side | None = None) -> list[Muster]:
    """2.5.2.2: the accepted armies, by side, rank and name."""
    rows = Muster.objects.filter(round=round, state=HandedIn.ACCEPTED).select_related("namesake", "controller")
    if side is not None:
        rows = rows.filter(rank__in=RANKS[side])
    return sorted(rows, key=lambda row: (row.side, Rank(row.rank).tier, row.name.casefold()))


def starter_of(muster: Muster) -> Starter:
    """2.5.2.3: an accepted army as the rules drop it."""
    return Starter(muster.name, muster.side, Rank(muster.rank).tier, tuple(muster.colors), muster.base)


def square_of(text: str) -> Square | None:
    """R1: a square as it is stored; None for an empty text."""
    return read_square(text) if text else None


def plans_of(round: Round) -> list[MercenaryPlan]:
    """2.5.3: the mercenaries as they are planned, in the order of their posts."""
    order = {post.lot: place for place, post in enumerate(POSTS)}
    return sorted(MercenaryPlan.objects.filter(round=round), key=lambda plan: order[plan.lot])


def planned(plans: list[MercenaryPlan]) -> list[Planned]:
    """2.5.3: the same as the rules judge their squares."""
    return [Planned(POST_OF[plan.lot], plan.name, square_of(plan.at)) for plan in plans]


def placed_armies(round: Round, board: Board, typed: Mapping[int, Square | None] | None = None) -> list[Placed]:
    """2.5.2.3: all accepted armies with what is said of their squares; `typed` are squares that are not saved yet, by
    the musters' keys. For the battle judges' eyes until the start."""
    armies, typed = mustered(round), typed or {}
    standing = [Standing(starter_of(muster), typed.get(muster.pk, square_of(muster.at))) for muster in armies]
    found = place_faults(board, standing, [standing_of(plan) for plan in planned(plans_of(round))])
    by_name: dict[str, list[PlaceFault]] = {}
    for fault in found:
        by_name.setdefault(fault.army, []).append(fault)
    return [
        Placed(muster, Rank(muster.rank), army.at, tuple(by_name.get(muster.name, ())))
        for muster, army in zip(armies, standing, strict=True)
    ]


def find(setup: RoundSetup) -> Iterator[Problem]:
    """2.5.2.3: requests come once the bases are public; then armies without a square, or with one that won't do."""
    if not is_revealed(setup):
        yield missing("Armies are placed once the bases are public.", "2.5.2.3")
        return
    armies = placed_armies(setup.round, board_of(setup.round))
    if not armies:
        yield missing("No army is accepted yet.", "2.5.2.2")
        return
    unplaced = [army.muster.name for army in armies if army.at is None]
    if unplaced:
        yield missing(f"Without a square: {_shortened(unplaced)}.", "2.5.2.3")
    for fault in (fault for army in armies if army.at is not None for fault in army.faults):
        yield (wrong if fault.is_breach else advice)(fault.sentence, fault.cites)
    if not unplaced and not ArmySetup.objects.filter(round=setup.round, placed_at__isnull=False).exists():
        yield missing("The squares are a proposal; accept them.", "2.5.2.3")


def _shortened(names: list[str], most: int = 8) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


STEP = StepKind("placement", "Placement", "2.5.2.3", "The armies are placed near their bases.", find)
