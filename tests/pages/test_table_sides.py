"""5.1, S1: who sits where before each viewer of a table of four, and what players are called in what is offered."""

import re
from typing import Any

import pytest

from judging.tables.board.actions import LineNames
from judging.tables.board.board import board_of
from judging.tables.board.shapes import Board
from judging.tables.sentences import of_stop, sentences
from tests.pages.buttons import acts_of_lines
from tests.pages.test_table_board_games import SEIZE, SEIZE_ZONES, cards, page, viewed

PARTNERS = {"A1": "Ana", "B1": "Bo", "A2": "Cy", "B2": "Di"}


def seated(viewer: str, seats: dict[str, str] = PARTNERS, **more: Any) -> Board:
    """A table of Seize for so many, as one of them sees it."""
    letters = list(seats)
    shown = viewed("seize", viewer, {f"{seat}.{kind}": [] for seat in letters for kind in SEIZE_ZONES}, (), **more)
    shown["seats"] = [
        {"letter": letter, "name": name, "energy": {}, "out": "", "numbers": {"vault": 30}}
        for letter, name in seats.items()
    ]
    return board_of({**shown, "turn": {**shown["turn"], "of": letters[0]}}, (), cards(SEIZE, "seize"))


@pytest.mark.parametrize(
    ("viewer", "own", "partner", "opponents", "is_left"),
    [
        ("A1", "A1", "A2", ["B1", "B2"], False),
        ("A2", "A2", "A1", ["B1", "B2"], True),
        ("B1", "B1", "B2", ["A2", "A1"], True),
        ("B2", "B2", "B1", ["A2", "A1"], False),
        ("spectator", "A1", "A2", ["B1", "B2"], False),
    ],
)
def test_a_partner_sits_beside_his_partner_and_the_enemies_from_left_to_right(viewer, own, partner, opponents, is_left):
    board = seated(viewer)
    columns = board.grid.columns if board.grid else ()

    assert (board.own and board.own.letter, [side.letter for side in board.partners]) == (own, [partner])
    assert [side.letter for side in board.opponents] == opponents
    assert board.mirrored is is_left
    assert columns == tuple("abcdefgh" if own.startswith("A") else "hgfedcba")


def test_on_the_page_the_partner_comes_before_the_enemies_and_is_called_a_teammate():
    found = page(seated("B1"))

    assert re.findall(r'id="ct-side-(\w+)"', found) == ["B1", "B2", "A2", "A1"]
    assert found.count("(your teammate)") == 1
    assert found.count("your side at the bottom") == 1


def test_an_onlooker_has_no_teammate_and_no_side():
    found = page(seated("spectator"))

    assert "teammate" not in found
    assert "your side at the bottom" not in found


def test_without_partners_the_others_sit_clockwise():
    board = seated("B", {"A": "Ana", "B": "Bo", "C": "Cy"})

    assert ([side.letter for side in board.opponents], board.partners) == (["C", "A"], ())


NAMES = LineNames({4: "Slag Bull"}, {"A": "Ana", "B": "Bo"})


@pytest.mark.parametrize(
    ("line", "game", "label"),
    [
        ("starter A", "seize", "Ana (A) begins"),
        ("starter B", "seize", "Bo (B) begins"),
        ("choose B", "kryptik", "Choose Bo"),
        ("choose #4, B", "kryptik", "Choose Slag Bull #4, Bo"),
        ("target B", "kryptik", "Target Bo"),
        ("attack with #4 > B", "kryptik", "Attack with Slag Bull #4 at Bo"),
    ],
)
def test_players_are_called_by_their_names_in_what_is_offered(line, game, label):
    assert [act.label for act in acts_of_lines([line], game, NAMES)] == [label]


def event(kind: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "seat": "A", "card": "Spark", "amount": 0, "zone": "", "cites": [], **more}


@pytest.mark.parametrize(("game", "word"), [("seize", "stack"), ("kryptik", "pile")])
def test_what_waits_to_be_resolved_is_called_as_the_games_document_calls_it(game, word):
    told = sentences([event("on pile"), event("moved", zone="pile")], {"A": "Ana"}, game)

    assert [one.text for one in told] == [f"On the {word}: Spark.", f"Spark goes to the {word}."]
    assert of_stop("pile", game) == f"when an opponent has anything on the {word}"


@pytest.mark.parametrize(("amount", "told"), [(1, "Spark moves 1 tile."), (2, "Spark moves 2 tiles.")])
def test_a_single_tile_is_told_as_one(amount, told):
    assert sentences([event("moves", amount=amount)], {"A": "Ana"}, "seize")[0].text == told


@pytest.mark.parametrize(
    ("game", "said", "told"),
    [
        ("altered", event("status given", told="asleep"), "Spark is now asleep."),
        ("altered", event("status gone", told="asleep"), "Spark is no longer asleep."),
        ("seize", event("status given", told="burn"), "Spark now has burn."),
        ("altered", event("moved", zone="A.companion"), "Spark goes to Ana’s Companion expedition."),
        ("kryptik", event("moved", zone="A.limbo"), "Spark goes to Ana’s limbo."),
        ("seize", event("loses", told="vault", amount=2), "Ana loses 2 Loot."),
        ("seize", event("gains", amount=2), "Ana gains 2 Loot."),
        ("seize", event("plunders"), "Spark plunders."),
        ("seize", event("plundered", amount=2), "Ana loses 2 Loot to Spark."),
        ("kryptik", event("plundered"), "Spark is plundered."),
        ("seize", event("coin", amount=1), "Ana flips a coin and wins the flip."),
        ("seize", event("coin", amount=2), "Ana flips a coin and loses the flip."),
    ],
)
def test_the_log_speaks_the_words_of_each_games_document(game, said, told):
    assert [one.text for one in sentences([said], {"A": "Ana"}, game)] == [told]


def test_the_hint_of_priority_says_stack_in_seize():
    board = seated("A1", waits={"for": ["A1"], "kind": "priority"})

    assert board.waits is not None
    assert "the top of the stack resolves or the next step begins" in board.waits.hint
    assert "pile" not in board.waits.hint


def test_seize_offers_no_stops_for_what_only_kryptik_has():
    assert (of_stop("last card", "seize"), of_stop("spell", "seize")) == ("", "")
    assert of_stop("last card", "kryptik")


def test_a_step_is_called_as_its_games_document_calls_it() -> None:
    """11.6, 11.8, 4.4.2."""
    event = {"kind": "step", "cites": [], "seat": "A", "amount": 0, "zone": "attack", "card": None, "number": None}

    assert [told.text for told in sentences([event], {"A": "Ana"}, "seize")] == ["— attack phase —"]
    assert [told.text for told in sentences([event], {"A": "Ana"}, "kryptik")] == ["— attackers —"]
    assert of_stop("their end", "seize") == "an opponent’s turn: end phase"
