"""T1 to T14: the document on card tables has a page, and whatever is cited leads to a place in it or in a book."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from judging.rulebooks import books, documents
from judging.tables.board.board import BY_GAME
from judging.templatetags.rulebook_tags import cite_of

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
CITED = re.compile(r"\bT\d+(?:\.\d+)?\b(?![-:]\d)")
FOLDERS = ("judging/tables", "judging/rulebooks", "tables", "templates/tables", "tests/tables", "fixtures/rules")
DOCUMENTS = (*(f"docs/{path}" for path in documents.PATHS.values()), "README.md", "CHANGELOG.md")


def texts() -> Iterator[tuple[str, str]]:
    """Where something is cited, and its text."""
    for path in (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.*"))):
        if path.suffix in (".py", ".html", ".md"):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def test_every_number_that_is_cited_is_a_section_of_the_document() -> None:
    cited = {number: place for place, text in texts() for number in CITED.findall(text)}
    for name in DOCUMENTS:
        cited |= dict.fromkeys(CITED.findall((ROOT / name).read_text(encoding="utf-8")), name)
    assert len(cited) > 25
    assert {number: place for number, place in cited.items() if number not in documents.numbers()} == {}


def test_what_cites_the_design_is_shown_with_the_number_that_a_page_has() -> None:
    assert cite_of("kryptik", "DESIGN 9") == '<a class="cite" href="/rules/tables/#T9">T9</a>'
    assert {f"T{number}" for number in range(1, 15)} <= documents.numbers()


def test_whatever_the_core_refuses_without_a_number_has_one_here() -> None:
    said = re.compile(r'Refused\(\s*"(?P<word>[a-z]+)"')
    words = {found["word"] for place, text in texts() if place.startswith("tables/") for found in said.finditer(text)}
    assert len(words) > 8
    assert words <= set(documents.WORDS)
    assert set(documents.WORDS.values()) | set(documents.AT_A_FREE_TABLE.values()) <= documents.numbers()


@pytest.mark.parametrize("name", documents.TITLES)
def test_a_document_has_a_page_and_an_anchor_for_each_section(client: Client, name: str) -> None:
    page = client.get(f"/rules/{name}/").content.decode()
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert {each.anchor for each in documents.document_of(documents.PATHS[name]).headings} <= set(ids)
    assert not re.search(r'href="[^":]+\.md', page)


def test_a_number_of_the_document_leads_to_its_place(client: Client) -> None:
    assert client.get("/rules/tables/T9.2/")["Location"] == "/rules/tables/#T9.2"
    assert client.get("/rules/tables/t3/")["Location"] == "/rules/tables/#T3"
    assert client.get("/rules/tables/T99/").status_code == 404


@pytest.mark.parametrize("game", BY_GAME)
def test_what_is_offered_and_asked_is_cited_by_numbers_that_have_a_place(game: str) -> None:
    assert [cite for cite in BY_GAME[game].values() if not books.address_of(game, cite)] == []


def test_a_citation_leads_to_the_book_of_its_game_or_to_the_document() -> None:
    assert 'href="/rules/kryptik/#r8.1"' in cite_of("kryptik", ("8.1", "K20"))
    assert cite_of("free", "8.3") == '<a class="cite" href="/rules/tables/#T6.4">T6.4</a>'
    assert cite_of("seize", "K42, T9.2") == (
        '<a class="cite" href="/rules/tables/#T11.1">T11.1</a> <a class="cite" href="/rules/tables/#T9.2">T9.2</a>'
    )
    assert cite_of("kryptik", "text of Old Pact") == '<span class="cite">text of Old Pact</span>'
