"""What nobody wrote in good faith for Seize and Altered: it is told, bounded, and no table is lost by it (16)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter

import pytest

from tables.core import engine
from tables.core.entries import Entry
from tables.core.events import Event
from tables.core.lists.cardlist import read_list
from tables.core.offering import offered
from tables.core.pace import stops
from tables.core.play import Rules
from tables.core.reducer import step
from tables.core.state import State
from tables.core.views import SPECTATOR, view
from tables.games.altered.rules import ALTERED
from tables.games.seize.rules import SEIZE
from tables.positions import lay_out
from tables.reading import read_yaml


@dataclass(frozen=True)
class Given:
    """A game with a card that asks for itself, cards that set each other off, and what nobody asked for there."""

    rules: Rules
    mirrors: str
    row: str
    loop: str
    place: str
    starts: str
    unasked: tuple[str, ...]
    spell: Mapping[str, object]


MERCENARY = "type: mercenary, class: Rogue, health: 9, melee: {n: 1, dir: all}, bounty: 1, move: {n: 1, dir: all}"
GIVEN = {
    "seize": Given(
        SEIZE,
        f"""
  - {{name: Proud, {MERCENARY}, abilities: [
      {{passive: {{melee: "+1"}}, "on": {{type: mercenary, attack: ">= 1"}}}},
      {{passive: {{melee: "+melee of self"}}}}, {{passive: {{move: "+bounty of self"}}}},
      {{passive: {{keyword: +stealth}}, "on": {{type: mercenary, keyword: stealth}}}},
      {{passive: {{melee: "+1"}}, if: {{number: "melee of self >= 2"}}}}]}}
""",
        "turn: {number: 4, of: A, at: move1}, A: {vault: 30, battlefield: [%s]}, B: {vault: 30}",
        f"""
  - {{name: Bell, {MERCENARY}, abilities: [
      {{when: {{is dealt damage: self}}, do: [{{heal: 1, to: self}}, {{damage: 1, to: self, type: "true"}}]}}]}}
  - {{name: Nudge, type: ability, class: Rogue, kind: instant, cost: 0, text: "Nudge.",
      abilities: [{{spell: true, do: [{{damage: 1, to: {{all: {{name: Bell}}}}, type: "true"}}]}}]}}
""",
        "{turn: {number: 4, of: A, at: rally}, B: {vault: 30},"
        " A: {vault: 30, hand: [Nudge], battlefield: [{id: 1, card: Bell, at: b2}]}}",
        "play Nudge",
        ("attack #999 > #1", "move #1: b2-z9", "move #1: b2-b2-b2", "plunder with #7", "equip #1 with #1", "acquire 99",
         "treasure Nudge", "exit #1", "pillar z9", "accept 77", "yes"),
        {"type": "ability", "class": "Rogue", "kind": "instant", "cost": 0},
    ),
    "altered": Given(
        ALTERED,
        """
  - {name: Proud, type: character, cost: {hand: 1, reserve: 1}, stats: [1, 1, 1], abilities: [
      {passive: {forest: "+1"}, "on": {type: character}}, {passive: {forest: "+forest of self"}},
      {passive: {tough: "+tough of self"}}, {passive: {keyword: +eternal}, "on": {type: character, keyword: eternal}},
      {passive: {water: "+1"}, if: {number: "water of self >= 2"}}]}
""",
        "turn: {number: 2, of: A, at: afternoon}, A: {hero: [%s]}",
        """
  - {name: Bell, type: character, cost: {hand: 0, reserve: 0}, stats: [1, 1, 1], abilities: [
      {when: {enters: self}, do: [{give: asleep, to: self}]},
      {when: {status given: self}, do: [{remove: asleep, from: self}, {give: asleep, to: self}]}]}
""",
        "{turn: {number: 2, of: A, at: afternoon}, A: {hand: [Bell]}, B: {}}",
        "play Bell to hero",
        ("quick #999", "react #1 first", "mana Bell", "orb 2 for orb 99", "keep #9", "play Bell to limbo",
         "agree 99: yes", "resupply", "accept 77", "yes", "hand"),
        {"type": "spell", "cost": {"hand": 1}},
    ),
}  # fmt: skip


def table(game: str, cards: str, position: str):
    state, ids = lay_out(
        read_yaml(f"case: a\ngame: {game}\ncards: {cards}\nposition: {position}")[0], GIVEN[game].rules
    )
    return engine.started(GIVEN[game].rules, state).state, ids


@pytest.mark.parametrize("game", GIVEN)
def test_a_card_that_asks_for_itself_has_a_number_and_soon(game: str) -> None:
    given = GIVEN[game]
    tiles = [f"{column}{rank}" for column in "abcd" for rank in range(1, 4)]
    row = ", ".join(
        f"{{id: {number}, card: Proud{f', at: {tile}' if game == 'seize' else ''}}}"
        for number, tile in enumerate(tiles, 1)
    )
    state, ids = table(game, given.mirrors, f"{{{given.row % row}}}")
    begun = perf_counter()
    shown = [str(view(given.rules, state, who)) for who in ("A", "B", SPECTATOR)]
    offered(given.rules, state, "A")
    if given.rules.reaches is not None:
        assert len(given.rules.reaches(state)) == len(ids)

    assert all("Proud" in told for told in shown)
    assert perf_counter() - begun < 5


def looped(game: str) -> tuple[State, list[Event]]:
    """The state after the line that starts a game's loop, once nobody is asked for priority, and what happened."""
    given = GIVEN[game]
    state, _ = table(game, given.loop, given.place)
    usual = stops.default(given.rules)
    state = replace(state, seats=tuple(replace(seat, stops=usual) for seat in state.seats))
    outcome = step(given.rules, state, Entry("act", "A", (given.starts,)))
    assert outcome.reason is None, outcome.reason
    events = list(outcome.events)
    for number in range(1500):
        seats, kind = engine.waits_for(outcome.state)
        if kind != "priority":
            break
        outcome = step(given.rules, outcome.state, Entry("tick", seats[0], (), number))
        events.extend(outcome.events)
    return outcome.state, events


def test_a_judge_is_called_for_an_endless_loop_of_triggers_in_seize() -> None:
    begun = perf_counter()
    state, _ = looped("seize")

    assert engine.waits_for(state) == (("A",), "manual")
    assert perf_counter() - begun < 5


def test_a_reaction_of_altered_stops_at_its_hundredth_time_of_the_day() -> None:
    """1.4.6."""
    begun = perf_counter()
    state, events = looped("altered")

    assert sum(event.kind == "status gone" for event in events) == 100
    assert [event.cites for event in events if event.kind == "not activated"] == [("1.4.6.c",)]
    assert engine.waits_for(state)[1] == "dusk"
    assert perf_counter() - begun < 5


@pytest.mark.parametrize("game", GIVEN)
def test_a_list_with_a_thousand_errors_and_a_selector_without_end_are_told_and_bounded(game: str) -> None:
    cards = [{"name": f"Card {number}", "type": "dragon", "helth": 1} for number in range(1000)]
    endless: dict[str, object] = {"type": "mercenary" if game == "seize" else "character"}
    endless["not"] = endless
    snake = {"name": "Snake", "text": "It bites itself.", **GIVEN[game].spell, "abilities": [
        {"spell": True, "do": [{"exhaust": {"all": endless}}]},
    ]}  # fmt: skip
    cards.append(snake)
    found = read_list({"list": {"key": "bad", "game": game, "version": 1}, "cards": cards})
    bitten = read_list({"list": {"key": "bad", "game": game, "version": 1}, "cards": [snake]})

    assert isinstance(found, tuple)
    assert 1 < len(found) <= 201
    assert isinstance(bitten, tuple)
    assert any("nested levels" in str(fault) for fault in bitten), bitten


LONG = "x" * 10_000_000


@pytest.mark.parametrize("game", GIVEN)
@pytest.mark.parametrize("kind", ["act", "plan", "order", "ruling", "stops"])
def test_no_word_of_ten_megabytes_breaks_a_table(game: str, kind: str) -> None:
    given = GIVEN[game]
    state, _ = table(game, given.loop, given.place)
    begun = perf_counter()
    for line in (LONG, f"{given.starts} {LONG}", f"agree 3: {LONG}", f"move #1: {'b2-' * 100_000}b2", "\x00"):
        outcome = step(given.rules, state, Entry(kind, "A", (line,)))  # type: ignore[arg-type]
        assert outcome.reason is not None
        assert outcome.state is state
    assert perf_counter() - begun < 2


@pytest.mark.parametrize(("game", "line"), [(game, line) for game, given in GIVEN.items() for line in given.unasked])
def test_what_nobody_asked_for_is_refused_with_a_citation(game: str, line: str) -> None:
    given = GIVEN[game]
    state, _ = table(game, given.loop, given.place)
    outcome = step(given.rules, state, Entry("act", "A", (line,)))

    assert outcome.reason is not None
    assert outcome.reason.cites[0]
    assert outcome.reason.told
