"""R8: what is talk, what was meant as an order, and what its author is told."""

import pytest

from wargame.rules.core.board import read_square
from wargame.rules.core.orders import Move, ReadOrder, Step, Talk, Unreadable, write_order
from wargame.rules.posts.notation import LONGEST_LINE, read_line

NAMES = ("Deep Rot", "Mirane", "Mira's Host", "Legion 7", "Hold", "St. Ives", "Anti-Mage", "Émile")


MOVE = Move((Step(read_square("3D"), read_square("5E")),))


def misreading_of(text: str, own: str = "") -> Unreadable:
    line = read_line(text, NAMES, own)
    assert isinstance(line, Unreadable), line
    return line


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "Good luck!",
        "Hold the line, friends!",
        "Mirane: hold the line",
        "Mirane: engage Deep Rot",
        "We stay.",
        "> Mirane: 3D > 5E",
        "  > Mirane: 3D > 5E",
        "**> hello",
        "I love interceptors and transfers",
    ],
)
def test_a_line_that_is_not_an_order_is_talk(text: str) -> None:
    assert read_line(text, NAMES, own="Mirane", number=7) == Talk(7, text)


@pytest.mark.parametrize(
    "text",
    ["a > b", "nobody → anywhere", "I will transfer to a new job", "Intercept!", "A joint engage, anyone?"],
)
def test_a_line_with_a_sign_or_word_of_an_order_was_meant_as_one(text: str) -> None:
    assert misreading_of(text, own="Mirane").text == text


def test_an_order_to_stay_for_an_army_that_does_not_exist_is_unreadable() -> None:
    """R10."""
    assert misreading_of("Nobody: hold").column == 1


def test_struck_out_text_is_no_order() -> None:
    assert misreading_of("~~Mirane: 3D > 5E~~").suggestions == ("Mirane",)


@pytest.mark.parametrize(
    "text",
    [
        "**Mirane: 3D > 5E**",
        "**Mirane**: 3D > 5E",
        "**Mirane:** 3D > 5E",
        "_Mirane: 3D > 5E_",
        "`Mirane: 3D > 5E`",
        "- Mirane: 3D > 5E",
        "* Mirane: 3D > 5E",
        "• Mirane: 3D > 5E",
        "12. Mirane: 3D > 5E",
        "2) Mirane: 3D > 5E",
        "### Mirane: 3D > 5E",
        "[b]Mirane[/b]: [color=#f00]3D > 5E[/color]",
        "\ufeffMirane: 3D > 5E",
    ],
)
def test_decoration_around_an_order_is_looked_through(text: str) -> None:
    assert read_line(text, NAMES) == ReadOrder(1, text, "Mirane", MOVE)


def test_signs_of_decoration_may_belong_to_a_name() -> None:
    line = read_line("*Star*: 3D > 5E; engage 1. FC", ("*Star*", "1. FC"))
    assert isinstance(line, ReadOrder)
    assert write_order(line.army, line.order) == "*Star*: 3D > 5E; engage 1. FC"


@pytest.mark.parametrize(
    ("text", "column", "wrong"),
    [
        ("Mirane: 3D >  ; engage Hold", 15, "There is no square after “>”."),
        ("Mirane: 3D >", 13, "There is no square after “>”."),
        ("Mirane: 3D > 40", 14, "“40” is not a square."),
        ("Mirane: 3D > 5Ex", 14, "“5Ex” is not a square."),
        ("Mirane: C > 5E", 9, "No order begins with “C”."),
        ("Mirane: 3D 5E > 6E", 12, "There is no “>” after “3D”."),
        ("Mirane: 3D > 5E; attack Hold", 18, "“attack” can't follow “;”."),
        ("Mirane: 3D > 5E; ", 17, "Nothing follows “;”."),
        ("Mirane: 3D > 5E engage Hold", 17, "There is no “;” before “engage”."),
        ("Mirane: 3D > 5E 6E", 17, "“6E” doesn't belong to the order."),
        ("Mirane: 3D > 5E; engage", 24, "There is no name after “engage”."),
        ("Mirane: 3D > 5E; engage > 6E", 25, "There is no name after “engage”."),
        ("Mirane: 3D > 5E; engage Nobody > 6E", 25, "No army on the map is called “Nobody”."),
        ("Mirane: 3D > 5E; joint engage Nobody", 31, "No army on the map is called “Nobody”."),
        ("Mirane: 3D > 5E; engage Hold (3D - 5E)", 30, "“(” doesn't belong to the order."),
        ("Mirane: 3D > 5E; Deep Rot: 6E > 7E", 18, "A second order begins here."),
        ("Mirane: 3D > 5D (3D - 4D", 25, "The route is not closed."),
        ("Mirane: 3D > 5D (3D 4D)", 21, "“4D” doesn't belong in a route."),
        ("Mirane: 3D > 5D (3D - )", 23, "There is no square after “-”."),
        ("Mirane: 3D > 5E. Bye", 18, "“Bye” doesn't belong to the order."),
        ("Mirane: intercept", 18, "There is no name after “intercept”."),
        ("Mirane: intercept Nobody at all", 19, "No army on the map is called “Nobody at all”."),
        ("Mirane: transfer Hold at 5E", 18, "There is no “to” after “transfer”."),
        ("Mirane: transfer to Hold", 25, "There is no “at” after “Hold”."),
        ("Mirane: transfer to Hold 5E", 26, "There is no “at” after “Hold”."),
        ("Mirane: transfer to Hold at", 28, "There is no square after “at”."),
        ("Mirane: transfer to Nobody at 5E", 21, "No army on the map is called “Nobody”."),
        ("Mirane 3D > 5E", 8, "There is no colon after “Mirane”."),
        ("Nobody: 3D > 5E", 1, "No army on the map is called “Nobody”."),
        ("Nobody 3D > 5E", 1, "No order begins with “Nobody”."),
        (": 3D > 5E", 1, "No order begins with “:”."),
        ("**Mirane: 3D > **", 16, "There is no square after “>”."),
        ("- **Mirane: 3D > x**", 18, "There is no square after “>”."),
        ("\u200b\u200bMirane:\t3D > x", 16, "There is no square after “>”."),
    ],
)
def test_a_misreading_says_what_is_wrong_and_in_which_column(text: str, column: int, wrong: str) -> None:
    misread = misreading_of(text)
    assert (misread.column, misread.wrong) == (column, wrong)
    assert misread.expected.endswith(".")


def test_a_long_piece_of_a_line_is_cut_in_the_sentence() -> None:
    assert misreading_of(f"{'x' * 300}: 3D > 5E").wrong == f"No army on the map is called “{'x' * 39}…”."


def test_a_line_that_is_too_long_to_be_an_order_is_unreadable_where_it_gets_too_long() -> None:
    misread = misreading_of("Mirane: 3D > 5E" + " > 5E" * 100)
    assert misread.column in (LONGEST_LINE + 1, LONGEST_LINE + 2)


def test_blanks_behind_an_order_do_not_make_it_too_long() -> None:
    assert isinstance(read_line("Mirane: hold" + " " * 1000, NAMES), ReadOrder)
