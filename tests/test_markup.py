"""Markdown as people write it: under their text at once, with tables and lists."""

from __future__ import annotations

import re

import pytest

from judging.game.markup import to_html

TABLE = "| slot | losses |\n| --- | ---: |\n| 1 | 500 |"


@pytest.mark.parametrize(
    "text", [TABLE, f"My plan:\n{TABLE}", f"My plan:\n\n{TABLE}\n\nThat is all.", f"- one\n- two\n\n{TABLE}"]
)
def test_a_table_is_a_table_wherever_it_stands(text: str) -> None:
    html = to_html(text)
    assert "<th>slot</th>" in html
    assert '<td align="right">500</td>' in html
    assert "|" not in html


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


def test_a_table_brings_no_attribute_but_its_alignment() -> None:
    html = to_html('<table style="x" onclick="y"><tr><td style="position:fixed" align="left">1</td></tr></table>')
    assert html == '<table><tbody><tr><td align="left">1</td></tr></tbody></table>'
