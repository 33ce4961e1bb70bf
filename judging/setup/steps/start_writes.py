"""2.5: a round starts: everything is checked once more, the armies come onto the map, and turn 1 opens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from judging.armies.models import Muster
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.notices.models import Notice
from judging.setup.draws import held_draws
from judging.setup.models import ArmySetup, RoundSetup
from judging.setup.reads import steps_of
from judging.setup.step import Problem, Step
from judging.setup.steps.calendar import lock_of_the_first_turn
from judging.setup.steps.control import controller_of
from judging.setup.steps.mercenaries import plan_views
from judging.setup.steps.placement import board_of, mustered
from judging.setup.steps.raising import raise_army, raise_mercenary
from judging.setup.steps.start import armies_once_more
from judging.setup.writes import held_setup
from judging.turns.opening import open_round
from wargame.models import Army, Control, Judge, Round, Turn
from wargame.models.choices import RoundState

STEP = "start"


@dataclass(frozen=True)
class Obstacle:
    """2.5: what stands in the way of the start, and the step at which it is mended."""

    step: Step
    problem: Problem


class NotReady(Refused):
    """2.5: a round that can't start yet; `obstacles` is everything that stands in its way."""

    def __init__(self, obstacles: Sequence[Obstacle]) -> None:
        count = "One thing stands" if len(obstacles) == 1 else f"{len(obstacles)} things stand"
        super().__init__(f"{count} in the way of the start; nothing was begun.", "2.5")
        self.obstacles = tuple(obstacles)


def obstacles_of(setup: RoundSetup) -> tuple[Obstacle, ...]:
    """2.5: everything that stands in the way, step by step; the accepted armies are judged anew."""
    steps = [step for step in steps_of(setup) if step.key != STEP]
    found = [Obstacle(step, problem) for step in steps for problem in step.faults]
    armies = next(step for step in steps if step.key == "armies")
    return (*found, *(Obstacle(armies, problem) for problem in armies_once_more(setup)))


@transaction.atomic
def start_round(*, round: Round, judge: Judge, now: datetime) -> Turn:
    """2.5, 3.1: the armies and mercenaries come onto the map, the control list begins, and turn 1 opens.

    Done twice it starts the round once: the second time it gives turn 1. NotReady while something is missing or wrong.
    """
    started = Turn.objects.filter(round=round, number=1).select_related("round").first()
    if started is not None and started.round.state != RoundState.SETUP:
        return started
    setup = held_setup(round, judge)
    if obstacles := obstacles_of(setup):
        raise NotReady(obstacles)
    draws = held_draws(round, judge, now)
    musters = mustered(round)
    armies = [raise_army(muster=muster, at=muster.at) for muster in musters]
    for view in plan_views(round, board_of(round)):
        raise_mercenary(view.plan, view.judged.muster)
    _begin_control(round, judge, dict(zip(armies, musters, strict=True)), now)
    turn = open_round(round=round, now=now, first_lock=lock_of_the_first_turn(setup, now))
    _reveal_draws(turn, draws, judge, now)
    record(round, judge.user, "setup.start", {"armies": len(armies)}, now)
    return turn


def _begin_control(round: Round, judge: Judge, musters: dict[Army, Muster], now: datetime) -> None:
    """5.2.1: each player controls his namesake army, and each proxy is its leaders' choice's."""
    listed = {army: player for army, muster in musters.items() if (player := controller_of(muster))}
    Control.objects.bulk_create(
        Control(round=round, army=army, player=player, since=now) for army, player in listed.items()
    )
    data = {army.name: player.name for army, player in listed.items()}
    record(round, judge.user, "control.begun", {"control": data}, now)


def _reveal_draws(turn: Turn, draws: ArmySetup, judge: Judge, now: datetime) -> None:
    """R38: the seed of all that was drawn for the set-up is public from now on."""
    data = {"seed": draws.seed, "commitment": draws.commitment}
    announced = Notice.Thread.ANNOUNCEMENTS
    Notice.objects.create(turn=turn, thread=announced, kind="setup", at=now, data=data)
    record(turn.round, judge.user, "setup.seed_revealed", data, now)
