"""11: what a judge rules while something else is waited for leaves a table that goes on, whatever was asked."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from tables.core import engine
from tables.core.entries import Entry
from tables.core.lists.cardlist import CardList, read_list
from tables.core.offering import offered
from tables.core.reducer import step
from tables.core.state import LATEST, Options
from tables.games import RULES
from tables.games.altered.agreements import all_suggested
from tables.games.kryptik.rules import KRYPTIK
from tables.positions import lay_out
from tables.reading import read_file, read_yaml
from tables.simulation import begun, opening

LISTS = Path(__file__).parents[2] / "fixtures" / "cards"
OPTIONS = {
    "kryptik": Options(), "seize": Options("standard"), "altered": Options("default", agreed=all_suggested()),
}  # fmt: skip
DISCARD = """
case: discard
game: kryptik
cards: [{name: Gull, type: citizen, cost: {any: 0}, attack: 1, defense: 1}]
position:
  turn: {number: 5, of: A, at: end}
  A: {hand: [Gull, Gull, Gull, Gull, Gull, Gull, Gull, Gull, Gull], eleven: 6}
  B: {hand: [], eleven: 6}
"""


@cache
def cards(game):
    found = read_list(read_file(LISTS / f"{game}-demo.yaml")[0])
    assert isinstance(found, CardList)
    return dict(found.cards)


def ruled(rules, state, program):
    return step(rules, state, Entry("ruling", "judge", (program,), 0, "K42", "The text says so."))


def answered(rules, state, random):
    """Somebody who is asked answers: something legal, else its default."""
    seats, kind = engine.waits_for(state)
    if kind == "manual":
        return ruled(rules, state, "nothing happens")
    lines = offered(rules, state, seats[0])
    for line in (random.choice(lines), lines[0]):
        outcome = step(rules, state, Entry("act", seats[0], (line,)))
        if outcome.reason is None:
            return outcome
    return step(rules, state, Entry("tick", seats[0]))


@pytest.mark.parametrize("game", sorted(OPTIONS))
def test_a_ruling_at_any_moment_leaves_a_table_that_can_be_played_on(game):
    rules = RULES[game]
    for seed in (3, 4):
        random = Random(seed)
        state = begun(rules, opening(rules, cards(game), seed, "AB", OPTIONS[game]))
        for _ in range(300):
            if state.result is not None:
                break
            if random.random() < 0.25:
                things = [thing.number for thing in state.things.values() if thing.number is not None]
                programs = ["A draws 1", "B discards 1", *(f"#{random.choice(things)} dies" for _ in things[:1])]
                outcome = ruled(rules, state, random.choice(programs))
            else:
                outcome = answered(rules, state, random)
            assert outcome.reason is None, outcome.reason
            state = outcome.state


def test_a_choice_that_a_ruling_has_made_smaller_is_asked_for_what_is_left():
    state = begun(KRYPTIK, lay_out(read_yaml(DISCARD)[0], KRYPTIK)[0])
    for _ in range(10):
        if engine.waits_for(state)[1] == "discard":
            break
        state = step(KRYPTIK, state, Entry("act", engine.waits_for(state)[0][0], ("pass",))).state
    assert state.decision.at_least() == 2

    state = ruled(KRYPTIK, state, "A discards 8").state
    while engine.waits_for(state) == (("A",), "discard") and state.decision.at_least() == 8:
        state = step(KRYPTIK, state, Entry("act", "A", ("discard " + ", ".join(["Gull"] * 8),))).state

    assert len(state.zone("A.hand")) == 1
    assert engine.waits_for(state) == (("A",), "discard")
    assert state.decision.at_least() == 1


@pytest.mark.parametrize(("version", "energy", "numbers"), [(4, {"mana": 2}, {}), (LATEST, {}, {"mana": 2})])
def test_what_a_player_of_a_free_table_gains_is_carried_out_as_its_version_did(version, energy, numbers):
    rules = RULES["free"]
    state = replace(begun(rules, opening(rules, cards("kryptik"), 3, "AB", Options())), version=version)
    seat = step(rules, state, Entry("ruling", "judge", ("A gains 2 mana",), 1, "3", "So.")).state.seat("A")
    assert (dict(seat.energy), dict(seat.numbers)) == (energy, numbers)
