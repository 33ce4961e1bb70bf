"""R8: who writes an order in words of his own language is offered it in the rulebook's, and talk stays talk."""

import pytest

from tests.rules.test_unread import AT, NAMES, WRITER
from wargame.rules.posts.aliases import Aliases, spoken_aliases
from wargame.rules.posts.unread import meant_by, unread

GERMAN = Aliases(
    {
        "engage": ["angreifen", "greift an"],
        "intercept": ["abfangen", "fängt ab"],
        "to": ["nach"],
        "hold": ["bleibt stehen"],
        "at": ["auf"],
        "replace": ["auf"],
    }
)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Topdeck Tam: abfangen Sump Rat", "Topdeck Tam: intercept Sump Rat"),
        ("Topdeck Tam fängt  ab Sump Rat", "Topdeck Tam: intercept Sump Rat"),
        ("abfangen Sump Rat", "Topdeck Tam: intercept Sump Rat"),
        ("Topdeck Tam: 19C nach 19B", "Topdeck Tam: 19C > 19B"),
        ("Squirrel Parliament: bleibt stehen", "Squirrel Parliament: hold"),
    ],
)
def test_an_order_in_words_of_another_language_is_offered_in_the_rulebooks(text: str, meant: str) -> None:
    found = unread(text, NAMES, WRITER, AT, GERMAN)
    assert found is not None
    assert meant in found.meant


def test_a_line_that_can_not_be_read_is_offered_too() -> None:
    meant = meant_by("Topdeck Tam: 19C > 20B; angreifen Tick Tock Tomb", NAMES, WRITER, AT, GERMAN)
    assert meant[0] == "Topdeck Tam: 19C > 20B; engage Tick Tock Tomb"
    assert meant_by("Topdeck Tam: 19C > 20B; ANGREIFEN Tick Tock Tomb", NAMES, WRITER, AT, GERMAN) == meant


@pytest.mark.parametrize("text", ["Wer will Sump Rat abfangen?", "Wir gehen nach Hause", "abfangen wäre gut", "auf 5E"])
def test_talk_in_another_language_stays_talk(text: str) -> None:
    assert unread(text, NAMES, WRITER, AT, GERMAN) is None


def test_a_word_for_two_and_a_part_of_a_word_are_left_as_they_are() -> None:
    assert GERMAN.in_rulebook_words("auf Nachbarn") == "auf Nachbarn"
    assert Aliases().in_rulebook_words("angreifen") == "angreifen"


def test_english_has_no_other_words() -> None:
    assert spoken_aliases() == {}


def test_a_square_beside_the_map_is_not_offered() -> None:
    assert meant_by("Topdeck Tam: C91 > 00", NAMES, WRITER, AT) == ()
