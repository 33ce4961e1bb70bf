"""12: the pages of card tables: the lobby, opening and joining, a table that is played, and decks."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from judging.tables import game_state
from judging.tables.cards import lists
from judging.tables.models import CardList, Deck, JudgeProposal, Table, TableState
from tests.services.tables_of_tests import OPENED, deck, opened, person, running, sit

pytestmark = pytest.mark.django_db


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


def test_two_people_open_a_table_sit_down_and_play_by_what_the_pages_offer() -> None:
    made_up = lists.take_made_up("kryptik", OPENED)
    ana, bo = client("Ana"), client("Bo")
    typed = {"name": "The bay", "format": "kryptik constructed", "list": made_up.pk, "places": 2, "pace": "post"}
    with time_machine.travel(OPENED, tick=False):
        page = ana.post(reverse("table-new"), {**typed, "cuts": "simple"})
        table = Table.objects.get()
        assert page["Location"] == reverse("table", args=["the-bay"])
        for browser, name, deck_name in ((ana, "Ana", "Harbour"), (bo, "Bo", "Ember")):
            browser.post(reverse("table-sit", args=["the-bay"]), {"seat": name, "deck": deck(deck_name).pk})
        assert Table.objects.get().state == TableState.RUNNING
        page = ana.get(reverse("table", args=[table.slug]))
        assert "Keep this hand, or put cards back" in text(page)
        for browser in (ana, bo):
            data = {
                "action": '{"kind": "recursion"}',
                "on": Table.objects.get().head,
                "token": f"form {browser is ana}",
            }
            assert browser.post(reverse("table", args=[table.slug]), data).status_code == 302
    assert Table.objects.get().entries == 9


def test_a_refused_line_keeps_what_was_typed_and_says_which_rule() -> None:
    game = running()
    data = {"lines": "attack with #4 > 11y 3", "on": game.row().head, "token": "form"}
    page = client("Ana").post(reverse("table", args=[game.table.slug]), data)
    assert page.status_code == 422
    assert "attack with #4 &gt; 11y 3" in page.content.decode()
    assert "4.4.2" in text(page)


def test_a_stale_post_is_answered_with_409_and_kept() -> None:
    game = running()
    old = game.row().head
    game.post("Bo", "propose: nothing happens")
    data = {"lines": "keep hand", "on": old, "token": "form"}
    page = client("Ana").post(reverse("table", args=[game.table.slug]), data)
    assert page.status_code == 409
    assert "The table has changed" in text(page)


@pytest.mark.parametrize("field", ["action", "pick_for"])
def test_a_button_that_sends_half_a_character_is_refused(field: str) -> None:
    game = running()
    data = {field: r'{"kind": "soul", "card": "\ud800"}', "on": game.row().head, "token": "form"}
    page = client("Ana").post(reverse("table", args=[game.table.slug]), data)
    assert page.status_code == 422
    assert "Something went wrong with this form" in text(page)


def test_lines_are_only_read_over_and_nothing_is_posted() -> None:
    game = running()
    data = {"lines": "keep  hand\ncast", "read": "yes", "on": game.row().head, "token": "form"}
    page = client("Ana").post(reverse("table", args=[game.table.slug]), data)
    assert page.status_code == 200
    assert "is read as: keep hand" in text(page)
    assert "can’t be read" in text(page)
    assert game.row().entries == 7


def test_a_hand_is_on_its_owners_page_and_on_nobody_elses() -> None:
    game = running()
    hand = {card["card"] for card in game.view("Ana").view["zones"]["A.hand"]}
    url = reverse("table", args=[game.table.slug])
    assert hand <= {name for name in hand if name in text(client("Ana").get(url))}
    for name in ("Bo", ""):
        assert not any(card in text(client(name).get(url)) for card in hand)


def test_the_lobby_shows_an_invited_table_to_its_people_alone() -> None:
    opened(is_invited=True, name="For two friends")
    assert "For two friends" in text(client("Ana").get(reverse("tables")))
    assert "For two friends" not in text(client("Bo").get(reverse("tables")))
    assert "For two friends" not in text(client().get(reverse("tables")))


def test_a_table_may_be_given_up_before_it_starts() -> None:
    table = opened()
    sit(table, "Bo")
    client("Bo").post(reverse("table-give-up", args=[table.slug]))
    assert Table.objects.get().state == TableState.GIVEN_UP
    assert "This table was cancelled before it started." in text(client().get(reverse("table", args=[table.slug])))


def test_a_deck_is_checked_with_every_breach_and_saved() -> None:
    made_up = lists.take_made_up("kryptik", OPENED)
    ana = client("Ana")
    typed = {"name": "Mine", "format": "kryptik constructed", "list": made_up.pk, "text": "4 Harbour Watch"}
    page = ana.post(reverse("table-deck-new"), {**typed, "check": "yes"})
    assert "1.1.1" in text(page)
    assert "1.2.1" in text(page)
    assert not Deck.objects.filter(owner=person("Ana"))
    page = ana.post(reverse("table-deck-new"), typed, follow=True)
    assert "Saved as version 1" in text(page)
    mine = Deck.objects.get(owner=person("Ana"))
    assert client("Bo").get(reverse("table-deck", args=[mine.pk])).status_code == 404


def test_a_deck_that_cannot_be_read_is_told_of_with_its_lines() -> None:
    made_up = lists.take_made_up("kryptik", OPENED)
    typed = {"name": "Mine", "format": "kryptik constructed", "list": made_up.pk, "text": "2 Harbor Watch\n1 Nothing"}
    page = client("Ana").post(reverse("table-deck-new"), typed)
    assert page.status_code == 422
    assert "Harbour Watch" in text(page)
    assert "2 Harbor Watch" in page.content.decode()


def test_whoever_is_not_logged_in_is_asked_to() -> None:
    table = opened()
    assert client().get(reverse("table-new")).status_code == 302
    page = client().post(reverse("table", args=[table.slug]), {"lines": "pass"})
    assert page.status_code == 403


def test_the_time_that_is_left_stands_on_the_page() -> None:
    game = running()
    page = client("Ana").get(reverse("table", args=[game.table.slug]))
    due = OPENED + timedelta(days=4)
    assert f"{due.day} Mar 2026, 12:00 UTC" in text(page)


def test_a_judge_tries_a_ruling_and_rules() -> None:
    game = running()
    person("Jo")
    ana, jo = client("Ana"), client("Jo")
    desk = reverse("table-desk", args=[game.table.slug])
    judges = reverse("table-judges", args=[game.table.slug])
    ana.post(judges, {"username": "jo", "name": "Jo"})
    client("Bo").post(judges, {"agree": JudgeProposal.objects.get().pk})
    ana.post(reverse("table-ask", args=[game.table.slug]), {"question": "What now?"})
    assert "What now?" in text(jo.get(desk))
    verdict = {"program": "nothing happens", "cites": "K42", "reason": "So it is."}
    sent = {**verdict, "on": game.row().head, "token": "form"}
    page = jo.post(desk, {**sent, "try": "yes"})
    assert page.status_code == 200
    assert "What would happen" in text(page)
    assert jo.post(desk, sent).status_code == 302
    assert "So it is." in text(client().get(reverse("table", args=[game.table.slug])))
    assert client("Bo").post(desk, {**sent, "token": "other"}).status_code == 422
    assert "So it is." in text(client().get(reverse("table-rulings", args=["kryptik"])))


def test_a_standing_order_is_given_on_the_page() -> None:
    game = running()
    data = {"lines": "pass until my turn", "order": "yes", "on": game.row().head, "token": "form"}
    url = reverse("table", args=[game.table.slug])
    assert client("Bo").post(url, data).status_code == 302
    assert "pass until my turn" in text(client("Bo").get(url))
    for name in ("Ana", ""):
        shown = text(client(name).get(url)).replace("pass until my turn unless attacked", "")
        assert "pass until my turn" not in shown


LIST = """
list: {key: mine, name: Mine, game: kryptik, version: 1}
cards:
  - {name: Old Ox, type: citizen, cost: {any: 2}, attack: 2, defense: 2, text: ""}
"""


def test_a_list_is_uploaded_and_shown_and_a_changed_one_needs_a_new_version() -> None:
    ana = client("Ana")
    page = ana.post(reverse("table-list-new"), {"text": LIST}, follow=True)
    assert "was saved with 1 card." in text(page)
    assert "Old Ox" in text(client().get(reverse("table-list", args=[CardList.objects.get().pk])))
    changed = ana.post(reverse("table-list-new"), {"text": LIST.replace("attack: 2", "attack: 3")})
    assert changed.status_code == 422
    assert "There is already a different version" in text(changed)
    other = client("Bo").post(reverse("table-list-new"), {"text": LIST.replace("version: 1", "version: 2")})
    assert "belongs to someone else" in text(other)


def test_a_list_with_faults_is_told_of_all_of_them_and_kept() -> None:
    bad = LIST + "  - {name: Old Ox, type: citzen, atack: 2}\n  - {type: spell}\n"
    page = client("Ana").post(reverse("table-list-new"), {"text": bad})
    assert page.status_code == 422
    assert "citzen" in text(page)
    assert "atack" in text(page)
    assert not CardList.objects.exists()
    for broken in ("[", "", "a: 1\n---\nb: 2", "just words"):
        assert client("Ana").post(reverse("table-list-new"), {"text": broken}).status_code == 422


def test_no_page_of_a_table_asks_more_than_twenty_statements(django_assert_max_num_queries: object) -> None:
    game = running()
    ana = client("Ana")
    names = [("tables", ()), ("table", (game.table.slug,)), ("table-desk", (game.table.slug,)), ("table-lists", ())]
    for name, args in [*names, ("table-verify", (game.table.slug,)), ("table-decks", ()), ("table-new", ())]:
        game_state.forget()
        with django_assert_max_num_queries(20):  # type: ignore[operator]
            assert ana.get(reverse(name, args=args)).status_code == 200
