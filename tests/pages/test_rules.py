"""The rule text as a page: word for word, every number with an anchor."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from judging.common import rulebook
from judging.common.markup import to_html
from wargame.rules.core.reasons import Reason


@pytest.fixture
def html(db: None) -> str:
    return Client().get(reverse("rules")).content.decode()


def test_every_number_of_the_rules_has_its_anchor_once(html: str) -> None:
    text = rulebook.RULES.read_text(encoding="utf-8")
    numbers = set(re.findall(r"^[\s•]*(\d+(?:\.\d+)+)\b", text, re.MULTILINE))

    assert len(numbers) > 130
    for number in numbers | set("123456"):
        assert html.count(f'id="r{number}"') == 1


def test_every_ruling_has_its_anchor_once(html: str) -> None:
    for number in range(1, 53):
        assert html.count(f'id="R{number}"') == 1


def test_the_text_is_there_word_for_word(html: str) -> None:
    shown = words(unescape(re.sub(r"<[^>]+>", " ", html)))
    text = rulebook.RULES.read_text(encoding="utf-8").split("Chapter 6: Mercenaries", 1)[1]
    lines = [line.strip(" •\t-") for line in text.splitlines()]

    missing = [line for line in lines if line and words(line) not in shown]

    assert missing == []


def words(text: str) -> str:
    return re.sub(r"\W+", " ", text)


@pytest.mark.parametrize("cites", sorted({reason.cites for reason in Reason}))
def test_whatever_is_cited_is_on_the_page(cites: str) -> None:
    assert rulebook.anchor_of(cites)


def test_citations_within_the_text_are_links(html: str) -> None:
    assert '<a href="#r3.2.2.1">3.2.2.1</a>' in html
    assert '<a href="#R12">R12</a>' in html


@pytest.mark.parametrize(("number", "anchor"), [("3.2.2.1", "r3.2.2.1"), ("2.1", "r2.1"), ("R20", "R20"), ("4", "r4")])
def test_a_short_address_leads_to_each_number(number: str, anchor: str) -> None:
    assert Client().get(reverse("rule", args=[number])).url == f"/rules/#{anchor}"


@pytest.mark.parametrize("number", ["9.9", "R99", "r3.2", "x"])
@pytest.mark.django_db
def test_a_number_that_is_not_there_is_a_404(number: str) -> None:
    assert Client().get(reverse("rule", args=[number])).status_code == 404


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "<img src=x onerror=alert(1)>",
        '<a href="data:text/html,x">x</a>',
        "<p style='position:fixed'>x</p>",
        "<form action=/x><input></form>",
    ],
)
def test_markdown_that_people_wrote_brings_nothing_dangerous(text: str) -> None:
    html = to_html(text)

    assert not re.search(r"<script|=.?javascript:|<[^>]*(onerror|data:|style=)|<form|<input|<img", html)


def test_how_the_dice_are_drawn_is_a_page(db: None) -> None:
    """R38: the document word for word, as headings, tables and code."""
    html = Client().get(reverse("dice")).content.decode()

    assert "<h1>Dice</h1>" in html
    assert "<td><code>d20 side 1</code></td>" in html
    assert "hmac.new(bytes.fromhex(seed), message, hashlib.sha256)" in unescape(html)
    assert "<br" not in html
