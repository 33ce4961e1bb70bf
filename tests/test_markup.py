"""Markdown as people write it: under their text at once, with tables and lists."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.utils.safestring import SafeString

from judging.common.markup import (
    LONGEST,
    MOST_BRACKETS,
    MOST_DEFINITIONS,
    Keeping,
    Marked,
    People,
    document,
    marked,
    to_html,
)

TABLE = "| slot | losses |\n| --- | ---: |\n| 1 | 500 |"


@pytest.mark.parametrize(
    "text", [TABLE, f"My plan:\n{TABLE}", f"My plan:\n\n{TABLE}\n\nThat is all.", f"- one\n- two\n\n{TABLE}"]
)
def test_a_table_is_a_table_wherever_it_stands(text: str) -> None:
    html = to_html(text)
    assert "<th>slot</th>" in html
    assert '<td align="right">500</td>' in html
    assert "|" not in html


@pytest.mark.parametrize("reading", [to_html, document])
def test_a_wide_table_is_moved_sideways_by_keys_too(reading: Callable[[str], SafeString]) -> None:
    html = reading(f"My plan:\n\n{TABLE}\n\nWritten as `<table>`, and <table> too.")
    moved = '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'
    assert (html.count(moved), html.count("</table></div>"), html.count("<div")) == (1, 1, 1)
    assert html.count("&lt;table&gt;") == 2


def test_a_table_without_outer_pipes_is_one_too() -> None:
    assert "<td>2</td>" in to_html("Both sides:\na | b\n--- | ---\n1 | 2")


@pytest.mark.parametrize("text", ["- one\n- two", "* one\n* two", "1. one\n2. two"])
def test_a_list_under_its_text_is_a_list(text: str) -> None:
    html = to_html(f"We hold:\n{text}")
    assert html.startswith("<p>We hold:</p>")
    assert html.count("<li>") == 2


def test_a_list_stays_one_list_though_its_lines_run_on() -> None:
    assert to_html("- one\nand more\n- two").count("<ul>") == 1


@pytest.mark.parametrize("text", ["```\nx\n| a | b |\n| - | - |\n- one\n```", "    x\n    | a | b |\n    | - | - |"])
def test_code_stays_as_it_was_typed(text: str) -> None:
    html = to_html(text)
    assert "<table>" not in html
    assert "x\n| a | b |\n| - | - |" in html


@pytest.mark.parametrize(
    "text", ["5 | 6 is no table", "1999. That was a year.\n2000. Another.", "a\n- \nb", "5\n-3 is two"]
)
def test_what_is_no_table_and_no_list_stays_text(text: str) -> None:
    assert not re.search("<table|<li", to_html(f"Text\n{text}"))


def test_html_stays_as_it_was_typed() -> None:
    html = to_html('<table style="x" onclick="y"><tr><td>1</td></tr></table> fears <them>.')
    assert "<t" not in html
    assert "fears &lt;them&gt;." in html


def test_a_list_keeps_the_number_that_it_begins_with() -> None:
    assert to_html("3. three\n4. four").startswith('<ol start="3">')


def test_an_image_is_shown_as_a_link_and_loads_nothing() -> None:
    """A link that says so, and none within another one."""
    assert to_html("![map](https://x.example/y)") == (
        '<p><a href="https://x.example/y" rel="noopener noreferrer">Image: map</a></p>'
    )
    assert ">Image</a>" in to_html("![](https://x.example/y)")
    assert to_html("[![map](https://x.example/y)](https://x.example)").count("<a ") == 1
    assert "<a" not in to_html("![map](javascript:alert(1))")
    assert "<b>" not in to_html("![<b>](https://x.example/)")


def test_what_is_struck_out_is_struck_out() -> None:
    assert to_html("~~hold~~") == "<p><del>hold</del></p>"


@pytest.mark.parametrize(
    "text",
    [
        ">" * 100 + " deep",
        "\n".join(f"{'  ' * depth}- deep" for depth in range(60)),
        "[" * (MOST_BRACKETS + 1) + "deep",
        "".join(f"[{number}]: deep\n" for number in range(MOST_DEFINITIONS + 1)),
        "".join(f"> > [{number}]: deep\n" for number in range(MOST_DEFINITIONS + 1)),
        "|" + "deep|" * 60 + "\n|" + "-|" * 60 + "\n",
        "|" + "deep|" * 30 + "\n|" + "-|" * 30 + "\n" + "|\n" * 500,
        "> |" + "deep|" * 30 + "\n> |" + "-|" * 30 + "\n" + "> |\n" * 500,
        "deep" * LONGEST,
    ],
)
def test_what_would_take_seconds_or_lose_text_stays_as_it_was_typed(text: str) -> None:
    html = to_html(text)
    assert not re.search("<(?!/?p>|br>)", html)
    assert unescape(re.sub("<[^>]+>", " ", html)).split() == text.split()


@pytest.mark.parametrize("unit", ["a\n===\n", "# a\n", "a\n---\n", "[a](<b", "<http://a ", "*a **b ", "- a\n", "> "])
def test_a_text_of_one_thing_over_and_over_is_shown(unit: str) -> None:
    assert to_html(unit * (50_000 // len(unit)))


def test_a_text_is_read_once_for_all_who_look(monkeypatch: pytest.MonkeyPatch) -> None:
    first = marked("*Once* @Ana", People({"Ana": "/a"}))
    monkeypatch.setattr("judging.common.markup._marked", lambda text, people: Marked(SafeString("anew")))
    assert marked("*Once* @Ana", People({"Ana": "/a"})) is first
    assert marked("*Once* @Ana", People({"Ana": "/elsewhere"})).html == "anew"


def test_no_more_is_kept_than_there_is_room_for() -> None:
    kept = Keeping(10)
    for key in (b"1", b"2", b"3"):
        kept.keep(key, Marked(SafeString("12345")))
    kept.keep(b"4", Marked(SafeString("x" * 11)))
    assert [kept.get(key) is not None for key in (b"1", b"2", b"3", b"4")] == [False, False, False, False]
    kept.keep(b"5", Marked(SafeString("12345")))
    assert kept.get(b"5") is not None


def test_signs_that_turn_a_line_round_are_not_shown() -> None:
    assert to_html("Gaz \u202eD5 > D3\u2066") == "<p>Gaz D5 &gt; D3</p>"


def test_half_a_sign_is_shown_as_a_question_mark_and_breaks_no_page():
    assert to_html("a \ud800 b") == "<p>a ? b</p>"
