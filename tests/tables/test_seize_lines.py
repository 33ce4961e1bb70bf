"""Whatever is written at a table of Seize is carried out or refused with a citation, and never breaks the table."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tables.core import engine
from tables.core.entries import Entry
from tables.core.lines.actions import Action
from tables.core.lines.naming import find
from tables.core.lists.cardlist import CardList, read_list
from tables.core.offering import offered
from tables.core.reducer import step
from tables.core.state import Options, Player, Tile
from tables.games.seize.rules import SEIZE
from tables.reading import read_file
from tables.simulation import opening

DEMO = Path(__file__).parents[2] / "fixtures" / "cards" / "seize-demo.yaml"
FORMS = (
    "treasure {card}", "treasure face down {card}", "play {card} to {tile}", "play {card} to {tile} with {card}",
    "play {card} to {tile} from quarters", "play {card} to {tile} from discard", "play {card}",
    "play {card}; target {thing}",
    "play {card}; target {thing}, {tile}; pay with {thing}", "play {card}; X = {n}", "equip {thing} with {thing}",
    "unequip {thing}: {thing}", "exit {thing}", "acquire {n}", "enough", "move {thing}: {tile}-{tile}-{tile}",
    "move {thing}: {tile}", "attack {thing} > {thing}", "attack {thing} > {thing} ranged", "attack {thing} > A",
    "attack card {card} by {thing} > {thing}", "attack card {card} by {thing} > {tile}", "plunder with {thing}",
    "event {card}", "unveil {thing} with {thing}", "use {thing}", "use {thing}; target {thing}",
    "use {thing} second ability", "pillar {tile}", "champion {tile}", "mulligan", "keep hand", "starter {seat}",
    "choose {thing}", "choose {tile}", "choose blind", "choose {n}", "discard {card}", "discard {card}, {card}",
    "sacrifice {thing}", "triggers: {thing}", "yes", "no", "pass", "pass to attack", "take back",
    "propose: {thing} dies", "propose: {thing} health {n}; {seat} loses {n} vault", "propose: {thing} gains poison",
    "accept {n}", "refuse {n}",
)  # fmt: skip


@pytest.fixture(scope="module")
def cards():
    found = read_list(read_file(DEMO)[0])
    assert isinstance(found, CardList)
    return found.cards


def written(random, state, cards):
    numbers = [f"#{thing.number}" for thing in state.things.values() if thing.number] or ["#1"]
    hand = [thing.card for thing in state.things.values() if thing.zone.endswith("hand")] or ["Torch"]
    line = random.choice(FORMS)
    while "{" in line:
        for slot, values in (
            ("{card}", [*hand, random.choice(sorted(cards))]), ("{tile}", ["a1", "b2", "c3", "d4", "e5", "h6", "c6"]),
            ("{thing}", [*numbers, random.choice(sorted(cards)), "#999"]), ("{n}", ["0", "1", "2", "5"]),
            ("{seat}", ["A", "B", "Z"]),
        ):  # fmt: skip
            line = line.replace(slot, random.choice(values), 1)
    return line


@pytest.mark.parametrize(
    ("seats", "format", "seed"),
    [("AB", "standard", 1), ("AB", "arena", 2), ("ABC", "guild master", 3), (("A1", "B1", "A2", "B2"), "arena", 4)],
)
def test_any_line_is_carried_out_or_refused_with_a_citation(cards, seats, format, seed):
    random = Random(seed)
    start = opening(SEIZE, cards, seed, seats, Options(format))
    state = engine.started(SEIZE, start).state
    for number in range(1200):
        waiting, _ = engine.waits_for(state)
        if not waiting:
            break
        seat = random.choice([*waiting, *waiting, *seats])
        line = written(random, state, cards)
        if random.random() < 0.3 and seat in waiting:
            lines = offered(SEIZE, state, seat)
            line = random.choice(lines) if lines else "pass"
        outcome = step(SEIZE, state, Entry("act", seat, (line,), number))
        if outcome.reason is not None:
            assert outcome.reason.cites
            assert all(outcome.reason.cites), line
            if not number % 4:
                outcome = step(SEIZE, state, Entry("tick", waiting[0], (), number))
                if outcome.reason is not None:
                    outcome = step(SEIZE, state, Entry("ruling", "judge", ("nothing happens",), number, "K42", "x"))
        state = outcome.state
        assert set(state.things) == set(start.things)
        assert Counter(key for keys in state.zones.values() for key in keys) == Counter(state.things.keys())
        asked = state.decision is not None or state.priority is not None
        assert (state.result is not None) is not asked, line


@pytest.mark.parametrize(
    ("word", "among", "meant"),
    [
        ("a2", [Tile("a2"), Tile("b2")], Tile("a2")),
        ("A2", [Tile("a2")], Tile("a2")),
        ("a2", [Player("A2"), Player("B1")], Player("A2")),
        ("a2", [], Tile("a2")),
        ("A2", [], Player("A2")),
        ("B1", [Player("B1"), Tile("b1")], Player("B1")),
    ],
)
def test_of_two_against_two_a_seat_and_a_tile_of_one_name_are_told_apart(cards, word, among, meant):
    """S47, T9.1: each default of a choice among tiles is carried out, also where partners sit at A2 and B2."""
    state = opening(SEIZE, cards, 1, ("A1", "B1", "A2", "B2"), Options("standard"))

    assert find(state, "A1", Action("choose"), word, among) == meant
