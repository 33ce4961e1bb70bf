"""T10.2: how often a turn calls for each player, measured at simulated tables (the aim: 2.5 visits at most).

A visit is a run of entries by one seat without an entry of another between them: whoever is asked again because
nobody else had to be asked has not gone away. Who doesn't have the turn gives the order `pass until my turn unless
attacked`, anew whenever it has ended by that; the turn player acts at random until he passes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from tables.core import engine
from tables.core.entries import Entry
from tables.core.offering import offered
from tables.core.play import Rules
from tables.core.state import State
from tables.core.stepping import step

ORDER = "pass until my turn unless attacked"
MOST_ENTRIES = 4000
TURNS = 12
PASSES = 0.25


@dataclass
class Visits:
    """How many visits each seat made in each turn; a turn in which a seat made none counts as 0."""

    by: Counter[tuple[int, str]] = field(default_factory=Counter)
    turns: int = 0
    seats: int = 0

    @property
    def mean(self) -> float:
        """Visits a turn for each player."""
        return sum(self.by.values()) / max(1, self.turns * self.seats)


def measured(rules: Rules, state: State, seed: int, turns: int = TURNS) -> Visits:
    """T10.2: play so many turns of a table from its start and count its visits; setting up counts for no turn."""
    random, visits = Random(seed), Visits(seats=len(state.seats))
    state, last = engine.started(rules, state).state, ""
    for number in range(MOST_ENTRIES):
        seats, kind = engine.waits_for(state)
        if not seats or state.turn.number > turns:
            break
        seat = random.choice(seats)
        begun = state.turn.at != "setup"
        if begun and seat != last:
            visits.by[state.turn.number, seat] += 1
        last = seat
        for entry in _entries(rules, state, seat, kind, number, random):
            outcome = step(rules, state, entry)
            if outcome.reason is None:
                state = outcome.state
                break
    visits.turns = min(turns, state.turn.number)
    return visits


def visits_a_turn(rules: Rules, tables: Iterable[tuple[State, int]], turns: int = TURNS) -> float:
    """T10: the mean over so many tables, each with the seed by which its players act."""
    found = [measured(rules, state, seed, turns).mean for state, seed in tables]
    return sum(found) / max(1, len(found))


def _entries(rules: Rules, state: State, seat: str, kind: str, number: int, random: Random) -> list[Entry]:
    """What a seat does when it is asked: an order out of turn, else a random legal line; what is refused: the next."""
    if kind == "priority" and state.turn.of != seat and not _ordered(state, seat):
        return [Entry("order", seat, (ORDER,), number)]
    lines = offered(rules, state, seat)
    if state.decision is not None:
        line = random.choice(lines)
    else:
        line = "pass" if random.random() < PASSES or state.turn.of != seat else random.choice(lines)
    return [Entry("act", seat, (line,), number), Entry("tick", seat, (), number)]


def _ordered(state: State, seat: str) -> bool:
    """T10.2: whether an order of the seat's stands already."""
    return any(order.seat == seat and not order.ended for order in state.orders)
