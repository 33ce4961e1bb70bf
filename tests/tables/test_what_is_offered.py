"""8.3: what is offered is taken, and what may be done is offered: lines as they are, or blanks that are filled in."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

from tables.core import engine
from tables.core.entries import Entry
from tables.core.lines.actions import Action
from tables.core.lines.naming import find
from tables.core.lines.understanding import line_of, read
from tables.core.lines.writing import write
from tables.core.offering import offered, offers, open_lines
from tables.core.reasons import Refused
from tables.core.reducer import step
from tables.core.state import Options, Player
from tables.games import RULES
from tables.positions import lay_out
from tables.reading import read_yaml
from tables.simulation import begun, opening
from tests.tables.test_rulings_meanwhile import OPTIONS, cards


@pytest.mark.parametrize("game", sorted(OPTIONS))
def test_every_offered_line_is_taken(game):
    rules, tried = RULES[game], 0
    for seed in (11, 12):
        random = Random(seed)
        state = begun(rules, opening(rules, cards(game), seed, "AB", OPTIONS[game]))
        for _ in range(150):
            seats, kind = engine.waits_for(state)
            if state.result is not None or kind == "manual":
                break
            seat = random.choice(seats)
            lines = offered(rules, state, seat)
            assert lines, kind
            for action in offers(rules, state, seat):
                assert read(state, write(action, game)) == action
            for line in random.sample(lines, min(len(lines), 4)):
                outcome = step(rules, state, Entry("act", seat, (line,)))
                assert outcome.reason is None, (line, outcome.reason)
                tried += 1
            state = step(rules, state, Entry("act", seat, (random.choice(lines[1:] or lines),))).state
    assert tried > 200


CHOICES = """
case: a
game: kryptik
cards:
  - {name: Vein, type: spell, soul: [u]}
  - {name: Gull, type: citizen, attack: 1, defense: 1}
  - {name: Spark, type: spell, cost: {any: X},
     abilities: [{spell: true, targets: [{type: citizen}], do: [{damage: X, to: target 1}]}]}
  - {name: Chain, type: spell,
     abilities: [{spell: true, targets: [{type: citizen, up to: 2}], do: [{engage: target 1}]}]}
  - {name: Toll, type: spell, additional: {sacrifice: {type: citizen, whose: you}},
     abilities: [{spell: true, do: [{draw: 1}]}]}
  - {name: Saint, type: citizen, attack: 1, defense: 3,
     abilities: [{active: {sacrifice: {type: citizen, whose: you, not: self}}, do: [{draw: 1}]}]}
  - {name: Churn, type: spell, additional: {discard: 2}, abilities: [{spell: true, do: [{draw: 1}]}]}
position:
  turn: {number: 5, of: A, at: first}
  A: {hand: [Spark, Chain, Toll, Churn], soul: [Vein, Vein],
      island: [{id: 1, card: Saint}, {id: 2, card: Gull}], eleven: 6}
  B: {island: [{id: 3, card: Gull}], eleven: 6}
"""


@pytest.fixture
def state():
    rules = RULES["kryptik"]
    return engine.started(rules, lay_out(read_yaml(CHOICES)[0], rules)[0]).state


def _reached(state, seat):
    """Every line that may be posted: those that are offered, and all fillings of the open ones that are taken."""
    rules = RULES[state.game]
    found = set(offered(rules, state, seat))
    for one in open_lines(rules, state, seat):
        ways = [""]
        for blank in one.blanks:
            some = [part for many in range(blank.least, blank.most + 1) for part in combinations(blank.among, many)]
            ways = [f"{way}|{blank.word} {', '.join(part)}" for way in ways for part in some]
        found |= {f"{write(one.head, state.game)}{way}" for way in ways}
    return found


def test_x_is_whatever_can_be_paid_of_each_target(state):
    lines = offered(RULES["kryptik"], state, "A")

    assert {f"cast Spark; target #{n}; X = {x}" for n in (1, 2, 3) for x in (0, 1, 2)} <= set(lines)
    assert "cast Spark; target #1; X = 3" not in lines


def test_up_to_two_are_none_one_or_both(state):
    reached = _reached(state, "A")

    assert "cast Chain|target " in reached
    assert {f"cast Chain|target #{one}" for one in (1, 2, 3)} <= reached
    assert {"cast Chain|target #1, #2", "cast Chain|target #1, #3", "cast Chain|target #2, #3"} <= reached


def test_what_is_given_for_a_cost_is_named_in_the_line(state):
    lines = set(offered(RULES["kryptik"], state, "A"))

    assert {"cast Toll; sacrifice #1", "cast Toll; sacrifice #2"} <= lines
    assert "cast Toll" not in lines
    assert "use #1; sacrifice #2" in lines
    assert "use #1" not in lines
    assert "cast Churn; discard Spark, Chain" in lines


def test_what_cant_be_given_isnt_offered(state):
    after = step(RULES["kryptik"], state, Entry("ruling", "judge", ("#2 dies; A discards 4",), 0, "1", "So."))

    lines = offered(RULES["kryptik"], after.state, "A")

    assert after.reason is None
    assert not [line for line in lines if line.startswith("use")]


SIGNS = ("Kaboom!", "Island (Basic)")


def _ending_with(name):
    """By game: what a button says whose line ends with a card's name."""
    shown = (Action("reveals", to="A", card=name),)
    of_every = (
        Action("discard", card=name, cards=(name,)), Action("discard", cards=(name, name)),
        Action("choose", things=(name,)), Action("target", targets=(name,)),
        Action("triggers", order=(name,)), Action("propose", changes=shown),
        Action("propose", changes=shown, text="so"),
    )  # fmt: skip
    return {
        "kryptik": (
            *of_every, Action("soul", card=name), Action("cast", card=name),
            Action("recursion", card=name, cards=(name,)), Action("cast", card=name, choices=(("discard", (name,)),)),
        ),
        "seize": (
            *of_every, Action("treasure", card=name), Action("treasure", card=name, do="face down"),
            Action("play", card=name), Action("play", card=name, to="b2", equip=name), Action("event", card=name),
        ),
        "altered": (*of_every, Action("mana", card=name, cards=(name,)), Action("play", card=name)),
        "free": (*of_every, Action("do", changes=shown), Action("do", changes=(*shown, *shown))),
    }  # fmt: skip


@pytest.mark.parametrize("name", SIGNS)
@pytest.mark.parametrize("game", sorted(_ending_with("")))
def test_a_button_says_a_name_that_ends_like_a_confirmation_or_a_reason(state, game, name):
    state = replace(state, game=game, cards=dict.fromkeys((*SIGNS, "Gull"), state.cards["Gull"]))
    for action in _ending_with(name)[game]:
        line, found = line_of(state, action)

        assert found == read(state, line)
        assert replace(found, confirmed=False, text=action.text) == action


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (Action("concede"), "concede"), (Action("concede", confirmed=True), "concede!"),
        (Action("acquire", n=2), "acquire 2"), (Action("acquire", n=2, confirmed=True), "acquire 2!"),
        (Action("refuse", n=1, text="no"), "refuse 1: no"),
    ],
)  # fmt: skip
def test_a_button_confirms_and_gives_reasons_only_as_it_says(state, action, line):
    assert line_of(replace(state, game="seize"), action) == (line, action)


@pytest.mark.parametrize("action", [Action("refuse", n=1, text="no!"), Action("concede", text="why")])
def test_a_button_is_refused_if_its_text_is_not_read(state, action):
    with pytest.raises(Refused, match="unreadable"):
        line_of(state, action)


def test_of_two_against_two_a_seats_button_means_the_seat_and_lines_are_read_as_ever():
    """S47: `A1` is read as the tile `a1`, which a choice among players takes for the seat."""
    state = opening(RULES["seize"], cards("seize"), 1, ("A1", "B1", "A2", "B2"), Options("standard"))
    among = [Player("A1"), Player("B1")]

    assert read(state, "target A1").targets == ("a1",)
    for action, found in (
        (Action("choose", things=("A1",)), Action("choose", things=("a1",))),
        (Action("target", targets=("A1", 4)), Action("target", targets=("a1", 4))),
    ):
        line, carried = line_of(state, action)
        assert (carried, read(state, line)) == (found, found)
        assert find(state, "B1", carried, "a1", among) == Player("A1")
