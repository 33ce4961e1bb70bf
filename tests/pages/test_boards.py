"""1.1, 1.3, 3.1: the pages of the boards: written, quoted, edited, moderated, and read by those alone who may."""

from collections.abc import Iterator
from datetime import timedelta
from xml.etree import ElementTree

import pytest
import time_machine
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judging.boards.models import Message
from judging.boards.queries.boards import PRIVATE, PUBLIC
from judging.boards.queries.messages import board_rows
from judging.command.people.admission import leave_team
from judging.common.models import LogEntry, ReadMark
from judging.common.viewer import viewer_of
from tests.pages.playing import reader, said, typed_text
from tests.secrecy.walking import one_look
from tests.services.boards_of_tests import READ, user_of, write
from tests.services.teams import NOW, make_teams, player
from tests.services.world_of_tests import HOUR, World, token
from wargame.models import Base

SECRET = "MARKER-PRIVATE"
MINUTE = timedelta(minutes=1)


class Camp:
    """The round of `make_teams`, its clock, and browsers for its people."""

    def __init__(self, world: World, clock: time_machine.Traveller) -> None:
        self.world, self.clock = world, clock

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.world.round.slug, *args])

    def client(self, who: str = "") -> Client:
        client = Client()
        if user := user_of(self.world, who):
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    def page(self, name: str, *args: object, who: str = "", **query: object) -> str:
        answer = reader(self, who).get(self.url(name, *args), query)
        assert answer.status_code == 200
        return answer.content.decode()

    def post(self, name: str, *args: object, who: str = "", **typed: object) -> HttpResponse:
        self.clock.shift(2 * MINUTE)
        return self.client(who).post(self.url(name, *args), typed)

    def send(self, who: str, text: str, board: str = "talk", **typed: object) -> HttpResponse:
        return self.post("board", board, who=who, **{"text": text, "token": token(), **typed})


@pytest.fixture
def camp(db: None) -> Iterator[Camp]:
    world = make_teams()
    with time_machine.travel(NOW, tick=False) as clock:
        yield Camp(world, clock)


# Writing and reading


def test_what_is_written_stands_on_the_board_with_its_author(camp: Camp) -> None:
    answer = camp.send("Ana", "Well *met*, @Vorn.")
    assert answer.url == camp.url("board-message", "talk", 1)  # type: ignore[attr-defined]
    shown = camp.client("Ana").get(answer.url, follow=True)  # type: ignore[attr-defined]
    assert shown.redirect_chain == [(f"{camp.url('board', 'talk')}?page=1#message-1", 302)]
    html = camp.page("board", "talk")
    assert "Well <em>met</em>" in html
    assert f'href="{camp.url("player", "Vorn")}"' in html
    assert 'class="message__by side side--coalition">Ana' in html


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "The message is empty"), ("x" * 20_001, "20,001 characters"), ("a\0b", "has a character in line 1")],
)
def test_a_text_that_is_refused_stands_in_the_form_again(camp: Camp, text: str, why: str) -> None:
    answer = camp.send("Ana", text)
    assert (answer.status_code, why in said(answer)) == (422, True)
    assert typed_text(answer.content.decode()) == text
    assert not Message.objects.exists()


def test_without_scripts_a_button_shows_how_it_reads(camp: Camp) -> None:
    answer = camp.send("Ana", "A *plan*.", act="check")
    html = answer.content.decode()
    assert "A <em>plan</em>." in html
    assert typed_text(html) == "A *plan*."
    assert not Message.objects.exists()


def test_the_preview_is_a_fragment_for_who_may_write_there(camp: Camp) -> None:
    text = "<script>alert(1)</script>**Bold**, @Bo"
    html = camp.post("board-preview", "team-coalition", who="Ana", text=text).content.decode()
    assert "<strong>Bold</strong>" in html
    assert "@Bo</a>" in html
    assert "<script" not in html
    assert camp.post("board-preview", "team-coalition", who="Vorn", text="x").status_code == 404
    assert camp.post("board-preview", "talk", text="Hello").content.decode().strip() == ""


def test_who_was_logged_out_finds_his_text_after_the_log_in(camp: Camp) -> None:
    client = Client()
    answer = client.post(camp.url("board", "team-coalition"), {"text": "Hold the bridge.", "token": "one"})
    assert (answer.status_code, "accounts/login" in answer["Location"]) == (302, True)
    client.force_login(camp.world.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
    assert typed_text(client.get(camp.url("board", "team-coalition")).content.decode()) == "Hold the bridge."


def test_a_form_sent_twice_writes_once(camp: Camp) -> None:
    for _ in range(2):
        camp.send("Ana", "Once.", token="one")
    assert Message.objects.count() == 1


def test_a_quote_fills_the_form_and_leads_back(camp: Camp) -> None:
    camp.send("Ana", "First line.\nSecond line.")
    html = camp.page("board", "talk", who="Bo", quote="message-1")
    address = camp.url("board-message", "talk", 1)
    assert typed_text(html) == f"> **Ana** [wrote]({address}):\n>\n> First line.\n> Second line.\n\n"
    assert "quote=message-1#write" in html
    assert typed_text(camp.page("board", "talk", who="Bo", quote="message-77")) == ""
    assert "quote=message-1" not in camp.page("board", "talk")


def test_an_edit_is_marked_and_its_history_can_be_read(camp: Camp) -> None:
    camp.send("Ana", "First words.")
    assert typed_text(camp.page("board-edit", "talk", 1, who="Ana")) == "First words."
    camp.post("board-edit", "talk", 1, who="Ana", text="Second words.", base_version=1)
    board = camp.page("board", "talk")
    assert "First words." not in board
    assert camp.url("board-history", "talk", 1) in board
    history = camp.page("board-history", "talk", 1)
    assert history.index("Second words.") < history.index("First words.")


def test_an_edit_from_an_old_window_is_kept_in_the_form_beside_the_newer_text(camp: Camp) -> None:
    camp.send("Ana", "First.")
    camp.post("board-edit", "talk", 1, who="Ana", text="Second.", base_version=1)
    answer = camp.post("board-edit", "talk", 1, who="Ana", text="Third.", base_version=1)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert typed_text(html) == "Third."
    assert "Second." in html
    assert 'name="base_version" value="2"' in html


def test_what_is_withdrawn_is_not_read_by_others(camp: Camp) -> None:
    camp.send("Ana", SECRET)
    assert camp.post("board-withdraw", "talk", 1, who="Bo").status_code == 422
    camp.post("board-withdraw", "talk", 1, who="Ana")
    for name in ("board", "board-history", "board-withdraw", "board-edit", "board-moderate"):
        args = ("talk",) if name == "board" else ("talk", 1)
        assert SECRET not in camp.page(name, *args, who="Bo"), name
    assert "Withdrawn by its author" in camp.page("board", "talk")
    assert SECRET in camp.page("board", "talk", who="Ana")


def test_a_judge_hides_a_message_and_everybody_reads_why(camp: Camp) -> None:
    """1.3."""
    camp.send("Ana", SECRET)
    refused = camp.post("board-moderate", "talk", 1, who="battle", reason="  ")
    assert (refused.status_code, "The reason is empty" in said(refused)) == (422, True)
    camp.post("board-moderate", "talk", 1, who="battle", reason="It <insults> Bo.")
    board = camp.page("board", "talk")
    assert "Hidden by Judge battle" in board
    assert "It &lt;insults&gt; Bo." in board
    for name in ("board-history", "board-edit", "board-moderate"):
        assert SECRET not in camp.page(name, "talk", 1, who="Bo"), name
    assert SECRET not in camp.client().get(camp.url("board-feed", "talk")).content.decode()
    assert SECRET in camp.page("board", "talk", who="Ana")
    camp.post("board-moderate", "talk", 1, who="movement", reason="A joke.", act="show")
    assert SECRET in camp.page("board", "talk")
    assert list(LogEntry.objects.filter(action__startswith="board").values_list("action", flat=True)) == [
        "board.hidden",
        "board.shown",
    ]


@pytest.mark.parametrize("who", ["Bo", "Vorn", "outsider", "admin"])
def test_who_is_no_judge_hides_nothing(camp: Camp, who: str) -> None:
    camp.send("Ana", "Hello.")
    answer = camp.post("board-moderate", "talk", 1, who=who, reason="I don't like it.")
    assert (answer.status_code, "Only judges of this round can hide or show" in said(answer)) == (422, True)
    assert Message.objects.get().hidden_at is None
    assert camp.url("board-moderate", "talk", 1) not in camp.page("board", "talk", who=who)


# Who sees what


def private_addresses(camp: Camp, board: str) -> list[str]:
    names = ("board-message", "board-history", "board-edit", "board-withdraw", "board-moderate")
    return [camp.url("board", board), camp.url("board-feed", board), *(camp.url(name, board, 1) for name in names)]


@pytest.mark.parametrize("who", list(READ))
def test_a_private_board_is_on_no_page_of_anybody_else(camp: Camp, who: str) -> None:
    """1.1: its name, that somebody wrote there, and what."""
    writers = {key: name for name, keys in READ.items() for key in keys}
    for board in PRIVATE:
        if board.key in writers:
            write(camp.world, writers[board.key], f"{SECRET}-{board.key}z", board.key, at=NOW - MINUTE)
    client = camp.client(who)
    everywhere = [camp.url("boards"), reverse("home"), *(camp.url("board", board.key) for board in PUBLIC)]
    others = [board for board in PRIVATE if board.key not in READ[who]]
    status = 404 if who else 302
    with one_look():
        for address in everywhere:
            html = client.get(address, follow=True).content.decode()
            for board in others:
                assert f"{SECRET}-{board.key}z" not in html, address
                assert camp.url("board", board.key) not in html, address
        for board in PRIVATE:
            addresses = private_addresses(camp, board.key)
            if board not in others:
                assert f"{SECRET}-{board.key}z" in client.get(addresses[0]).content.decode()
                continue
            for address in addresses:
                shown = client.get(address)
                assert shown.status_code in (302, 404, 405), address
                assert f"{SECRET}-{board.key}z" not in shown.content.decode(), address
            assert client.get(addresses[0]).status_code == status
            assert client.post(addresses[0], {"text": "Hello.", "token": "one"}).status_code == status
            for address in addresses[2:]:
                assert client.post(address, {"text": "x", "reason": "x"}).status_code in (302, 404, 405), address
    assert Message.objects.count() == len(writers)


def test_an_administrator_finds_no_board_on_the_desk_either(camp: Camp) -> None:
    camp.send("Ana", SECRET, "team-coalition")
    client = camp.client("admin")
    for name in ("message", "messageversion", "boardthread", "mention", "readmark"):
        assert client.get(f"/judge/judging/{name}/").status_code == 404
    assert "essage" not in said(client.get("/judge/"))


def test_who_left_his_team_reads_its_board_no_more(camp: Camp) -> None:
    camp.send("Cem", SECRET, "team-coalition")
    leave_team(player=player(camp.world, "Cem"), now=NOW)
    for address in private_addresses(camp, "team-coalition"):
        answer = camp.client("Cem").get(address)
        assert (answer.status_code, SECRET in answer.content.decode()) == (404, False), address


def test_the_public_is_asked_to_log_in_for_a_private_board_whether_it_is_written_on_or_not(camp: Camp) -> None:
    camp.send("Ana", SECRET, "team-coalition")
    for board in PRIVATE:
        assert "/accounts/login/" in camp.client().get(camp.url("board", board.key))["Location"]
    assert camp.client().get(camp.url("board", "team-nobody")).status_code == 404


# What is new


def header(html: str) -> str:
    """What stands in the head of a page beside “Boards”."""
    return html.split('aria-label="Main"', 1)[1].split(">Boards", 1)[1].split("</a>", 1)[0]


def test_what_is_new_and_who_is_named_stands_in_every_pages_head_until_it_is_read(camp: Camp) -> None:
    camp.client("Bo").post(camp.url("boards"))
    assert "badge" not in header(camp.page("command", who="Bo"))
    camp.send("Ana", "Hello, @Bo.")
    for name in ("command", "boards", "mine"):
        assert "@1" in header(camp.page(name, who="Bo")), name
    assert "1 message mentions you." in camp.page("mine", who="Bo")
    assert "by Ana on Open board" in camp.page("boards", who="Bo")
    board = camp.page("board", "talk", who="Bo")
    assert "mentions you" in board
    assert "badge" not in header(board)
    assert "mentions you" not in camp.page("board", "talk", who="Bo")
    assert "badge" not in header(camp.page("command"))


def test_the_list_counts_what_the_service_posted_as_what_is_new_does(camp: Camp) -> None:
    camp.world.settle()
    now = camp.world.turn.opened_at + HOUR
    camp.clock.move_to(now)
    rows = {row.board.key: row for row in board_rows(viewer_of(user_of(camp.world, "Bo"), camp.world.round), now)}
    assert rows["movement"].unread.new
    assert all(row.unread.new <= row.entries for row in rows.values())


def test_looking_without_opening_marks_nothing(camp: Camp) -> None:
    camp.send("Ana", "Hello.")
    camp.client("Bo").head(camp.url("board", "talk"))
    camp.client("Bo").get(camp.url("boards"))
    camp.client().get(camp.url("board", "talk"))
    assert not ReadMark.objects.exists()


def test_all_is_marked_as_read_at_once(camp: Camp) -> None:
    camp.send("Ana", "Hello, @Bo.", "team-coalition")
    assert camp.post("boards", who="Bo").status_code == 302
    assert "badge" not in header(camp.page("boards", who="Bo"))
    assert camp.post("boards").status_code == 302


def test_an_empty_board_says_so(camp: Camp) -> None:
    html = camp.page("board", "team-coalition", who="Ana")
    assert "No one has written here yet." in html
    assert "Only Ana, Bo, Cem, Dot can read this, not judges or administrators." in html


def test_the_descriptions_of_the_bases_stand_on_their_board(camp: Camp) -> None:
    """2.5.1.2."""
    assert "when the bases are revealed" in camp.page("board", "bases")
    Base.objects.create(
        round=camp.world.round, name="Hearth", at="5E", side="coalition", color="red", description="Warm."
    )
    html = camp.page("board", "bases")
    assert "Hearth" in html
    assert "Warm." in html


# Pages and addresses


def test_long_boards_have_pages_and_a_link_finds_the_right_one(camp: Camp) -> None:
    for number in range(103):
        write(camp.world, "Ana", f"Message {number}.", at=NOW - HOUR + number * timedelta(seconds=1))
    assert "Message 102." in camp.page("board", "talk")
    first = camp.page("board", "talk", page=1)
    assert "Message 0." in first
    assert "Page 1 of 3" in first
    answer = camp.client().get(camp.url("board-message", "talk", 60))
    assert answer["Location"] == f"{camp.url('board', 'talk')}?page=2#message-60"


@pytest.mark.parametrize("page", ["0", "9", "x", "-1", "99999999999999999999", "²"])
def test_a_page_that_is_not_there_is_a_404(camp: Camp, page: str) -> None:
    assert camp.client().get(camp.url("board", "talk"), {"page": page}).status_code == 404


def test_a_message_or_a_round_that_is_not_there_is_a_404(camp: Camp) -> None:
    camp.send("Ana", "Hello.")
    for address in (
        camp.url("board-message", "talk", 2),
        camp.url("board-message", "movement", 1),
        camp.url("board-history", "talk", 10**30),
        camp.url("board", "nothing"),
        camp.url("board-feed", "team-coalition"),
        "/rounds/nowhere/boards/",
        "/rounds/nowhere/boards/talk/feed/",
    ):
        assert camp.client("Ana").get(address).status_code == 404, address


def test_a_feed_has_what_people_wrote_the_newest_first(camp: Camp) -> None:
    camp.send("Ana", "One\x07 bell.")
    camp.send("Bo", "**Two**.")
    answer = camp.client().get(camp.url("board-feed", "talk"))
    feed = ElementTree.fromstring(answer.content)
    atom = "{http://www.w3.org/2005/Atom}"
    titles = [entry.findtext(f"{atom}title") for entry in feed.iter(f"{atom}entry")]
    assert titles == ["Bo on Open board", "Ana on Open board"]
    assert b"&lt;strong&gt;Two" in answer.content
    assert camp.client("Ana").get(camp.url("board-feed", "talk")).content == answer.content


def queries_of(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    return len(captured)


def test_a_page_asks_the_database_as_often_for_many_messages_as_for_one(camp: Camp) -> None:
    write(camp.world, "Bo", "One, @Ana.", at=NOW - HOUR)
    client = camp.client("Ana")
    client.get(camp.url("board", "talk"))
    few = [queries_of(client, camp.url("boards")), queries_of(client, camp.url("board", "talk"))]
    for number in range(30):
        write(camp.world, "Bo", f"Message {number}.", at=NOW - HOUR + number * timedelta(seconds=1))
    client.get(camp.url("board", "talk"))
    many = [queries_of(client, camp.url("boards")), queries_of(client, camp.url("board", "talk"))]
    assert many == few
