"""5.2.2.1, 5.2.3, 5.3.2: the power to ask for changes, contingencies, and a player's permission."""

import pytest

from judging.announcements.models import Notice
from judging.command.control.powers import authorise, permit_namesake, set_contingencies, transfer_power
from judging.command.control.requests import IllegalControl
from judging.common.errors import Refused
from judging.common.models import LogEntry
from tests.services.teams import NOW, ask, make_teams, player, who
from tests.services.world_of_tests import World
from wargame.models import Player
from wargame.rules.core.sides import Side

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None) -> World:
    return make_teams()


def transfer(world: World, by: str, giver: str, to: str) -> None:
    transfer_power(round=world.round, player=player(world, by), giver=giver, to=to, now=NOW)


def holders(world: World, side: str = "coalition") -> list[str]:
    rows = Player.objects.filter(round=world.round, side=side, may_change_control=True).order_by("name")
    return list(rows.values_list("name", flat=True))


def test_the_general_transfers_either_power_and_takes_it_back(world: World) -> None:
    transfer(world, "Ana", "Bo", "Cem")
    assert holders(world) == ["Ana", "Cem"]
    transfer(world, "Ana", "Ana", "Dot")
    assert holders(world) == ["Cem", "Dot"]
    transfer(world, "Ana", "Cem", "Ana")
    assert holders(world) == ["Ana", "Dot"]


def test_who_has_it_transfers_his_own(world: World) -> None:
    transfer(world, "Bo", "Bo", "Dot")
    assert holders(world) == ["Ana", "Dot"]
    assert LogEntry.objects.get(action="control.power").data["holders"] == ["Ana", "Dot"]
    assert (
        "From now on, Ana and Dot can request changes to the control list of the Coalition (by Bo)."
        in Notice.objects.get(kind="power").text
    )


@pytest.mark.parametrize(
    ("by", "giver", "to", "cites"),
    [
        ("Bo", "Ana", "Dot", "5.2.2.1"),
        ("Cem", "Bo", "Cem", "5.2.2.1"),
        ("Ana", "Cem", "Dot", "5.2.2.1"),
        ("Ana", "", "Dot", "5.2.2.1"),
        ("Ana", "Bo", "Skar", "1.1"),
        ("Ana", "Bo", "Ana", "5.2.2.1"),
        ("Vorn", "Bo", "Skar", "5.2.2.1"),
    ],
)
def test_a_transfer_that_is_not_his_is_refused(world: World, by: str, giver: str, to: str, cites: str) -> None:
    with pytest.raises(Refused) as caught:
        transfer(world, by, giver, to)
    assert caught.value.cites == cites
    assert holders(world) == ["Ana", "Bo"]


def test_a_free_place_is_filled_by_the_chief(world: World) -> None:
    transfer(world, "Vorn", "", "Skar")
    assert holders(world, "phyrexia") == ["Skar", "Vorn"]


def test_a_judge_authorises_two_others_with_a_reason(world: World) -> None:
    """5.2.2.2."""
    given = {"round": world.round, "side": Side.COALITION, "now": NOW}
    authorise(judge=world.judges["movement"], names=["Cem", "Dot"], reason="Both leaders are away.", **given)  # type: ignore[arg-type]
    assert holders(world) == ["Cem", "Dot"]
    with pytest.raises(Refused, match="Only two players"):
        authorise(judge=world.judges["battle"], names=["Ana", "Cem", "Dot"], reason="All.", **given)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="doesn't play"):
        authorise(judge=world.judges["battle"], names=["Skar"], reason="Him.", **given)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="reason is empty"):
        authorise(judge=world.judges["battle"], names=["Ana"], reason="", **given)  # type: ignore[arg-type]
    ask(world, "Cem", {"Gum": ("Dot",)})
    assert who(world, "Gum") == ["Dot"]


def contingencies(world: World, by: str, wanted: dict[str, str]) -> int:
    return set_contingencies(round=world.round, player=player(world, by), wanted=wanted, now=NOW)


def test_contingencies_are_set_by_those_who_may_ask_for_changes(world: World) -> None:
    assert contingencies(world, "Bo", {"Cem": "Dot", "Dot": "Cem", "Bo": ""}) == 2
    assert contingencies(world, "Bo", {"Cem": "Dot"}) == 0
    assert player(world, "Cem").contingency == player(world, "Dot")
    assert "Dot for Cem; Cem for Dot" in Notice.objects.get(kind="contingency").text
    assert contingencies(world, "Ana", {"Cem": ""}) == 1
    assert player(world, "Cem").contingency is None


@pytest.mark.parametrize(
    ("by", "wanted", "cites"),
    [
        ("Cem", {"Cem": "Dot"}, "5.2.2.1"),
        ("Ana", {"Cem": "Cem"}, "5.2.3"),
        ("Ana", {"Cem": "Skar"}, "1.1"),
        ("Ana", {"Skar": "Cem"}, "1.1"),
        ("Ana", {"Dot": "Cem", "Cem": "Nobody here"}, "1.1"),
    ],
)
def test_a_contingency_is_another_player_of_the_side(world: World, by: str, wanted: dict[str, str], cites: str) -> None:
    with pytest.raises(Refused) as caught:
        contingencies(world, by, wanted)
    assert caught.value.cites == cites
    assert not Player.objects.filter(contingency__isnull=False).exists()


def test_a_player_permits_that_his_namesake_is_given_to_others(world: World) -> None:
    """5.3.2."""
    with pytest.raises(IllegalControl):
        ask(world, "Ana", {"Dot": ("Cem",)})
    permit_namesake(player=player(world, "Dot"), permits=True, now=NOW)
    permit_namesake(player=player(world, "Dot"), permits=True, now=NOW)
    assert LogEntry.objects.filter(action="player.permits").count() == 1
    ask(world, "Ana", {"Dot": ("Cem",)})
    assert who(world, "Dot") == ["Cem"]
