"""1.1, 1.3, 3.1: who reads, writes and moderates which board; quotes, mentions, and what is unread."""

from datetime import timedelta

import pytest

from judging.boards.models import Message, MessageVersion
from judging.boards.queries.boards import BOARDS, PRIVATE, PUBLIC, board_for, boards_for, may_moderate
from judging.boards.queries.messages import history_of, message_for
from judging.boards.queries.read_marks import Unread, mentions_of, unread
from judging.boards.services import MAX_MESSAGE, show_message, withdraw_message
from judging.command.people.absence import last_posts
from judging.command.people.admission import leave_team
from judging.common.errors import Refused
from judging.common.models import LogEntry
from tests.services.boards_of_tests import (
    MINUTE,
    READ,
    SECOND,
    TALK,
    edit,
    hide,
    page,
    plays_and_judges,
    texts,
    viewer,
    write,
)
from tests.services.teams import NOW, make_teams, player
from tests.services.world_of_tests import HOUR, World
from wargame.models import Player
from wargame.models.choices import RoundState


@pytest.fixture
def world(db: None) -> World:
    return make_teams()


# Who reads and writes


@pytest.mark.parametrize("who", list(READ))
def test_who_reads_which_private_board(world: World, who: str) -> None:
    """1.1: teams and factions by themselves; judges, administrators and everybody else none."""
    found = boards_for(viewer(world, who))
    assert {board.key for board in found if not board.is_public} == READ[who]
    assert [board for board in found if board.is_public] == list(PUBLIC)


@pytest.mark.parametrize("who", list(READ))
def test_nobody_writes_on_a_private_board_that_he_does_not_read(world: World, who: str) -> None:
    for board in PRIVATE:
        if board.key in READ[who]:
            assert write(world, who, "Hello.", board.key).number == 1
            continue
        with pytest.raises(Refused):
            write(world, who, "Hello.", board.key)
    assert Message.objects.count() == len(READ[who])


def test_a_movement_judge_who_plays_reads_his_own_team_alone(world: World) -> None:
    """1.3: and neither council."""
    plays_and_judges(world, "Skar")
    keys = {board.key for board in boards_for(viewer(world, "Skar")) if not board.is_public}
    assert keys == {"team-phyrexia"}
    assert not may_moderate(viewer(world, "Skar"), BOARDS["team-phyrexia"])


def test_who_leaves_a_team_reads_its_boards_no_more(world: World) -> None:
    write(world, "Bo", "@Cem, hold the bridge.", "team-coalition")
    assert unread(viewer(world, "Cem")).mentions == 1
    leave_team(player=player(world, "Cem"), now=NOW)
    assert board_for(viewer(world, "Cem"), "team-coalition") is None
    assert unread(viewer(world, "Cem")) == Unread()
    assert mentions_of(viewer(world, "Cem")) == []


def test_who_gives_up_a_faction_reads_its_board_no_more(world: World) -> None:
    """1.1.2."""
    write(world, "Bo", "Red.", "faction-red")
    Player.objects.filter(name="Cem").update(factions=["green"])
    keys = {board.key for board in boards_for(viewer(world, "Cem")) if board.color}
    assert keys == {"faction-green"}


@pytest.mark.parametrize("who", ["movement", "battle", "mercenary", "Skar", "Ana"])
def test_players_and_judges_write_on_all_public_boards(world: World, who: str) -> None:
    for board in PUBLIC:
        write(world, who, "Good day.", board.key)
        assert texts(world, "", board.key) == ["Good day."]


def test_everybody_with_an_account_writes_on_the_open_board_alone(world: World) -> None:
    """1.6: elsewhere the people of the round write, under its names."""
    message = write(world, "outsider", "May I join?")
    assert (message.name, message.player, message.roles) == ("outsider", None, [])
    with pytest.raises(Refused, match="Only players and judges of"):
        write(world, "outsider", "May I join?", "movement")
    with pytest.raises(Refused, match="Log in"):
        write(world, "", "May I join?")


def test_an_archive_takes_nothing(world: World) -> None:
    world.round.state = RoundState.ARCHIVE
    world.round.save()
    with pytest.raises(Refused, match="archive"):
        write(world, "Ana", "Hello.")


def test_a_message_keeps_the_name_that_its_author_had(world: World) -> None:
    """1.6."""
    write(world, "Skar", "I am Skar.")
    Player.objects.filter(name="Skar").update(name="Skarlet")
    (entry,) = page(world, "").entries
    assert entry.message.by == "Skar"


@pytest.mark.parametrize(("board", "counts"), [("talk", True), ("team-phyrexia", False)])
def test_who_writes_where_all_see_it_has_posted(world: World, board: str, counts: bool) -> None:
    """5.1: on a private board nobody else may learn of it."""
    then = NOW + timedelta(days=5)
    write(world, "Skar", "I am here.", board, at=then)
    posted = last_posts(world.round, then)[player(world, "Skar").pk]
    assert (posted == then) is counts


# Writing


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"),
        (" \n\t", "empty"),
        ("x" * (MAX_MESSAGE + 1), "20,001 characters"),
        ("a\0b", "isn't text"),
        ("\ud800", "isn't text"),
    ],
)
def test_a_text_that_can_not_be_kept_is_refused(world: World, text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        write(world, "Ana", text)
    assert not Message.objects.exists()


def test_the_same_form_sent_twice_is_one_message(world: World) -> None:
    first = write(world, "Ana", "Once.", form="a form")
    assert write(world, "Ana", "Once, and more.", at=NOW + HOUR, form="a form") == first
    assert Message.objects.count() == 1


def test_the_same_text_within_a_minute_is_one_message_and_later_another(world: World) -> None:
    first = write(world, "Ana", "Again.")
    assert write(world, "Ana", "Again.", at=NOW + 59 * SECOND) == first
    assert write(world, "Bo", "Again.", at=NOW + 59 * SECOND) != first
    assert write(world, "Ana", "Again.", at=NOW + MINUTE).number == 3


def test_messages_are_numbered_by_board_so_that_no_gap_tells_of_others(world: World) -> None:
    write(world, "Ana", "One.")
    write(world, "Bo", "Secret.", "team-coalition")
    assert write(world, "Ana", "Two.").number == 2


def test_an_edit_keeps_the_text_before_it(world: World) -> None:
    message = write(world, "Ana", "First.")
    edit(world, "Ana", message, "Second.", 1)
    edit(world, "Ana", message, "Third.", 2, at=NOW + 2 * MINUTE)
    assert texts(world, "") == ["Third."]
    versions = history(world, "", message)
    assert [(version[0], version[1]) for version in versions] == [
        (3, "<p>Third.</p>"),
        (2, "<p>Second.</p>"),
        (1, "<p>First.</p>"),
    ]


def history(world: World, who: str, message: Message) -> list[tuple[int, str]]:
    looking, board = viewer(world, who), BOARDS[message.thread.key]
    found = message_for(looking, board, message.number)
    assert found is not None
    return [(version.number, str(version.html)) for version in history_of(looking, board, found)]


def test_the_same_text_again_is_no_edit_and_an_old_window_does_not_write_over_a_new_one(world: World) -> None:
    message = write(world, "Ana", "First.")
    assert edit(world, "Ana", message, "First.", 1).version == 1
    edit(world, "Ana", message, "Second.", 1)
    with pytest.raises(Refused, match="in another window"):
        edit(world, "Ana", message, "Other.", 1)
    assert MessageVersion.objects.count() == 1


@pytest.mark.parametrize("who", ["Bo", "battle", "admin", "outsider"])
def test_nobody_else_edits_or_withdraws_a_message(world: World, who: str) -> None:
    message = write(world, "Ana", "Mine.")
    with pytest.raises(Refused, match="Only its author"):
        edit(world, who, message, "Yours.", 1)
    with pytest.raises(Refused, match="Only its author"):
        withdraw_message(viewer=viewer(world, who), board=TALK, message=message, now=NOW)
    assert texts(world, "") == ["Mine."]


def test_a_withdrawn_message_is_kept_and_read_by_its_author_and_moderators_alone(world: World) -> None:
    message = write(world, "Ana", "Too much.")
    edit(world, "Ana", message, "Still too much.", 1)
    withdraw_message(viewer=viewer(world, "Ana"), board=TALK, message=message, now=NOW)
    assert [texts(world, who) for who in ("Ana", "battle", "Bo", "")] == [["Still too much."]] * 2 + [[""]] * 2
    assert history(world, "Bo", message) == []
    assert len(history(world, "battle", message)) == 2
    with pytest.raises(Refused, match="You withdrew this message"):
        edit(world, "Ana", message, "Again.", 2)


# Moderation


def test_a_judge_hides_a_message_with_a_reason_that_all_see(world: World) -> None:
    """1.3."""
    message = write(world, "Ana", "An insult.")
    hide(world, "battle", message)
    assert [texts(world, who) for who in ("Ana", "movement", "Bo", "")] == [["An insult."]] * 2 + [[""]] * 2
    assert history(world, "Bo", message) == []
    row = message_for(viewer(world, ""), TALK, 1).row
    assert (row.hidden_by, row.hidden_because) == ("Judge battle", "It insults Bo.")
    entry = LogEntry.objects.get(action="board.hidden")
    assert entry.data == {"board": "Open board", "message": 1, "by": "Ana", "reason": "It insults Bo."}
    show_message(viewer=viewer(world, "movement"), board=TALK, message=message, reason="A joke.", now=NOW)
    assert texts(world, "") == ["An insult."]
    assert LogEntry.objects.filter(action="board.shown").count() == 1


@pytest.mark.parametrize("who", ["Ana", "Vorn", "admin", "outsider", ""])
def test_nobody_but_judges_moderates_a_public_board(world: World, who: str) -> None:
    message = write(world, "Bo", "Talk.")
    with pytest.raises(Refused, match="Only judges of this round"):
        hide(world, who, message)


def test_a_team_moderates_its_own_board_and_the_log_does_not_tell(world: World) -> None:
    message = write(world, "Bo", "Talk.", "team-coalition")
    for who in ("Cem", "battle", "movement", "Vorn"):
        with pytest.raises(Refused):
            hide(world, who, message)
    hide(world, "Ana", message)
    assert texts(world, "Cem", "team-coalition") == [""]
    assert not LogEntry.objects.filter(action__startswith="board").exists()


def test_a_captain_moderates_the_faction_that_he_runs(world: World) -> None:
    """1.1.2: the first of his claims."""
    red, green = (write(world, who, "Talk.", board) for who, board in (("Cem", "faction-red"), ("Bo", "faction-green")))
    hide(world, "Bo", red)
    with pytest.raises(Refused, match="Only leaders who read this board"):
        hide(world, "Bo", green)


def test_moderating_needs_a_reason_and_something_to_do(world: World) -> None:
    message = write(world, "Ana", "Talk.")
    with pytest.raises(Refused, match="reason is empty"):
        hide(world, "battle", message, " ")
    with pytest.raises(Refused, match="not hidden"):
        show_message(viewer=viewer(world, "battle"), board=TALK, message=message, reason="So.", now=NOW)
    hide(world, "battle", message)
    with pytest.raises(Refused, match="has already hidden this message"):
        hide(world, "movement", message)
