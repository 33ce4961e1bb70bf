"""A settled turn of a simulation with its inputs, and the counts over many."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from wargame.rules.core.dice import Dice, turn_dice
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import TEAMS
from wargame.rules.core.turn import TurnInput
from wargame.rules.mercenaries.events import Disbanded, Spawned, WentToWar
from wargame.rules.moves.events import Intercepted, JointEngaged, Moved, MovedPartially, Pushed, Refused
from wargame.rules.settlement import Moves, Settlement, carry_out, settle
from wargame.rules.settling.events import BaseDestroyed, Captured, Fought, Killed, Transferred, Won

CONTEXT = "simulation"


@dataclass(frozen=True)
class PlayedTurn:
    """R18: `moves` are the draft after step 6, `settled` the whole settlement."""

    number: int
    seed: bytes
    before: Position
    given: TurnInput
    moves: Moves
    settled: Settlement

    @cached_property
    def after(self) -> Position:
        return self.settled.position

    @cached_property
    def lasting(self) -> tuple[Army, ...]:
        """The armies after the turn that were on the map before it; the others have just appeared (6.3.2)."""
        return tuple(army for army in self.after.armies if army.name in self.before.by_name)

    def dice(self) -> Dice:
        """R38: the turn's dice, from the beginning."""
        return turn_dice(self.seed, CONTEXT, self.number)


def settle_turn(number: int, seed: bytes, before: Position, given: TurnInput) -> PlayedTurn:
    """R18: the draft and the settlement of a turn, each with dice of its own."""
    draft, final = (turn_dice(seed, CONTEXT, number) for _ in range(2))
    return PlayedTurn(number, seed, before, given, carry_out(before, given, draft), settle(before, given, final))


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
    rows = list(tally.rows())
    left, right = (max(len(row[column]) for row in rows) for column in (0, 1))
    return "\n".join(f"{name:<{left}}  {value:>{right}}" for name, value in rows)
