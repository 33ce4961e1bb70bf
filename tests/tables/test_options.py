"""What a table plays by, as data for one page: choices, agreements, rulings by number."""

import pytest

from tables.core.options import played_by, read_rulings, still_open
from tables.core.state import Options
from tables.games.altered.agreements import HOUSE, all_suggested
from tables.games.options import OPTIONS


@pytest.mark.parametrize(("game", "letter", "number"), [("kryptik", "K", 63), ("seize", "S", 88), ("altered", "A", 43)])
def test_every_ruling_of_a_game_is_there_by_its_number(game, letter, number):
    numbers = [ruling.number for ruling in OPTIONS[game].rulings]

    assert numbers == [f"{letter}{n}" for n in range(1, number + 1)]
    assert all(ruling.told and ruling.trouble for ruling in OPTIONS[game].rulings)


def test_agreements_say_that_they_are_not_the_documents():
    lines = [line for line in played_by(OPTIONS["altered"], Options()) if line.section == "agreement"]

    assert [line.key for line in lines] == [str(n) for n in range(1, 11)]
    assert all(line.house == HOUSE for line in lines)
    assert [line.key for line in still_open(lines)] == ["1"]


def test_what_was_agreed_or_ruled_otherwise_is_told_from_the_default():
    options = Options(agreed=((1, "hand 5, mana 2"), (4, "discard"), (5, "fleeting")), rulings=(("A18", "never"),))
    lines = {(line.section, line.key): line for line in played_by(OPTIONS["altered"], options)}

    assert (lines["agreement", "1"].holds, lines["agreement", "1"].default) == ("hand 5, mana 2", False)
    assert lines["agreement", "4"].default
    assert lines["agreement", "5"].told == "It enters play Fleeting."
    assert (lines["ruling", "A18"].told, lines["ruling", "A18"].default) == ("never", False)
    assert lines["ruling", "A19"].default
    assert not still_open(played_by(OPTIONS["altered"], Options(agreed=all_suggested())))


def test_a_format_is_offered_with_the_sizes_of_its_decks():
    line = next(line for line in played_by(OPTIONS["seize"], Options("draft")) if line.key == "format")

    assert line.told == "Draft: 30 cards per deck (5.2)."
    assert {value.word for value in line.values} == {"standard", "draft", "arena", "guild master"}


@pytest.mark.parametrize("text", ["A1 | 1 | too few", "A1 | 1 | twice | one\nA1 | 1 | twice | two"])
def test_rulings_that_are_written_wrongly_are_refused(text):
    with pytest.raises(ValueError, match=r"four parts|one number"):
        read_rulings(text)
