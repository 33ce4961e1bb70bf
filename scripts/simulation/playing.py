"""Whole rounds, played through the rules alone by random players and judges."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from scripts.simulation.invariants import broken
from scripts.simulation.judging import Control, acts_of_judge, control_after, judge_battles
from scripts.simulation.mustering import ARMIES, hand_out, new_round
from scripts.simulation.played import PlayedTurn, Tally, settle_turn
from scripts.simulation.posting import post
from wargame.rules.core.board import Board
from wargame.rules.core.position import Position
from wargame.rules.core.turn import TurnInput


class Broken(Exception):
    """An invariant does not hold. Seed and turn reproduce it."""

    def __init__(self, seed: int, turn: int, invariant: str, what: str) -> None:
        super().__init__(f"seed {seed}, turn {turn}: broken: {invariant}: {what}")
        self.seed, self.turn, self.invariant, self.what = seed, turn, invariant, what


@dataclass
class Simulation:
    """Plays rounds one after another; `clock` gives seconds, for the tally alone."""

    board: Board
    seed: int
    clock: Callable[[], float]
    armies: int = ARMIES
    tally: Tally = field(default_factory=Tally)
    position: Position = field(init=False)
    control: Control = field(init=False)
    buried: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self._begin()

    def play(self, turns: int) -> Iterator[PlayedTurn]:
        """The next turns, each settled and counted. Raises Broken when an invariant does not hold."""
        for _ in range(turns):
            yield self._play_turn()

    def _play_turn(self) -> PlayedTurn:
        turn = self._settle(self._given())
        for invariant, problem in broken(turn):
            raise Broken(self.seed, turn.number, invariant, problem)
        self.buried += [name for name in turn.before.by_name if name not in turn.after.by_name]
        self.control = control_after(self.control, turn.after, turn.settled.events, self.random)
        self.position = turn.after
        if turn.after.won_by:
            self._begin()
        return turn

    def _begin(self) -> None:
        """2.5: a new round."""
        self.position = new_round(self.board, self.random, self.armies)
        self.control = hand_out(self.position, self.random)
        self.buried = []
        self.tally.rounds += 1

    def _given(self) -> TurnInput:
        """3.1, 4.1: posts, manifests and results of a turn, and the control of armies at the lock."""
        new_posts = post(self.position, self.control, self.random)
        number = self.tally.turns + 1
        results = judge_battles(self.position, self.random, self._secret, number)
        acts = acts_of_judge(self.position, self.random)
        turn_input = TurnInput(new_posts.lines, self.control, new_posts.manifests, results)
        return replace(turn_input, mercenaries=acts, guidelines=True, buried=tuple(self.buried))

    def _settle(self, turn_input: TurnInput) -> PlayedTurn:
        start, number = self.clock(), self.tally.turns + 1
        try:
            turn = settle_turn(number, self._secret, self.position, turn_input)
        except Exception as error:
            raise Broken(self.seed, number, "every turn can be settled", repr(error)) from error
        self.tally.seconds += self.clock() - start
        self.tally.add(turn)
        return turn

    @property
    def _secret(self) -> bytes:
        return f"simulation {self.seed}".encode()
