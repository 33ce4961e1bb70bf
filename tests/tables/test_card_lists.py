"""7: lists of cards are read with every error at once, bounded, and hashed."""

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.core.lists.cardlist import CardList, read_card, read_cards, read_list
from tables.core.lists.cards import Card, Change, Effect, Name, Number, Selector, Stat, Sum
from tables.core.lists.decks import Deck, breaches, read_deck
from tables.core.lists.faults import MOST_FAULTS, Fault
from tables.core.lists.formats import FORMATS
from tables.core.lists.vocabulary import CARD_KEYS, EVENTS, FOREIGN, KEYWORDS, PRIMITIVES, STATES
from tables.core.proof.codec import canonical, digest
from tables.reading import UnreadableFile, read_file, read_json, read_yaml

ROOT = Path(__file__).parents[2]
CARDS = ROOT / "fixtures" / "cards"
GULL = {"name": "Gull", "type": "citizen", "attack": 1, "defense": 1}


def demo() -> CardList:
    """The made-up list."""
    (data,) = read_file(CARDS / "kryptik-demo.yaml")
    read = read_list(data)
    assert isinstance(read, CardList), [str(fault) for fault in read]
    return read


_DRAWS = {"do": [{"draw": 1}]}


def faults_of(**card: object) -> list[str]:
    read = read_card({**GULL, **card}, "kryptik")
    assert not isinstance(read, Card)
    return [f"{fault.key}: {fault.wrong} {fault.would_do}".strip() for fault in read]


def card_of(**card: object) -> Card:
    read = read_card({**GULL, **card}, "kryptik")
    assert isinstance(read, Card), read
    return read


def words_of(value: object) -> set[str]:
    """The primitives within a card."""
    found = {value.word} if isinstance(value, Effect) else set()
    if dataclasses.is_dataclass(value):
        parts = [getattr(value, field.name) for field in dataclasses.fields(value)]
    else:
        parts = list(value) if isinstance(value, tuple) else []
    return found.union(*(words_of(part) for part in parts))


def test_the_made_up_list_uses_every_keyword_and_every_word_of_kryptik() -> None:
    cards = demo()
    assert cards.made_up
    assert len(cards.cards) >= 80
    used = set().union(*(words_of(card) for card in cards.cards.values()))
    assert used == set(PRIMITIVES) - set(FOREIGN["kryptik"])
    assert {word for card in cards.cards.values() for word in card.keywords} >= set(KEYWORDS["kryptik"])
    assert [card.name for card in cards.cards.values() if card.manual] == ["Weathered Chart"]
    assert all(card.text for card in cards.cards.values() if card.abilities or card.keywords)


@pytest.mark.parametrize("name", ["kryptik-harbour.txt", "kryptik-ember.txt"])
def test_the_made_up_decks_break_no_rule_and_hold_cards_of_all_prices(name: str) -> None:
    cards = demo().cards
    deck = read_deck((CARDS / name).read_text(), cards)
    assert isinstance(deck, Deck), deck
    format = FORMATS["kryptik", "constructed"]
    assert breaches(deck, format, format.restricted[1].since, cards) == ()
    prices = [cards[card].mana_value for card, many in deck.main.items() for _ in range(many)]
    assert 2 <= sum(prices) / len(prices) <= 3
    assert all(cards[card].soul for card in deck.main)


def test_a_list_is_named_by_the_hash_of_what_it_says_and_not_of_how_it_is_written() -> None:
    head = {"key": "a-list", "game": "kryptik", "version": 1}
    one = read_list({"list": head, "cards": [GULL]})
    two = read_list({"cards": [dict(reversed(GULL.items()))], "list": head})
    three = read_list({"list": head, "cards": [{**GULL, "attack": 2}]})
    assert isinstance(one, CardList)
    assert isinstance(two, CardList)
    assert isinstance(three, CardList)
    assert one.hash == two.hash != three.hash
    assert canonical({"b": [1, None, True], "a": "ü"}) == '{"a":"ü","b":[1,null,true]}'


@pytest.mark.parametrize("value", [1.5, {1: "a"}, "\ud800", {"a": object()}])
def test_what_two_languages_would_write_differently_has_no_hash(value: object) -> None:
    with pytest.raises(ValueError):
        digest(value)  # type: ignore[arg-type]


def test_every_error_is_told_at_once_with_card_key_and_what_would_do() -> None:
    cards = [
        {**GULL, "atack": 3},
        {"name": "Gull", "type": "citizzen"},
        {"name": "Spark", "type": "spell", "abilities": [{"spell": True, "do": [{"damge": 3, "to": "target 1"}]}]},
    ]
    read = read_cards(cards, "kryptik")
    assert isinstance(read, tuple)
    assert read == (
        Fault("Gull", "atack", "The key “atack” is unknown here.", "Did you mean “attack”?"),
        Fault("Gull", "type", "“citizzen” is unknown here.", "Did you mean “citizen”?"),
        Fault("Gull", "name", "Two cards have this name.", "Name each card once; decks say how many copies."),
        Fault("Spark", "abilities 1, do 1", "The word “damge” is unknown.", "Did you mean “damage”?"),
    )


@pytest.mark.parametrize(
    ("ability", "told"),
    [
        ({"spell": True, "do": [{"damage": 3}]}, "abilities 1, do 1, damage: “damage” needs “to”."),
        (
            {"spell": True, "do": [{"destroy": "target 1"}]},
            "abilities 1, targets: The effect uses target 1, but only 0 are declared.",
        ),
        ({"spell": True, "do": [{"push": "self"}]}, "abilities 1, do 1, push: “push” is not a word of this game."),
        (
            {"spell": True, "do": [{"damage": "attack of nobody", "to": "self"}]},
            "abilities 1, do 1, damage: “attack of nobody” is no",
        ),
        ({"do": [{"draw": 1}]}, "abilities 1: We can't tell what kind of ability this is."),
        (
            {"when": {"sneezes": "self"}, "do": [{"draw": 1}]},
            "abilities 1, when: “sneezes” doesn't name exactly one event.",
        ),
        (
            {"active": {"purple!": 1}, "do": [{"draw": 1}]},
            "abilities 1, active, purple!: “purple!” can't be paid.",
        ),
        (
            {"spell": True, "do": [{"draw": 1, "too": "hand"}]},
            "abilities 1, do 1, draw, too: The key “too” is unknown here.",
        ),
        ({"spell": True}, "abilities 1: The ability does nothing."),
        ({"active": {"wite": 1}, **_DRAWS}, "abilities 1, active, wite: “wite” can't be paid."),
        ({"active": {"w": 1}, "cost": {"u": 1}, **_DRAWS}, "abilities 1, cost: The cost appears twice."),
        ({"spell": True, "do": [{"coin": 3}]}, "abilities 1, do 1, coin: “coin” takes no argument."),
        ({"spell": True, "eleven": {}, **_DRAWS}, "abilities 1, eleven: The key “eleven” is unknown here."),
        (
            {"when": {"enters": "self"}, "do": [{"create": "Gull"}]},
            "abilities 1: This card endlessly creates itself whenever it enters.",
        ),
    ],
)
def test_a_wrong_ability_is_told_where_it_is_wrong(ability: object, told: str) -> None:
    found = faults_of(abilities=[ability])
    assert len(found) == 1
    assert found[0].startswith(told)


def test_a_thousand_errors_are_bounded_and_their_number_is_told() -> None:
    read = read_cards([{"name": f"Card {n}", "type": "nothing", "zzz": 1} for n in range(500)], "kryptik")
    assert isinstance(read, tuple)
    assert len(read) == MOST_FAULTS + 1
    assert read[-1].wrong == f"There are {1000 - MOST_FAULTS} more errors."


def test_a_selector_without_end_and_data_that_hold_themselves_are_stopped() -> None:
    endless: dict[str, object] = {"type": "citizen"}
    endless["not"] = endless
    assert any("nested levels" in told for told in faults_of(abilities=[{"spell": True, "do": [{"destroy": endless}]}]))
    steps: list[object] = []
    steps.append({"in order": steps})
    assert any("nested levels" in told for told in faults_of(abilities=[{"spell": True, "do": steps}]))
    read = read_list(
        {"list": {"key": "a", "game": "kryptik"}, "cards": [{**GULL, "abilities": [{"spell": True, "do": steps}]}]}
    )
    assert isinstance(read, tuple)


def test_laughing_yaml_is_refused() -> None:
    bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in zip("abcdef", "bcdefg", strict=True)
    )
    with pytest.raises(UnreadableFile):
        read_yaml(bomb)
    with pytest.raises(UnreadableFile):
        read_yaml("&a [*a]")
    with pytest.raises(UnreadableFile, match="appears twice"):
        read_yaml("{a: 1, a: 2}")
    with pytest.raises(UnreadableFile):
        read_json("[" * 100_000)


def test_a_bare_on_is_read_as_the_key_that_was_meant() -> None:
    assert read_yaml("{attack: 1, on: self}") == [{"attack": 1, "on": "self"}]


@pytest.mark.parametrize(
    "data", [None, 3, "x", [], {}, {"list": 3}, {"list": {}, "cards": {}}, {"list": {"game": []}, "cards": [3, None]}]
)
def test_what_is_no_list_is_told_and_never_raises(data: object) -> None:
    read = read_list(data)
    assert isinstance(read, tuple)
    assert all(str(fault) for fault in read)


_WORDS = (*CARD_KEYS["kryptik"], *PRIMITIVES, *EVENTS, *STATES, "do", "to", "type", "zone", "all", "not")
_keys = st.sampled_from(_WORDS) | st.text(max_size=4)
_scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(_WORDS)
_plain = st.recursive(
    _scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=4), max_leaves=20
)


@given(_plain)
def test_no_ability_that_anybody_writes_breaks_the_reader(data: object) -> None:
    read = read_card({**GULL, "abilities": [{"spell": True, "do": data}, data]}, "kryptik")
    assert isinstance(read, (Card, tuple))


def test_a_card_without_vocabulary_is_manual_and_one_without_text_is_not() -> None:
    assert card_of(text="It is Tuesday.").manual
    assert not card_of().manual
    assert not card_of(text="Eager.", keywords=["eager"]).manual


def test_the_words_of_an_effect_are_found_whatever_the_order_of_its_keys() -> None:
    one = {"search": "deck", "for": {"type": "citizen"}, "to": "hand", "reveal": True}
    effects = [
        card_of(abilities=[{"spell": True, "do": [said]}]).abilities[0].do for said in (one, dict(sorted(one.items())))
    ]
    assert effects[0] == effects[1]
    assert effects[0][0].word == "search"


def test_values_are_arithmetic_over_numbers_of_things() -> None:
    def value(text: str) -> object:
        return card_of(abilities=[{"spell": True, "do": [{"draw": text}]}]).abilities[0].do[0].value("draw")

    assert value("2 * X + 1") == Sum("+", Sum("*", Number(2), Name("X")), Number(1))
    assert value("max(attack of self, 3)") == Sum("max", Stat("attack", Selector("self")), Number(3))
    assert value("half up eleven of opponent") == Sum("half up", Stat("eleven", Selector("opponent")), Number(2))
    assert value("counters(knot) of self") == Stat("counters", Selector("self"), "knot")
    changed = card_of(abilities=[{"passive": {"attack": "-X"}, "on": "self"}]).abilities[0].passive[0].change("attack")
    assert changed == Change("add", Sum("-", Number(0), Name("X")))


@pytest.mark.parametrize("name", ["", " Gull", "Gull;", "#4", "12", "none", "x" * 81, 'Gu"ll', 3])
def test_a_name_that_no_line_could_say_is_refused(name: object) -> None:
    assert faults_of(name=name)


def test_what_the_page_tells_of_lists_names_every_key_and_every_word() -> None:
    told = (ROOT / "docs" / "play" / "cards" / "decks.md").read_text()
    keys = {key for keys in CARD_KEYS.values() for key in keys}
    missing = [word for word in (*PRIMITIVES, *EVENTS, *keys) if f"`{word}`" not in told]
    assert missing == []
