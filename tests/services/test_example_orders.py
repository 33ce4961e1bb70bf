"""3.2.2.5: the examples of orders beside the form can be posted as they stand."""

import pytest

from judging.common.positions import position_of
from judging.turns.posts.orders import example_orders
from judging.turns.posts.parsing import PostReader
from tests.services.world_of_tests import HOUR, UNLOCK, World, begin, make_round

pytestmark = pytest.mark.django_db

CROWD = {f"At {column}{row}": ("coalition", f"{column}{row}", "captain") for column in (1, 2, 3) for row in "ABC"}
CORNERS = {"Ana": ("coalition", "1A", "captain"), "Gaz": ("phyrexia", "38N", "evincar")}


@pytest.mark.parametrize(
    "armies", [CORNERS, CROWD, {**CROWD, "Ben": ("coalition", "4A", "captain"), "Gaz": ("phyrexia", "4B", "evincar")}]
)
def test_every_example_is_legal_with_all_its_steps(armies: dict[str, tuple[str, str, str]]) -> None:
    world = begin(make_round(armies))
    reader, position = PostReader(world.turn, UNLOCK + HOUR), position_of(world.turn)
    for army in position.armies:
        for example in example_orders(position, army):
            if "SQUARE" in example.text:
                assert "replace" in example.text or "engage" in example.text
                continue
            (line,) = reader.read(example.text, army.name)
            assert (line.kind, line.refusal, line.remark) == ("order", None, ""), example


def test_a_long_move_is_shown_wherever_an_army_can_move(world: World) -> None:
    position = position_of(world.turn)
    for army in position.armies:
        (text,) = [example.text for example in example_orders(position, army) if example.cites == "3.2.2.3"]
        assert text.count(">") == 2


def test_an_army_that_can_not_move_is_shown_no_move() -> None:
    """3.2.2.1: every square in its range is taken."""
    taken = [f"{column}{row}" for column in (1, 2, 3, 4) for row in "ABCD"]
    armies = {f"At {at}": ("coalition", at, "captain") for at in taken}
    position = position_of(begin(make_round(armies)).turn)
    shown = [example.title for example in example_orders(position, position.by_name["At 1A"])]
    assert shown == ["Take a friendly army's place", "Stay"]
