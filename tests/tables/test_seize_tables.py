"""Random play of Seize in every format: what every step keeps, what nobody can see, and how often a turn calls."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tables.core import engine
from tables.core.entries import Entry
from tables.core.lists.cardlist import CardList, read_list
from tables.core.offering import offered
from tables.core.reducer import step
from tables.core.state import Options
from tables.core.views import SPECTATOR, knows, view
from tables.games.seize import choosing
from tables.games.seize.flow import STEPS
from tables.games.seize.rules import SEIZE
from tables.reading import read_file
from tables.simulation import KINDS, Tally, opening, play_one
from tables.visits import measured, visits_a_turn

DEMO = Path(__file__).parents[2] / "fixtures" / "cards" / "seize-demo.yaml"
FOUR = ("A1", "B1", "A2", "B2")


@pytest.fixture(scope="module")
def cards():
    found = read_list(read_file(DEMO)[0])
    assert isinstance(found, CardList)
    return found.cards


def start(cards, seed=1, seats="AB", format="standard"):
    return engine.started(SEIZE, opening(SEIZE, cards, seed, seats, Options(format))).state


def middle(cards, seed, entries, seats="AB", format="standard"):
    """A table after so many random entries."""
    random, state = Random(seed), start(cards, seed, seats, format)
    for number in range(entries):
        waiting, _ = engine.waits_for(state)
        if not waiting:
            break
        seat = random.choice(waiting)
        lines = offered(SEIZE, state, seat)
        state = step(SEIZE, state, Entry("act", seat, (random.choice(lines),), number)).state
    return state


def shuffled_faces(state, viewer, random):
    """The same table, but for the faces of each player's cards that a viewer doesn't know: they change places."""
    things = dict(state.things)
    for owner in [seat.letter for seat in state.seats]:
        keys = [key for key, one in things.items() if one.owner == owner and not knows(SEIZE, one, viewer)]
        faces = [things[key].card for key in keys]
        random.shuffle(faces)
        things |= {key: replace(things[key], card=face) for key, face in zip(keys, faces, strict=True)}
    return replace(state, things=things)


@pytest.mark.parametrize(("seats", "format", "seed"), [("AB", "arena", 3), ("AB", "draft", 4), ("AB", "standard", 8)])
def test_random_tables_end_with_a_winner_and_every_invariant_holds(cards, seats, format, seed):
    tally = Tally()
    play_one(SEIZE, opening(SEIZE, cards, seed, seats, Options(format)), seed, tally)

    assert tally.results == {"won by 5": 1}


def test_random_play_takes_every_format_with_two_three_and_four_seats():
    assert {format for _, format in KINDS["seize"]} == {"standard", "draft", "arena", "guild master"}
    assert {len(seats) for seats, _ in KINDS["seize"]} == {2, 3, 4}


def test_a_turn_has_eight_phases_in_the_order_of_their_headings():
    """11, S51: eight phases; S53 leaves minutes to the table's clock."""
    assert [step.cites for step in STEPS[1:]] == [f"11.{number}" for number in range(1, 9)]


@pytest.mark.parametrize("seed", [2, 5, 9])
def test_what_a_viewer_cannot_know_changes_neither_his_view_nor_his_lines_nor_his_refusals(cards, seed):
    random = Random(seed)
    state = middle(cards, seed, 160)
    for viewer in ("A", "B"):
        other = shuffled_faces(state, viewer, random)
        lines = [
            *offered(SEIZE, state, viewer),
            "play Rust; target #41",
            "equip #3 with #5",
            "treasure Torch",
            "exit #2",
        ]
        numbers = [thing.number for thing in state.things.values() if thing.number]
        names = sorted({thing.card for thing in state.zone(f"{viewer}.hand")})
        lines += [f"play {name}; target #{number}" for name in names for number in numbers[:6]]

        assert json.dumps(view(SEIZE, state, viewer)) == json.dumps(view(SEIZE, other, viewer))
        assert offered(SEIZE, state, viewer) == offered(SEIZE, other, viewer)
        assert json.dumps(choosing.every_one(state)) == json.dumps(choosing.every_one(other))
        for line in lines:
            one = step(SEIZE, state, Entry("act", viewer, (line,), 0)).reason
            two = step(SEIZE, other, Entry("act", viewer, (line,), 0)).reason
            assert (one and one.cites) == (two and two.cites), line


@pytest.mark.parametrize("viewer", ["B", SPECTATOR])
def test_a_mercenary_face_down_shows_its_number_and_that_it_is_exhausted_and_nothing_else(cards, viewer):
    state = start(cards)
    key = next(key for key in state.zones["A.deck"] if cards[state.things[key].card].type == "mercenary")
    play = engine.started(SEIZE, state)
    play.move(key, "warchest", face_down=True, event="treasure")
    moved = play.change(key, engaged=True)

    shown = view(SEIZE, play.state, viewer)["zones"]["A.warchest"]

    assert shown == [{"number": moved.number, "owner": "A", "face_down": True, "engaged": True}]
    assert view(SEIZE, play.state, "A")["zones"]["A.warchest"][0]["card"] == moved.card


def test_no_secret_key_stands_in_any_view(cards):
    state = middle(cards, 4, 120)

    shown = [json.dumps(view(SEIZE, state, who)) for who in ("A", "B", SPECTATOR)]

    assert not [key for key in state.things for text in shown if key in text]


@pytest.mark.parametrize(
    ("seats", "format"), [("AB", "standard"), (FOUR, "standard"), ("ABC", "guild master"), (FOUR, "arena")]
)
def test_time_that_is_over_plays_the_default_of_each_decision(cards, seats, format):
    state = start(cards, 1, seats, format)
    asked = []
    for number in range(120):
        waiting, kind = engine.waits_for(state)
        asked.append(kind)
        outcome = step(SEIZE, state, Entry("tick", waiting[0], (), number))
        assert outcome.reason is None
        state = outcome.state

    assert {"starter", "mulligan", "priority"} <= set(asked)
    assert ("acquire" in asked) is (format != "arena")
    assert {"pillar", "champion"} <= set(asked) or format != "arena"
    assert state.turn.number > 1


@pytest.mark.parametrize(("seats", "format"), [("AB", "standard"), (FOUR, "standard"), ("AB", "arena")])
def test_a_turn_calls_for_each_player_at_most_two_and_a_half_times(cards, seats, format):
    visits = measured(SEIZE, opening(SEIZE, cards, 2, seats, Options(format)), 2, turns=8)

    assert visits.turns > 2
    assert visits.mean <= 2.5


def test_the_visits_that_simulate_tells_are_the_mean_of_its_tables(cards):
    tables = [(opening(SEIZE, cards, seed, "AB", Options("standard")), seed) for seed in (4, 5)]

    assert 0 < visits_a_turn(SEIZE, tables, turns=3) <= 2.5


@pytest.mark.parametrize("seats", ["ABC", FOUR])
def test_who_concedes_before_the_first_turn_holds_nobody_up(cards, seats):
    state = start(cards, 1, seats, "guild master" if len(seats) == 3 else "standard")
    for letter in (seats[1],):
        state = step(SEIZE, state, Entry("act", letter, ("concede!",), 0)).state
    for number in range(40):
        waiting, _ = engine.waits_for(state)
        state = step(SEIZE, state, Entry("tick", waiting[0], (), number)).state

    assert state.result is None
    assert state.turn.at != "setup"
    assert not state.zone(f"{seats[1]}.deck")
