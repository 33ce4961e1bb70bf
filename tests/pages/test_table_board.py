"""12: how a card table is drawn: in words; what may be done as buttons; a secret in its owner's view alone."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from django.template.loader import render_to_string

from judging.tables.board import kryptik
from judging.tables.board.actions import FEW, LineNames, arranged
from judging.tables.board.board import board_of
from judging.tables.board.faces import bits, stones
from judging.tables.board.shapes import Board
from tables.core import engine
from tables.core.entries import Entry
from tables.core.lines.actions import Action
from tables.core.lists.cards import Number, Price, Stone
from tables.core.offering import offered, offers
from tables.core.reducer import step
from tables.core.state import State
from tables.core.views import SPECTATOR, view
from tables.games.kryptik.rules import KRYPTIK
from tables.positions import lay_out
from tests.pages.buttons import acts_of_lines

LONG = "Bartholomew of the Unending Western Piers"
CARDS = [
    {"name": "Slag Bull", "type": "citizen", "faction": "Emberkin", "cost": {"g": 1, "any": 3}, "attack": 4,
     "defense": 3, "soul": ["g"], "keywords": ["tenacious"], "text": "Tenacious."},
    {"name": "Quay Gull", "type": "citizen", "cost": {"w": 1}, "attack": 1, "defense": 1, "soul": ["w"]},
    {"name": "Ebb", "type": "spell", "cost": {"u": 1}, "soul": ["u"], "text": "Pay {2}[>>>]: put it away.",
     "abilities": [{"spell": True, "targets": [{"type": "citizen"}], "do": [{"move": "target 1", "to": "hand"}]}]},
    {"name": "Null Word", "type": "spell", "cost": {"u": 2}, "soul": ["u"],
     "abilities": [{"spell": True, "do": [{"draw": 1}]}]},
    {"name": LONG, "type": "citizen", "attack": 9, "defense": 9, "soul": ["w", "u"]},
]  # fmt: skip


def position(at: str = "first", **sides: object) -> State:
    """A table in A's third turn; nobody has acted yet."""
    laid = {"A": {"eleven": 6, **dict(sides.get("A", {}))}, "B": {"eleven": 6, **dict(sides.get("B", {}))}}  # type: ignore[call-overload]
    document = {
        "case": "drawn", "game": "kryptik", "cards": CARDS,
        "position": {"turn": {"number": 3, "of": "A", "at": at}, **laid},
    }  # fmt: skip
    state, _ = lay_out(document, KRYPTIK)  # type: ignore[arg-type]
    return engine.started(KRYPTIK, state).state


def legal(state: State, viewer: str) -> tuple[str, ...]:
    return offered(KRYPTIK, state, viewer)


def drawn(state: State, viewer: str) -> Board:
    return board_of(view(KRYPTIK, state, viewer), offers(KRYPTIK, state, viewer), state.cards)


def page(state: State, viewer: str) -> str:
    return render_to_string("tables/board/_board.html", {"board": drawn(state, viewer)})


def labels(board: Board) -> list[str]:
    return [act.label for act in board.ready] + [act.label for g in board.groups for a in g.actors for act in a.acts]


@pytest.fixture
def fight() -> State:
    return position(
        "attack",
        A={"island": [{"id": 1, "card": "Slag Bull"}], "hand": ["Null Word"]},
        B={"island": [{"id": 2, "card": "Quay Gull"}, {"id": 3, "card": LONG}], "hand": ["Ebb"]},
    )


def test_the_head_says_whose_turn_it_is_and_what_is_asked_of_whom(fight):
    mine, theirs = drawn(fight, "A"), drawn(fight, "B")

    assert mine.waits is not None
    assert (mine.headline, mine.waits.says, mine.waits.cites) == ("Your turn, turn 3", "Choose an attacker", "4.4.2")
    assert (theirs.headline, theirs.waits and theirs.waits.says) == (
        "A’s turn, turn 3", "Waiting for A to choose an attacker",
    )  # fmt: skip


def test_every_legal_line_is_one_button_and_says_in_words_what_it_does(fight):
    found = page(fight, "A")

    for line in legal(fight, "A"):
        assert f'data-line="{line.replace(">", "&gt;")}"' in found
    assert "Attack with Slag Bull #1 at 11y 3 of B" in labels(drawn(fight, "A"))


def test_who_is_not_asked_has_no_buttons(fight):
    assert "data-act=" not in page(fight, "B")
    assert "data-act=" not in page(fight, SPECTATOR)


def test_a_card_carries_the_acts_that_it_may_carry_out(fight):
    own = drawn(fight, "A").own
    assert own is not None

    assert len(own.rows[0].tiles[0].acts) == 6


def test_many_acts_stand_in_groups_beneath_who_acts():
    names = LineNames({1: "Bull", 2: "Gull"}, {"A": "Ana", "B": "Bo"})
    lines = ["no attack", *(f"attack with #{n} > 11y {place} of B" for n in (1, 2) for place in range(1, 5))]

    ready, groups = arranged(acts_of_lines(lines, "kryptik", names))

    assert [act.label for act in ready] == ["No attack"]
    assert [(group.title, group.number) for group in groups] == [("Attack", 8)]
    assert [(actor.name, [act.short for act in actor.acts][0]) for actor in groups[0].actors] == [
        ("Bull #1", "At 11y 1 of Bo"), ("Gull #2", "At 11y 1 of Bo"),
    ]  # fmt: skip


def test_a_few_acts_stand_side_by_side():
    ready, groups = arranged(acts_of_lines(["pass"] + ["soul Ebb"] * (FEW - 1), "kryptik", LineNames({}, {})))

    assert (len(ready), groups) == (FEW, ())


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("cast Ebb; target #1", "Cast Ebb at Slag Bull #1"),
        ("cast Ebb; target #1; X = 0", "Cast Ebb at Slag Bull #1, X = 0"),
        ("soul Ebb", "Soul row: Ebb"),
        ("energy u from #1", "Blue energy from Slag Bull #1"),
        ("use #1 second ability; target #2", "Use Slag Bull #1, second ability at Gull #2"),
        ("block #1 with #2", "Block with Gull #2"),
        ("11y: hand", "Into my hand"),
        ("keep hand", "Keep hand"),
        ("discard Ebb, Ebb", "Discard Ebb, Ebb"),
        ("choose B", "Choose Bo"),
    ],
)
def test_a_line_reads_as_people_speak(line, label):
    names = LineNames({1: "Slag Bull", 2: "Gull"}, {"A": "Ana", "B": "Bo"})

    assert acts_of_lines([line], "kryptik", names)[0].label == label


def test_states_are_words_and_numbers_stand_beside_what_is_printed():
    state = position(
        A={"island": [{"id": 1, "card": "Slag Bull", "engaged": True, "weary": True, "damage": 2,
                       "counters": {"boost": 1}}]},
    )  # fmt: skip
    found = page(state, "B")

    for word in ("engaged", "weary", "2 damage", "1 boost"):
        assert f">{word}<" in found
    assert "Slag Bull, citizen, attack 4, defense 3, engaged, weary, 2 damage, 1 boost" in found


def test_a_number_that_has_changed_is_told_with_the_printed_one():
    state = position(A={"island": [{"id": 1, "card": "Quay Gull"}]})
    shown = view(KRYPTIK, state, "A")
    shown["zones"]["A.island"][0]["attack"] = 3  # type: ignore[index, call-overload]
    own = board_of(shown, (), state.cards).own
    assert own is not None
    attack = own.rows[0].tiles[0].stats[0]

    assert (attack.now, attack.printed, attack.change) == ("3", "1", "up")


def test_costs_are_stones_with_a_letter_a_number_and_a_word():
    price = Price((Stone("g", Number(2)), Stone("any", Number(3))))

    assert [(one.code, one.shown, one.word) for one in stones(price)] == [
        ("any", "3", "3 of any colour"), ("g", "g", "green"), ("g", "g", "green"),
    ]  # fmt: skip
    assert [bit.text or (bit.stone and bit.stone.word) for bit in bits("Pay {2}[>>>]: draw.")] == [
        "Pay ", "2 of any colour", "engage it", ": draw.",
    ]  # fmt: skip


def test_a_hand_is_drawn_for_its_owner_alone(fight):
    seen = {who: ("Null Word" in page(fight, who), "Ebb" in page(fight, who)) for who in ("A", "B", SPECTATOR)}

    assert seen == {"A": (True, False), "B": (False, True), SPECTATOR: (False, False)}


def test_a_card_of_the_eleven_year_row_is_named_for_who_has_looked_at_it():
    state = position()
    key = state.zones["A.eleven"][1]
    thing = state.things[key]
    known = replace(thing, card="Null Word", known=frozenset({"A"}))
    state = replace(state, things={**state.things, key: known})

    assert "11 year card 2: Null Word" in page(state, "A")
    assert "Null Word" not in page(state, "B")
    assert "Null Word" not in page(state, SPECTATOR)


def test_a_spectator_sees_both_sides_and_no_hand(fight):
    board = drawn(fight, SPECTATOR)

    assert board.hand is None
    assert not board.seated
    assert (board.own and board.own.letter, [side.letter for side in board.opponents]) == ("A", ["B"])


def test_empty_parts_say_so():
    found = page(position(), "A")

    for sentence in ("No citizens yet.", "No soul cards yet.", "Your hand is empty.", "The pile is empty."):
        assert sentence in found


def test_the_end_is_told_to_each_as_it_concerns_him(fight):
    shown = view(KRYPTIK, fight, "A")
    shown["result"], shown["waits"] = {"won": "B", "draw": False, "cites": "3"}, None

    assert board_of(shown, (), fight.cards).result == "B won."
    assert board_of({**shown, "viewer": "B"}, (), fight.cards).result == "You have won."


def test_nothing_is_turned_into_markup_by_what_a_list_says(fight):
    state = position(A={"island": [{"id": 1, "card": "Quay Gull"}]})
    shown = view(KRYPTIK, state, "A")
    shown["zones"]["A.island"][0]["card"] = "<script>alert(1)</script>"  # type: ignore[index, call-overload]
    board = board_of(shown, (Action("cast", card="<b>", targets=(1,)),), state.cards)

    assert not re.search("<script>|<b>;", render_to_string("tables/board/_board.html", {"board": board}))


def test_a_table_of_sixty_cards_stays_light():
    crowd: Sequence[object] = [{"id": n, "card": LONG} for n in range(1, 61)]
    found = page(position(A={"island": crowd}), "B")

    assert found.count('<li class="ct-tile') == 60
    assert len(found) < 250_000


def test_who_holds_priority_may_pass_until_a_later_step():
    state = position()
    until = drawn(state, "A").groups[-1]

    assert (until.title, [act.line for act in until.actors[0].acts][:2]) == (
        "Pass until", ["pass to combat.begin", "pass to attack"],
    )  # fmt: skip
    assert until.actors[0].acts[-1].line == "pass turn"
    assert drawn(state, "B").groups == ()


def test_a_proposal_says_what_it_would_change(fight):
    state = step(KRYPTIK, fight, Entry("act", "B", ("propose: #1 dies; A draws 1 (so it reads)",), 1)).state
    (proposal,) = drawn(state, "A").proposals

    assert proposal.says == "Slag Bull #1 dies; A draws 1 (so it reads)"


@pytest.mark.parametrize(("left", "warned"), [(0, False), (1, True), (2, True), (3, False)])
def test_few_eleven_year_cards_are_told_with_a_warning_but_not_before_they_are_placed(left: int, warned: bool) -> None:
    zones = {"A.eleven": [None] * left, "A.hand": [None] * 6, "A.deck": [None] * 44}
    (eleven,) = [count for count in kryptik.counts(zones, "A") if count.code == "eleven"]
    assert (eleven.number, eleven.low) == (left, warned)
