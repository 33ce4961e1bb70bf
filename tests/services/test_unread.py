"""3.1: how many messages are new to each kind of reader; the statement is written by hand (judging/boards)."""

import pytest

from judging.boards.queries.read_marks import unread_by_topic
from judging.common.viewer import viewer_of
from tests.services.boards_of_tests import READ, read, user_of, write
from tests.services.teams import NOW, make_teams
from tests.services.world_of_tests import HOUR, World

pytestmark = pytest.mark.django_db


def unread(world: World, who: str, keys: set[str]) -> dict[str, tuple[int, int]]:
    """By board: new messages, and those that mention the reader."""
    user = user_of(world, who)
    assert user is not None
    found = unread_by_topic(viewer_of(user, world.round))
    return {board: (count.new, count.mentions) for (board, _), count in found.items() if board in keys and count.new}


def test_new_messages_are_counted_for_each_reader_on_the_boards_that_they_read() -> None:
    world = make_teams()
    write(world, "Ana", "@Vorn, @Bo: well met.", "talk", at=NOW + HOUR)
    writers = {key: who for who, keys in READ.items() for key in keys}
    for key, who in writers.items():
        write(world, who, "Between us.", key, at=NOW + HOUR)
    keys = {"talk", *writers}
    for who, own in READ.items():
        if not who or who in ("admin", "outsider"):
            continue
        expected = {key: (1, 0) for key in own if writers[key] != who}
        if who != "Ana":
            expected["talk"] = (1, int(who in ("Vorn", "Bo")))
        assert unread(world, who, keys) == expected, who


def test_what_was_read_is_new_no_more_and_what_follows_is() -> None:
    world = make_teams()
    write(world, "Ana", "@Vorn: well met.", "talk", at=NOW + HOUR)
    read(world, "Vorn", "talk", at=NOW + 2 * HOUR)
    assert unread(world, "Vorn", {"talk"}) == {}
    write(world, "Ana", "@Vorn: again.", "talk", at=NOW + 3 * HOUR)
    assert unread(world, "Vorn", {"talk"}) == {"talk": (1, 1)}
