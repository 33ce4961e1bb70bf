"""Rows about card tables (T12.6): a step, a view, a replay, and whether late entries cost more than early ones."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from scripts.bench.measuring import Measure, Row, timed
from tables.core import engine
from tables.core.entries import Entry
from tables.core.lines.actions import PASS
from tables.core.lines.writing import write
from tables.core.lists.cardlist import CardList, read_list
from tables.core.lists.cards import Card
from tables.core.log.snapshots import state_hash
from tables.core.play import Rules
from tables.core.reducer import step
from tables.core.state import Options, State
from tables.core.views import view
from tables.games import RULES
from tables.games.altered.agreements import all_suggested
from tables.games.altered.rules import ALTERED
from tables.games.kryptik.rules import KRYPTIK
from tables.games.seize.rules import SEIZE
from tables.positions import lay_out
from tables.reading import read_file, read_yaml
from tables.simulation import Tally, begun, opening, play_one

LISTS = Path(__file__).parents[2] / "fixtures" / "cards"
SEVERAL = range(1, 6)
"""The seeds of the games that are played through."""
ENTRIES = 2_000
EARLY, LATE, SPAN = 10, 1_900, 60
STEP, VIEW, REPLAY = 0.005, 0.005, 2.0
"""The bounds, in seconds."""
SAME = 1.5
"""The most that an entry at 2,000 may cost, as a multiple of one at 10: the noise of a machine with equal costs."""
CROWD = """
- {name: Gull, type: citizen, cost: {any: 0}, attack: 1, defense: 3}
- {name: Banner, type: citizen, cost: {any: 0}, attack: 1, defense: 3,
   abilities: [{passive: {attack: "+1"}, "on": {type: citizen, whose: you, not: self}}]}
- {name: Drummer, type: citizen, cost: {any: 0}, attack: 1, defense: 3,
   abilities: [{passive: {keyword: +eager}, "on": {type: citizen, whose: you}},
               {when: {enters: {type: citizen}}, do: [{energy: u}]}]}
"""


def a_step_of_a_crowded_table() -> Row:
    """A citizen resolves and enters among eighty, of which twenty change others: 200 things in all."""
    state = crowded()
    for seat, line in (("A", "cast Gull"), ("B", "pass")):
        state = step(KRYPTIK, state, Entry("act", seat, (line,))).state
    return _within("step", "200 things", lambda: step(KRYPTIK, state, Entry("act", "A", ("pass",))), 1, STEP)


def a_view_of_a_crowded_table() -> Row:
    """The view of one seat of the same table."""
    state = crowded()
    other = step(KRYPTIK, state, Entry("act", "A", ("energy any from #1",))).state

    def both() -> None:
        view(KRYPTIK, state, "A")
        view(KRYPTIK, other, "B")

    return _within("view", "200 things", both, 2, VIEW)


def a_replay_of_two_thousand_entries() -> Row:
    """A whole game for four from its entries, with the hash of the state at each."""
    start, entries = game()
    return _within("replay", f"{len(entries):,} entries", lambda: _replayed(start, entries), 1, REPLAY)


def an_entry_late_and_early() -> Row:
    """Whether the cost of an entry grows with the log."""
    return Row("step + hash", f"entry {LATE:,}", _some(LATE), f"entry {EARLY}", _some(EARLY), SAME)


def a_replay_of_seize() -> Row:
    """Whole games of Seize from their entries, as fast per entry as Kryptik's."""
    return _games_replayed(SEIZE, "standard")


def a_view_of_seize() -> Row:
    """The view of a seat of Seize in the middle of a game."""
    return _seen(SEIZE, "standard")


def a_replay_of_altered() -> Row:
    """Whole games of Altered from their entries, with all agreements as suggested."""
    return _games_replayed(ALTERED, "")


def a_view_of_altered() -> Row:
    """The view of a seat of Altered in the middle of a game."""
    return _seen(ALTERED, "")


ROWS = (
    a_step_of_a_crowded_table,
    a_view_of_a_crowded_table,
    a_replay_of_two_thousand_entries,
    an_entry_late_and_early,
    a_replay_of_seize,
    a_view_of_seize,
    a_replay_of_altered,
    a_view_of_altered,
)


def _games_replayed(rules: Rules, format: str) -> Row:
    games = _games(rules.name, format)
    entries = sum(len(entries) for _, entries in games)

    def replayed() -> None:
        for start, log in games:
            _replayed(start, log, rules)

    bound = REPLAY / ENTRIES * entries
    return _within("replay", f"{entries:,} entries of {rules.name}", replayed, 1, bound)


def _seen(rules: Rules, format: str) -> Row:
    start, entries = _games(rules.name, format)[0]
    half = _replayed(start, entries[: len(entries) // 2], rules)
    return _within("view", f"a game of {rules.name}", lambda: view(rules, half, half.seats[0].letter), 1, VIEW)


def _within(task: str, load: str, work: Callable[[], object], units: int, bound: float) -> Row:
    def measured() -> float:
        return timed(work, units)

    return Row(task, load, measured, "the bound", lambda: bound, 1)


@cache
def cards(name: str = "kryptik") -> dict[str, Card]:
    """The made-up card list of a game."""
    card_list = read_list(read_file(LISTS / f"{name}-demo.yaml")[0])
    if not isinstance(card_list, CardList):
        raise TypeError("the made-up list can't be read")
    return dict(card_list.cards)


@cache
def crowded() -> State:
    """200 things, 80 of them on the island."""
    row = ["Gull"] * 30 + ["Banner"] * 6 + ["Drummer"] * 4
    a, b = (", ".join(f"{{id: {nth}, card: {name}}}" for nth, name in enumerate(row, first)) for first in (1, 41))
    place = (
        f"{{turn: {{number: 5, of: A, at: first}}, A: {{hand: [Gull, Gull], deck: 51, island: [{a}], eleven: 6}}, "
        f"B: {{hand: 4, deck: 51, island: [{b}], eleven: 6}}}}"
    )
    document = read_yaml(
        f"case: crowd\ngame: kryptik\ncards: {CROWD}\nposition: {place}".replace("cards: \n", "cards:\n")
    )
    return begun(KRYPTIK, lay_out(document[0], KRYPTIK)[0])  # type: ignore[arg-type]


@cache
def game() -> tuple[State, tuple[Entry, ...]]:
    """A random game of four, in which every window is asked for."""
    random = Random(4)
    start = state = begun(KRYPTIK, opening(KRYPTIK, cards(), 4, "ABCD", Options()))
    entries: list[Entry] = []
    while len(entries) < ENTRIES and state.result is None:
        seats, kind = engine.waits_for(state)
        entry = _entry(state, seats[0], kind, random)
        outcome = step(KRYPTIK, state, entry)
        if outcome.reason is not None:
            entry = Entry("tick", seats[0])
            outcome = step(KRYPTIK, state, entry)
        state = outcome.state
        entries.append(entry)
    return start, tuple(entries)


@cache
def _games(name: str, format: str) -> tuple[tuple[State, tuple[Entry, ...]], ...]:
    """Random two-player games, each with its state before the first entry."""
    rules, games = RULES[name], []
    for seed in SEVERAL:
        options = Options(format) if format else Options("default", agreed=all_suggested())
        start = opening(rules, cards(name), seed, "AB", options)
        games.append((begun(rules, start), tuple(play_one(rules, start, seed, Tally()))))
    return tuple(games)


def _entry(state: State, seat: str, kind: str, random: Random) -> Entry:
    if kind == "manual":
        return Entry("ruling", "judge", ("nothing happens",), 0, "K42", "of the bench")
    if state.decision is not None:
        action = random.choice(state.decision.options(state, seat)[:3])
    else:
        action = random.choice((PASS, *KRYPTIK.legal(state, seat)))
    return Entry("act", seat, (write(action, state.game),))  # type: ignore[arg-type]


def _replayed(start: State, entries: tuple[Entry, ...], rules: Rules = KRYPTIK) -> State:
    state = start
    for entry in entries:
        state = step(rules, state, entry).state
        state_hash(state)
    return state


def _some(first: int) -> Measure:
    """Seconds per entry, over some of them, starting with this one."""
    start, entries = game()
    state = start
    for entry in entries[:first]:
        state = step(KRYPTIK, state, entry).state
    some = entries[first : first + SPAN]
    return lambda: timed(lambda: _replayed(state, some), len(some))
