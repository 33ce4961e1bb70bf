"""5.2.1: the step of the control list: who controls which army when the round starts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from judging.armies.models import Muster
from judging.armies.musters.reads import bases_of, is_leader
from judging.game.viewer import Viewer
from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, advice, missing
from judging.setup.steps.placement import mustered
from wargame.models import Player, Round
from wargame.rules.command.control_list import may_control
from wargame.rules.core.sides import Rank, Side


@dataclass(frozen=True)
class Start:
    """2.5.2.3, 5.2.1: how an accepted army is to start: by which base it may, and who may control it.

    `by` controls it at the start: a namesake army's own player, a proxy's chosen one; None: nobody yet.
    """

    muster: Muster
    rank: Rank
    bases: tuple[str, ...]
    players: tuple[Player, ...]
    by: Player | None


def starts_of(round: Round, side: Side) -> list[Start]:
    """2.5.2.3, 5.2.1: the accepted armies of a side, by rank and name. For its leaders and the battle judges."""
    players = list(
        Player.objects.filter(round=round, side=side, left_at__isnull=True).exclude(rank="").order_by("name")
    )
    return [_start(round, muster, players) for muster in mustered(round, side)]


def starts_for(viewer: Viewer) -> list[Start] | None:
    """The same for a leader of a side; None for everybody else."""
    if viewer.player is None or viewer.side is None or not is_leader(viewer.player):
        return None
    return starts_of(viewer.round, viewer.side)


def controller_of(muster: Muster) -> Player | None:
    """5.2.1, 5.3.1: who controls an army when the round starts: its namesake, or the one whom its leaders chose, if his
    rank lets him."""
    chosen = muster.namesake or muster.controller
    rank = Rank(chosen.rank) if chosen and chosen.rank and chosen.left_at is None else None
    return chosen if may_control(rank, Rank(muster.rank)) else None


def find(setup: RoundSetup) -> Iterator[Problem]:
    """5.2.1, 5.3.1: that armies are not accepted yet, of which nobody can say who controls them; and those that nobody
    will control, which stand in nobody's way: control can be asked for later."""
    wanted = sum(setup.armies)
    for side in (Side.COALITION, Side.PHYREXIA):
        armies, name = mustered(setup.round, side), side.title.removeprefix("the ").capitalize()
        if len(armies) < wanted:
            yield missing(f"{name}: {len(armies)} of {wanted} armies are accepted and can be controlled.", "5.2.1")
        if idle := [army.name for army in armies if controller_of(army) is None]:
            count = "one army" if len(idle) == 1 else f"{len(idle)} armies"
            yield advice(f"{name}: nobody controls {count} at the start: {', '.join(idle)}.", "5.2.1")


def _start(round: Round, muster: Muster, players: list[Player]) -> Start:
    rank, side = Rank(muster.rank), muster.side
    able = tuple(player for player in players if may_control(Rank(player.rank), rank))
    bases = tuple(bases_of(round, side, muster.colors))
    return Start(muster, rank, bases, able if muster.namesake is None else (), controller_of(muster))


STEP = StepKind("control", "Control", "5.2.1", "The leaders say who controls which army.", find)
