"""2.5: what everybody may know of a round that is being set up, and what its players have to do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time, timedelta

from judging.game.viewer import Viewer
from judging.setup.models import RoundSetup
from judging.setup.reads import public_steps
from judging.setup.step import Step
from judging.setup.steps.judges import judges_of
from judging.setup.steps.sites import SeenSite, is_revealed, planned_sites, seen_sites
from judging.setup.steps.team import TeamDesk, team_desk
from wargame.models import Judge
from wargame.rules.armies.numbers import rank_names
from wargame.rules.command.holidays import Holiday, read_holidays

WEEKDAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
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
    """

    steps: tuple[Step, ...]
    judges: tuple[Judge, ...]
    armies: tuple[tuple[str, int], ...]
    calendar: PublicCalendar | None
    terrain: tuple[str, ...]
    sites: tuple[SeenSite, ...]
    is_public: bool
    team: TeamDesk | None

    @property
    def waiting(self) -> tuple[Step, ...]:
        """The steps that are not done."""
        return tuple(step for step in self.steps if not step.is_done)

    @property
    def armies_of_a_side(self) -> int:
        return sum(number for _, number in self.armies)


def public_setup(viewer: Viewer, setup: RoundSetup) -> PublicSetup:
    """2.5: what the viewer may see of a set-up. Calendar, numbers and land are public once they are saved."""
    numbers = tuple((rank_names(tier), number) for tier, number in enumerate(setup.armies, 1))
    return PublicSetup(
        steps=public_steps(setup),
        judges=tuple(judges_of(viewer.round)),
        armies=numbers if setup.version("name") else (),
        calendar=_calendar(setup) if setup.version("calendar") else None,
        terrain=tuple(viewer.round.terrain.split()) if setup.version("terrain") else (),
        sites=tuple(seen_sites(viewer, setup, planned_sites(viewer.round))),
        is_public=is_revealed(setup),
        team=team_desk(viewer),
    )


def _calendar(setup: RoundSetup) -> PublicCalendar:
    length = setup.round.turn_length
    is_weekly = setup.weekday is not None and length % WHOLE_WEEK == timedelta(0)
    return PublicCalendar(
        days=WEEKDAYS[setup.weekday] if is_weekly and setup.weekday is not None else "",
        at=setup.deadline_at,
        turn_length=length,
        before_lock=setup.round.deadline_before_lock,
        holidays=read_holidays(setup.round.holidays)[0],
    )
