"""R8, R14: what a text would be understood as, before it is posted."""

from typing import Any

import pytest

from judging.command.control.services import assign
from judging.turns.posts.parsing import LineView, PostReader, read_for_player
from judging.turns.posts.queries import movement_thread, post_of
from tests.services.boards_of_tests import viewer
from tests.services.world_of_tests import HOUR, UNLOCK, World

pytestmark = pytest.mark.django_db
NOW = UNLOCK + HOUR


def read(world: World, text: str, by: str | None = "Ana") -> list[LineView]:
    return read_for_player(PostReader(world.turn, NOW), world.players[by] if by else None, text, NOW)


def test_lines_are_orders_talk_or_unreadable(world: World) -> None:
    order, talk, unreadable = read(world, "3D > 4D\nFor Dominaria!\nAna: 3D > 4Q4")
    assert (order.kind, order.army, order.order_text) == ("order", "Ana", "Ana: 3D > 4D")
    assert (order.refusal, order.remark) == (None, "")
    assert (talk.kind, talk.text) == ("talk", "For Dominaria!")
    assert (unreadable.kind, unreadable.number, unreadable.column) == ("unreadable", 3, 11)
    assert unreadable.wrong


@pytest.mark.parametrize(
    ("text", "cites"),
    [
        ("3D > 7D", "3.2.2.1"),
        ("4D > 5D", "3.2.2.5"),
        ("3D > 3F", "3.2.2.2"),
        ("Gaz: 3F > 4F", "5.4.1"),
        ("Ben: 10D > 11D", "5.4.1"),
    ],
)
def test_an_illegal_order_is_told_with_its_rule(world: World, text: str, cites: str) -> None:
    (line,) = read(world, text)
    assert line.refusal is not None
    assert line.refusal.cites == cites
    assert line.refusal.sentence


def test_an_army_in_battle_can_do_nothing_else(war: World) -> None:
    move, word = read(war, "3F > 4F\nin battle")
    assert move.refusal is not None
    assert move.refusal.cites == "3.2.1"
    assert word.refusal is None


def test_a_line_that_a_later_one_replaces_says_so(world: World) -> None:
    first, talk, last = read(world, "3D > 4D\nOh, wait.\n3D > 5D")
    assert first.remark == "Line 3 has a later order for Ana, which counts instead (3.3.6)."
    assert last.remark == ""
    assert first.refusal is None


def test_in_battle_replaces_nothing(world: World) -> None:
    first, _ = read(world, "3D > 4D\nin battle")
    assert first.remark == ""


def test_a_superfluous_suffix_is_remarked_on(world: World) -> None:
    (line,) = read(world, "3D > 4D; engage Gaz")
    assert line.refusal is None
    assert line.remark == "No army is on 4D, so “engage Gaz” is ignored (R15)."


def test_a_transfer_reminds_of_its_manifest(world: World) -> None:
    (line,) = read(world, "transfer to Ben at 10D")
    assert "manifest" in line.remark


def test_somebody_who_does_not_play_reads_by_the_names_alone(world: World) -> None:
    named, nameless = read(world, "Ana: 3D > 4D\n3D > 4D", by=None)
    assert (named.kind, named.refusal and named.refusal.cites) == ("order", "5.4.1")
    assert nameless.kind == "unreadable"


def test_control_lost_since_the_line_was_posted_is_told_apart(world: World) -> None:
    assign(round=world.round, army=world.army("Ana"), player=world.players["Ben"], now=NOW)
    reader = PostReader(world.turn, NOW + HOUR)
    (before,) = reader.read("3D > 4D", "Ana", "Ana", [UNLOCK.isoformat()])
    (after,) = reader.read("3D > 4D", "Ana", "Ana", [NOW.isoformat()])
    assert before.refusal is not None
    assert after.refusal is not None
    assert (before.refusal.cites, after.refusal.cites) == ("5.4.2", "5.4.1")


@pytest.mark.parametrize(
    ("text", "step", "cites"),
    [
        ("3D > 3E > 7E", "3E > 7E", "3.2.2.1"),
        ("3D > 2D > 0D", "2D > 0D", "1.2"),
        ("3D > 3E > 3F", "3E > 3F", "3.2.2.2"),
        ("3D > 3E > 5E (3E - 5E) > 6E", "3E > 5E", "3.2.2.4"),
    ],
)
def test_a_later_step_that_is_illegal_already_is_remarked_on(world: World, text: str, step: str, cites: str) -> None:
    """R17: it is refused when it is due, and not before."""
    (line,) = read(world, text)
    assert line.refusal is None
    assert line.remark.startswith(f"The step {step} will be refused when it is due ({cites}): ")


def test_a_long_move_that_can_be_gone_is_not_remarked_on(world: World) -> None:
    (line,) = read(world, "3D > 4D > 3F; engage Gaz > 3D")
    assert (line.refusal, line.remark) == (None, "")


def test_an_army_in_battle_is_not_told_of_later_steps(war: World) -> None:
    (line,) = read(war, "3F > 4F > 9F")
    assert line.refusal is not None
    assert line.remark == ""


def test_one_post_is_read_as_it_stands_in_its_thread(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """R12, 3.3.6, R6: struck out by a later one, refused for another controller's; and nobody's talk is read for it."""
    assign(round=world.round, army=world.army("Ana"), player=world.players["Ben"], now=UNLOCK, replace=False)
    texts = ("Ana: 3D > 4D", "Ana: 3D > 5D\nAna: 3D > 3E", "Good luck!", "Ana: hold\nBen: 10D > 11D")
    for number, (who, text) in enumerate(zip(("Ana", "Ana", "Gaz", "Ben"), texts, strict=True)):
        world.post(who, text, at=UNLOCK + HOUR * number)
    now, who = UNLOCK + 5 * HOUR, viewer(world, "Gaz")
    thread = movement_thread(world.turn, who, now)
    assert [line.is_replaced for post in thread for line in post.lines] == [True, True, False, False, False, False]
    read_texts, read_one = list[str](), PostReader.read

    def noted(reader: PostReader, text: str, *args: Any, **named: Any) -> list[LineView]:
        read_texts.append(text)
        return read_one(reader, text, *args, **named)

    monkeypatch.setattr(PostReader, "read", noted)

    assert [post_of(post.id, who, now) for post in thread] == thread

    read_texts.clear()
    post_of(thread[0].id, who, now)
    assert "Good luck!" not in read_texts
    assert {*read_texts} == {text for text in texts if text != "Good luck!"}
