"""Altered from its start: set-up, random play with agreements, what nobody may see, and the questions themselves."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tables.cases import carry_out
from tables.core import engine
from tables.core.entries import Entry
from tables.core.lists.cardlist import CardList, read_list
from tables.core.log import sealing
from tables.core.offering import offered
from tables.core.reducer import step
from tables.core.state import Options
from tables.core.views import SPECTATOR, told, view
from tables.games.altered import agreements
from tables.games.altered.agreements import AgreementSet, NotAnAnswer, all_suggested, checked, commonest, read_set
from tables.games.altered.rules import ALTERED
from tables.reading import read_file
from tables.simulation import Tally, opening, play_one, same_views
from tables.visits import visits_a_day

DEMO = Path(__file__).parents[2] / "fixtures" / "cards" / "altered-demo.yaml"
AGREED = Options("default", agreed=all_suggested())


@pytest.fixture(scope="module")
def cards():
    found = read_list(read_file(DEMO)[0])
    assert isinstance(found, CardList)
    return found.cards


@pytest.fixture
def started(cards):
    return engine.started(ALTERED, opening(ALTERED, cards, 3, "AB", AGREED)).state


def _afternoon(state):
    """A started table in its first Afternoon: the first Orbs are drawn for whoever is asked."""
    while (waits := engine.waits_for(state))[1] != "turn":
        state = step(ALTERED, state, Entry("tick", waits[0][0], (), 1)).state
    return state


def test_the_demo_list_has_the_six_named_cards_and_enough_beside_them(cards):
    named = {"Kitsune", "Anubis", "Haven, Bravos Bastion", "Kuwat, the Dissenter", "Moonlight Jellyfish", "Coppélia"}

    assert named <= set(cards)
    assert sum(card.type in ("character", "landmark", "spell") for card in cards.values()) >= 60
    assert sum(card.type == "hero" for card in cards.values()) == 2
    assert sum(card.type == "tumult" for card in cards.values()) == 3


@pytest.mark.parametrize("seed", [5, 6])
def test_random_tables_end_as_agreed_and_every_invariant_holds(cards, seed):
    tally = Tally()

    play_one(ALTERED, opening(ALTERED, cards, seed, "AB", AGREED), seed, tally)

    assert tally.results == {"won by agreed 3": 1}


def test_a_table_is_playable_from_its_start(started):
    assert engine.waits_for(started) == (started.from_turn_player(), "mana")

    state = _afternoon(started)

    assert state.turn.number == 1
    assert engine.waits_for(state) == ((state.turn.starter,), "turn")
    assert [ALTERED.number_of(state, f"{seat}.mana.ready") for seat in "AB"] == [3, 3]
    assert len(state.zone("adventure")) == 3


def test_nothing_starts_while_the_first_hand_is_open(cards):
    state = engine.started(ALTERED, opening(ALTERED, cards, 3, "AB", Options("default"))).state

    outcome = step(ALTERED, state, Entry("tick", "A", (), 1))

    assert engine.waits_for(state) == (("A", "B"), "agree")
    assert outcome.reason is not None
    assert outcome.reason.cites == ("A12",)


def test_faces_of_mana_orbs_are_their_owners_alone(started):
    state = _afternoon(started)
    faces = {thing.card for thing in state.zone("A.mana")}
    known = {name for zone in ("A.herozone", "B.herozone") for name in (thing.card for thing in state.zone(zone))}

    for viewer in ("B", SPECTATOR):
        shown = view(ALTERED, state, viewer)["zones"]["A.mana"]
        assert all(set(orb) == {"number", "owner", "statuses", "counters"} for orb in shown)
        assert not [
            face for face in faces - known if face in json.dumps(view(ALTERED, state, viewer)["zones"]["A.mana"])
        ]
    assert {orb["card"] for orb in view(ALTERED, state, "A")["zones"]["A.mana"]} == faces


def test_another_face_of_an_orb_changes_nothing_for_anybody_else(cards, started):
    state = _afternoon(started)
    key = state.zones["A.mana"][0]
    other = replace(state, things={**state.things, key: replace(state.things[key], card="Kiln Ox")})

    seen = {who: view(ALTERED, state, who) == view(ALTERED, other, who) for who in ("A", "B", SPECTATOR)}
    refused = {
        line: [step(ALTERED, one, Entry("act", state.turn.of, (line,), 2)).reason for one in (state, other)]
        for line in (
            f"quick #{state.things[key].number}",
            "orb 1 for orb 1",
            f"orb {state.things[key].number} for orb 1",
        )
    }

    assert seen == {"A": False, "B": True, SPECTATOR: True}
    assert all(first == second for first, second in refused.values())
    assert same_views(ALTERED, state, Random(1)) == []


def test_the_log_tells_nobody_else_which_orb_was_meant():
    steps = [{"counters": "wax", "n": 1, "on": "chosen"}, {"give": "anchored", "to": "chosen"}]
    lantern = {"spell": True, "choose": {"zone": "mana", "whose": "you"}, "do": steps}
    orbs = [{"id": 1, "card": "Moonstone"}, {"id": 2, "card": "Moonstone"}]
    run = carry_out({
        "case": "orb", "game": "altered",
        "cards": [{"name": "Lantern", "type": "spell", "cost": {"hand": 0}, "abilities": [lantern]},
                  {"name": "Moonstone", "type": "spell", "cost": {"hand": 1}}],
        "position": {"turn": {"day": 2, "at": "afternoon", "first": "A", "of": "A"},
                     "A": {"hand": ["Lantern"], "mana": orbs}, "B": {"mana": 1}},
        "posts": [{"by": "A", "do": "play Lantern"}, {"by": "A", "do": "choose #2"}],
    })  # fmt: skip

    assert run.refused == {}
    assert run.state.things[run.ids[2]].statuses == ("anchored",)
    assert "Moonstone" in json.dumps(told(ALTERED, run.events, "A"))
    assert "Moonstone" not in json.dumps([told(ALTERED, run.events, who) for who in ("B", SPECTATOR)])


def test_no_secret_key_and_no_face_down_tumult_stands_in_any_view(started):
    shown = [json.dumps(view(ALTERED, started, who)) for who in ("A", "B", SPECTATOR)]

    assert not [key for key in started.things for text in shown if key in text]
    assert not [thing.card for thing in started.zone("adventure") for text in shown if thing.card in text]


def test_time_that_is_over_plays_the_default_of_each_decision(started):
    state, asked = started, set()
    for number in range(80):
        seats, kind = engine.waits_for(state)
        asked.add(kind)
        outcome = step(ALTERED, state, Entry("tick", seats[0], (), number))
        assert outcome.reason is None
        state = outcome.state

    assert {"mana", "turn"} <= asked
    assert state.turn.number > 3


# ------------------------------------------------------------------------------------------- agreements


def test_every_gap_is_a_question_with_a_suggestion_that_can_be_agreed_on():
    assert [question.number for question in agreements.QUESTIONS] == list(range(1, 11))
    for question in agreements.QUESTIONS:
        assert checked(question.number, question.suggested) == question.suggested
        assert question.option(question.suggested) is not None
        assert not question.default or question.option(question.default) is not None
        assert question.rests_on


def test_free_words_may_be_agreed_on_where_no_number_is_needed():
    assert checked(3, "  Whoever   smiles first. ") == "Whoever smiles first."
    assert checked(4, "Reserve") == "reserve"


@pytest.mark.parametrize(
    ("number", "wording", "told"),
    [(1, "six", "hand 6, mana 3"), (1, "hand 2, mana 3", "into Orbs than you draw"), (7, "lots", "0 to 9"),
     (3, " ", "1 to"), (11, "x", "no question 11"), (2, "x" * 401, "1 to 400")],
)  # fmt: skip
def test_what_cannot_be_agreed_on_says_why(number, wording, told):
    with pytest.raises(NotAnAnswer, match=told):
        checked(number, wording)


def test_only_the_first_hand_must_be_agreed_on_before_the_start():
    assert [question.number for question in agreements.still_open(())] == [1]
    assert agreements.still_open(all_suggested()) == ()


def test_a_set_of_agreements_can_be_kept_and_offered():
    kept = AgreementSet("the Blue Lantern", all_suggested())

    assert kept.told == "as played at the Blue Lantern"
    assert read_set(json.loads(json.dumps(kept.plain()))) == kept


def test_the_commonest_answers_make_a_set_of_their_own():
    sets = [
        AgreementSet("one", ((1, "hand 5, mana 2"), (4, "reserve"))),
        AgreementSet("two", ((1, "hand 5, mana 2"), (4, "discard"))),
        AgreementSet("three", ((1, "hand 6, mana 3"),)),
    ]

    assert commonest(sets, "most tables").agreed == ((1, "hand 5, mana 2"), (4, "discard"))


@pytest.mark.parametrize(
    "data", [None, {"name": "x"}, {"agreed": {"a": "b"}}, {"agreed": {"1": 6}}, {"agreed": {"1": "no"}}]
)
def test_a_set_that_is_not_one_is_refused(data):
    with pytest.raises(NotAnAnswer):
        read_set(data)


# ------------------------------------------------------------------------------------------- pace


def test_a_planned_day_takes_at_most_three_visits_of_a_player(cards):
    mean, most = visits_a_day(ALTERED, cards, 6)

    assert mean <= 3
    assert most < 12


def _first_and_other(state):
    first = state.turn.of
    return first, "B" if first == "A" else "A"


def test_what_is_ordered_for_when_the_other_has_passed_waits_for_that(started):
    state = _afternoon(started)
    first, other = _first_and_other(state)
    state = step(ALTERED, state, Entry("order", other, ("if he passes: pass",), 1)).state

    passed = step(ALTERED, state, Entry("act", first, ("pass",), 2))

    assert passed.state.turn.at == "expand"
    assert any(event.kind == "by order" and event.seat == other for event in passed.events)


def test_a_next_line_is_played_in_the_next_turn(started):
    state = _afternoon(started)
    first, other = _first_and_other(state)
    state = step(ALTERED, state, Entry("order", other, ("next: pass",), 1)).state

    after = step(ALTERED, state, Entry("act", first, ("pass",), 2)).state

    assert after.turn.number == 2


def test_what_one_has_said_is_shown_to_both_until_they_agree(cards):
    state = engine.started(ALTERED, opening(ALTERED, cards, 3, "AB", Options("default"))).state

    said = step(ALTERED, state, Entry("act", "A", ("agree 1: hand 5, mana 2",), 1)).state
    agreed = step(ALTERED, said, Entry("act", "B", ("agree 1: hand 5, mana 2",), 2)).state

    assert view(ALTERED, said, "B")["waits"]["told"] == ["A: agree 1: hand 5, mana 2"]
    assert agreed.options.agreed == ((1, "hand 5, mana 2"),)
    assert len(agreed.zone("A.hand")) == 5


def test_a_card_that_is_played_for_all_to_see_is_named_in_the_log(started):
    """T6.3: whoever reads the log reads the line, too."""
    state = _afternoon(started)
    seat = engine.waits_for(state)[0][0]
    lines = [line for line in offered(ALTERED, state, seat) if line.startswith("play ")]
    entry = Entry("act", seat, (lines[0],), 1)

    assert not sealing.hides(ALTERED, state, entry, step(ALTERED, state, entry).events)
