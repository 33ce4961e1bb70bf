"""What nobody wrote in good faith, or thought through: it is told, bounded, and no table is lost by it."""

from dataclasses import replace
from time import perf_counter

import pytest

from tables.core import engine, query
from tables.core.entries import Entry
from tables.core.lists.cardlist import read_list
from tables.core.lists.decks import read_deck
from tables.core.pace import stops
from tables.core.reducer import step
from tables.core.views import view
from tables.games.kryptik.rules import KRYPTIK
from tables.positions import lay_out
from tables.reading import UnreadableFile, read_yaml


def table(cards, position):
    state, ids = lay_out(read_yaml(f"case: a\ngame: kryptik\ncards: {cards}\nposition: {position}")[0], KRYPTIK)
    return engine.started(KRYPTIK, state).state, ids


MIRRORS = """
  - {name: Proud, type: citizen, attack: 1, defense: 1,
     abilities: [{passive: {attack: "+1"}, "on": {type: citizen, attack: ">= 1"}},
                 {passive: {defense: "+attack of self"}}, {passive: {attack: "+defense of self"}},
                 {passive: {keyword: +toxic}, "on": {type: citizen, keyword: toxic}},
                 {passive: {attack: "+1"}, if: {number: "attack of self >= 2"}}]}
"""


def test_a_card_that_asks_for_itself_has_a_number_and_soon():
    row = ", ".join(f"{{id: {number}, card: Proud}}" for number in range(1, 41))
    state, ids = table(
        MIRRORS,
        f"{{turn: {{number: 5, of: A, at: first}}, A: {{island: [{row}], eleven: 6}}, B: {{eleven: 6}}}}",
    )
    begun = perf_counter()
    numbers = {query.attack(state, state.things[ids[number]]) for number in ids}
    view(KRYPTIK, state, "A")

    assert len(numbers) == 1
    assert perf_counter() - begun < 5


LOOP = """
  - {name: Bell, type: citizen, cost: {any: 0}, attack: 1, defense: 9,
     abilities: [{when: {is dealt damage: {type: citizen}}, do: [{damage: 1, to: {all: {name: Echo}}}]}]}
  - {name: Echo, type: citizen, cost: {any: 0}, attack: 1, defense: 9,
     abilities: [{when: {engaged: self}, do: [{disengage: self}, {engage: self}]}]}
  - {name: Nudge, type: spell, cost: {any: 0}, abilities: [{spell: true, do: [{engage: {all: {name: Echo}}}]}]}
"""
PLACE = (
    "{turn: {number: 5, of: A, at: first}, A: {hand: [Nudge, Nudge], island: [{id: 1, card: Echo}], eleven: 6},"
    " B: {eleven: 6}}"
)


def test_an_endless_loop_of_triggers_stops_and_a_judge_is_called():
    state, _ = table(LOOP, PLACE)
    usual = stops.default(KRYPTIK)
    state = replace(state, seats=tuple(replace(seat, stops=usual) for seat in state.seats))
    state = step(KRYPTIK, state, Entry("stops", "B", ("their end",))).state
    state = step(KRYPTIK, state, Entry("act", "A", ("cast Nudge",))).state

    assert engine.waits_for(state) == (("A",), "manual")
    assert state.pile == ()
    assert state.zone("A.limbo")[0].card == "Nudge"

    ruled = step(KRYPTIK, state, Entry("ruling", "judge", ("#1 to hand",), 0, "K42", "it would never end")).state
    assert engine.waits_for(ruled) == (("A",), "priority")
    assert [thing.card for thing in ruled.zone("A.hand")] == ["Nudge", "Echo"]


def test_a_loop_without_anybodys_priority_stops_too():
    cards = """
  - {name: Spring, type: spell, cost: {any: 0}, abilities: [{spell: true, do: [%s]}]}
"""
    many = "{for each: {all: {type: citizen}}, do: [" * 3 + "{energy: u}" + "]}" * 3
    row = ", ".join(f"{{id: {number}, card: Gull}}" for number in range(1, 41))
    place = f"A: {{hand: [Spring], island: [{row}], eleven: 6}}, B: {{eleven: 6}}"
    state, _ = table(
        cards % many + "  - {name: Gull, type: citizen, attack: 1, defense: 1}",
        f"{{turn: {{number: 5, of: A, at: first}}, {place}}}",
    )
    for seat, line in (("A", "cast Spring"), ("B", "pass"), ("A", "pass")):
        state = step(KRYPTIK, state, Entry("act", seat, (line,))).state

    assert engine.waits_for(state)[1] == "manual"


def test_a_list_with_a_thousand_errors_is_told_the_first_and_their_number():
    cards = [{"name": f"Card {number}", "type": "dragon", "attak": 1} for number in range(1000)]
    found = read_list({"list": {"key": "bad", "game": "kryptik", "version": 1}, "cards": cards})

    assert isinstance(found, tuple)
    assert 1 < len(found) <= 201


ODD = {
    "long": "x" * 10_000_000, "long name": "cast " + "a" * 10_000_000, "signs": "#" * 100_000, "null": "\x00",
    "empty": "", "blank": " ", "cards": "\U0001f0a1" * 300,
}  # fmt: skip


@pytest.mark.parametrize("line", ODD.values(), ids=ODD)
@pytest.mark.parametrize("kind", ["act", "plan", "order", "ruling", "stops"])
def test_no_line_is_so_odd_or_long_that_a_table_breaks(line, kind):
    state, _ = table(LOOP, PLACE)
    begun = perf_counter()
    outcome = step(KRYPTIK, state, Entry(kind, "A", (line,)))

    assert outcome.reason is not None
    assert outcome.state is state
    assert perf_counter() - begun < 1


def test_a_deck_of_ten_million_signs_is_refused_at_once():
    begun = perf_counter()

    assert isinstance(read_deck("3 Gull\n" * 2_000_000), tuple)
    with pytest.raises(UnreadableFile):
        read_yaml("a: " + "x" * 10_000_000)
    assert perf_counter() - begun < 1


DEEP = {
    "flow sequences": "[" * 50_000, "flow mappings": "a: {" * 60_000, "block sequences": "- " * 100_000,
    "block mappings": "\n".join(" " * level + "a:" for level in range(1_400)), "keys": "? " * 90_000,
}  # fmt: skip


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_a_text_nested_too_deeply_is_refused_before_it_is_composed(text):
    """Composing it would end the process."""
    begun = perf_counter()

    with pytest.raises(UnreadableFile, match="nested too deeply"):
        read_yaml(text)
    assert perf_counter() - begun < 1


UNASKED = (
    "attack with #99999 > 11y 1", "block #1 with #1", "target 11y 999", "11y: cast", "soul soul", "energy w from #1",
    "accept 77", "refuse 3", "choose 3", "triggers: Echo", "yes",
)  # fmt: skip


@pytest.mark.parametrize("line", UNASKED)
def test_what_nobody_asked_for_is_refused_with_a_citation(line):
    state, _ = table(LOOP, PLACE)

    outcome = step(KRYPTIK, state, Entry("act", "A", (line,)))

    assert outcome.reason is not None
    assert outcome.reason.cites[0]
    assert outcome.reason.told
