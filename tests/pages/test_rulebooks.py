"""The books of the card games: every word of the documents, every number with its place, every ruling."""

import re
from html import unescape

import pytest
from django.test import Client

from judging.rulebooks.books import FOLDER, TITLES, anchor_of, book_of
from judging.templatetags.rulebook_tags import cite_of
from tables.games import RULES

pytestmark = pytest.mark.django_db

LAST_RULING = {"kryptik": "K63", "seize": "S88", "altered": "A42"}


def words(text: str) -> list[str]:
    return re.findall(r"[\w’']+", text.replace("++", ""))


@pytest.mark.parametrize("game", TITLES)
def test_a_book_shows_every_number_once_and_each_ruling(client: Client, game: str) -> None:
    page = client.get(f"/rules/{game}/").content.decode()
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    numbers = [each.number for each in book_of(game).paragraphs if each.number]
    assert len(numbers) == len(set(numbers))
    assert {anchor_of(game, number) for number in numbers} <= set(ids)
    assert LAST_RULING[game] in ids


@pytest.mark.parametrize("game", ["seize", "altered"])
def test_a_document_is_shown_word_for_word(client: Client, game: str) -> None:
    shown = [word for each in book_of(game).paragraphs for part in (each.title, *each.lines) for word in words(part)]
    numbered = re.sub(r"(?m)(?:^|(?<=[a-z]\.))\d+(?:\.\d+)*\.[a-z0-9]+\b", " ", (FOLDER / f"{game}.txt").read_text())
    assert shown == words(numbered)


@pytest.mark.parametrize(
    ("game", "number", "place"),
    [
        ("kryptik", "4.4.4.1", "r4.4.4.1"),
        ("kryptik", "G: Weary", "g-weary"),
        ("kryptik", "G: Destroyed", "g-destroyed-dies"),
        ("kryptik", "K13", "K13"),
        ("seize", "11.4.1", "r11.4.1"),
        ("seize", "13.8.2", "r13.8.2"),
        ("altered", "3.2.9", "r3.2.9.a"),
        ("altered", "1.3.2.f", "r1.3.2.a"),
    ],
)
def test_a_number_leads_to_its_place(client: Client, game: str, number: str, place: str) -> None:
    answer = client.get(f"/rules/{game}/{number}/")
    assert (answer.status_code, answer["Location"]) == (302, f"/rules/{game}/#{place}")


def test_a_number_that_no_book_has_is_not_found(client: Client) -> None:
    assert client.get("/rules/kryptik/77.7/").status_code == 404
    assert client.get("/rules/seize/R20/").status_code == 404


def test_a_citation_without_a_book_is_told_without_a_link() -> None:
    assert cite_of("chess", "8") == '<span class="cite">8</span>'
    assert cite_of("kryptik", ["8.3", "<b>"]) == (
        '<a class="cite" href="/rules/kryptik/#r8.3">8.3</a> <span class="cite">&lt;b&gt;</span>'
    )


def test_each_game_with_rules_has_a_book() -> None:
    assert set(TITLES) == set(RULES) - {"free"}


def test_what_is_read_stays_text(client: Client) -> None:
    page = unescape(client.get("/rules/kryptik/").content.decode())
    assert "Plunder X <type>" in page
