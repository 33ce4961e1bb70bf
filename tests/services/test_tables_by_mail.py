"""T9.6: moves by mail: a table that is played by mail alone, and what a mail can't do."""

import re
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from django.core import mail as outbox
from pytest_django import Settings

from judging.accounts.models import note_bounce
from judging.email import services
from judging.inbound_email.models import ReceivedMail, SeatAddress
from judging.inbound_email.services import another_seat_address, is_standing_order, receive
from judging.tables.models import Entry, Seat
from tests.services import tables_of_tests as tables
from tests.services.tables_of_tests import Game, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(settings: Settings) -> Game:
    """Kryptik, dealt; Ana is asked for her first hand."""
    settings.MAIL_ORDERS = "orders@wargame.example"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    return tables.running()


def send(game: Game, who: str, text: str, subject: str = "Hello", kind: str = "plain", **heads: str) -> ReceivedMail:
    """A mail to somebody's address, made at his first; its answers can be read afterwards."""
    seat = game.seat(who)
    seat.table = game.row()
    own = SeatAddress.objects.filter(seat=seat).first() or another_seat_address(seat=seat, now=game.now)
    made = EmailMessage()
    number = ReceivedMail.objects.count()
    given = {"From": f"{who.lower()}@home.example", "To": f"orders+{own.token}@wargame.example", "Subject": subject}
    given |= {"Message-ID": f"<{number}@home.example>"} | {name.replace("_", "-"): said for name, said in heads.items()}
    for name, said in given.items():
        made[name] = said
    made.set_content(text, subtype=kind)
    found = receive(made.as_bytes(), game.now)
    while services.send_next(datetime.now(UTC), {}, note_bounce):
        pass
    return found


def last_answer() -> tuple[str, str, str]:
    """Of the last letter: to whom, its subject, its text."""
    letter = outbox.outbox[-1]
    return letter.to[0], letter.subject, letter.body


def test_a_first_hand_is_kept_and_a_turn_begun_by_mail_alone(game: Game) -> None:
    asked = game.view("Ana").legal
    for _ in range(4):
        who = game.waited()
        send(game, who, "?")
        to, subject, body = last_answer()
        assert to == person(who).email
        line = next(part.strip() for part in body.splitlines() if part.startswith("  ") and part.strip() in asked)
        assert send(game, who, f"{line}\n\nOn a day the service wrote:\n> {line}", f"Re: {subject}").outcome == "done"
        asked = game.view(game.waited()).legal
        assert f"1. {line}: " in last_answer()[2]
    assert Entry.objects.filter(table=game.table, by="A").exists()


def test_a_mail_shows_its_writers_hand_and_nobody_elses(game: Game) -> None:
    send(game, "Ana", "?")
    body = last_answer()[2]
    mine, theirs = game.view("Ana").view["zones"], game.view("Bo").view["zones"]
    assert all(card["card"] in body for card in mine["A.hand"])
    hidden = {card["card"] for card in theirs["B.hand"]} - {card["card"] for card in mine["A.hand"]}
    legal = " ".join(game.view("Ana").legal)
    assert not [card for card in hidden if re.search(rf"\b{re.escape(card)}\b", body) and card not in legal]
    assert "Bo: " in body


def test_a_mail_that_names_no_head_is_shown_the_table_and_nothing_is_posted(game: Game) -> None:
    entries = game.row().entries
    found = send(game, "Ana", "keep hand")
    assert (found.outcome, found.detail) == ("refused", "T9.3")
    assert game.row().entries == entries
    _, subject, body = last_answer()
    assert "tell from your email which version of the table you saw" in body
    assert "1. keep hand: keep hand" in body
    assert subject == f"At the harbour: entry {entries}, hash {game.row().head[:16]}"


def test_what_was_seen_before_something_happened_is_not_answered(game: Game) -> None:
    send(game, "Ana", "?")
    subject = last_answer()[1]
    game.go_on("priority")
    entries = game.row().entries
    assert send(game, "Ana", "pass", f"Re: {subject}").outcome == "refused"
    assert "The table has changed since you loaded it" in last_answer()[2]
    assert game.row().entries == entries


def test_a_head_that_the_mail_quotes_is_as_good_as_the_subjects(game: Game) -> None:
    quoted = f"> At the table At the harbour it is your move. Its chain ends with {game.row().head[:16]}."
    assert send(game, "Ana", f"keep hand\n\nOn Monday the service wrote:\n{quoted}").outcome == "done"


def test_a_head_of_another_table_is_none(game: Game) -> None:
    other = tables.running(seed=b"\3" * 32, name="Elsewhere")
    assert send(game, "Ana", "keep hand", f"head {other.row().head[:16]}").detail == "T9.3"


def test_a_line_that_can_not_be_read_is_told_with_what_is_wrong(game: Game) -> None:
    subject = f"head {game.row().head[:16]}"
    assert send(game, "Ana", "keeep the hand of doom", subject).outcome == "refused"
    body = last_answer()[2]
    assert "Nothing was saved." in body
    assert "keeep the hand of doom" in body


def test_a_standing_order_comes_by_its_subject(game: Game) -> None:
    game.go_on("priority")
    who = game.waited()
    assert send(game, who, "pass until my turn", f"Order, head {game.row().head[:16]}").outcome == "done"
    assert [order.text for order in game.view(who).orders] == ["pass until my turn"]


@pytest.mark.parametrize(("name", "is_order"), [("Order of the Owl", False), ("At the harbour", True)])
def test_a_tables_name_makes_no_standing_order(name: str, is_order: bool) -> None:
    assert is_standing_order(f"Re: {'Order: ' if is_order else ''}{name}: entry 5, head abc", name) == is_order


def test_a_signature_below_a_blank_line_does_not_refuse_a_move(game: Game) -> None:
    found = send(game, "Ana", "keep hand\n\nCheers,\nAna > the Great", f"head {game.row().head[:16]}")
    assert found.outcome == "done"
    assert "Ignored: “Ana > the Great”" in last_answer()[2]


def test_lines_that_are_quoted_or_struck_out_are_no_moves(game: Game) -> None:
    subject = f"head {game.row().head[:16]}"
    text = "<p><s>concede!</s></p><p>keep hand</p><blockquote>concede!</blockquote>"
    assert send(game, "Ana", text, subject, kind="html").outcome == "done"
    assert game.row().state == "running"


def test_the_same_mail_twice_is_one_post(game: Game) -> None:
    head = f"head {game.row().head[:16]}"
    first = send(game, "Ana", "keep hand", head, Message_ID="<twice@home.example>")
    entries = game.row().entries
    assert send(game, "Ana", "keep hand", head, Message_ID="<twice@home.example>").pk == first.pk
    assert game.row().entries == entries


def test_who_has_lost_his_seat_plays_by_mail_no_more(game: Game) -> None:
    send(game, "Ana", "?")
    Seat.objects.filter(pk=game.seat("Ana").pk).update(user=person("Cy"))
    assert send(game, "Ana", "keep hand", f"head {game.row().head[:16]}").outcome == "unknown"


def test_more_than_thirty_mails_an_hour_are_only_logged(game: Game) -> None:
    outcomes = [send(game, "Ana", "?").outcome for _ in range(32)]
    assert outcomes[-1] == "many"
    assert set(outcomes[:30]) == {"refused"}


def test_a_mail_with_nothing_in_it_is_answered_with_the_table(game: Game) -> None:
    assert send(game, "Ana", "").outcome == "empty"
    assert "You can write one of these lines, or several as a plan" in last_answer()[2]


def test_a_table_that_has_not_started_says_so(settings: Settings) -> None:
    settings.MAIL_ORDERS = "orders@wargame.example"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    table = tables.opened()
    tables.sit(table, "Ana")
    game = Game(table, tables.OPENED)
    assert send(game, "Ana", "pass").outcome == "refused"
    assert "This table hasn't started" in last_answer()[2]
