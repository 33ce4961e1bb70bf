"""2.5: start a round: check everything once more, put the armies on the map, and open turn 1."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import IntegrityError
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from judging.announcements.models import Notice
from judging.armies.models import HandedIn, MercenaryPlan, Muster
from judging.armies.musters.validation import snapshot
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import Success
from judging.common.log_entry import record
from judging.setup.draws import held_draws
from judging.setup.overview import START, steps_of
from judging.setup.preparation import Preparation
from judging.setup.services import held_setup
from judging.setup.step import Problem, SetupStep, StepForm, wrong
from judging.setup.steps.calendar import lock_of_the_first_turn
from judging.setup.steps.control import controller_of
from judging.setup.steps.mercenaries import plan_views
from judging.setup.steps.proxies import judged_all
from judging.turns.stages import open_round
from wargame.models import Army, Control, Judge, Round, Troop, Turn
from wargame.models.choices import RoundState
from wargame.rules.armies import muster as rules
from wargame.rules.core.board import read_square
from wargame.rules.core.codec import Json
from wargame.rules.core.sides import Faction, Side
from wargame.rules.mercenaries.muster import POST_OF


class Obstacle(NamedTuple):
    """2.5: an obstacle to the start, and the step that fixes it."""

    step: SetupStep
    problem: Problem


class NotReady(Refused):
    """2.5: a round that can't start yet; `obstacles` lists all the reasons."""

    def __init__(self, obstacles: Sequence[Obstacle]) -> None:
        message = ngettext(
            "The round wasn't started: there is one problem.",
            "The round wasn't started: there are %(number)s problems.",
            len(obstacles),
        )
        super().__init__(message % {"number": len(obstacles)}, "2.5")
        self.obstacles = tuple(obstacles)


def obstacles_of(prepared: Preparation) -> tuple[Obstacle, ...]:
    """2.5: all obstacles to the start, step by step; the accepted armies are judged again."""
    steps = [step for step in steps_of(prepared) if step.key != START.key]
    obstacles = [Obstacle(step, problem) for step in steps for problem in step.faults]
    armies = next(step for step in steps if step.key == "armies")
    return (*obstacles, *(Obstacle(armies, problem) for problem in armies_once_more(prepared)))


def armies_once_more(prepared: Preparation) -> Iterator[Problem]:
    """2.1, 2.2: the accepted armies, judged by the current catalogue and the other armies."""
    musters = prepared.accepted
    for muster, judgement in zip(musters, judged_all(prepared, musters), strict=True):
        for finding in judgement.breaches:
            yield wrong(f"{muster}: {finding.sentence}", finding.cites)
        if judgement.unreadable:
            yield wrong(
                gettext("We can no longer read some lines in the list of %(muster)s."), "2.5.2.2", muster=muster
            )


@locking.writes
def start_round(*, round: Round, judge: Judge, now: datetime) -> Turn:
    """2.5, 3.1: put the armies and mercenaries on the map, begin the control list, and open turn 1.

    A second call starts nothing and returns turn 1. Raises NotReady while something is missing or wrong.
    """
    started = Turn.objects.filter(round=round, number=1).select_related("round").first()
    if started is not None and started.round.state != RoundState.SETUP:
        return started
    setup = held_setup(round, judge)
    prepared = Preparation(setup)
    if obstacles := obstacles_of(prepared):
        raise NotReady(obstacles)
    draws = held_draws(round, judge, now)
    musters, views = prepared.accepted, plan_views(prepared)
    armies = [raise_army(muster=muster, at=muster.at) for muster in musters]
    for view in views:
        raise_mercenary(view.plan, view.judged.muster)
    # 5.2.1: each player controls his namesake army, and each proxy is its leaders' choice's.
    raised = zip(armies, musters, strict=True)
    controllers = {army: player for army, muster in raised if (player := controller_of(muster))}
    Control.objects.bulk_create(
        Control(round=round, army=army, player=player, since=now) for army, player in controllers.items()
    )
    names = {army.name: player.name for army, player in controllers.items()}
    record(round, judge.user, "control.begun", {"control": names}, now)
    turn = open_round(round=round, now=now, first_lock=lock_of_the_first_turn(setup, now))
    # R38: the seed of all that was drawn for the set-up is public from now on.
    seed = {"seed": draws.seed, "commitment": draws.commitment}
    Notice.objects.create(turn=turn, thread=Notice.Thread.ANNOUNCEMENTS, kind="setup", at=now, data=seed)
    record(turn.round, judge.user, "setup.seed_revealed", seed, now)
    record(round, judge.user, "setup.start", {"armies": len(armies)}, now)
    return turn


@locking.writes
def raise_army(*, muster: Muster, at: str) -> Army:
    """2.5.2.2, 2.5.2.3: the army with all its troops alive, on that square.

    Refused if the judge has not accepted the muster, if the square is not on the map, or if the name is taken.
    """
    if muster.state != HandedIn.ACCEPTED:
        raise Refused(gettext("You can't raise %(muster)s before it is accepted.") % {"muster": muster}, "2.5.2.2")
    try:
        square = read_square(at)
    except ValueError as error:
        raise Refused(str(error), "1.2") from None
    if not square.on_map:
        raise Refused(gettext("%(square)s isn't on the map. Squares run from 1A to 38N.") % {"square": square}, "1.2")
    try:
        with locking.transaction():
            army = Army.objects.create(
                round_id=muster.round_id,
                name=muster.name,
                side=muster.side,
                rank=muster.rank,
                at=str(square),
                colors=muster.colors,
                legend=muster.legend,
                namesake=muster.namesake,
            )
    except IntegrityError:
        told = gettext("Another army is already called %(muster)s.")
        raise Refused(told % {"muster": muster.name}, "2.5.2.2") from None
    Troop.objects.bulk_create(_troop(army, place, troop) for place, troop in enumerate(muster.troops))
    return army


def raise_mercenary(plan: MercenaryPlan, muster: rules.Muster) -> Army:
    """2.5.3, 6.1 to 6.3: a planned mercenary army with its parsed list. All but raiders have a home: the square
    where they start."""
    post = POST_OF[plan.lot]
    army = Army.objects.create(
        round_id=plan.round_id,
        name=muster.name,
        side=Side.MERCENARY,
        faction=post.faction,
        mercenary_tier=post.tier,
        at=plan.at,
        home="" if post.faction is Faction.RAIDER else plan.at,
        legend=muster.legend.name if muster.legend else "",
    )
    Troop.objects.bulk_create(_troop(army, place, troop) for place, troop in enumerate(snapshot(muster)))
    return army


def _troop(army: Army, place: int, troop: Json) -> Troop:
    return Troop(
        round_id=army.round_id,
        army=army,
        place=place,
        slot=troop["slot"],
        creature=troop["creature"],
        colors=troop["colors"],
        size=troop["size"],
        types=troop["types"],
        alive=troop["number"],
        of=troop["number"],
    )


class StartForm(StepForm):
    """2.5: all that stands in the way; starts the round."""

    refused_status = 409

    def context(self) -> dict[str, Any]:
        lock = lock_of_the_first_turn(self.setup, self.now)
        return {
            "obstacles": obstacles_of(self.prepared),
            "lock": lock,
            "deadline": lock - self.round.deadline_before_lock,
            "refused_word": gettext("Not started."),
        }

    def save(self) -> Success:
        turn = start_round(**self.common)
        fields = {"round": self.round.name, "turn": turn.number}
        said = gettext("%(round)s has started: turn %(turn)s is open.") % fields
        return Success(said, reverse("map", args=[self.round.slug]))
