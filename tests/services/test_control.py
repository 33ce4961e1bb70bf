"""5.2: the control list and who is looking."""

import pytest
from django.contrib.auth.models import AnonymousUser

from judging.command.control.services import assign
from judging.common.control import armies_of, controllers_of, controls, last_moment, own_army
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.positions import names_of, position_of
from judging.common.rounds import current_turn, round_by_slug, running_round, turn_by_number
from judging.common.viewer import viewer_of
from tests.services.world_of_tests import HOUR, LAST_SECOND, LOCK, LOCKED, UNLOCK, World, add_judge, make_round
from wargame.models import Control
from wargame.world import control_at

pytestmark = pytest.mark.django_db
LATER = UNLOCK + HOUR


def names(world: World, army: str, when: object = LATER) -> list[str]:
    return [player.name for player in controllers_of(world.army(army), when)]  # type: ignore[arg-type]


def test_an_army_is_handed_over_at_a_moment(world: World) -> None:
    ana, ben = world.players["Ana"], world.players["Ben"]
    assign(round=world.round, army=world.army("Ana"), player=ben, now=LATER)
    assert names(world, "Ana", UNLOCK) == ["Ana"]
    assert names(world, "Ana", LATER) == ["Ben"]
    assert control_at(world.round, UNLOCK)["Ana"] == ("Ana",)
    assert control_at(world.round, LATER)["Ana"] == ("Ben",)
    assert armies_of(ben, LATER) == ("Ana", "Ben")
    assert armies_of(ana, LATER) == ()
    assert not controls(ana, world.army("Ana"), LATER)


def test_two_players_may_control_one_army(world: World) -> None:
    assign(round=world.round, army=world.army("Ana"), player=world.players["Ben"], now=LATER, replace=False)
    assert names(world, "Ana") == ["Ana", "Ben"]
    assert control_at(world.round, LATER)["Ana"] == ("Ana", "Ben")


def test_an_army_can_be_left_to_nobody(world: World) -> None:
    assign(round=world.round, army=world.army("Ana"), player=None, now=LATER)
    assert names(world, "Ana") == []
    assert "Ana" not in control_at(world.round, LATER)


def test_what_is_so_already_is_not_written_again(world: World) -> None:
    logged = LogEntry.objects.count()
    assign(round=world.round, army=world.army("Ana"), player=world.players["Ana"], now=LATER)
    assert Control.objects.filter(army__name="Ana").count() == 1
    assert LogEntry.objects.count() == logged


def test_an_army_is_controlled_by_its_own_side(world: World) -> None:
    with pytest.raises(Refused, match="its own side"):
        assign(round=world.round, army=world.army("Ana"), player=world.players["Gaz"], now=LATER)
    other = make_round({"Zed": ("coalition", "3D", "captain")}, slug="other")
    with pytest.raises(Refused, match="In this round, only a player on its own side can control"):
        assign(round=world.round, army=world.army("Ana"), player=other.players["Zed"], now=LATER)


def test_the_last_moment_of_a_deadline_is_in_its_minute() -> None:
    assert LAST_SECOND < last_moment(LOCK) < LOCKED


def test_the_own_army_is_the_namesake_or_the_only_one(world: World) -> None:
    ana, ben = world.players["Ana"], world.players["Ben"]
    everybody = names_of(position_of(world.turn))
    assert everybody == ("Ana", "Ben", "Gaz", "Hex")
    assert own_army(ana, everybody, LATER) == "Ana"
    assign(round=world.round, army=world.army("Ana"), player=ben, now=LATER)
    assert own_army(ana, everybody, LATER) == "Ana"
    assert own_army(ben, ("Ana",), LATER) == ""


def test_rounds_and_turns_are_found(world: World) -> None:
    assert running_round() == world.round
    assert round_by_slug("trial") == world.round
    assert round_by_slug("nothing") is None
    world.settle()
    present = current_turn(world.round)
    assert present is not None
    assert present.number == 2
    assert turn_by_number(world.round, 1) is not None
    assert turn_by_number(world.round, 3) is None


def test_a_viewer_is_known_by_his_player_and_his_roles(world: World) -> None:
    ana, judge = world.players["Ana"], world.judges["movement"]
    viewer = viewer_of(ana.user, world.round)
    assert (viewer.player, viewer.side, viewer.roles) == (ana, "coalition", frozenset())
    assert viewer_of(judge.user, world.round).is_judge("movement")
    assert not viewer_of(judge.user, world.round).is_judge("battle")
    public = viewer_of(AnonymousUser(), world.round)
    assert (public.user_id, public.player, public.side, public.roles) == (None, None, None, frozenset())


def test_a_judge_of_another_round_is_the_public_here(world: World) -> None:
    other = make_round({}, slug="other")
    stranger = add_judge(other.round, "battle", "Far", is_head=False)
    assert viewer_of(stranger.user, world.round).roles == frozenset()
