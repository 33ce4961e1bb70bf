"""2.5: the set-up of a round: who may do it, its steps, and how far each is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse

from judging.game.viewer import Viewer
from judging.setup.models import RoundSetup
from judging.setup.step import Step, StepKind, state_of
from judging.setup.steps import (
    armies,
    bases,
    book,
    calendar,
    control,
    descriptions,
    judges,
    mercenaries,
    name,
    placement,
    proxies,
    reveal,
    start,
    terrain,
    towns,
    wins,
)
from wargame.models import Judge, Round
from wargame.models.choices import Role, RoundState

STEPS: tuple[StepKind, ...] = (
    name.STEP,
    judges.STEP,
    calendar.STEP,
    terrain.STEP,
    bases.STEP,
    towns.STEP,
    descriptions.STEP,
    wins.STEP,
    reveal.STEP,
    armies.STEP,
    proxies.STEP,
    placement.STEP,
    mercenaries.STEP,
    book.STEP,
    control.STEP,
    start.STEP,
)
"""2.5: the steps in the order in which they are offered; each can be left and taken up again."""


@dataclass(frozen=True)
class SetupDesk:
    """2.5: a round in its set-up as one of its battle judges has it before him."""

    round: Round
    setup: RoundSetup
    judge: Judge
    viewer: Viewer


def may_create_round(user: User | AnonymousUser) -> bool:
    """1.3: a new round is begun by administrators, and by those to whom they gave the permission."""
    return bool(user.is_authenticated and user.is_active and user.has_perm("wargame.add_round"))


def setup_of(round: Round) -> RoundSetup | None:
    """2.5: the set-up of a round that was begun here; None for any other."""
    found = RoundSetup.objects.select_related("round", "author", "chosen_by").filter(round=round).first()
    if found is not None:
        found.round = round
    return found


def setup_desk(viewer: Viewer) -> SetupDesk | None:
    """1.3, 2.5: the set-up for one of the round's battle judges, as long as the round has not begun; None else."""
    if viewer.round.state != RoundState.SETUP or not viewer.is_judge(Role.BATTLE):
        return None
    judge = Judge.objects.filter(round=viewer.round, user_id=viewer.user_id or 0, role=Role.BATTLE).first()
    setup = setup_of(viewer.round)
    return SetupDesk(viewer.round, setup, judge, viewer) if judge and setup else None


def steps_of(setup: RoundSetup) -> tuple[Step, ...]:
    """2.5: all steps with all that is wrong or missing. For the battle judges' eyes."""
    return tuple(_step(kind, setup) for kind in STEPS)


def step_of(setup: RoundSetup, key: str) -> Step:
    """2.5: one step. KeyError if there is none of that key."""
    return _step({kind.key: kind for kind in STEPS}[key], setup)


def public_steps(setup: RoundSetup) -> tuple[Step, ...]:
    """2.5: how far each step is, as everybody may know: done or not, and what is waited for."""
    return tuple(replace(step, problems=(), url="") for step in steps_of(setup))


def rounds_in_setup() -> list[Round]:
    """2.5: the rounds that are being set up, the newest first."""
    return list(Round.objects.filter(state=RoundState.SETUP, setup__isnull=False).order_by("-created_at", "-pk"))


def setups_of(user: User | AnonymousUser) -> list[Round]:
    """1.3, 2.5: the rounds that the user sets up as a battle judge, the newest first."""
    return [round_ for round_ in rounds_in_setup() if _judges(user, round_)]


def _judges(user: User | AnonymousUser, round_: Round) -> bool:
    return Judge.objects.filter(round=round_, user_id=user.pk or 0, role=Role.BATTLE).exists()


def _step(kind: StepKind, setup: RoundSetup) -> Step:
    problems = tuple(kind.find(setup))
    url = reverse(f"setup-{kind.key}", args=[setup.round.slug])
    return Step(kind.key, kind.title, kind.rule, state_of(problems), problems, url, kind.waits)
