"""What a simulation counts, and its table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from scripts.simulation.played import PlayedTurn
from wargame.rules.mercenaries.events import Disbanded, Spawned, WentToWar
from wargame.rules.moves.events import Intercepted, JointEngaged, Moved, MovedPartially, Pushed, Refused
from wargame.rules.settling.bases import TEAMS
from wargame.rules.settling.events import BaseDestroyed, Captured, Fought, Killed, Transferred, Won

COUNTED = {
    Moved: "moves",
    MovedPartially: "partial moves",
    Pushed: "pushed",
    Intercepted: "intercepted",
    JointEngaged: "joint engagements",
    Transferred: "transfers",
    Fought: "battles",
    Killed: "kills",
    Captured: "captures",
    BaseDestroyed: "bases destroyed",
    WentToWar: "theme armies gone to war",
    Spawned: "raiders appeared",
    Disbanded: "raiders disbanded",
}


@dataclass
class Tally:
    """Counts of a whole simulation; `seconds` are those spent in the rules alone, on drafts and settlements."""

    turns: int = 0
    rounds: int = 0
    orders: int = 0
    seconds: float = 0.0
    events: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    wins: Counter[str] = field(default_factory=Counter)

    def add(self, turn: PlayedTurn) -> None:
        """Counts one turn."""
        self.turns += 1
        self.orders += len(turn.given.lines)
        for event in turn.settled.events:
            if type(event) in COUNTED:
                self.events[COUNTED[type(event)]] += 1
            elif isinstance(event, Refused):
                self.refused[event.cites] += 1
            elif isinstance(event, Won):
                self.wins[event.side.title] += 1

    def rows(self) -> Iterator[tuple[str, str]]:
        """The table: what, and how many."""
        yield "turns", str(self.turns)
        yield "rounds begun", str(self.rounds)
        yield "orders", str(self.orders)
        yield "orders refused", str(self.refused.total())
        for cites, number in sorted(self.refused.items()):
            yield f"  by {cites}", str(number)
        for name in COUNTED.values():
            yield name, str(self.events[name])
        for side in TEAMS:
            yield f"rounds won by {side.title}", str(self.wins[side.title])
        if self.turns:
            yield "a turn's draft and settlement", f"{1000 * self.seconds / self.turns:.1f} ms"


def table(tally: Tally) -> str:
    """The rows in two columns."""
    rows = list(tally.rows())
    left, right = (max(len(row[column]) for row in rows) for column in (0, 1))
    return "\n".join(f"{name:<{left}}  {value:>{right}}" for name, value in rows)
