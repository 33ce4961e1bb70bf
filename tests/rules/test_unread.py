"""R8: talk that may be meant as an order is asked about, with what it may have meant; nothing else is."""

from __future__ import annotations

import re

import pytest

from wargame.rules.core.board import read_square
from wargame.rules.core.names import Names
from wargame.rules.core.orders import Talk, Unreadable
from wargame.rules.posts import unread as unread_lines
from wargame.rules.posts.notation import read_line
from wargame.rules.posts.unread import Doubt, Unread, Writer, meant_by, unread

AT = {
    name: read_square(at)
    for name, at in {
        "Topdeck Tam": "19C",
        "Squirrel Parliament": "9H",
        "Sump Rat": "19A",
        "Tick Tock Tomb": "20B",
    }.items()
}
NAMES = Names(AT)
WRITER = Writer(("Topdeck Tam", "Squirrel Parliament"))


def asked(text: str, writer: Writer = WRITER) -> Unread | None:
    assert isinstance(read_line(text, NAMES), Talk), "only talk is asked about"
    return unread(text, NAMES, writer, AT)


@pytest.mark.parametrize(
    ("text", "doubt", "meant"),
    [
        ("Topdeck Tam: interecpt Sump Rat", Doubt.OWN_ARMY, "Topdeck Tam: intercept Sump Rat"),
        ("Topdeck Tam: 19C to 19B", Doubt.OWN_ARMY, "Topdeck Tam: 19C > 19B"),
        ("Topdeck Tam: engage Tick Tock Tomb", Doubt.OWN_ARMY, "Topdeck Tam: 19C > 20B; engage Tick Tock Tomb"),
        ("Squirrel Parliament: stay put", Doubt.OWN_ARMY, "Squirrel Parliament: hold"),
        ("squirrel parliament hold", Doubt.ORDER_WORD, "Squirrel Parliament: hold"),
        ("Tam: moves to 19B", Doubt.OWN_ARMY, "Topdeck Tam: 19C > 19B"),
        (
            "Topdek Tam: go 19B then 20B; engage Tick Tock Tomb",
            Doubt.OWN_ARMY,
            "19C > 19B > 20B; engage Tick Tock Tomb",
        ),
        ("19C to b19", Doubt.SQUARES, "Topdeck Tam: 19C > 19B"),
        ("19C - 19A and attack Sump Rat", Doubt.SQUARES, "Topdeck Tam: 19C > 19A; engage Sump Rat"),
        ("Tam ⇨ 19B", Doubt.ARROW, "Topdeck Tam: 19C > 19B"),
        ("interecpt Sumprat", Doubt.ORDER_WORD, "Topdeck Tam: intercept Sump Rat"),
        ("Hold position!", Doubt.ORDER_WORD, "Squirrel Parliament: hold"),
    ],
)
def test_what_looks_like_an_order_is_asked_about(text: str, doubt: Doubt, meant: str) -> None:
    found = asked(text)
    assert found is not None
    assert found.doubt is doubt
    assert any(order.endswith(meant) for order in found.meant), found.meant


def test_an_army_out_of_reach_is_asked_about_and_no_order_that_would_be_refused_is_offered() -> None:
    """3.2.2.1"""
    assert asked("Squirrel Parliament: engage Sump Rat") == Unread(Doubt.OWN_ARMY, ())


@pytest.mark.parametrize("text", ["Topdeck Tam will not move in vain", "Tam: hi", "we will engage Sump Rat"])
def test_a_line_that_names_the_writers_army_or_an_attack_is_asked_about(text: str) -> None:
    assert asked(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello everybody.",
        "Topdeck Tam",
        "— Topdeck Tam",
        "> Topdeck Tam: 19C to 19B",
        "Is Topdeck Tam safe on 19C?",
        "Sump Rat: you will be sorry",
        "They engaged Sump Rat yesterday; our engagement at 5E was great.",
        "<b>bold</b> and https://example.org/19C-19B",
        "good luck to all",
        "Topdeck Tam " + "la " * 200,
    ],
)
def test_plain_talk_is_left_alone(text: str) -> None:
    assert asked(text) is None


def test_who_has_no_army_is_not_asked() -> None:
    assert asked("19C to 19B", Writer(())) is None


def test_no_order_is_offered_for_a_strangers_army() -> None:
    """5.4.1: who took it would be punished."""
    assert asked("Sump Rat: holds") == Unread(Doubt.ORDER_WORD, ())


def test_no_attack_is_offered_that_nobody_asked_for() -> None:
    found = asked("Topdeck Tam: 19C to 20B")
    assert found is not None
    assert not any("engage" in order for order in found.meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Topdeck Tam 19C > 19B", "Topdeck Tam: 19C > 19B"),
        ("Topdeck Tam: 19C > 19A engage Sump Rat", "Topdeck Tam: 19C > 19A; engage Sump Rat"),
        ("Topdeck Tam: transfer to Squirrel Parliament", "Topdeck Tam: transfer to Squirrel Parliament at 9H"),
    ],
)
def test_a_line_that_cant_be_read_is_told_what_it_may_have_meant(text: str, meant: str) -> None:
    assert isinstance(read_line(text, NAMES), Unreadable)
    assert meant_by(text, NAMES, WRITER, AT) == (meant,)


@pytest.mark.parametrize(
    "text", ["<b>bold</b> … https://example.org", "see https://example.org/a>b", "a <i>fine</i> day", "<br>"]
)
def test_the_signs_of_tags_and_addresses_are_no_arrows(text: str) -> None:
    assert isinstance(read_line(text, NAMES), Talk)


@pytest.mark.parametrize("text", ["<b>Topdeck Tam</b>: 19C > 19B", "<i>intercept Sump Rat</i>"])
def test_an_order_within_tags_is_still_told_that_it_cant_be_read(text: str) -> None:
    assert isinstance(read_line(text, NAMES), Unreadable)


@pytest.mark.parametrize("filling", [" " * 380, "go " * 120, "<b>" * 120])
def test_the_patterns_of_orders_never_see_two_blanks_together(filling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a pattern may take in two ways costs the cube of their number: half a second a line with 380 blanks."""
    seen: list[str] = []

    class Watched:
        def __init__(self, pattern: re.Pattern[str]) -> None:
            self.pattern = pattern

        def sub(self, to: str, text: str) -> str:
            seen.append(text)
            return self.pattern.sub(to, text)

        def fullmatch(self, text: str) -> re.Match[str] | None:
            seen.append(text)
            return self.pattern.fullmatch(text)

    for name in ("_BEFORE_SUFFIX", "_HOLDS"):
        monkeypatch.setattr(unread_lines, name, Watched(getattr(unread_lines, name)))
    asked(f"Topdeck Tam: 19C 4D{filling}x")
    assert len(seen) > 1
    assert not [text for text in seen if "  " in text]


def test_a_suffix_stands_behind_any_signs_and_an_and() -> None:
    for between in (" and ", ", ; & to ", ",,,", " , and"):
        assert meant_by(f"Topdeck Tam: 19C to 20B{between} engage Tick Tock Tomb", NAMES, WRITER, AT) == (
            "Topdeck Tam: 19C > 20B; engage Tick Tock Tomb",
        )
