"""2.5: the steps of a set-up in their order, how far each is, and what everybody may know of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import time, timedelta

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from judging.common.positions import SeenSite
from judging.common.viewer import Viewer
from judging.setup.models import RoundSetup
from judging.setup.preparation import Preparation, preparation_of
from judging.setup.sites import is_revealed, seen_sites
from judging.setup.step import Problem, SetupStep, StepKind, missing, state_of
from judging.setup.steps import (
    armies,
    bases_and_towns,
    book,
    calendar,
    control,
    descriptions,
    judges,
    mercenaries,
    name,
    placement,
    proxies,
    terrain,
    wins,
)
from judging.setup.team import TeamPreparation, team_desk
from wargame.models import Judge
from wargame.rules.armies.numbers import rank_names
from wargame.rules.command.holidays import Holiday, read_holidays


def not_started(prepared: Preparation) -> Iterator[Problem]:
    """2.5: that the round has not been started."""
    yield missing(gettext("Start the round once nothing is missing."), "2.5")


START = StepKind("start", gettext_noop("Start"), "2.5", gettext_noop("The battle judge starts the round."), not_started)
"""2.5: the last step. Its acts are in `steps/start.py`, which asks all the others."""

STEPS: tuple[StepKind, ...] = (
    name.STEP,
    judges.STEP,
    calendar.STEP,
    terrain.STEP,
    bases_and_towns.BASES,
    bases_and_towns.TOWNS,
    descriptions.STEP,
    wins.STEP,
    bases_and_towns.REVEAL,
    armies.STEP,
    proxies.STEP,
    placement.STEP,
    mercenaries.STEP,
    book.STEP,
    control.STEP,
    START,
)
"""2.5: the steps in the order in which they are offered; each can be left and taken up again."""

WEEKDAYS = (
    gettext_noop("Mondays"),
    gettext_noop("Tuesdays"),
    gettext_noop("Wednesdays"),
    gettext_noop("Thursdays"),
    gettext_noop("Fridays"),
    gettext_noop("Saturdays"),
    gettext_noop("Sundays"),
)
WHOLE_WEEK = timedelta(days=7)


@dataclass(frozen=True)
class PublicCalendar:
    """R5: when things will be due. `days` is empty where deadlines fall on changing days."""

    days: str
    at: time
    turn_length: timedelta
    before_lock: timedelta
    holidays: tuple[Holiday, ...]


@dataclass(frozen=True)
class PublicSetup:
    """2.5: a round in its set-up as the viewer may see it. What is not decided yet is None or empty.

    `terrain` are the map's rows. `sites` are those whose place the viewer may see; `is_public`: everybody may.
    `commitment` is that to the seed of all draws (R38).
    """

    steps: tuple[SetupStep, ...]
    judges: tuple[Judge, ...]
    armies: tuple[tuple[str, int], ...]
    calendar: PublicCalendar | None
    terrain: tuple[str, ...]
    sites: tuple[SeenSite, ...]
    is_public: bool
    team: TeamPreparation | None
    commitment: str

    @property
    def waiting(self) -> tuple[SetupStep, ...]:
        """The steps that are not done."""
        return tuple(step for step in self.steps if not step.is_done)

    @property
    def armies_of_a_side(self) -> int:
        return sum(number for _, number in self.armies)


def steps_of(prepared: Preparation) -> tuple[SetupStep, ...]:
    """2.5: all steps with all that is wrong or missing. For the battle judges' eyes."""
    return tuple(_step(kind, prepared) for kind in STEPS)


def step_of(prepared: Preparation, key: str) -> SetupStep:
    """2.5: one step. KeyError if there is none of that key."""
    return _step({kind.key: kind for kind in STEPS}[key], prepared)


def public_steps(prepared: Preparation) -> tuple[SetupStep, ...]:
    """2.5: how far each step is, as everybody may know: done or not, and what is waited for."""
    return tuple(replace(step, problems=(), url="") for step in steps_of(prepared))


def public_setup(viewer: Viewer, setup: RoundSetup) -> PublicSetup:
    """2.5: what the viewer may see of a set-up. Calendar, numbers and land are public once they are saved."""
    prepared = preparation_of(setup)
    numbers = tuple((rank_names(tier), number) for tier, number in enumerate(setup.armies, 1))
    return PublicSetup(
        steps=public_steps(prepared),
        judges=tuple(prepared.judges),
        armies=numbers if setup.version("name") else (),
        calendar=_calendar(setup) if setup.version("calendar") else None,
        terrain=tuple(viewer.round.terrain.split()) if setup.version("terrain") else (),
        sites=tuple(seen_sites(viewer, setup, prepared.sites())),
        is_public=is_revealed(setup),
        team=team_desk(viewer),
        commitment=prepared.draws.commitment if prepared.draws else "",
    )


def _calendar(setup: RoundSetup) -> PublicCalendar:
    length = setup.round.turn_length
    is_weekly = setup.weekday is not None and length % WHOLE_WEEK == timedelta(0)
    return PublicCalendar(
        days=gettext(WEEKDAYS[setup.weekday]) if is_weekly and setup.weekday is not None else "",
        at=setup.deadline_at,
        turn_length=length,
        before_lock=setup.round.deadline_before_lock,
        holidays=read_holidays(setup.round.holidays)[0],
    )


def _step(kind: StepKind, prepared: Preparation) -> SetupStep:
    problems = tuple(kind.find(prepared))
    url = reverse(f"setup-{kind.key}", args=[prepared.round.slug])
    title, waits = gettext(kind.title), gettext(kind.waits)
    return SetupStep(kind.key, title, kind.rule, state_of(problems), problems, url, waits)
