"""The number of visits a day that a card table asks of its players, measured by random games."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from tables.core import engine
from tables.core.entries import Entry
from tables.core.lines.actions import PASS
from tables.core.lines.writing import write
from tables.core.lists.cards import Card
from tables.core.offering import offered
from tables.core.play import Rules
from tables.core.reducer import step
from tables.core.state import Options, State
from tables.core.zones import zone_of
from tables.games.altered.agreements import all_suggested
from tables.simulation import opening

ORDER = "pass until my turn unless attacked"
MOST_ENTRIES = 4000
TURNS = 12
PASSES = 0.25


@dataclass
class Visits:
    """The number of visits of each seat in each turn; 0 in a turn without visits."""

    by: Counter[tuple[int, str]] = field(default_factory=Counter)
    turns: int = 0
    seats: int = 0

    @property
    def mean(self) -> float:
        """Visits a turn for each player."""
        return sum(self.by.values()) / max(1, self.turns * self.seats)


def measured(rules: Rules, state: State, seed: int, turns: int = TURNS) -> Visits:
    """T10.2: play a number of turns of a table from its start and count its visits; the set-up is no turn."""
    random, visits = Random(seed), Visits(seats=len(state.seats))
    state, last = engine.started(rules, state).state, ""
    for number in range(MOST_ENTRIES):
        seats, kind = engine.waits_for(state)
        if not seats or state.turn.number > turns:
            break
        seat = random.choice(seats)
        has_begun = state.turn.at != "setup"
        if has_begun and seat != last:
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
    """T10: the mean over the tables, each with the seed by which its players act."""
    means = [measured(rules, state, seed, turns).mean for state, seed in tables]
    return sum(means) / max(1, len(means))


def _entries(rules: Rules, state: State, seat: str, kind: str, number: int, random: Random) -> list[Entry]:
    """The acts of a seat when it is asked: an order out of turn, else a random legal line; after a refusal, the
    next."""
    if kind == "priority" and state.turn.of != seat and not _ordered(state, seat):
        return [Entry("order", seat, (ORDER,), number)]
    lines = offered(rules, state, seat)
    if state.decision is not None:
        line = random.choice(lines)
    else:
        line = "pass" if random.random() < PASSES or state.turn.of != seat else random.choice(lines)
    return [Entry("act", seat, (line,), number), Entry("tick", seat, (), number)]


def _ordered(state: State, seat: str) -> bool:
    """T10.2: whether the seat already has an order."""
    return any(order.seat == seat and not order.ended for order in state.orders)


MOST_ORBS = 8
"""A simulated player with this many Orbs puts no further card among them."""
MOST_VISITS = 1000


def visits_a_day(rules: Rules, cards: Mapping[str, Card], games: int, first: int = 1) -> tuple[float, int]:
    """The mean number of visits of a player on a day after the first, over a number of games, and the maximum."""
    visits: Counter[tuple[int, int, str]] = Counter()
    days: set[tuple[int, int, str]] = set()
    for seed in range(first, first + games):
        opened = opening(rules, cards, seed, "AB", Options("default", agreed=all_suggested()))
        state = engine.started(rules, opened).state
        for seat in "AB":
            state = step(rules, state, Entry("order", seat, ("if asked to resupply: yes",))).state
        random = Random(seed)
        for number in range(MOST_VISITS):
            if state.result is not None:
                break
            seat = engine.waits_for(state)[0][0]
            day = (seed, state.turn.number, seat)
            visits[day] += 1
            days |= {(seed, state.turn.number, other) for other in state.living}
            state = _visit(rules, state, seat, number, random)
    later = [visits[day] for day in days if day[1] > 1]
    return sum(later) / max(1, len(later)), max(later, default=0)


def _visit(rules: Rules, state: State, seat: str, number: int, random: Random) -> State:
    """One post: the answer, and its follow-ups as a plan; else the first legal line."""
    kind = engine.waits_for(state)[1]
    lines = [*_first(state, seat, random), *_afternoon(state, seat, random)] if kind in ("mana", "turn") else []
    for post in (Entry("plan", seat, tuple(lines), number), *_alone(state, seat, number, random)):
        if not post.lines and post.kind == "plan":
            continue
        outcome = step(rules, state, post)
        if outcome.reason is None and outcome.state.entry > state.entry and _moved(state, outcome.state):
            return outcome.state
    return step(rules, state, Entry("tick", seat, (), number)).state


def _moved(before: State, after: State) -> bool:
    return before.decision != after.decision or before.things != after.things or before.turn != after.turn


def _alone(state: State, seat: str, number: int, random: Random) -> list[Entry]:
    options = list(state.decision.options(state, seat)) if state.decision is not None else [PASS]
    random.shuffle(options)
    return [Entry("act", seat, (write(action, state.game),), number) for action in options]  # type: ignore[arg-type]


def _first(state: State, seat: str, random: Random) -> list[str]:
    if engine.waits_for(state)[1] != "mana" or state.turn.at != "expand":
        return []
    hand = sorted(thing.card for thing in state.zone(zone_of(seat, "hand")))
    if len(state.zone(zone_of(seat, "mana"))) >= MOST_ORBS or not hand:
        return ["no mana"]
    return [f"mana {random.choice(hand)}"]


def _afternoon(state: State, seat: str, random: Random) -> Sequence[str]:
    """Everything the player can pay for today, and then a pass; as plans that go on whatever comes."""
    if state.turn.at == "setup":
        return []
    mana = sum("exhausted" not in thing.statuses for thing in state.zone(zone_of(seat, "mana")))
    hand = [thing.card for thing in state.zone(zone_of(seat, "hand"))]
    random.shuffle(hand)
    lines = []
    for name in hand:
        card = state.cards[name]
        if card.type not in ("character", "landmark") or card.hand_cost > mana:
            continue
        mana -= card.hand_cost
        where = f" to {random.choice(('hero', 'companion'))}" if card.type == "character" else ""
        lines.append(f"whatever comes: play {name}{where}")
    return [*lines, "whatever comes: pass"]
