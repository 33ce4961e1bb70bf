"""R7, R12: posts that are taken back, and posts that were there already."""

import pytest

from judging.common.errors import Refused
from judging.common.viewer import Viewer
from judging.turns.models import Post
from judging.turns.posts.queries import movement_thread
from judging.turns.posts.services import edit_post, withdraw_post
from judging.turns.turn_input import InputOfTurn
from tests.services.world_of_tests import HOUR, LOCK, LOCKED, UNLOCK, World

pytestmark = pytest.mark.django_db


def withdraw(world: World, post: Post, by: str = "Ana", at=UNLOCK + 2 * HOUR) -> Post:
    return withdraw_post(post=post, player=world.players[by], now=at)


def test_the_lines_of_a_withdrawn_post_count_no_more(world: World) -> None:
    withdraw(world, world.post("Ana", "Ana: 3D > 4D"))
    assert InputOfTurn(world.turn).lines == ()

    world.settle()
    assert not [event for event in world.round.turns.get(number=1).events if event["kind"] == "moved"]


def test_an_earlier_order_counts_again_when_the_later_one_is_withdrawn(world: World) -> None:
    """R12"""
    world.post("Ana", "Ana: 3D > 4D")
    withdraw(world, world.post("Ana", "Ana: 3D > 5D"))

    assert [str(line.order.steps[0].to) for line in InputOfTurn(world.turn).lines] == ["4D"]
    (first, second) = movement_thread(world.turn, Viewer(None, world.round), UNLOCK + 3 * HOUR)
    assert not first.lines[0].is_replaced
    assert (second.lines, second.text) == ((), "Ana: 3D > 5D")


def test_withdrawing_again_changes_nothing(world: World) -> None:
    post = withdraw(world, world.post("Ana", "Ana: 3D > 4D"))
    assert withdraw(world, post, at=LOCKED).withdrawn_at == UNLOCK + 2 * HOUR


def test_nobody_withdraws_somebody_elses_post(world: World) -> None:
    with pytest.raises(Refused, match="Only the author can withdraw a post") as refused:
        withdraw(world, world.post("Ana", "Ana: 3D > 4D"), by="Gaz")
    assert refused.value.cites == "R7"


def test_nothing_is_withdrawn_after_the_lock(world: World) -> None:
    post = world.post("Ana", "Ana: 3D > 4D")
    with pytest.raises(Refused, match="2026, 05:00 UTC, so you can't withdraw this post") as refused:
        withdraw(world, post, at=LOCKED)
    assert refused.value.cites == "3.1"
    assert len(InputOfTurn(world.turn).lines) == 1


def test_a_withdrawn_post_is_not_edited(world: World) -> None:
    post = withdraw(world, world.post("Ana", "Ana: 3D > 4D"))
    with pytest.raises(Refused, match="You withdrew this post"):
        edit_post(post=post, player=world.players["Ana"], text="Ana: 3D > 5D", base_version=1, now=LOCK)
    assert post.versions.count() == 1


def test_a_sealed_post_that_was_withdrawn_is_nobody_elses_before_the_lock(world: World) -> None:
    """R6"""
    at = LOCK - 2 * HOUR
    withdraw(world, world.post("Ana", "Ana: 3D > 4D", at=at, sealed=True), at=at + HOUR)
    public, turn = Viewer(None, world.round), world.turn

    assert movement_thread(turn, public, LOCK) == []
    assert [post.text for post in movement_thread(turn, public, LOCKED)] == ["Ana: 3D > 4D"]


def test_the_same_text_again_makes_no_second_post(world: World) -> None:
    first = world.post("Ana", "Ana: 3D > 4D\nGood luck!")
    again = world.post("Ana", "Ana: 3D > 4D\r\nGood luck!", at=UNLOCK + 3 * HOUR)

    assert again == first
    assert again.posted_at == UNLOCK + HOUR
    assert Post.objects.count() == 1


@pytest.mark.parametrize("other", ["Ana: 3D > 5D", "Ana: hold"])
def test_going_back_to_an_earlier_text_is_a_new_post(world: World, other: str) -> None:
    """R12: his later line counts."""
    world.post("Ana", "Ana: 3D > 4D")
    world.post("Ana", other)
    world.post("Ana", "Ana: 3D > 4D", at=UNLOCK + 2 * HOUR)

    assert Post.objects.count() == 3
    assert InputOfTurn(world.turn).lines[-1].text == "Ana: 3D > 4D"


def test_a_text_that_was_edited_since_may_be_posted_again(world: World) -> None:
    post = world.post("Ana", "Ana: 3D > 4D")
    edit_post(post=post, player=world.players["Ana"], text="Ana: hold", base_version=1, now=UNLOCK + 2 * HOUR)
    assert world.post("Ana", "Ana: 3D > 4D", at=UNLOCK + 3 * HOUR) != post


def test_a_withdrawn_text_may_be_posted_again(world: World) -> None:
    post = withdraw(world, world.post("Ana", "Ana: 3D > 4D"))
    again = world.post("Ana", "Ana: 3D > 4D", at=UNLOCK + 3 * HOUR)
    assert again != post
    assert len(InputOfTurn(world.turn).lines) == 1


def test_the_same_text_by_somebody_else_or_sealed_is_a_post_of_its_own(world: World) -> None:
    at = LOCK - 2 * HOUR
    world.post("Ana", "Good luck!", at=at)
    world.post("Gaz", "Good luck!", at=at)
    world.post("Ana", "Good luck!", at=at, sealed=True)
    assert Post.objects.count() == 3
