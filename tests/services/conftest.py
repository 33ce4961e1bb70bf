"""The rounds that the tests of the services play in."""

import pytest

from tests.services.world_of_tests import HOUR, World, begin, make_round

FOUR = {
    "Ana": ("coalition", "3D", "captain"),
    "Ben": ("coalition", "10D", "lieutenant"),
    "Gaz": ("phyrexia", "3F", "evincar"),
    "Hex": ("phyrexia", "20F", "centurion"),
}


@pytest.fixture
def world(db: None) -> World:
    """Four armies, far enough from each other, in the first hour of turn 1."""
    return begin(make_round(FOUR))


@pytest.fixture
def war(world: World) -> World:
    """The same one turn later: Ana attacks Gaz on 3F."""
    world.post("Ana", "3D > 3F; engage Gaz")
    assert world.settle() == "settled"
    assert world.turn.opened_at - world.turn.lock_at < -HOUR
    return world
