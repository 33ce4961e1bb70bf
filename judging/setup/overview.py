"""2.5: the steps of a set-up in order, the state of each, and its public part."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from judging.common.viewer import Viewer
from judging.setup.models import RoundSetup
from judging.setup.preparation import Preparation, preparation_of
from judging.setup.sites import is_revealed, seen_sites
from judging.setup.step import Problem, SetupStep, Step, missing, state_of
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
from judging.setup.team import TeamPage, WishForm, team_desk
from wargame.rules.armies.numbers import rank_names
from wargame.rules.command.holidays import read_holidays


def not_started(prepared: Preparation) -> Iterator[Problem]:
    """2.5: that the round has not been started."""
    yield missing(gettext("Start the round once nothing is missing."), "2.5")


START = Step(
    key="start",
    title=gettext_noop("Start"),
    rule="2.5",
    waits=gettext_noop("The battle judge starts the round."),
    problems=not_started,
    form=None,
)
"""2.5: the last step. Its form is in `steps/start.py`, which asks all the others."""

STEPS: tuple[Step, ...] = (
    Step(
        key="name",
        title=gettext_noop("Name and armies"),
        rule="2.5.2.1",
        waits=gettext_noop("The battle judge chooses how many armies of each rank there are."),
        problems=name.problems,
        form=name.NameForm,
    ),
    Step(
        key="judges",
        title=gettext_noop("Judges"),
        rule="1.3",
        waits=gettext_noop("The battle judge appoints the other judges."),
        problems=judges.problems,
        form=judges.JudgesForm,
    ),
    Step(
        key="calendar",
        title=gettext_noop("Calendar"),
        rule="R5",
        waits=gettext_noop("The battle judge decides on the deadlines."),
        problems=calendar.problems,
        form=calendar.CalendarForm,
        preview="setup/_calendar.html",
    ),
    Step(
        key="terrain",
        title=gettext_noop("Terrain"),
        rule="1.2",
        waits=gettext_noop("The battle judge draws the map."),
        problems=terrain.problems,
        form=terrain.TerrainForm,
    ),
    Step(
        key="bases",
        title=gettext_noop("Bases and portals"),
        rule="2.5.1.1",
        waits=gettext_noop("The battle judge chooses where the bases are."),
        problems=bases_and_towns.bases_problems,
        form=bases_and_towns.SitesForm,
        preview="setup/_sites_preview.html",
    ),
    Step(
        key="towns",
        title=gettext_noop("Towns"),
        rule="2.5.1.4",
        waits=gettext_noop("The battle judge chooses where the towns are."),
        problems=bases_and_towns.towns_problems,
        form=bases_and_towns.SitesForm,
        preview="setup/_sites_preview.html",
    ),
    Step(
        key="descriptions",
        title=gettext_noop("Descriptions"),
        rule="2.5.1.2",
        waits=gettext_noop("Each team's leaders describe their bases, and the battle judge accepts the descriptions."),
        problems=descriptions.problems,
        form=descriptions.DescriptionsForm,
        part=descriptions.DescriptionForm,
    ),
    Step(
        key="wins",
        title=gettext_noop("Win conditions"),
        rule="2.5.1.3",
        waits=gettext_noop("The Coalition's leaders choose five bases as win conditions."),
        problems=wins.problems,
        form=wins.WinsForm,
    ),
    Step(
        key="reveal",
        title=gettext_noop("Reveal"),
        rule="2.5.1.3",
        waits=gettext_noop("The battle judge reveals the bases."),
        problems=bases_and_towns.reveal_problems,
        form=bases_and_towns.RevealForm,
    ),
    Step(
        key="armies",
        title=gettext_noop("Musters"),
        rule="2.5.2.2",
        waits=gettext_noop("Players raise their armies, and the battle judge accepts them."),
        problems=armies.problems,
        form=armies.ArmiesForm,
    ),
    Step(
        key="proxies",
        title=gettext_noop("Proxies"),
        rule="2.5.2.2",
        waits=gettext_noop("The battle judge fills in armies that no one requested."),
        problems=proxies.problems,
        form=proxies.ProxiesForm,
        part=proxies.ProxyForm,
    ),
    Step(
        key="placement",
        title=gettext_noop("Placement"),
        rule="2.5.2.3",
        waits=gettext_noop("The armies are placed near their bases."),
        problems=placement.problems,
        form=placement.PlacementForm,
        preview="setup/_placement_preview.html",
    ),
    Step(
        key="mercenaries",
        title=gettext_noop("Mercenaries"),
        rule="2.5.3",
        waits=gettext_noop("The mercenaries are placed."),
        problems=mercenaries.problems,
        form=mercenaries.MercenariesForm,
    ),
    Step(
        key="book",
        title=gettext_noop("Formula book"),
        rule="R38",
        waits=gettext_noop("The battle judge decides on the secret formula book."),
        problems=book.problems,
        form=book.BookForm,
    ),
    Step(
        key="control",
        title=gettext_noop("Control"),
        rule="5.2.1",
        waits=gettext_noop("The leaders choose who controls each army."),
        problems=control.problems,
        form=control.ControlForm,
    ),
    START,
)
"""2.5: the steps in the order in which they are offered; each can be left and resumed."""

TEAM_PAGES = (
    TeamPage("wish", "setup-team", "team/", "setup/team_wish.html", WishForm),
    TeamPage(
        key="descriptions",
        name="setup-team-descriptions",
        address="team/descriptions/",
        template="setup/team_descriptions.html",
        form=descriptions.TeamDescriptionsForm,
    ),
    TeamPage("wins", "setup-team-wins", "team/wins/", "setup/team_wins.html", wins.TeamWinsForm),
    TeamPage("starts", "setup-starts", "starts/", "setup/starts.html", control.StartsForm),
)
"""2.5.1: the pages of a team's leaders."""

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


def steps_of(prepared: Preparation) -> tuple[SetupStep, ...]:
    """2.5: all steps with all their problems. Only for battle judges."""
    return tuple(_step(kind, prepared) for kind in STEPS)


def public_setup(viewer: Viewer, setup: RoundSetup) -> dict[str, Any]:
    """2.5: what the viewer may see of a set-up; what is not decided yet is None or empty. Calendar, numbers and land
    are public once they are saved, of the steps only which are done; `sites` are those whose place the viewer may see.
    """
    prepared = preparation_of(setup)
    steps = [replace(step, problems=(), url="") for step in steps_of(prepared)]
    numbers = [(rank_names(tier), number) for tier, number in enumerate(setup.armies, 1)]
    return {
        "steps": steps,
        "judges": prepared.judges,
        "armies": numbers if setup.version("name") else (),
        "armies_of_a_side": sum(setup.armies),
        "calendar": _calendar(setup) if setup.version("calendar") else None,
        "terrain": tuple(viewer.round.terrain.split()) if setup.version("terrain") else (),
        "sites": seen_sites(viewer, setup, prepared.sites()),
        "is_public": is_revealed(setup),
        "team": team_desk(viewer),
        "commitment": prepared.draws.commitment if prepared.draws else "",
    }


def _calendar(setup: RoundSetup) -> dict[str, object]:
    """R5: when things will be due. `days` is empty where deadlines fall on changing days."""
    length = setup.round.turn_length
    is_weekly = setup.weekday is not None and length % WHOLE_WEEK == timedelta(0)
    return {
        "days": gettext(WEEKDAYS[setup.weekday]) if is_weekly and setup.weekday is not None else "",
        "at": setup.deadline_at,
        "turn_length": length,
        "before_lock": setup.round.deadline_before_lock,
        "holidays": read_holidays(setup.round.holidays)[0],
    }


def _step(kind: Step, prepared: Preparation) -> SetupStep:
    problems = tuple(kind.problems(prepared))
    url = reverse(f"setup-{kind.key}", args=[prepared.round.slug])
    title, waits = gettext(kind.title), gettext(kind.waits)
    return SetupStep(kind.key, title, kind.rule, state_of(problems), problems, url, waits)
