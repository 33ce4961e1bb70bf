"""T10.3: an order that could never fire is refused with a sentence; one that could is taken."""

import pytest

from tables.core import engine
from tables.core.entries import Entry
from tables.core.reducer import step
from tables.games import RULES
from tables.positions import lay_out
from tables.reading import read_yaml

POSITIONS = {
    "kryptik": """
cards: [{name: Ebb, type: spell, cost: {any: 1}}, {name: Gull, type: citizen, attack: 1, defense: 1}]
position: {turn: {number: 5, of: A, at: first}, A: {island: [{id: 1, card: Gull}], eleven: 6}, B: {eleven: 6}}""",
    "seize": """
cards:
  - {name: Ox, type: mercenary, health: 5, melee: {n: 1, dir: all}, move: {n: 1, dir: all}, class: warrior, stars: 1}
  - {name: Hush, type: ability, kind: instant}
position:
  turn: {number: 3, of: A, at: rally}
  A: {battlefield: [{id: 1, card: Ox, at: b2}], vault: 9}
  B: {vault: 9}""",
    "altered": """
cards: [{name: Fox, type: character, cost: {hand: 1}, stats: [1, 1, 1]}]
position: {turn: {day: 2, first: A, at: afternoon}, A: {hero: [{id: 1, card: Fox}]}, B: {hand: [Fox]}}""",
}
NEVER = {
    "kryptik": (
        "next: soul Ebb", "if he passes: pass", "if asked to resupply: yes", "triggers: Ebb, Ebb", "triggers: Ebb, Foo",
        "if #999 attacks: pass", "if opponent casts a mercenary: cast Ebb", "always block", "never yes",
        "always yes to Foo", "at clean-up keep Foo", "if #1 attacks: yes",
    ),
    "seize": ("no block when attack <= 2", "never block", "next: pass", "if asked to resupply: yes",
              "if #9 attacks: pass",
              "if opponent casts a spell: play Hush"),
    "altered": ("if opponent casts Fox: pass", "triggers: Fox, Fox", "pass unless attacked", "never block", "next: no",
                "if asked to probe the depths: yes"),
}  # fmt: skip
SOMETIMES = {
    "kryptik": ("no block when attack <= 2", "triggers: Ebb, Gull", "if #1 attacks: no block", "always yes to Gull",
                "if opponent casts a spell: cast Ebb", "pass until my turn unless attacked",
                "at clean-up keep Ebb, Gull",
                "if asked to draw: yes", "if opponent casts Ebb of cost <= 2: cast Ebb"),
    "seize": ("if #1 attacks: play Hush", "if opponent plays an ability: play Hush; target it", "always no",
              "pass unless anything targets mine", "at clean-up keep Hush"),
    "altered": ("if he passes: pass", "next: play Fox to hero", "if asked to resupply: yes, if opponent did: no",
                "at clean-up keep Fox", "always yes to #1"),
}  # fmt: skip


def _ordered(game, text):
    rules = RULES[game]
    state = engine.started(rules, lay_out(read_yaml(f"case: a\ngame: {game}{POSITIONS[game]}")[0], rules)[0]).state
    return step(rules, state, Entry("order", "B", (text,)))


@pytest.mark.parametrize(("game", "text"), [(game, text) for game, texts in NEVER.items() for text in texts])
def test_an_order_that_could_never_fire_is_refused(game, text):
    reason = _ordered(game, text).reason

    assert reason is not None
    assert reason.cites == ("unreadable",)


@pytest.mark.parametrize(("game", "text"), [(game, text) for game, texts in SOMETIMES.items() for text in texts])
def test_an_order_that_may_fire_is_taken(game, text):
    outcome = _ordered(game, text)

    assert outcome.reason is None
    assert outcome.state.orders
