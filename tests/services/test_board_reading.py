"""3.1: quotes and mentions on the boards, what is unread, and how long boards are shown."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judging.announcements.models import Notice
from judging.boards.models import Mention
from judging.boards.queries.board_page import PAGE, board_page, page_of
from judging.boards.queries.boards import BOARDS
from judging.boards.queries.messages import board_rows, quote_for, quoted
from judging.boards.queries.read_marks import Unread, mentions_of, unread, unread_by_board
from judging.boards.services import mark_all_read, mark_read, withdraw_message, write_message
from judging.common.errors import Refused
from judging.common.markup import People, marked
from judging.common.models import ReadMark
from tests.services.boards_of_tests import (
    MINUTE,
    READ,
    SECOND,
    TALK,
    edit,
    hide,
    new,
    page,
    read,
    viewer,
    write,
)
from tests.services.teams import NOW, make_teams
from tests.services.world_of_tests import HOUR, World, token
from wargame.models import Player


@pytest.fixture
def world(db: None) -> World:
    return make_teams()


# Quotes and mentions


def test_a_quote_is_what_its_author_wrote_himself(world: World) -> None:
    text = quoted("> **Bo** wrote:\n> Old.\n\nNew *words*.\n\nMore.", "One_Eyed", "/there/")
    assert text == "> **One\\_Eyed** [wrote](/there/):\n>\n> New *words*.\n>\n> More.\n\n"
    html = marked(text).html
    assert html.startswith('<blockquote>\n<p><strong>One_Eyed</strong> <a href="/there/"')
    assert "<em>words</em>" in html


def test_a_quote_is_had_only_of_what_is_seen_on_that_board(world: World) -> None:
    write(world, "Ana", "Known.", "team-coalition")
    message = write(world, "Ana", "Hidden.")
    hide(world, "battle", message)
    for who, board, asked in (
        ("Ana", "talk", "message-1"),
        ("battle", "talk", "message-1"),
        ("Ana", "talk", "message-9"),
        ("Ana", "talk", "message-x"),
        ("Ana", "talk", "message-٣"),
        ("Ana", "talk", "notice-1"),
    ):
        assert quote_for(viewer(world, who), BOARDS[board], asked, NOW) == ""
    assert "> Known." in quote_for(viewer(world, "Cem"), BOARDS["team-coalition"], "message-1", NOW)


def test_a_post_by_the_service_can_be_quoted(world: World) -> None:
    notice = Notice.objects.filter(thread="announcements").earliest("pk")
    found = quote_for(viewer(world, "Ana"), BOARDS["announcements"], f"notice-{notice.pk}", NOW + HOUR)
    assert found.startswith("> **The service** [wrote](")
    assert quote_for(viewer(world, "Ana"), BOARDS["results"], f"notice-{notice.pk}", NOW + HOUR) == ""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("@ana and @Ana Bo", ("Ana", "Ana Bo")),
        ("(@Ana), @Ana: @Ana's", ("Ana",)),
        ("*@Ana* **@a_b_c**", ("Ana", "a_b_c")),
        ("@Anabel mail@Ana @@Ana", ()),
        ("`@Ana`\n\n    @Ana\n", ()),
        ("```\n@Ana\n```", ()),
        ("> @Ana\n\nyes", ()),
        ("[see @Ana](/x)", ()),
    ],
)
def test_whom_a_text_names(text: str, names: tuple[str, ...]) -> None:
    assert marked(text, People({"Ana": "/a", "Ana Bo": "/b", "a_b_c": "/c"})).names == names


@pytest.mark.parametrize(
    "text", ["[" * 20_000, "1. " * 6_000, "<a " * 6_000, ">" * 20_000, "@Ana " * 4_000, "*" * 20_000]
)
def test_a_text_made_to_take_long_is_shown_all_the_same(text: str) -> None:
    assert marked(text, People({"Ana": "/a"})).html


def test_a_message_brings_no_script_and_no_picture_from_elsewhere() -> None:
    typed = "<script>x</script><img src=http://x/y>![i](http://x/y) [j](javascript:x) <b onclick=x>@Ana</b>"
    html = marked(typed, People({"Ana": "/a"})).html
    assert not any(bad in html for bad in ("<script", "<img", 'href="javascript:', "<b"))
    assert '<a href="/a" rel="noopener noreferrer">@Ana</a>' in html


def test_who_is_named_is_told_until_he_has_seen_it(world: World) -> None:
    write(world, "Ana", "@Bo, @Judge battle and @nobody: hello.", at=NOW)
    assert new(world, "Bo") == {"talk": Unread(1, 1)}
    assert new(world, "battle") == {"talk": Unread(1, 1)}
    assert new(world, "Cem") == {"talk": Unread(1, 0)}
    (told,) = mentions_of(viewer(world, "Bo"))
    assert (told.board.key, told.number, told.by) == ("talk", 1, "Ana")
    read(world, "Bo")
    assert (new(world, "Bo"), mentions_of(viewer(world, "Bo"))) == ({}, [])


def test_nobody_is_told_of_a_board_that_he_does_not_read(world: World) -> None:
    """1.1: neither the other team nor a judge."""
    message = write(world, "Ana", "@Vorn @Judge battle @Bo @Ana", "team-coalition")
    assert [mention.user.players.get().name for mention in Mention.objects.all()] == ["Bo"]
    (entry,) = page(world, "Bo", "team-coalition").entries
    assert entry.message.html.count("<a ") == 2
    assert message.number == 1


def test_an_edit_tells_whom_it_names_anew_and_nobody_twice(world: World) -> None:
    message = write(world, "Ana", "@Bo, hello.")
    read(world, "Bo")
    read(world, "Cem")
    edit(world, "Ana", message, "@Bo and @Cem, hello.", 1, at=NOW + 2 * HOUR)
    assert new(world, "Bo") == {}
    assert new(world, "Cem") == {"talk": Unread(1, 1)}
    read(world, "Cem", at=NOW + 3 * HOUR)
    assert new(world, "Cem") == {}


def test_a_former_name_leads_to_its_player(world: World) -> None:
    """1.6."""
    Player.objects.filter(name="Bo").update(name="Bodil", former_names=[["Bo", NOW.isoformat()]])
    write(world, "Ana", "@bo, hello.")
    assert new(world, "Bo")["talk"].mentions == 1


@pytest.mark.parametrize("act", ["withdraw", "hide"])
def test_what_is_withdrawn_or_hidden_is_not_new_to_anybody(world: World, act: str) -> None:
    message = write(world, "Ana", "@Bo, hello.")
    if act == "hide":
        hide(world, "battle", message)
    else:
        withdraw_message(viewer=viewer(world, "Ana"), board=TALK, message=message, now=NOW)
    assert new(world, "Bo") == {}
    assert mentions_of(viewer(world, "Bo")) == []


# What is unread


def test_ones_own_messages_are_not_new(world: World) -> None:
    write(world, "Ana", "Hello.")
    assert new(world, "Ana") == {}
    assert new(world, "Bo") == {"talk": Unread(1, 0)}


def test_a_board_is_read_up_to_what_was_shown_and_never_backwards(world: World) -> None:
    for number in range(PAGE + 5):
        write(world, "Ana", f"Message {number}.", at=NOW + number * SECOND)
    later = NOW + HOUR
    first = page(world, "Bo", number=1)
    mark_read(viewer=viewer(world, "Bo"), board=TALK, until=first.until, shown=(), now=later)
    assert new(world, "Bo") == {"talk": Unread(5, 0)}
    mark_read(viewer=viewer(world, "Bo"), board=TALK, until=NOW, shown=(), now=later)
    assert new(world, "Bo") == {"talk": Unread(5, 0)}
    found = page(world, "Bo")
    assert found.number == 2
    assert [entry.is_new for entry in found.entries] == [True] * 5


def test_posts_by_the_service_are_new_too_and_all_can_be_marked_as_read(world: World) -> None:
    assert unread_by_board(viewer(world, "battle"))["announcements"].new >= 1
    write(world, "Ana", "@Judge battle, hello.")
    mark_all_read(viewer=viewer(world, "battle"), now=NOW + HOUR)
    assert unread(viewer(world, "battle")) == Unread()
    assert mentions_of(viewer(world, "battle")) == []


def test_nothing_is_counted_or_kept_for_the_public_and_for_an_onlooker_what_he_opened(world: World) -> None:
    write(world, "Ana", "Hello.")
    mark_read(viewer=viewer(world, ""), board=TALK, until=NOW, shown=(), now=NOW)
    assert not ReadMark.objects.exists()
    assert unread(viewer(world, "outsider")) == unread(viewer(world, "")) == Unread()
    read(world, "outsider")
    write(world, "Ana", "Hello again.", at=NOW + HOUR)
    assert unread(viewer(world, "outsider")) == Unread(1, 0)


def test_what_was_written_before_somebody_joined_is_not_new_to_him(world: World) -> None:
    write(world, "Ana", "Long ago.")
    Player.objects.filter(name="Cem").update(joined_at=NOW + MINUTE)
    assert new(world, "Cem") == {}
    write(world, "Ana", "Now.", at=NOW + HOUR)
    assert new(world, "Cem") == {"talk": Unread(1, 0)}


# Pages


def test_a_link_to_a_message_leads_to_its_page(world: World) -> None:
    rows = [write(world, "Ana", f"Message {number}.", at=NOW + number * SECOND) for number in range(2 * PAGE + 1)]
    looking = viewer(world, "")
    assert [page_of(looking, TALK, rows[place], NOW + HOUR) for place in (0, PAGE - 1, PAGE, 2 * PAGE)] == [1, 1, 2, 3]
    assert [page(world, "", number=number).entries[0].message.number for number in (1, 2, 3)] == [1, 51, 101]
    assert page(world, "").number == 3
    assert page(world, "", number=4) is None
    assert page(world, "", number=0) is None


def test_the_movement_board_has_orders_updates_and_talk_in_the_order_of_time(world: World) -> None:
    world.post("Bo", "6D > 7D", at=NOW + MINUTE)
    write(world, "Cem", "Good luck.", "movement", at=NOW + 2 * MINUTE)
    world.post("Skar", "23K > 24K", at=NOW + 3 * MINUTE)
    message = write(world, "Cem", "And you.", "movement", at=NOW + 4 * MINUTE)
    world.settle()
    found = page(world, "", "movement", at=world.turn.opened_at + HOUR)
    kinds = ["orders" if e.orders else "message" if e.message else "notice" for e in found.entries]
    assert kinds == ["orders", "message", "orders", "message", "notice"]
    assert found.entries[0].orders.text == "6D > 7D"
    assert page_of(viewer(world, ""), BOARDS["movement"], message, NOW + HOUR) == 1


@pytest.mark.parametrize("who", [*READ, "author"])
def test_a_sealed_post_is_on_no_board_before_the_lock(world: World, who: str) -> None:
    """R6: its author alone sees it."""
    sealed_at = world.turn.lock_at - HOUR
    world.post("Bo", "6D > 7D", at=sealed_at, sealed=True)
    name = "Bo" if who == "author" else who
    found = page(world, name, "movement", at=sealed_at + MINUTE)
    assert [entry.orders is not None for entry in found.entries] == [True] * (name == "Bo")
    assert found.total == (name == "Bo")
    after = page(world, name, "movement", at=world.turn.lock_at + MINUTE)
    assert after.total == 1


def queries(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        act()
    return len(captured)


def test_many_boards_and_messages_ask_the_database_as_often_as_one(world: World) -> None:
    for board in ("talk", "movement"):
        write(world, "Bo", "One, @Ana.", board)
    world.post("Bo", "6D > 7D", at=NOW + MINUTE)
    Notice.objects.create(turn=world.turn, thread="movement", kind="update", at=NOW, data={"told": "An update."})
    looking = viewer(world, "Ana")
    acts = (
        lambda: unread(looking),
        lambda: board_rows(looking, NOW + HOUR),
        lambda: board_page(looking, BOARDS["movement"], 1, NOW + HOUR),
        lambda: mentions_of(looking),
    )
    before = [queries(act) for act in acts]
    for board in ("talk", "movement", "team-coalition", "proxy", "results"):
        for number in range(10):
            write(world, "Bo", f"Message {number}, @Ana.", board, at=NOW + number * MINUTE)
            world.post("Bo", f"6D > 7D\nTalk {board} {number}", at=NOW + number * MINUTE)
    assert [queries(act) for act in acts] == before


def test_two_forms_at_once_have_two_numbers(world: World) -> None:
    numbers = [write(world, who, "Hello.").number for who in ("Ana", "Bo", "Cem")]
    assert numbers == [1, 2, 3]


def test_a_damaged_form_is_refused(world: World) -> None:
    with pytest.raises(Refused, match="Something went wrong with this form"):
        write_message(viewer=viewer(world, "Ana"), board=TALK, text="Hello.", token="", now=NOW)
    assert token()
