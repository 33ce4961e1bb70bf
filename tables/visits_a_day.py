"""How often a player has to visit a table of Altered in a day, when he plans the Afternoon as a person would.

In the Morning a player says what goes to the Mana zone and, in the same visit, what he means to play today, line by
line, whatever comes, and then that he passes. Beforehand he has said that he wants to Resupply when asked. Whatever is
asked of him that neither says is one more visit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from tables.core import engine
from tables.core.entries import Entry
from tables.core.lists.cards import Card
from tables.core.play import Rules
from tables.core.state import Options, State
from tables.core.stepping import step
from tables.core.zones import zone_of
from tables.games.altered.agreements import all_suggested
from tables.simulation import opening

MOST_ORBS = 8
"""With so many Orbs a player of these simulations puts no further card among them."""
MOST_VISITS = 1000


def visits_a_day(rules: Rules, cards: Mapping[str, Card], games: int, first: int = 1) -> tuple[float, int]:
    """The mean number of visits of a player on a day after the first, over so many games, and the most of any."""
    seen: Counter[tuple[int, int, str]] = Counter()
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
            seen[day] += 1
            days |= {(seed, state.turn.number, other) for other in state.living}
            state = _visit(rules, state, seat, number, random)
    later = [seen[day] for day in days if day[1] > 1]
    return sum(later) / max(1, len(later)), max(later, default=0)


def _visit(rules: Rules, state: State, seat: str, number: int, random: Random) -> State:
    """One post: what is asked, and what follows from it as a plan; else the first thing that is legal."""
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
    options = list(state.decision.options(state, seat)) if state.decision is not None else ["pass"]
    random.shuffle(options)
    return [Entry("act", seat, (line,), number) for line in options]


def _first(state: State, seat: str, random: Random) -> list[str]:
    if engine.waits_for(state)[1] != "mana" or state.turn.at != "expand":
        return []
    hand = sorted(thing.card for thing in state.zone(zone_of(seat, "hand")))
    if len(state.zone(zone_of(seat, "mana"))) >= MOST_ORBS or not hand:
        return ["no mana"]
    return [f"mana {random.choice(hand)}"]


def _afternoon(state: State, seat: str, random: Random) -> Sequence[str]:
    """What he can pay for today, and then a pass; as plans that go on whatever comes."""
    if state.turn.at == "setup":
        return []
    left = sum("exhausted" not in thing.statuses for thing in state.zone(zone_of(seat, "mana")))
    hand = [thing.card for thing in state.zone(zone_of(seat, "hand"))]
    random.shuffle(hand)
    lines = []
    for name in hand:
        card = state.cards[name]
        if card.type not in ("character", "landmark") or card.hand_cost > left:
            continue
        left -= card.hand_cost
        where = f" to {random.choice(('hero', 'companion'))}" if card.type == "character" else ""
        lines.append(f"whatever comes: play {name}{where}")
    return [*lines, "whatever comes: pass"]
