"""Play by post at its pace: stops, standing orders, the beat, and what may be taken back."""

from dataclasses import replace

import pytest

from tables.core import answering, engine
from tables.core.entries import Entry
from tables.core.lines.writing import write
from tables.core.pace import standing_orders, stops
from tables.core.reducer import step
from tables.core.views import view
from tables.games.kryptik.rules import KRYPTIK
from tables.positions import lay_out
from tables.reading import read_yaml

CARDS = """
cards:
  - {name: Gull, type: citizen, cost: {any: 0}, attack: 1, defense: 1}
  - {name: Sea Wolf, type: citizen, cost: {any: 3}, attack: 3, defense: 3}
  - {name: Null Word, type: spell, targets: [], cost: {any: 0},
     abilities: [{spell: true, targets: [{"on": pile, is: card}], do: [{counter: target 1}]}]}
  - {name: Spark, type: spell, cost: {any: 0},
     abilities: [{spell: true, targets: [{type: citizen}], do: [{damage: 1, to: target 1}]}]}
  - {name: Rain, type: spell, cost: {any: 0}, abilities: [{spell: true, do: [{draw: 1, who: each player}]}]}
  - {name: Old Well, type: citizen, cost: {any: 0}, attack: 0, defense: 3,
     abilities: [{when: {start of turn: you}, may: true, do: [{draw: 1}]}]}
  - {name: Offer, type: spell, cost: {any: 0},
     abilities: [{spell: true, do: [{each: each player, do: [{may: [{draw: 1, who: they}], who: they}]}]}]}
""".replace("targets: [], ", "")


def table(position, stops_of="AB", beat=0):
    document = read_yaml(f"case: a\ngame: kryptik\n{CARDS}\nposition: {position}")[0]
    state, _ = lay_out(document, KRYPTIK)
    seats = tuple(
        replace(seat, stops=stops.default(KRYPTIK) if seat.letter in stops_of else None) for seat in state.seats
    )
    play = engine.started(KRYPTIK, replace(state, seats=seats, options=replace(state.options, beat=beat)))
    answering.automatic(play)
    return play.state


def post(state, by, *lines, kind="act", **more):
    outcome = step(KRYPTIK, state, Entry(kind, by, lines, **more))
    assert outcome.reason is None, outcome.reason
    return outcome.state


def refused(state, by, *lines, kind="act", **more):
    return step(KRYPTIK, state, Entry(kind, by, lines, **more)).reason.cites


FIRST = "{turn: {number: 5, of: A, at: first}, A: {hand: [%s], eleven: 6}, B: {hand: [%s], %s eleven: 6}}"


def test_a_window_without_a_stop_passes_at_once():
    state = post(table(FIRST % ("Gull, Gull", "Null Word", "")), "A", "cast Gull")

    assert [thing.card for thing in state.zone("A.island")] == ["Gull"]
    assert engine.waits_for(state) == (("A",), "priority")


def test_a_spell_on_the_pile_is_a_stop():
    state = post(table(FIRST % ("Rain", "Null Word", "")), "A", "cast Rain")

    assert engine.waits_for(state) == (("B",), "priority")


def test_what_targets_mine_is_a_stop():
    state = table(FIRST % ("Spark", "Null Word", "island: [{id: 1, card: Gull}],"))
    state = post(state, "B", "targeted", kind="stops")
    state = post(state, "A", "cast Spark; target #1")

    assert engine.waits_for(state) == (("B",), "priority")


def test_stops_are_set_by_name_and_unknown_ones_refused():
    state = table(FIRST % ("Rain", "Null Word", ""))

    assert post(state, "B", "their end", "My First", kind="stops").seat("B").stops == ("their end", "my first")
    assert refused(state, "B", "when I feel like it", kind="stops") == ("stops",)


def test_every_window_asks_where_a_seat_set_no_stops():
    state = post(table(FIRST % ("Gull", "Null Word", ""), stops_of="A"), "A", "cast Gull")

    assert engine.waits_for(state) == (("B",), "priority")


def test_who_has_nothing_that_anybody_could_think_of_is_not_asked():
    state = post(table(FIRST % ("Rain", "", "deck: 0, ")), "A", "cast Rain")

    assert state.zone("A.limbo")[0].card == "Rain"


@pytest.mark.parametrize(("hand", "waits"), [("Gull", True), ("Null Word", True), ("", False)])
def test_an_idle_hand_waits_for_the_beat_like_a_full_one(hand, waits):
    state = post(table(FIRST % ("Rain", hand, "deck: 0, "), beat=900), "A", "cast Rain")

    assert (engine.waits_for(state) == (("B",), "priority")) is waits
    assert answering.pending(KRYPTIK, state) == (("B",) if hand == "Gull" else ())


def test_the_beat_gives_what_was_settled_privately():
    state = table(FIRST % ("Rain, Spark, Null Word", "Null Word", ""), beat=900)
    state = post(state, "B", "if opponent casts a spell: cast Null Word; target it", kind="order")
    state = post(state, "A", "cast Rain")
    waiting = state
    state = post(state, "service", kind="tick", what="beat")

    assert engine.waits_for(waiting) == (("B",), "priority")
    assert answering.pending(KRYPTIK, waiting) == ("B",)
    assert [item.card for item in state.pile] == ["Rain", "Null Word"]
    assert state.orders[0].fired == 1


def test_a_beat_without_anything_settled_is_refused():
    assert refused(table(FIRST % ("Rain", "Null Word", ""), beat=900), "service", kind="tick", what="beat") == ("beat",)


def test_an_order_fires_once_for_one_spell():
    state = table(FIRST % ("Rain, Null Word", "Null Word, Null Word", ""))
    state = post(state, "B", "if opponent casts a spell: cast Null Word; target it", kind="order")
    state = post(state, "A", "cast Rain")

    assert [item.card for item in state.pile] == ["Rain", "Null Word"]
    assert [thing.card for thing in state.zone("B.hand")] == ["Null Word"]


def test_an_order_is_off_by_one_line_and_only_by_its_owner():
    state = table(FIRST % ("Rain", "Null Word", ""))
    state = post(state, "B", "pass until my turn", kind="order")

    assert refused(state, "A", "off 1", kind="order") == ("orders",)
    assert post(state, "B", "off 1", kind="order").orders[0].ended
    assert refused(post(state, "B", "off 1", kind="order"), "B", "off 1", kind="order") == ("orders",)


@pytest.mark.parametrize(
    "text",
    [
        "do what is best", "if the moon rises: pass", "if #1 attacks: blok with #2", "pass unless hungry",
        "if #1 attacks and it rains: block with #2", "x" * 10_000_000, "",
    ],
)  # fmt: skip
def test_an_order_that_cannot_be_read_is_not_kept(text):
    assert refused(table(FIRST % ("Rain", "Null Word", "")), "B", text, kind="order") == ("unreadable",)


FIGHT = (
    "{turn: {number: 5, of: A, at: attack}, A: {island: [{id: 1, card: Gull}, {id: 2, card: Sea Wolf}], eleven: 6},"
    " B: {island: [{id: 3, card: Gull}, {id: 4, card: Sea Wolf}], eleven: 6}}"
)


def test_a_tree_of_orders_goes_from_if_to_if():
    state = table(FIGHT)
    state = post(state, "B", "if #1 attacks: block with #4 then if #2 attacks: block with #3", kind="order")
    state = post(state, "A", "attack with #1 > 11y 1")
    once = state.orders[0]
    state = post(state, "A", "attack with #2 > 11y 1")

    assert (once.stage, once.fired, once.ended) == (1, 1, False)
    assert (state.orders[0].fired, state.orders[0].ended) == (2, True)
    assert len(state.zone("B.eleven")) == 6


def test_an_order_ends_when_its_seats_own_next_turn_begins():
    state = table(FIGHT)
    state = post(state, "B", "no block when attack <= 2", kind="order")
    state = post(state, "B", "always yes until end of turn 7", kind="order")
    while state.turn.number == 5:
        seat = engine.waits_for(state)[0][0]
        state = post(state, seat, write(state.decision.default(state, seat), "kryptik") if state.decision else "pass")

    assert [(one.text, one.ended) for one in state.orders] == [
        ("no block when attack <= 2", True),
        ("always yes", False),
    ]


def test_at_clean_up_the_named_cards_are_kept():
    hand = "Gull, Rain, Spark, Gull, Sea Wolf, Rain, Null Word, Spark, Rain"
    state = table(f"{{turn: {{number: 5, of: A, at: end}}, A: {{hand: [{hand}], eleven: 6}}, B: {{eleven: 6}}}}")
    state = post(state, "A", "at clean-up keep Gull, Spark, Null Word, Sea Wolf, Spark", kind="order")
    while state.turn.number == 5:
        assert engine.waits_for(state)[1] == "priority"
        state = post(state, engine.waits_for(state)[0][0], "pass")

    assert len(state.zone("A.hand")) == 7
    assert {"Sea Wolf", "Null Word"} <= {thing.card for thing in state.zone("A.hand")}
    assert {thing.card for thing in state.zone("A.limbo")} <= {"Rain", "Gull"}


def test_an_order_answers_differently_when_the_opponent_said_yes():
    state = table(FIRST % ("Offer, Rain", "", "deck: 3, "))
    state = post(state, "B", "if asked to draw: yes, if opponent did: no", kind="order")
    state = post(state, "A", "cast Offer")
    while engine.waits_for(state)[1] == "priority":
        state = post(state, engine.waits_for(state)[0][0], "pass")
    accepted, declined = post(state, "A", "yes"), post(state, "A", "no")

    assert engine.waits_for(state) == (("A",), "may")
    assert len(accepted.zone("B.hand")) == 0
    assert len(declined.zone("B.hand")) == 1


@pytest.mark.parametrize(("named", "asked"), [("#1", False), ("Old Well", False), ("#2", True)])
def test_always_to_one_card_answers_for_that_card_alone(named, asked):
    place = "{turn: {number: 5, of: A, at: draw}, A: {island: [{id: 1, card: Old Well}], eleven: 6}, B: {eleven: 6}}"
    document = read_yaml(f"case: a\ngame: kryptik\n{CARDS}\nposition: {place}")[0]
    state, _ = lay_out(document, KRYPTIK)
    state = step(KRYPTIK, state, Entry("order", "A", (f"always no to {named}",))).state
    play = engine.started(KRYPTIK, state)
    answering.automatic(play)

    assert (engine.waits_for(play.state)[1] == "may") is asked


def test_what_somebody_has_answered_is_not_taken_back():
    state = table(FIRST % ("Rain", "Null Word", ""))
    state = post(state, "B", "if opponent casts a spell: cast Null Word; target it", kind="order")
    state = post(state, "A", "cast Rain")

    assert refused(state, "A", "take back") == ("T9.4",)


def test_taking_back_leaves_what_the_other_set_meanwhile():
    state = table(FIRST % ("Gull, Rain", "Null Word", ""))
    state = post(state, "A", "cast Gull")
    state = post(state, "B", "pile", kind="stops")
    state = post(state, "A", "take back")

    assert [thing.card for thing in state.zone("A.hand")] == ["Gull", "Rain"]
    assert state.seat("B").stops == ("pile",)


def test_a_judges_look_is_seen_by_all_and_shows_him_one_hand():
    state = table(FIRST % ("Gull", "Null Word", ""))
    before = view(KRYPTIK, state, "judge")
    state = post(state, "judge", kind="look", seat="B", reason="is there a Null Word?")
    after = view(KRYPTIK, state, "judge")

    assert before["zones"]["B.hand"] == [None]
    assert [card["card"] for card in after["zones"]["B.hand"]] == ["Null Word"]
    assert after["zones"]["A.hand"] == [None]
    assert view(KRYPTIK, state, "A")["looks"] == [{"seat": "B", "reason": "is there a Null Word?"}]


def test_an_order_to_pass_does_not_hold_up_a_window_in_which_all_know_that_nobody_is_asked():
    state = table(FIRST % ("Gull, Rain", "Null Word", ""), beat=900)
    state = post(state, "B", "pass until my turn", kind="order")
    state = post(state, "A", "cast Gull")
    quiet = state
    state = post(state, "A", "cast Rain")

    assert engine.waits_for(quiet) == (("A",), "priority")
    assert [thing.card for thing in quiet.zone("A.island")] == ["Gull"]
    assert engine.waits_for(state) == (("B",), "priority")
    assert answering.pending(KRYPTIK, state) == ("B",)


@pytest.mark.parametrize("text", ["pass until the moon", "pass until my turn unless", "Pass until second phase"])
def test_an_order_that_passes_until_nothing_is_not_taken(text: str) -> None:
    reason = standing_orders.why_not_given(text)
    assert reason is not None
    assert reason.cites == ("unreadable",)


@pytest.mark.parametrize(
    "text",
    ["pass", "pass until my turn", "Pass until end of turn 9 unless attacked", "always yes to #7", "never block"],
)
def test_an_order_that_knows_its_end_is_taken(text: str) -> None:
    assert standing_orders.why_not_given(text) is None
