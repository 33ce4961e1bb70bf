"""3.2: the orders that count as things stand, as the map draws them."""

import pytest

from tests.api.conftest import Api
from tests.services.world_of_tests import HOUR


def orders(api: Api, who: str = "") -> dict[str, str]:
    found = api.get("/turns/2/orders/", who).json()["orders"]
    return {each["army"]: each["order"] for each in found}


def test_the_last_legal_order_of_each_army_is_there_with_its_route(api: Api) -> None:
    """R12, R14: Ana fights, so she can't move."""
    now = api.battle.announced_at + HOUR
    api.world.post("Ben", "Ben: 10D > 11D\nBen: 10D > 12D (10D - 11D - 12D)", now)
    api.world.post("Ana", "Ana: 3F > 4F", now)
    [found] = api.get("/turns/2/orders/").json()["orders"]
    assert (found["army"], found["kind"], found["route"]) == ("Ben", "move", ["10D", "11D", "12D"])
    assert found["by"] == "Ben"


def test_a_strangers_word_that_it_stays_takes_no_armys_order_away(api: Api) -> None:
    """R13"""
    now = api.battle.announced_at + HOUR
    api.world.post("Ben", "Ben: 10D > 12D", now)
    api.world.post("Gaz", "Ben: hold", now + HOUR)
    assert orders(api) == {"Ben": "Ben: 10D > 12D"}


def test_a_withdrawn_or_illegal_order_is_not_there(api: Api) -> None:
    api.world.post("Ben", "Ben: 10D > 20D", api.battle.announced_at + HOUR)
    assert orders(api) == {}


@pytest.mark.parametrize(("who", "sees"), [("Ben", True), ("Ana", False), ("", False), ("movement", False)])
def test_a_sealed_order_is_drawn_for_its_author_alone(api: Api, who: str, sees: bool) -> None:
    """R6."""
    at = api.world.turn.lock_at - HOUR
    api.go_to(at)
    api.world.post("Ben", "Ben: 10D > 12D", at, sealed=True)
    assert ("Ben" in orders(api, who)) is sees


def test_a_long_move_that_goes_on_is_there_until_it_is_ordered_anew(api: Api) -> None:
    """3.2.2.3."""
    api.world.post("Ben", "Ben: 10D > 13D > 16D", api.battle.announced_at + HOUR)
    api.world.strat(api.battle, "Ana", "Ana")
    api.world.strat(api.battle, "Gaz", "Gaz")
    api.world.score(api.battle)
    api.world.settle()
    [found] = api.get("/turns/3/orders/").json()["orders"]
    assert (found["kind"], found["order"], found["by"]) == ("plan", "Ben: 13D > 16D", "")


def test_an_order_that_can_not_do_what_it_says_beside_its_friends_is_told(api: Api) -> None:
    """3.2.5.2."""
    api.world.post("Ben", "Ben: 10D > 12D; joint engage", api.battle.announced_at + HOUR)
    [clash] = api.get("/turns/2/orders/").json()["clashes"]
    assert (clash["armies"], clash["at"], clash["cites"]) == (["Ben"], "12D", "3.2.5.3")
