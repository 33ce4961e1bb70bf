"""1, 4, 5, 11, A16: decks are read from text, CSV and JSON, and checked with every breach and its rule."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.cases_of_lists import failures, is_of_lists
from tables.core.lists.cardlist import read_cards
from tables.core.lists.decks import Deck, breaches, read_deck, read_deck_data, write_deck
from tables.core.lists.formats import FORMATS, default_format
from tables.reading import Data, read_file

CASES = Path(__file__).parent / "cases"
TODAY = date(2026, 1, 1)


def cases() -> Iterator[dict[str, Data]]:
    for path in sorted(CASES.rglob("*.yaml")):
        for case in read_file(path):
            if isinstance(case, dict) and is_of_lists(case):
                yield case


@pytest.mark.parametrize("case", tuple(cases()), ids=lambda case: str(case["case"]))
def test_a_deck_a_line_or_a_shuffle_comes_out_as_its_case_says(case: dict[str, Data]) -> None:
    assert failures(case) == []


def test_a_case_that_expects_something_else_fails_and_one_that_is_written_wrongly_too() -> None:
    deck = {"format": "constructed", "main": {"others": 50}}
    good = {"case": "x", "game": "kryptik", "about": "", "deck": deck, "expect": {"legal": True}}
    assert failures(good) == []
    assert failures({**good, "expect": {"legal": False}})
    assert failures({**good, "expect": {"rules": ["1.1.1"]}})
    assert failures({**good, "expect": {"legl": True}})
    assert failures({**good, "extra": 1})
    assert failures({**good, "deck": {"format": "unknown"}})
    assert failures({"case": "x", "game": "kryptik", "line": "pass", "expect": {"to": "end"}})
    assert failures({"case": "x", "game": "free", "shuffle": {"seed": "00"}, "expect": {"order": []}})
    assert failures({"case": "x", "game": "chess", "line": "pass", "expect": {}})


def deck_of(text: str) -> Deck:
    deck = read_deck(text)
    assert isinstance(deck, Deck), deck
    return deck


def test_text_csv_and_json_say_the_same_deck() -> None:
    text = "# a remark\nchampion: Old Ox\n3 Harbour Watch\n- 2x Gull  # common\nGull\n\nSide deck:\n2 Null Word\n"
    text += "main: 1 Ebb\n"
    table = 'count,name,where\n3,Harbour Watch\n2,Gull,main\n1,"Gull",\n1,Ebb\n2,Null Word,side\n1,Old Ox,champion\n'
    data = {
        "main": {"Harbour Watch": 3, "Gull": 3, "Ebb": 1},
        "side": {"Null Word": 2},
        "extra": {"champion": "Old Ox"},
    }
    decks = [read_deck(text), read_deck(table), read_deck_data(data)]
    assert all(isinstance(deck, Deck) for deck in decks), decks
    assert decks[0] == decks[1] == decks[2] == deck_of(write_deck(deck_of(text)))
    assert deck_of("2 Gull").keys("A") == ("A/Gull/1", "A/Gull/2")


CATS = {"main": {"Hearth Cat": 3, "Root Warden": 3}}
SIDE = {**CATS, "side": {"Dormouse": 1}}


@pytest.mark.parametrize(
    ("text", "deck"),
    [
        ("\ufeffhero: Oswin Hearthkeeper\n3 Hearth Cat\n3 Root Warden\n", {**CATS, "hero": "Oswin Hearthkeeper"}),
        ("hero: Oswin Hearthkeeper\nHearth Cat x3\nRoot Warden x3\n", {**CATS, "hero": "Oswin Hearthkeeper"}),
        ("Hero\n1 Oswin Hearthkeeper\nDeck (6)\n3x Hearth Cat\nx3 Root Warden", {**CATS, "hero": "Oswin Hearthkeeper"}),
        ("Deck\n3 Hearth Cat\n3 Root Warden\n\nSideboard\n1 Dormouse\n", SIDE),
        ("// Main\n3 Hearth Cat\n3 Root Warden\n\n//Sideboard\nSB: 1 Dormouse\n", SIDE),
        ("// a remark\n3 Hearth Cat (COR) 12 *F*\n3 Root Warden (COR) 7b\nSideboard: \nDormouse (1)", SIDE),
        ("\ufeffMenge;Name\r\n3;Hearth Cat\r\n3;Root Warden\r\n", CATS),
        ("Name\tCount\tSection\nHearth Cat\t3\tMaindeck\nRoot Warden\t3\t\nDormouse\t1\tSideboard", SIDE),
        ('Hearth Cat,3\n"Root Warden",3\n', CATS),
    ],
)
def test_a_list_is_read_as_deck_builders_and_spreadsheets_write_it(text: str, deck: dict[str, object]) -> None:
    names = ("Hearth Cat", "Root Warden", "Dormouse", "Oswin Hearthkeeper")
    cards = read_cards([{"name": name, "type": "character"} for name in names], "altered")
    assert not isinstance(cards, tuple)
    expected = read_deck_data(deck)
    assert isinstance(expected, Deck)
    for known in (cards, None):
        read = read_deck(text, known)
        assert isinstance(read, Deck), read
        assert (dict(read.main), dict(read.side), read.extra) == (
            dict(expected.main), dict(expected.side), expected.extra,
        )  # fmt: skip


def test_a_card_whose_name_looks_like_a_count_or_a_printing_keeps_its_name() -> None:
    names = ("Hound x3", "Watch (OLD) 2", "Oswin, the Bold")
    cards = read_cards([{"name": name, "type": "citizen"} for name in names], "kryptik")
    assert not isinstance(cards, tuple)
    read = read_deck("2 Oswin, the Bold\nHound x3\n1 Watch (OLD) 2", cards)
    assert isinstance(read, Deck), read
    assert dict(read.main) == {"Oswin, the Bold": 2, "Hound x3": 1, "Watch (OLD) 2": 1}


def test_names_are_read_whatever_their_case_and_an_unknown_one_is_told_with_its_line_and_the_nearest() -> None:
    cards = read_cards(
        [{"name": "Harbour Watch", "type": "citizen"}, {"name": "Brassman's Will", "type": "spell"}], "kryptik"
    )
    assert not isinstance(cards, tuple)
    assert read_deck("3 harbour WATCH\n1 Brassman’s Will", cards) == deck_of("3 Harbour Watch\n1 Brassman's Will")
    faults = read_deck("3 Harbour Watch\n2 Harbor Watch\n9999 Harbour Watch", cards)
    assert isinstance(faults, tuple)
    assert [(fault.key, fault.would_do) for fault in faults] == [
        ("line 2", "Did you mean “Harbour Watch”?"),
        ("line 3", "Write a number from 1 to 999."),
    ]


def test_a_ban_holds_from_its_day_on_and_a_limit_as_long_as_the_card_is_printed() -> None:
    deck = deck_of("2 Brassman’s Will\n1 hecatomb\n" + "".join(f"1 Card {n}\n" for n in range(47)))
    format = FORMATS["kryptik", "constructed"]
    assert [breach.rule for breach in breaches(deck, format, date(2023, 6, 29))] == ["11.1"]
    assert [breach.rule for breach in breaches(deck, format, date(2023, 6, 30))] == ["11.1", "11.3"]
    assert breaches(deck, FORMATS["kryptik", "limited"], TODAY) == ()


def test_every_breach_is_told_at_once_with_card_and_number() -> None:
    found = breaches(deck_of("4 Gull\nside: 16 Ebb\nhero: Old Ox"), FORMATS["kryptik", "constructed"], TODAY)
    assert [(breach.rule, breach.card) for breach in found] == [
        ("1.1.1", ""),
        ("1.1.1", "Old Ox"),
        ("1.1.2", ""),
        ("1.2.1", "Ebb"),
        ("1.2.1", "Gull"),
    ]
    assert found[0].text == "The deck has 4 cards; Constructed needs exactly 50."


def seize(format: str, text: str, **cards: dict[str, object]) -> list[str]:
    read = read_cards([{"name": name.replace("_", " "), **card} for name, card in cards.items()], "seize")
    assert not isinstance(read, tuple), read
    return [breach.rule for breach in breaches(deck_of(text), FORMATS["seize", format], TODAY, read)]


def test_an_arena_deck_names_one_champion_of_its_class() -> None:
    ox = {"type": "mercenary", "class": "Warrior", "stars": 4}
    monk = {"type": "mercenary", "class": "Mage"}
    assert seize("arena", "champion: Ox\n30 Torch", Ox=ox) == []
    assert seize("arena", "30 Torch", Ox=ox) == ["5.3"]
    assert seize("arena", "champion: Ox\n29 Torch\n1 Monk", Ox=ox, Monk=monk) == ["5.3"]
    assert seize("arena", "champion: Ox\n29 Torch\n1 Ox", Ox=ox) == ["4"]
    assert seize("guild master", "guild master: Ox\n60 Torch", Ox=ox) == []
    assert seize("guild master", "guild master: Torch\n60 Torch", Torch={"type": "treasure", "stars": 4}) == [
        "4",
        "5.4",
    ]
    assert seize("standard", "40 Torch\nside: 1 Torch") == ["5.1"]


def test_every_game_has_a_format_that_holds_where_none_is_named() -> None:
    assert [default_format(game).key for game in ("kryptik", "seize", "altered", "free")] == [
        "constructed", "standard", "default", "default",
    ]  # fmt: skip


@given(st.text(max_size=200))
def test_any_text_is_read_as_a_deck_or_told_what_is_wrong(text: str) -> None:
    read = read_deck(text)
    if isinstance(read, Deck):
        assert all(many > 0 for many in read.main.values())
    else:
        assert read


@pytest.mark.parametrize(
    "data", [None, 3, [], {"main": 3}, {"main": {"Gull": True}}, {"main": {3: 1}}, {"x": 1}, {"extra": 5}, {"hero": 5}]
)
def test_what_is_no_deck_is_told_and_never_raises(data: object) -> None:
    read = read_deck_data(data)
    assert isinstance(read, tuple) == (data not in ({}, []) or data == [])


def test_a_text_of_ten_megabytes_is_no_deck() -> None:
    assert isinstance(read_deck("3 Gull\n" * 1_500_000), tuple)
    assert isinstance(read_deck("3,Gull\n" * 1_500_000), tuple)
