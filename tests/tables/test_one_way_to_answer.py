"""T10.2, K58: at a running table nobody is asked what can be answered in one way only; T10.4: it tells of no hand."""

from dataclasses import replace

import pytest

from tables.core import engine
from tables.core.answering import pending
from tables.core.entries import Entry
from tables.core.events import Event
from tables.core.pace import stops
from tables.core.reducer import step
from tables.core.views import SPECTATOR, told
from tables.games import RULES
from tables.positions import lay_out
from tables.reading import read_yaml

POSITIONS = {
    "kryptik": """
cards: [{name: Gull, type: citizen, attack: 1, defense: 1}, {name: Ebb, type: spell, cost: {any: 1}}]
position:
  turn: {number: 5, of: A, at: attack}
  A: {island: [{id: 1, card: Gull}], eleven: 6}
  B: {hand: [Ebb], eleven: 6}""",
    "seize": """
cards: [{name: Torch, type: treasure, stars: 1}]
position:
  turn: {number: 5, of: A, at: end}
  A: {vault: 12, hand: [Torch, Torch, Torch, Torch, Torch, Torch, Torch, Torch, Torch, Torch]}
  B: {vault: 30}""",
    "altered": """
cards:
  - {name: Fox, type: character, cost: {hand: 0}, stats: [1, 1, 1]}
  - {name: Whale, type: character, cost: {hand: 9}, stats: [9, 9, 9]}
position: {turn: {day: 2, first: A, at: afternoon}, A: {hand: [Fox, Fox]}, B: {hand: [Whale]}}""",
}
EMPTY = POSITIONS["altered"].replace("[Whale]}}", "[]}}")
ASKED = {
    "kryptik": (Entry("act", "A", ("attack with #1 > 11y 1",)), "B"),
    "seize": (Entry("act", "B", ("pass",)), "A"),
    "altered": (Entry("act", "A", ("play Fox to hero",)), "B"),
}
"""What is posted, and who could then answer in one way only."""


def _events(game: str, text: str, post: Entry) -> list[Event]:
    """All that happens once it is posted, on the next beat too."""
    rules = RULES[game]
    state = lay_out(read_yaml(f"game: {game}\n{text}")[0], rules)[0]
    state = engine.started(rules, replace(state, options=replace(state.options, beat=60))).state
    posts = [Entry("stops", seat, tuple(stops.default(rules))) for seat in ("A", "B")]
    events: list[Event] = []
    for one in (*posts, post):
        outcome = step(rules, state, one)
        assert outcome.reason is None, outcome.reason
        state, events = outcome.state, [*events, *outcome.events]
    if pending(rules, state):
        events += step(rules, state, Entry("tick", "service", what="beat")).events
    return events


def _told(game: str, events: list[Event], viewer: str) -> list[object]:
    return [event["seat"] for event in told(RULES[game], events, viewer) if event["kind"] == "only way"]


@pytest.mark.parametrize("game", POSITIONS)
def test_a_decision_with_one_option_is_answered_without_asking(game: str) -> None:
    post, seat = ASKED[game]
    assert seat in _told(game, _events(game, POSITIONS[game], post), seat)


@pytest.mark.parametrize("game", ["seize", "altered"])
def test_where_a_hand_leaves_one_option_only_its_owner_is_told(game: str) -> None:
    post, seat = ASKED[game]
    events = _events(game, POSITIONS[game], post)
    for viewer in {"A", "B", SPECTATOR} - {seat}:
        assert seat not in _told(game, events, viewer)


def test_where_all_can_see_that_there_is_one_option_all_are_told() -> None:
    assert "B" in _told("altered", _events("altered", EMPTY, ASKED["altered"][0]), SPECTATOR)
