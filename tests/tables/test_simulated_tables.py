"""Random play of whole tables: what every step keeps, and that nobody sees what he can't know."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tables.cases import carry_out
from tables.core import engine
from tables.core.entries import Entry, Logged
from tables.core.lists.cardlist import CardList, read_list
from tables.core.log.folding import fold
from tables.core.log.opening import Given
from tables.core.offering import offered
from tables.core.proof.draws import commitment
from tables.core.reasons import Reason
from tables.core.reducer import Outcome, step
from tables.core.state import Options
from tables.core.views import SPECTATOR, view
from tables.games.free.rules import FREE
from tables.games.kryptik.rules import KRYPTIK
from tables.reading import read_file
from tables.simulation import Broken, Tally, check, opening, play_one, same_views, stopped

DEMO = Path(__file__).parents[2] / "fixtures" / "cards" / "kryptik-demo.yaml"


@pytest.fixture(scope="module")
def cards():
    found = read_list(read_file(DEMO)[0])
    assert isinstance(found, CardList)
    return found.cards


@pytest.mark.parametrize(("seats", "format"), [("AB", "constructed"), ("AB", "limited"), ("ABC", "constructed")])
def test_random_tables_end_with_a_winner_and_every_invariant_holds(cards, seats, format):
    tally = Tally()
    play_one(KRYPTIK, opening(KRYPTIK, cards, 5, seats, Options(format)), 5, tally)

    assert tally.results == {"won by 3": 1}


def test_what_a_citizen_takes_along_lies_on_the_side_of_the_one_it_is_attached_to(cards):
    """5.3.1: of this seed a citizen with a card beneath it is attached to one of the other side."""
    play_one(KRYPTIK, opening(KRYPTIK, cards, 40106, "AB", Options("constructed")), 40106, Tally())


def test_a_lost_card_is_noticed(cards):
    state = engine.started(KRYPTIK, opening(KRYPTIK, cards, 1, "AB", Options())).state
    lost = replace(state, zones={**state.zones, "A.hand": state.zones["A.hand"][1:]})

    with pytest.raises(Broken, match="in two zones or in none"):
        check(KRYPTIK, state, lost, 1, 0)


def test_what_a_viewer_knows_changes_his_view_and_nobody_elses(cards):
    state = engine.started(KRYPTIK, opening(KRYPTIK, cards, 1, "AB", Options())).state
    key = state.zones["A.hand"][0]
    other = next(name for name in cards if name not in {thing.card for thing in state.zone("A.hand")})
    changed = replace(state, things={**state.things, key: replace(state.things[key], card=other)})

    seen = {who: view(KRYPTIK, state, who) == view(KRYPTIK, changed, who) for who in ("A", "B", SPECTATOR)}

    assert seen == {"A": False, "B": True, SPECTATOR: True}
    assert same_views(KRYPTIK, state, Random(1)) == []


def test_no_secret_key_stands_in_any_view(cards):
    state = engine.started(KRYPTIK, opening(KRYPTIK, cards, 1, "AB", Options())).state

    shown = [json.dumps(view(KRYPTIK, state, who)) for who in ("A", "B", SPECTATOR)]

    assert not [key for key in state.things for text in shown if key in text]


def test_time_that_is_over_plays_the_default_of_each_decision(cards):
    state = engine.started(KRYPTIK, opening(KRYPTIK, cards, 1, "AB", Options())).state
    asked = []
    for number in range(60):
        seats, kind = engine.waits_for(state)
        asked.append(kind)
        outcome = step(KRYPTIK, state, Entry("tick", seats[0], (), number))
        assert outcome.reason is None
        state = outcome.state

    assert {"recursion", "priority", "attack"} <= set(asked)
    assert state.turn.number > 1


def test_a_refusal_that_betrays_a_hand_is_noticed(cards, monkeypatch):
    state = engine.started(KRYPTIK, opening(KRYPTIK, cards, 1, "AB", Options())).state

    def telling(rules, state, entry):
        hand = [thing.card for thing in state.zone("A.hand")]
        return Outcome(state, (), Reason(("8",), f"the other holds {hand[0]}"))

    monkeypatch.setattr("tables.simulation.step", telling)

    assert "B" in same_views(KRYPTIK, state, Random(1))


def test_default_stops_ask_each_player_at_most_two_and_a_half_times_a_turn(cards):
    tally = Tally()
    for seed in (11, 12, 13):
        play_one(KRYPTIK, stopped(KRYPTIK, opening(KRYPTIK, cards, seed, "AB", Options())), seed, tally)

    assert 0 < tally.visits_a_turn <= 2.5


def test_a_free_table_begins_and_goes_on_by_entries_alone(cards):
    seed = bytes(32)
    free = {name: replace(card, game="free", type="card", abilities=()) for name, card in cards.items()}
    given = Given(FREE, free, seed)
    word = {"A": "twenty signs of the first", "B": "twenty signs of the other"}
    log = [
        Logged(1, 0, "service", "open", {
            "game": "free", "table": "any", "seats": ["A", "B"], "day": "2026-11-22", "cuts": "simple",
            "commitment": commitment(seed), "options": {"starter": "A"},
        }),
        Logged(2, 0, "A", "seat", {"name": "Ana"}), Logged(3, 0, "B", "seat", {"name": "Bo"}),
        Logged(4, 0, "A", "deck", {}, {"main": {"Harbour Watch": 9}}),
        Logged(5, 0, "B", "deck", {}, {"main": {"Harbour Watch": 1}}),
        Logged(6, 0, "A", "cut", {"word": word["A"]}), Logged(7, 0, "B", "cut", {"word": word["B"]}),
        Logged(8, 0, "A", "propose", {"lines": ["propose: A draws 3"]}),
        Logged(9, 0, "B", "accept", {"lines": ["accept 1"]}),
        Logged(10, 0, "A", "act", {"lines": ["pass"]}),
    ]  # fmt: skip
    *_, last = fold(given, log)

    assert last.reason is None
    assert len(last.table.zone("A.hand")) == 3
    assert last.table.turn.of == "B"


@pytest.mark.parametrize(("state", "is_offered"), [({}, True), ({"engaged": True}, False), ({"weary": True}, False)])
def test_an_ability_is_offered_only_where_its_citizen_may_engage_for_it(state, is_offered):
    """8.1: what is offered is not refused, and who can do nothing is not asked."""
    bowman = {
        "name": "Bowman", "type": "citizen", "attack": 1, "defense": 1,
        "abilities": [{"active": {"engage": "self"}, "do": [{"draw": 1}]}],
    }  # fmt: skip
    run = carry_out({
        "case": "engaged", "game": "kryptik", "about": "", "windows": "ask", "cards": [bowman], "posts": [],
        "position": {
            "turn": {"number": 5, "of": "A", "at": "first"},
            "A": {"island": [{"id": 1, "card": "Bowman", **state}], "eleven": 6}, "B": {"eleven": 6},
        },
        "expect": {},
    })  # fmt: skip

    assert ("use #1" in offered(KRYPTIK, run.state, "A")) is is_offered
