"""3.1, 10, R57: the pages of a table's people: clocks, talk, appeals and sanctions, and the rulings on cards."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from judging.tables import game_state
from judging.tables.conduct.models import Sanction, TableAppeal
from judging.tables.models import Seat
from judging.tables.services import judges
from judging.tables.services.judges import TableVerdict
from judging.tables.talk.models import TableMessage, TableReport
from tests.services.tables_of_tests import OPENED, Game, appoint, person, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Iterator[Game]:
    """A running table that Jo and Kim judge; the clock stands at its start."""
    with time_machine.travel(OPENED, tick=False):
        made = running()
        for name in ("Jo", "Kim"):
            person(name)
            appoint(made.table, name, made.now)
        yield made


def client(name: str = "") -> Client:
    """Somebody's browser."""
    found = Client()
    if name:
        found.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    return found


def text(page: object) -> str:
    """What a page says, without its marks."""
    plain = re.sub(r"<[^>]+>", " ", page.content.decode())  # type: ignore[attr-defined]
    return " ".join(plain.split())


def url(game: Game, name: str, *more: object) -> str:
    """A page of the table."""
    return reverse(name, args=[game.table.slug, *more])


def ruled(game: Game, card: str = "Old Pact") -> int:
    """Jo has ruled on a card; the number of the entry."""
    verdict = TableVerdict("A draws 1", "K42", "The text says so.", card)
    return judges.rule(
        table=game.table, user=person("Jo"), verdict=verdict, on=game.row().head, token=game.row().head[:20],
        now=game.now,
    ).n  # fmt: skip


def test_somebody_keeps_his_nights_and_announces_a_leave_on_the_page(game: Game) -> None:
    bo, page = client("Bo"), url(game, "table-people")
    assert bo.post(page, {"act": "hours", "hour": "23", "zone": "Europe/Berlin"}).status_code == 302
    assert bo.post(page, {"act": "leave", "first": "2026-03-05", "last": "2026-03-06"}).status_code == 302
    shown = text(client().get(page))
    assert "23:00 to 07:00, Europe/Berlin" in shown
    assert "Bo reported an absence from 05 March 2026 to 06 March 2026." in shown
    assert "You have 12 of 14 days left" in text(bo.get(page))
    leave = game.seat("Bo").leaves.get()
    assert bo.post(page, {"act": "back", "leave": leave.pk}).status_code == 302
    assert "You have 14 of 14 days left" in text(bo.get(page))


def test_what_was_typed_wrongly_is_kept_and_said(game: Game) -> None:
    page = client("Bo").post(url(game, "table-people"), {"act": "hours", "hour": "77", "zone": "Europe/Berlin"})
    assert page.status_code == 422
    assert 'value="77"' in page.content.decode()
    assert client().post(url(game, "table-people"), {"act": "hours"}).status_code == 422
    assert client("Bo").post(url(game, "table-people"), {"act": "what"}).status_code == 422


def test_who_stays_away_is_told_of_on_the_table_and_the_other_chooses_on_the_page(game: Game) -> None:
    Seat.objects.filter(table=game.table, name="Bo").update(missed=3, bank=timedelta(0))
    assert "Bo is away." in text(client("Ana").get(url(game, "table")))
    page = url(game, "table-people")
    assert "Claim the win" in text(client("Ana").get(page))
    assert "Claim the win" not in text(client("Cy").get(page))
    letter = game.seat("Bo").letter
    assert client("Ana").post(page, {"act": "choose", "seat": letter, "way": "sought"}).status_code == 302
    assert "Play on for Bo" in text(client("Cy").get(page))
    answer = client("Cy").post(page, {"act": "take", "seat": letter, "name": "Cyrus"})
    assert answer["Location"] == url(game, "table")
    assert "Cyrus now plays for Bo." in text(client().get(page))
    assert "Your hand" in text(client("Cy").get(url(game, "table")))


def test_a_judge_gives_time_on_the_page(game: Game) -> None:
    assert "Give this player time" not in text(client("Ana").get(url(game, "table-people")))
    sent = {"act": "time", "seat": game.seat("Bo").letter, "hours": "5"}
    assert client("Jo").post(url(game, "table-people"), sent).status_code == 302
    assert "Jo added 5 h to Bo’s time." in text(client().get(url(game, "table-people")))


def test_people_talk_at_the_table_and_its_last_words_stand_beside_it(game: Game) -> None:
    page = url(game, "table-talk")
    assert client("Ana").post(page, {"text": "Good luck, @Bo!", "token": "one"}).status_code == 302
    assert "Good luck, @ Bo !" in text(client().get(page)).replace("@Bo!", "@ Bo !")
    assert "Good luck" in text(client("Bo").get(url(game, "table")))
    assert client("Cy").post(page, {"text": "And I?", "token": "two"}).status_code == 422
    assert client("Cy").post(page, {"board": "watchers", "text": "Hm.", "token": "two"}).status_code == 302
    for name in ("Ana", ""):
        assert client(name).get(page, {"board": "watchers"}).status_code == 404
    assert client("Jo").get(page, {"board": "watchers"}).status_code == 200


def test_a_message_is_reported_and_decided_about_on_the_page(game: Game) -> None:
    page = url(game, "table-talk")
    client("Ana").post(page, {"text": "You cheat!", "token": "one"})
    number = TableMessage.objects.get().number
    client("Bo").post(page, {"act": "report", "message": number, "reason": "Rude."})
    assert "Rude." in text(client("Jo").get(page))
    assert "Rude." not in text(client("Ana").get(page))
    sent = {"act": "decide", "report": TableReport.objects.get().pk, "does": "hide", "reason": "Be kind."}
    assert client("Jo").post(page, sent).status_code == 302
    shown = text(client("Bo").get(page))
    assert "Jo has hidden this message: Be kind." in shown
    for act in ("withdraw", "block", "unblock", "show", "hide", "what"):
        for name in ("Bo", ""):
            answer = client(name).post(page, {"act": act, "message": "99", "reason": "So."})
            assert answer.status_code == 422


def test_a_ruling_is_appealed_against_from_the_log_and_answered_on_the_page(game: Game) -> None:
    entry = ruled(game)
    link = f"{url(game, 'table-appeal-new')}?kind=ruling&amp;number={entry}"
    assert link in client("Bo").get(url(game, "table")).content.decode()
    assert link not in client("Cy").get(url(game, "table")).content.decode()
    form = url(game, "table-appeal-new")
    assert "The text says so." in text(client("Bo").get(form, {"kind": "ruling", "number": entry}))
    assert "concern you" in text(client("Cy").get(form, {"kind": "ruling", "number": entry}))
    sent = {"kind": "ruling", "number": entry, "cites": "", "text": "It says less.", "token": "one"}
    refused = client("Bo").post(form, sent)
    assert refused.status_code == 422
    assert "It says less." in text(refused)
    answer = client("Bo").post(form, {**sent, "cites": "K42"})
    assert answer["Location"] == url(game, "table-appeal", 1)
    assert "Kim, until" in text(client().get(url(game, "table-appeal", 1)))
    assert "Your answer" not in text(client("Jo").get(url(game, "table-appeal", 1)))
    said = {"how": "mended", "answer_cites": "K43", "text": "He discards it.", "program": "A discards 1"}
    assert client("Kim").post(url(game, "table-appeal", 1), said).status_code == 302
    shown = text(client().get(url(game, "table-appeal", 1)))
    assert "The answer: corrected K43" in shown
    assert "carries it out" in shown
    assert "Appeal 1 by Bo against the ruling" in text(client().get(url(game, "table-conduct")))
    for kind, number in (("ruling", 1), ("ruling", 10**30), ("sanction", 1), ("what", "x")):
        assert client("Bo").get(form, {"kind": kind, "number": number}).status_code == 404


def test_an_appeal_is_taken_back_on_its_page(game: Game) -> None:
    entry = ruled(game)
    sent = {"kind": "ruling", "number": entry, "cites": "K42", "text": "It says less.", "token": "one"}
    client("Bo").post(url(game, "table-appeal-new"), sent)
    assert client("Bo").post(url(game, "table-appeal", 1), {"act": "withdraw"}).status_code == 302
    assert TableAppeal.objects.get().state == "withdrawn"
    assert client("Ana").get(url(game, "table-appeal", 2)).status_code == 404


def test_a_judge_sanctions_and_lifts_on_the_page_and_who_was_sanctioned_is_led_to_his_appeal(game: Game) -> None:
    page = url(game, "table-conduct")
    sent = {"kind": "warning", "whom": "Bo", "cites": "1.3", "reason": "He shouted.", "days": "", "token": "one"}
    refused = client("Jo").post(page, {**sent, "whom": "Nobody"})
    assert refused.status_code == 422
    assert "He shouted." in text(refused)
    assert client("Jo").post(page, sent).status_code == 302
    shown = client("Bo").get(page)
    assert "Impose a sanction" not in text(shown)
    assert f"{url(game, 'table-appeal-new')}?kind=sanction&amp;number=1" in shown.content.decode()
    assert client("Ana").post(page, {**sent, "token": "two"}).status_code == 422
    assert client("Jo").post(page, {"act": "lift", "number": 1, "lifted": "He did not."}).status_code == 302
    assert Sanction.objects.get().lifted_at is not None
    assert "Jo lifted it" in text(client().get(page))


def test_a_cards_rulings_stand_with_its_text_on_the_table_and_in_its_list(game: Game) -> None:
    hand = [card["card"] for card in game.view("Ana").view["zones"]["A.hand"]]
    ruled(game, hand[0])
    assert "Ruling: A draws 1 K42 The text says so." in text(client("Ana").get(url(game, "table")))
    listed = reverse("table-list", args=[game.row().card_list_id])
    assert "Ruling: A draws 1 K42 The text says so." in text(client().get(listed))


def test_a_judge_begins_with_an_earlier_ruling_and_says_where_it_was(game: Game) -> None:
    typed = {"program": "A draws 1", "cites": "K42", "card": "Old Pact", "reason": "As at The bay: so it is."}
    page = client("Jo").get(url(game, "table-desk"), typed).content.decode()
    for value in ("A draws 1", "Old Pact"):
        assert f'value="{value}"' in page
    assert "As at The bay: so it is." in page


def test_no_page_of_people_asks_more_than_twenty_statements(game: Game, django_assert_max_num_queries: object) -> None:
    entry = ruled(game)
    sent = {"kind": "ruling", "number": entry, "cites": "K42", "text": "It says less.", "token": "one"}
    client("Bo").post(url(game, "table-appeal-new"), sent)
    client("Ana").post(url(game, "table-talk"), {"text": "Good luck, @Bo!", "token": "one"})
    Seat.objects.filter(table=game.table, name="Bo").update(missed=3, bank=timedelta(0))
    pages = [url(game, name) for name in ("table", "table-people", "table-talk", "table-conduct")]
    pages += [url(game, "table-appeal", 1), f"{url(game, 'table-appeal-new')}?kind=ruling&number={entry}"]
    for browser in (client("Ana"), client("Kim")):
        for page in pages:
            game_state.forget()
            with django_assert_max_num_queries(20):  # type: ignore[operator]
                assert browser.get(page).status_code == 200
