"""5.1, R43: leave of absence, and players who are declared inactive."""

from datetime import datetime, timedelta

import pytest

from judging.command.control.requests import IllegalControl
from judging.command.models import Declaration, Leave
from judging.command.people.absence import (
    declare_inactive,
    end_leave,
    reject_declaration,
    state_leave,
    withdraw_declaration,
)
from judging.command.people.roster import Member, teams
from judging.common.errors import Refused
from judging.common.models import LogEntry
from tests.services.teams import NOW, ask, make_teams, player
from tests.services.world_of_tests import HOUR, World

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture
def world(db: None) -> World:
    return make_teams()


def away(world: World, name: str, since: datetime = NOW, until: datetime | None = None, now: datetime = NOW) -> Leave:
    return state_leave(player=player(world, name), since=since, until=until, note="By the sea.", now=now)


def member(world: World, name: str, now: datetime = NOW) -> Member:
    return next(m for team in teams(world.round, now) for m in team.members if m.player.name == name)


def test_who_is_on_leave_is_not_active_and_not_protected(world: World) -> None:
    assert member(world, "Dot").is_active
    away(world, "Dot", until=NOW + 3 * DAY)
    found = member(world, "Dot", NOW + DAY)
    assert not found.is_active
    assert found.leave is not None
    ask(world, "Ana", {"Dot": ("Cem",), "Elk": ("Cem",)}, now=NOW + DAY)


def test_a_leave_to_come_protects_until_it_begins_and_one_that_is_over_does_again(world: World) -> None:
    away(world, "Dot", since=NOW + DAY, until=NOW + 2 * DAY)
    assert member(world, "Dot").is_active
    assert not member(world, "Dot", NOW + DAY).is_active
    assert member(world, "Dot", NOW + 2 * DAY).is_active


def test_a_leave_ends_when_he_says_so_and_one_that_has_not_begun_is_taken_away(world: World) -> None:
    leave = away(world, "Dot")
    end_leave(leave=leave, player=player(world, "Dot"), now=NOW + HOUR)
    assert member(world, "Dot", NOW + 2 * HOUR).is_active
    with pytest.raises(Refused, match="already over"):
        end_leave(leave=leave, player=player(world, "Dot"), now=NOW + 2 * HOUR)
    later = away(world, "Dot", since=NOW + DAY, now=NOW + 2 * HOUR)
    end_leave(leave=later, player=player(world, "Dot"), now=NOW + 3 * HOUR)
    assert list(Leave.objects.all()) == [leave]
    with pytest.raises(Refused):
        end_leave(leave=leave, player=player(world, "Cem"), now=NOW)


@pytest.mark.parametrize(
    ("since", "until", "told"),
    [
        (NOW + DAY, NOW + DAY, "Your absence would end before it begins"),
        (NOW - 9 * DAY, NOW - DAY, "Your absence would end before it begins"),
        (NOW, NOW + 400 * DAY, "within the next year"),
        (NOW + 400 * DAY, None, "within the next year"),
    ],
)
def test_a_leave_that_cannot_be_is_refused(world: World, since: datetime, until: datetime | None, told: str) -> None:
    with pytest.raises(Refused, match=told):
        away(world, "Dot", since=since, until=until)


def test_leaves_do_not_overlap(world: World) -> None:
    away(world, "Dot", since=NOW + 2 * DAY, until=NOW + 4 * DAY)
    with pytest.raises(Refused, match="You have already reported an absence from"):
        away(world, "Dot", since=NOW + 3 * DAY)
    away(world, "Dot", since=NOW, until=NOW + 2 * DAY)


def declare(world: World, name: str = "Dot", by: str = "Ana", now: datetime = NOW) -> Declaration:
    return declare_inactive(player=player(world, name), by=player(world, by), reason="He said goodbye.", now=now)


def test_a_leader_declares_a_player_inactive_until_he_posts(world: World) -> None:
    declare(world)
    assert member(world, "Dot").declaration is not None
    assert not member(world, "Dot").is_active
    world.post("Dot", "Dot: hold", at=NOW + DAY)
    assert member(world, "Dot", NOW + 2 * DAY).is_active
    assert member(world, "Dot", NOW + 2 * DAY).declaration is None
    declare(world, now=NOW + 3 * DAY)
    assert not member(world, "Dot", NOW + 3 * DAY).is_active


def test_the_battle_judge_rejects_a_declaration(world: World) -> None:
    made = declare(world)
    with pytest.raises(Refused, match="Only battle judges"):
        reject_declaration(declaration=made, judge=world.judges["movement"], reason="No.", now=NOW)
    reject_declaration(declaration=made, judge=world.judges["battle"], reason="He wrote to me.", now=NOW)
    assert member(world, "Dot").is_active
    with pytest.raises(IllegalControl):
        ask(world, "Ana", {"Dot": ("Cem",)})
    assert LogEntry.objects.get(action="player.inactive_rejected").data["reason"] == "He wrote to me."


def test_a_leader_takes_a_declaration_back(world: World) -> None:
    made = declare(world)
    with pytest.raises(Refused, match="is already declared inactive"):
        declare(world)
    with pytest.raises(Refused, match="Only a team's leaders"):
        withdraw_declaration(declaration=made, by=player(world, "Bo"), now=NOW)
    withdraw_declaration(declaration=made, by=player(world, "Ana"), now=NOW)
    assert member(world, "Dot").is_active
    with pytest.raises(Refused, match="no longer counts"):
        withdraw_declaration(declaration=made, by=player(world, "Ana"), now=NOW)


@pytest.mark.parametrize(("name", "by"), [("Dot", "Bo"), ("Skar", "Ana"), ("Dot", "Vorn"), ("Ana", "Ana")])
def test_nobody_but_his_leaders_declares_a_player_inactive(world: World, name: str, by: str) -> None:
    """5.1, 1.1: Bo is a Captain, who is no leader of the team."""
    with pytest.raises(Refused) as caught:
        declare(world, name, by)
    assert caught.value.cites == "5.1"
