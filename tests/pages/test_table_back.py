"""11: the pages on which a table is taken back to an entry, and on which a judge looks at hidden cards."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.services.tables_of_tests import Game, appoint, person, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A table at which a few windows were passed, with Jo as its judge."""
    made = running()
    person("Jo")
    appoint(made.table, "Jo", made.now)
    made.go_on("first")
    made.post(made.waited(), "pass")
    made.post(made.waited(), "pass")
    return made


def client(name: str) -> Client:
    """Somebody's browser."""
    found = Client()
    found.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    return found


def text(page: object) -> str:
    """What a page says, without its marks."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())  # type: ignore[attr-defined]


def sent(game: Game, **typed: str) -> dict[str, str]:
    """A form as it is sent."""
    return {"on": game.row().head, "token": f"form {game.row().entries}", **typed}


def test_the_page_of_an_entry_leads_a_judge_and_the_players_to_taking_the_table_back(game: Game) -> None:
    n = game.state().shown
    address = reverse("table-back", args=[game.table.slug, n])

    for name, is_there in (("Jo", True), ("Ana", True), ("Cy", False)):
        page = client(name).get(reverse("table-entry", args=[game.table.slug, n]))
        assert (address in page.content.decode()) is is_there


def test_a_judge_takes_the_table_back_and_the_log_marks_what_counts_no_longer(game: Game) -> None:
    n = game.state().shown
    address = reverse("table-back", args=[game.table.slug, n])
    assert "Take the table back" in text(client("Jo").get(address))

    page = client("Jo").post(address, sent(game, reason="a wrong click"), follow=True)

    assert f"The table is back at entry {n}." in text(page)
    assert "no longer counts" in text(page)
    assert "a wrong click" in text(page)


def test_what_is_refused_keeps_its_reason_and_says_what_would_do(game: Game) -> None:
    address = reverse("table-back", args=[game.table.slug, game.state().shown - 1])

    page = client("Jo").post(address, sent(game, reason="far too late"))

    assert page.status_code == 422
    assert "fresh draws" in text(page)
    assert "far too late" in page.content.decode()


def test_a_player_asks_and_the_other_is_shown_it(game: Game) -> None:
    n = game.state().shown
    address = reverse("table-back", args=[game.table.slug, n])

    page = client("Ana").post(address, sent(game, reason=""), follow=True)

    assert "The table will go back once all players have asked for it" in text(page)
    assert f"Ana asked to go back to entry {n}" in text(client("Bo").get(address))


def test_there_is_no_way_back_to_an_entry_that_is_none(game: Game) -> None:
    assert client("Jo").get(reverse("table-back", args=[game.table.slug, 999])).status_code == 404


def test_a_judge_asks_for_hidden_cards_and_reads_them_there(game: Game) -> None:
    address = reverse("table-look", args=[game.table.slug])
    card = game.view("Ana").view["zones"]["A.hand"][0]["card"]
    assert card not in text(client("Jo").get(address))

    page = client("Jo").post(address, sent(game, seat="A", reason="Was it there?"), follow=True)

    assert "Ana’s hand" in text(page)
    assert card in text(page)
    assert "Was it there?" in text(client("Bo").get(reverse("table", args=[game.table.slug])))


def test_nobody_but_a_judge_is_offered_or_given_hidden_cards(game: Game) -> None:
    address = reverse("table-look", args=[game.table.slug])

    for name in ("Bo", "Cy"):
        assert "Only the judges" in text(client(name).get(address))
        page = client(name).post(address, sent(game, seat="A", reason="I am curious."))
        assert page.status_code == 422
        assert "I am curious." not in text(client("Ana").get(reverse("table", args=[game.table.slug])))
