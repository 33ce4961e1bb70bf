"""3.2.2.5, R9, R10: lines of posts are read as orders."""

import pytest

from wargame.rules.core.board import Square, read_square
from wargame.rules.core.orders import (
    Hold,
    InBattle,
    Intercept,
    Move,
    Order,
    ReadOrder,
    Step,
    Talk,
    Transfer,
    Unreadable,
    write_order,
)
from wargame.rules.posts.notation import read_line, read_post

NAMES = ("Deep Rot", "Mirane", "Mira's Host", "Legion 7", "Hold", "St. Ives", "Anti-Mage", "Émile")


def order_of(text: str, own: str = "") -> Order:
    line = read_line(text, NAMES, own)
    assert isinstance(line, ReadOrder), line
    return line.order


def misreading_of(text: str, own: str = "") -> Unreadable:
    line = read_line(text, NAMES, own)
    assert isinstance(line, Unreadable), line
    return line


def at(text: str) -> Square:
    return read_square(text)


def move(start: str, to: str, **more: object) -> Move:
    return Move((Step(at(start), at(to), **more),))  # type: ignore[arg-type]


# R9: the forms


def test_a_move_names_its_army_and_two_squares() -> None:
    assert read_line("Mirane: 3D > 5E", NAMES, number=4) == ReadOrder(4, "Mirane: 3D > 5E", "Mirane", move("3D", "5E"))


@pytest.mark.parametrize("arrow", [">", "->", "-->", "=>", "→", "–>", "＞", "➡️", "⇒"])
def test_arrows_are_read_as_the_sign_of_a_move(arrow: str) -> None:
    assert order_of(f"Mirane: 3D {arrow} 5E") == move("3D", "5E")


@pytest.mark.parametrize("sign", [";", ",", " ; ", " ,  ", "；"])
def test_a_comma_before_the_suffix_is_a_semicolon(sign: str) -> None:
    assert order_of(f"Mirane: 3D > 5E{sign}engage Deep Rot") == move("3D", "5E", suffix="engage", target="Deep Rot")


@pytest.mark.parametrize("word", ["engage", "replace", "Engage", "REPLACE"])
def test_engage_and_replace_keep_whom_they_name(word: str) -> None:
    assert order_of(f"Mirane: 3D > 5E; {word} legion  7") == move("3D", "5E", suffix=word.lower(), target="Legion 7")


def test_joint_engage_needs_no_name() -> None:
    """3.2.5.1, R15."""
    assert order_of("Mirane: 3D > 3D; joint engage") == move("3D", "3D", suffix="joint engage")


def test_joint_engage_keeps_a_name_that_is_given() -> None:
    """R15."""
    assert order_of("Mirane: 3D > 5E; Joint  Engage hold") == move("3D", "5E", suffix="joint engage", target="Hold")


def test_each_step_of_a_long_move_has_its_own_route_and_suffix() -> None:
    """3.2.2.3, R9."""
    order = order_of("Mirane: 2B > 2D (2B - 2C - 2D); replace Hold > 3D > 4D; engage St. Ives.")
    assert order == Move(
        (
            Step(at("2B"), at("2D"), (at("2B"), at("2C"), at("2D")), "replace", "Hold"),
            Step(at("2D"), at("3D")),
            Step(at("3D"), at("4D"), None, "engage", "St. Ives"),
        )
    )


@pytest.mark.parametrize("dash", ["-", " - ", "–", " — ", " > ", "->"])
def test_a_route_is_written_with_dashes_or_arrows(dash: str) -> None:
    """3.2.2.4."""
    route = dash.join(("3D", "4D", "5D"))
    assert order_of(f"Mirane: 3D > 5D ({route})") == move("3D", "5D", route=(at("3D"), at("4D"), at("5D")))


def test_an_intercept_names_its_enemy() -> None:
    """3.2.3.1."""
    assert order_of("Mirane: Intercept DEEP ROT") == Intercept("Deep Rot")


def test_a_transfer_names_its_receiver_and_where_it_stands() -> None:
    """3.2.4.2."""
    assert order_of("Mirane: transfer  to Mira’s Host at e5") == Transfer("Mira's Host", at("5E"))


@pytest.mark.parametrize("words", ["hold", "Hold.", "no move", "NO  MOVE", "stay"])
def test_words_alone_order_an_army_to_stay(words: str) -> None:
    """R29."""
    assert order_of(f"Mirane: {words}") == order_of(words, own="Mirane") == Hold()


@pytest.mark.parametrize("words", ["in battle", "Fighting", "cannot move", "can’t move", "can not  move."])
def test_words_alone_mention_a_fight(words: str) -> None:
    """R29."""
    assert order_of(f"Mirane: {words}") == order_of(words, own="Mirane") == InBattle()


@pytest.mark.parametrize("text", ["D3 > e5", "3d>5E", "  03D  >  E05  ", "３Ｄ > ５Ｅ"])
def test_a_square_is_written_in_either_way(text: str) -> None:
    """R1."""
    assert order_of(text, own="Mirane") == move("3D", "5E")


def test_a_square_off_the_map_can_be_read() -> None:
    assert order_of("Mirane: 40C > 3Z") == Move((Step(Square(2, 40), Square(25, 3)),))


# R10: names


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("mirane", "Mirane"),
        ("MIRA'S HOST", "Mira's Host"),
        ("Mira’s\u00a0Host", "Mira's Host"),
        ("“Deep Rot”", "Deep Rot"),
        ("‘Deep Rot’", "Deep Rot"),
        ("Anti–Mage", "Anti-Mage"),
        ("st. ives", "St. Ives"),
        ("E\u0301mile", "Émile"),
        ("De\u200bep  \tRot", "Deep Rot"),
        ("hold", "Hold"),
    ],
)
def test_a_name_is_found_however_it_is_typed_and_given_back_as_it_is_spelt(written: str, name: str) -> None:
    line = read_line(f"{written} : 3D > 5E; engage {written}", NAMES)
    assert isinstance(line, ReadOrder)
    assert (line.army, line.order) == (name, move("3D", "5E", suffix="engage", target=name))


def test_the_longest_name_is_meant() -> None:
    names = ("Old", "Old Tom", "Old Tom 3D")
    line = read_line("Old Tom: 3D > 5E; engage Old Tom 3D > 6E; replace Old", names)
    assert isinstance(line, ReadOrder)
    assert write_order(line.army, line.order) == "Old Tom: 3D > 5E; engage Old Tom 3D > 6E; replace Old"


def test_the_own_name_may_be_left_off() -> None:
    assert read_line("3D > 5E", NAMES, own="Mirane") == ReadOrder(1, "3D > 5E", "Mirane", move("3D", "5E"))


def test_who_may_not_leave_the_name_off_is_told_to_write_it() -> None:
    misread = misreading_of("  3D > 5E")
    assert misread.column == 3
    assert "3.2.2.5" in misread.expected


def test_a_name_that_begins_so_is_suggested_and_not_taken() -> None:
    misread = misreading_of("Mirane: 3D > 5E; engage leg")
    assert (misread.column, misread.suggestions) == (25, ("Legion 7",))


def test_two_letters_are_too_few_for_a_suggestion() -> None:
    assert misreading_of("Mirane: 3D > 5E; engage Le").suggestions == ()


def test_a_start_that_several_names_share_is_no_suggestion_by_itself() -> None:
    line = read_line("Storm: hold", ("Storm Legion of the North", "Storm Giants of the South"))
    assert isinstance(line, Unreadable)
    assert line.suggestions == ()


def test_a_close_name_is_suggested() -> None:
    assert misreading_of("Deap Rot: 3D > 5E").suggestions == ("Deep Rot",)


def test_two_names_that_differ_in_case_alone_are_told_apart_by_their_exact_spelling_only() -> None:
    names = ("Storm", "STORM")
    exact, other = read_line("STORM: hold", names), read_line("storm: hold", names)
    assert isinstance(exact, ReadOrder)
    assert exact.army == "STORM"
    assert isinstance(other, Unreadable)
    assert other.suggestions == ("STORM", "Storm")


@pytest.mark.parametrize("more", [" Guard", "'s", "-Two", "2", " please"])
def test_a_name_with_more_of_a_word_behind_it_is_another_name(more: str) -> None:
    misread = misreading_of(f"Mirane: 3D > 5E; engage Deep Rot{more}")
    assert misread.column == 25
    assert f"“Deep Rot{more}”" in misread.wrong


# Posts


def test_a_post_is_read_line_by_line_whatever_ends_its_lines() -> None:
    lines = read_post("Hello!\r\n\r\nMirane: hold\nDeep Rot: 3D >\rBye", NAMES)
    assert [(line.number, type(line)) for line in lines] == [
        (1, Talk),
        (2, Talk),
        (3, ReadOrder),
        (4, Unreadable),
        (5, Talk),
    ]
