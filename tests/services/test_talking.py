"""3.1, 1.6, 1.3: topics, private press, reports and blocks, and a search that finds what its viewer may read."""

from typing import Any

import pytest

from judging.announcements.models import Notice
from judging.battles.desk.queue import queues
from judging.boards.models import Block, Message, Participant, Report, Topic
from judging.boards.queries.board_page import board_page
from judging.boards.queries.boards import BOARDS, Board, board_for, press_for
from judging.boards.queries.messages import conversations_of, message_for, topics_on, who_may_be_written_to
from judging.boards.queries.read_marks import Unread, unread, unread_by_board, unread_by_topic
from judging.boards.reports import (
    MOST_REPORTS,
    block,
    decide_report,
    new_warnings,
    report_for,
    report_message,
    reports_for,
    see_warnings,
    unblock,
    waiting_for,
    waiting_lately,
)
from judging.boards.services import (
    MOST_PEOPLE,
    begin_conversation,
    begin_topic,
    change_topic,
    edit_message,
    leave_conversation,
    mark_all_read,
    mark_read,
    withdraw_message,
    write_message,
)
from judging.command.people.admission import leave_team
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.notifications.models import Notification
from judging.search.queries import SearchQuery, everywhere, hits, words_of
from judging.turns.calendar import change_round
from tests.services.boards_of_tests import MINUTE, SECOND, TALK, plays_and_judges, user_of, viewer, write
from tests.services.teams import NOW, make_teams, player
from tests.services.world_of_tests import HOUR, World, token
from wargame.models import Round
from wargame.models.choices import RoundState

LATER = NOW + HOUR


@pytest.fixture
def world(db: None) -> World:
    return make_teams()


def topic(world: World, who: str, title: str, board: str = "talk", text: str = "Well?", at: Any = NOW) -> Message:
    return begin_topic(viewer=viewer(world, who), board=BOARDS[board], title=title, text=text, token=token(), now=at)


def converse(world: World, who: str, *to: str, text: str = "Between us.", form: str = "", at: Any = NOW) -> Message:
    return begin_conversation(viewer=viewer(world, who), names=to, title="", text=text, token=form or token(), now=at)


def talk_of(world: World, who: str, message: Message) -> Board:
    found = board_for(viewer(world, who), message.thread.key)
    assert found is not None
    return found


def says(world: World, who: str, message: Message, text: str, at: Any = NOW + MINUTE) -> Message:
    """Writes in a conversation, as who has its page open."""
    board = talk_of(world, "Ana", message)
    return write_message(viewer=viewer(world, who), board=board, text=text, token=token(), now=at)


def reported(world: World, who: str, message: Message) -> Report:
    looking = viewer(world, who)
    board = board_for(looking, message.thread.key)
    assert board is not None
    return report_message(viewer=looking, board=board, message=message, reason="An insult.", now=LATER)


def decide(world: World, who: str, report: Report, does: str) -> Report:
    return decide_report(viewer=viewer(world, who), report=report, does=does, reason="So be it.", now=LATER)


def found(world: World, who: str, words: str = "", **more: Any) -> list[str]:
    asked = SearchQuery(words=words_of(words), **more)
    return [hit.excerpt for hit in hits([viewer(world, who)], asked, LATER)]


# Topics


def test_a_topic_is_read_and_unread_by_itself(world: World) -> None:
    write(world, "Ana", "Old talk.")
    first = topic(world, "Ana", "  The  north  ", at=NOW + SECOND)
    assert (first.number, first.topic, Topic.objects.get().title) == (2, 2, "The north")
    write_message(viewer=viewer(world, "Vorn"), board=TALK, text="Snow.", token="one", now=LATER, topic=2)
    assert unread_by_topic(viewer(world, "Bo")) == {("talk", 1): Unread(1, 0), ("talk", 2): Unread(2, 0)}
    row = topics_on(viewer(world, "Bo"), TALK)[0]
    assert (row.title, row.by, row.messages, row.last_at, row.unread.new) == ("The north", "Ana", 2, LATER, 2)
    general, north = (board_page(viewer(world, "Bo"), TALK, None, LATER, number) for number in (1, 2))
    assert general
    assert north
    assert [entry.message.text for entry in general.entries if entry.message] == ["Old talk."]
    assert [entry.message.text for entry in north.entries if entry.message] == ["Well?", "Snow."]
    mark_read(viewer=viewer(world, "Bo"), board=TALK, until=LATER, shown=(), now=LATER, topic=2)
    assert unread_by_topic(viewer(world, "Bo")) == {("talk", 1): Unread(1, 0)}
    mark_all_read(viewer=viewer(world, "Cem"), now=LATER)
    assert unread(viewer(world, "Cem")) == Unread()
    assert board_page(viewer(world, "Bo"), TALK, None, LATER, 3) is None


def test_a_form_sent_twice_begins_one_topic_and_no_title_comes_twice(world: World) -> None:
    for _ in range(2):
        made = begin_topic(viewer=viewer(world, "Ana"), board=TALK, title="North", text="Well?", token="one", now=NOW)
    assert (made.topic, Topic.objects.count()) == (2, 1)
    for title, why in (
        ("north", "has a topic"),
        (" ", "empty"),
        ("x" * 121, "121 characters"),
        ("a\0", "a character in line 1 that isn't text"),
    ):
        with pytest.raises(Refused, match=why):
            topic(world, "Bo", title)
    assert topic(world, "Bo", "North", "team-coalition").topic == 2


def test_moderators_pin_and_close_topics_and_it_is_in_the_log(world: World) -> None:
    for number, title in enumerate(("One", "Two")):
        topic(world, "Ana", title, at=NOW + number * MINUTE)
    judge = viewer(world, "movement")
    change_topic(viewer=judge, board=TALK, number=2, is_pinned=True, is_closed=True, title="First", now=LATER)
    change_topic(viewer=judge, board=TALK, number=2, is_pinned=True, now=LATER)
    assert [row.title for row in topics_on(judge, TALK)] == ["First", "Two"]
    entries = LogEntry.objects.filter(action="board.topic").order_by("pk")
    assert [entry.data["does"] for entry in entries] == ["pin", "close", "title"]
    with pytest.raises(Refused, match="was closed"):
        write_message(viewer=viewer(world, "Ana"), board=TALK, text="More.", token="x", now=LATER, topic=2)
    page = board_page(viewer(world, "Ana"), TALK, None, LATER, 2)
    assert page
    assert "closed" in page.why_not
    with pytest.raises(Refused, match="Only judges of this round can pin and close topics"):
        change_topic(viewer=viewer(world, "Ana"), board=TALK, number=2, is_closed=False, now=LATER)
    change_topic(viewer=judge, board=TALK, number=2, is_closed=False, now=LATER)
    write_message(viewer=viewer(world, "Ana"), board=TALK, text="More.", token="x", now=LATER, topic=2)


def test_what_leaders_do_with_topics_of_their_team_is_in_no_log(world: World) -> None:
    topic(world, "Bo", "Plan", "team-coalition")
    board = BOARDS["team-coalition"]
    change_topic(viewer=viewer(world, "Ana"), board=board, number=2, is_pinned=True, now=LATER)
    assert not LogEntry.objects.filter(action="board.topic").exists()


# Private press


def test_a_conversation_is_read_by_its_people_alone(world: World) -> None:
    message = converse(world, "Ana", "Vorn", "vorn", "Ana")
    key = message.thread.key
    for who in ("Ana", "Vorn"):
        assert [row.board.key for row in conversations_of(viewer(world, who))] == [key]
    for who in ("Bo", "Skar", "movement", "battle", "mercenary", "admin", "outsider", ""):
        looking = viewer(world, who)
        assert board_for(looking, key) is None
        assert (press_for(looking), conversations_of(looking)) == ({}, [])
        assert key not in unread_by_board(looking)
    assert unread_by_board(viewer(world, "Vorn"))[key] == Unread(1, 0)
    assert key not in unread_by_board(viewer(world, "Ana"))
    with pytest.raises(Refused):
        says(world, "Bo", message, "I read along.")
    says(world, "Vorn", message, "@Ana, agreed.")
    assert unread(viewer(world, "Ana")).mentions == 1
    plays_and_judges(world, "Skar")
    assert board_for(viewer(world, "Skar"), key) is None


def test_who_left_a_conversation_reads_and_writes_nothing_there(world: World) -> None:
    message = converse(world, "Ana", "Vorn", "Bo", form="one")
    board = talk_of(world, "Vorn", message)
    leave_conversation(viewer=viewer(world, "Vorn"), board=board, now=LATER)
    with pytest.raises(Refused):
        write_message(viewer=viewer(world, "Vorn"), board=board, text="Still here?", token="x", now=LATER)
    assert board_for(viewer(world, "Vorn"), message.thread.key) is None
    leave_team(player=player(world, "Bo"), now=LATER)
    with pytest.raises(Refused, match="No one else is in this conversation"):
        says(world, "Ana", message, "Anybody?")
    assert converse(world, "Ana", "Cem", form="one") == message, "the form was sent before"
    assert Participant.objects.count() == 3


@pytest.mark.parametrize(
    ("press", "team", "enemy"),
    [
        ("all", "", ""),
        ("team", "", "only send private messages within your team"),
        ("none", "no private", "no private"),
    ],
)
def test_a_round_says_who_writes_in_private(world: World, press: str, team: str, enemy: str) -> None:
    """What was begun before can be read, and not gone on with."""
    talks = [(converse(world, "Ana", "Bo"), team), (converse(world, "Ana", "Vorn"), enemy)]
    change_round(round=world.round, actor=user_of(world, "battle"), changes={"press": press}, now=NOW)  # type: ignore[arg-type]
    for message, why in talks:
        page = board_page(viewer(world, "Ana"), talk_of(world, "Ana", message), None, LATER)
        assert page
        assert page.total == 1
        assert why in page.why_not
        assert bool(why) == bool(page.why_not)
        if why:
            with pytest.raises(Refused, match=why):
                says(world, "Ana", message, "More.")
    people, why_nobody = who_may_be_written_to(viewer(world, "Ana"))
    assert bool(why_nobody) == (press == "none")
    assert any(each.side == "phyrexia" for each in people) == (press == "all")
    told = [notice.text for notice in Notice.objects.filter(kind="press")]
    assert len(told) == (press != "all") or world.turn is None


def test_a_conversation_is_refused_for_nobody_too_many_and_strangers(world: World) -> None:
    for who, to, why in (
        ("Ana", (), "at least one"),
        ("Ana", ("Ana",), "at least one"),
        ("Ana", ("Nobody",), "called “Nobody”"),
        ("Ana", [f"P{number}" for number in range(MOST_PEOPLE + 1)], "at most 12 players"),
        ("battle", ("Ana",), "Private messages are only for players in this round"),
        ("outsider", ("Ana",), "Private messages are only for players in this round"),
    ):
        with pytest.raises(Refused, match=why):
            converse(world, who, *to)
    Round.objects.update(state=RoundState.ARCHIVE)
    with pytest.raises(Refused, match="archive"):
        converse(world, "Ana", "Bo")


# Reports and blocks


def test_judges_decide_about_what_was_said_in_public(world: World) -> None:
    message = write(world, "Vorn", "You toad.")
    report = reported(world, "Ana", message)
    assert reported(world, "Ana", message) == report
    edit_message(viewer=viewer(world, "Vorn"), board=TALK, message=message, text="Toad!", base_version=1, now=LATER)
    assert waiting_for(viewer(world, "battle")) == 1
    for who in ("Bo", "Vorn", "outsider", ""):
        assert report_for(viewer(world, who), report.pk) is None
        with pytest.raises(Refused):
            decide(world, who, report, "hide")
    seen = report_for(viewer(world, "battle"), report.pk)
    assert seen
    assert (seen.row.text, seen.author, seen.place) == ("You toad.", "Vorn", "Open board")
    decide(world, "battle", report, "hide")
    with pytest.raises(Refused, match="Judge battle has already decided this report"):
        decide(world, "movement", report, "dismiss")
    hidden = message_for(viewer(world, "Ana"), TALK, 1)
    assert hidden
    assert (hidden.text, hidden.row.hidden_because) == ("", "So be it.")
    assert LogEntry.objects.filter(action="board.hidden").count() == 1
    own = reports_for(viewer(world, "Ana")).own[0]
    assert (own.row.state, own.row.answer) == ("hidden", "So be it.")
    with pytest.raises(Refused, match="So be it"):
        reported(world, "Ana", message)


def test_a_warning_is_shown_to_its_author_until_he_has_seen_it(world: World) -> None:
    report = reported(world, "Ana", write(world, "Vorn", "You toad."))
    decide(world, "battle", report, "warn")
    assert new_warnings(viewer(world, "Vorn")).count() == 1
    assert [view.row.answer for view in reports_for(viewer(world, "Vorn")).warnings] == ["So be it."]
    see_warnings(viewer=viewer(world, "Vorn"), now=LATER)
    assert new_warnings(viewer(world, "Vorn")).count() == 0
    assert LogEntry.objects.get(action="board.warned").data["by"] == "Vorn"


def test_a_report_of_press_goes_to_judges_who_do_not_play(world: World) -> None:
    """1.3: and of the conversation they read nothing else; nobody learns of it from the log."""
    message = converse(world, "Vorn", "Ana", text="You toad.")
    plays_and_judges(world, "Skar")
    report = reported(world, "Ana", message)
    for who in ("Skar", "Vorn", "Bo", "admin"):
        assert report_for(viewer(world, who), report.pk) is None
    seen = report_for(viewer(world, "battle"), report.pk)
    assert seen
    assert (seen.row.text, seen.address) == ("You toad.", "")
    before = LogEntry.objects.count()
    decide(world, "battle", report, "hide")
    assert LogEntry.objects.count() == before
    shown = message_for(viewer(world, "Ana"), talk_of(world, "Ana", message), 1)
    assert shown
    assert shown.text == ""


def test_a_report_of_a_team_board_goes_to_its_leaders(world: World) -> None:
    report = reported(world, "Bo", write(world, "Cem", "Fool.", "team-coalition"))
    assert waiting_for(viewer(world, "Ana")) == 1
    assert [waiting_for(viewer(world, who)) for who in ("battle", "movement", "Vorn", "Cem")] == [0, 0, 0, 0]
    assert decide(world, "Ana", report, "dismiss").state == "dismissed"


def test_who_decides_is_told_of_a_report_and_its_reporter_of_the_decision(world: World) -> None:
    """1.3: without a word of it; and when one has decided, it waits for nobody any more."""

    def told(kind: str) -> set[str]:
        rows = Notification.objects.filter(kind=kind, read_at__isnull=True)
        assert all(set(row.data) == {"report"} for row in rows)
        names = {world.players[each].user_id: each for each in world.players}
        names |= {world.judges[each].user_id: each for each in world.judges}
        return {names[row.user_id] for row in rows}

    report = reported(world, "Ana", write(world, "Vorn", "You toad."))
    assert told("talk.reported") == set(world.judges)
    looking = viewer(world, "battle")
    (queue,) = queues(world.judges["battle"].user, LATER) or (None,)
    assert queue is not None
    assert (queue.reports, waiting_lately(looking)) == (1, 1)
    decide(world, "battle", report, "dismiss")
    assert waiting_lately(looking) == 0
    assert told("talk.reported") == set()
    assert told("talk.report_decided") == {"Ana"}
    reported(world, "Bo", write(world, "Cem", "Fool.", "team-coalition"))
    assert told("talk.reported") == {"Ana"}, "the leaders of the team, and no judge"


def test_reports_are_refused_for_ones_own_for_what_is_gone_and_for_a_flood(world: World) -> None:
    own, gone = write(world, "Ana", "Mine."), write(world, "Vorn", "Gone.")
    withdraw_message(viewer=viewer(world, "Vorn"), board=TALK, message=gone, now=LATER)
    for message, why in ((own, "your own"), (gone, "No one can read this message any more")):
        with pytest.raises(Refused, match=why):
            reported(world, "Ana", message)
    many = [write(world, "Vorn", f"Number {number}.") for number in range(MOST_REPORTS + 1)]
    for message in many[:-1]:
        reported(world, "Ana", message)
    with pytest.raises(Refused, match="Wait a while, then try again"):
        reported(world, "Ana", many[-1])


def test_what_waits_for_somebody_is_never_cut_away_by_what_others_wait_for(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judging.boards.reports.MOST", 1)
    reported(world, "Bo", write(world, "Cem", "Fool.", "team-coalition"))
    reported(world, "Ana", write(world, "Cem", "Ass.", "team-coalition"))
    decide(world, "battle", reported(world, "Ana", write(world, "Vorn", "Toad.")), "warn")
    decide(world, "battle", reported(world, "Bo", write(world, "Vorn", "You toad.")), "hide")
    reported(world, "Bo", write(world, "Vorn", "You newt."))
    seen = reports_for(viewer(world, "Ana"))
    assert [view.row.text for view in seen.waiting] == ["Fool.", "Ass."]
    assert waiting_for(viewer(world, "Ana")) == 2
    assert [view.row.text for view in seen.own] == ["Toad."]
    assert [view.row.text for view in reports_for(viewer(world, "Vorn")).warnings] == ["Toad."]
    assert [view.row.text for view in reports_for(viewer(world, "battle")).decided] == ["You toad."]


def test_a_block_hides_messages_and_stops_press_and_can_be_undone(world: World) -> None:
    said, press = write(world, "Vorn", "@Ana, hear me."), converse(world, "Vorn", "Ana", text="Hear me.")
    write(world, "battle", "As a judge I speak.")
    made = block(viewer=viewer(world, "Ana"), name="vorn", now=LATER)
    assert block(viewer=viewer(world, "Ana"), name="Vorn", now=LATER) == made
    seen = message_for(viewer(world, "Ana"), TALK, said.number)
    assert seen
    assert (seen.text, str(seen.html), seen.is_blocked) == ("", "", True)
    assert unread(viewer(world, "Ana")) == Unread(1, 0)
    assert found(world, "Ana", "hear") == []
    for writes in (lambda: says(world, "Vorn", press, "Again."), lambda: converse(world, "Vorn", "Ana")):
        with pytest.raises(Refused, match="accept private messages from you"):
            writes()
    converse(world, "Vorn", "Ana", "Bo")
    judge = viewer(world, "battle")
    block(viewer=viewer(world, "Ana"), name=world.judges["battle"].name, now=LATER)
    spoken = message_for(viewer(world, "Ana"), TALK, 2)
    assert judge.user_id
    assert spoken
    assert spoken.text == "As a judge I speak."
    unblock(viewer=viewer(world, "Bo"), block_id=made.pk)
    assert Block.objects.filter(pk=made.pk).exists(), "nobody undoes another one's block"
    unblock(viewer=viewer(world, "Ana"), block_id=made.pk)
    seen = message_for(viewer(world, "Ana"), TALK, said.number)
    assert seen
    assert seen.text == "@Ana, hear me."
    for name, why in (("Nobody", "No one in this round is called"), ("Ana", "You can't block yourself")):
        with pytest.raises(Refused, match=why):
            block(viewer=viewer(world, "Ana"), name=name, now=LATER)


# Search


def test_a_search_finds_what_its_viewer_reads_and_nothing_else(world: World) -> None:
    write(world, "Ana", "The lantern burns.")
    write(world, "Ana", "A lantern for the team.", "team-coalition")
    write(world, "Ana", "A lantern for three.", "council-coalition")
    converse(world, "Ana", "Vorn", text="A lantern for Vorn.")
    topic(world, "Skar", "Lantern oil", "team-phyrexia", text="Whose?")
    gone = write(world, "Bo", "A lantern, withdrawn.")
    withdraw_message(viewer=viewer(world, "Bo"), board=TALK, message=gone, now=NOW)
    seen = {who: sorted(found(world, who, "LANTERN")) for who in ("Ana", "Bo", "Vorn", "battle", "admin", "")}
    public = ["The lantern burns."]
    assert seen["Ana"] == ["A lantern for Vorn.", "A lantern for the team.", "A lantern for three.", *public]
    assert seen["Bo"] == ["A lantern for the team.", *public]
    assert seen["Vorn"] == ["A lantern for Vorn.", "Lantern oil", *public]
    assert seen["battle"] == seen["admin"] == seen[""] == public
    for who in ("Ana", "Vorn", "battle", "outsider", ""):
        user = user_of(world, who)
        looking = everywhere(user.pk if user else None)
        excerpts = [hit.excerpt for hit in hits(looking, SearchQuery(words=("lantern",)), LATER)]
        assert sorted(excerpts) == seen.get(who, public)


def test_a_search_is_narrowed_by_author_side_kind_and_time(world: World) -> None:
    write(world, "Ana", "Red lantern.")
    write(world, "Vorn", "Black lantern, " + "far " * 60 + "away.", at=NOW + MINUTE)
    assert found(world, "", "lantern", by="ana") == found(world, "", "lantern", side="coalition") == ["Red lantern."]
    assert found(world, "", "lantern", since=NOW + SECOND)[0].endswith("…")
    assert found(world, "", "lantern red") == ["Red lantern."]
    assert found(world, "", "lantern", kind="orders") == []
    assert found(world, "", "lantern", turn=99) == []
    assert found(world, "", "") == [], "nothing is asked for"
    assert found(world, "", "100%") == found(world, "", "\0 _ \\") == []
