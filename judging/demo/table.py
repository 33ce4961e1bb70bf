"""The map as the planner sees it: what every army is to do in a turn, and where it will end as far as is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

from wargame.rules.book.default_book import DEFAULT
from wargame.rules.core.board import RANGE, Square, all_squares, neighbours
from wargame.rules.core.orders import Hold, Move, Order, Step, Suffix
from wargame.rules.core.position import Army, Position
from wargame.rules.core.troops import alive_by_slot


class PlannedTurn:
    """One turn in the making. `owners` are the players who control the armies, by the armies' names.

    An army is idle as long as it has no order and nothing that is planned needs it where it stands. `fighting`
    are the players who will have a new battle.
    """

    def __init__(self, position: Position, owners: Mapping[str, str], rng: Random) -> None:
        self.position = position
        self.owners = owners
        self.rng = rng
        self.orders: dict[str, Order] = {}
        self.ends: dict[str, Square] = {army.name: self._end_unordered(army) for army in position.armies}
        self.fighting: set[str] = set()
        self._busy = {army.name for army in position.armies if self._is_busy(army)}
        self._ending = Counter(self.ends.values())
        self._kept_free = {near for battle in position.battles for near in neighbours(battle.at)}
        self._sizes: dict[str, int] = {}
        for army in position.armies:
            if army.plan and (self._ending[self.ends[army.name]] > 1 or self.ends[army.name] in position.by_square):
                self._cancel_plan(army)

    def idle(self) -> list[Army]:
        """The teams' armies that may still be given an order, in an order of their own each time."""
        armies = [army for army in self.position.armies if army.name not in self._busy]
        self.rng.shuffle(armies)
        return armies

    def rested(self) -> list[Army]:
        """Those of some armies whose players have no new battle yet."""
        return [army for army in self.idle() if not self.fights(army)]

    def is_empty(self, square: Square) -> bool:
        """Nobody stands there now, and nobody will at the end of the turn."""
        return square.on_map and square not in self.position.by_square and not self._ending[square]

    def is_open(self, square: Square) -> bool:
        """An empty square, and none that the loser of a battle may need."""
        return self.is_empty(square) and square not in self._kept_free

    def is_target(self, square: Square) -> bool:
        """Somebody means to engage, replace or meet whoever is there."""
        return self._ending[square] > 1

    def room_around(self, square: Square) -> int:
        """4.2.5: how many squares the loser of a battle has to choose from, as far as is known."""
        return sum(self.is_empty(near) for near in neighbours(square))

    def leaver(self, army: Army, square: Square) -> Army | None:
        """3.2.2.2: the friend who stands there alone and leaves, so that the army may take its place."""
        there = self.position.by_square.get(square, ())
        if len(there) != 1 or there[0].is_enemy(army) or self._ending[square]:
            return None
        return there[0]

    def pin(self, army: Army) -> None:
        """The army gets no further order and stays where it is."""
        self._busy.add(army.name)

    def fight(self, at: Square, *armies: Army) -> None:
        """The armies will be in a battle on that square."""
        self.fighting.update(self.owners[army.name] for army in armies)
        self._kept_free.update(neighbours(at))

    def fights(self, army: Army) -> bool:
        """Whether the army's player will have a new battle."""
        return self.owners[army.name] in self.fighting

    def move(self, army: Army, *to: Square, suffix: Suffix | None = None, target: str | None = None) -> None:
        """3.2.2: orders a move, of several turns where more than one square is given; the suffix is the first's."""
        starts = (army.at, *to[:-1])
        first, *later = [Step(start, end) for start, end in zip(starts, to, strict=True)]
        self.order(army, Move((Step(first.start, first.to, None, suffix, target), *later)), ends=to[0])

    def order(self, army: Army, order: Order, ends: Square | None = None) -> None:
        """Any order; without `ends` the army stays where it is."""
        self._busy.add(army.name)
        self.orders[army.name] = order
        self._ending[self.ends[army.name]] -= 1
        self.ends[army.name] = ends or army.at
        self._ending[self.ends[army.name]] += 1

    def size(self, army: Army) -> int:
        """4.2.2: how strong an army is."""
        if army.name not in self._sizes:
            self._sizes[army.name] = DEFAULT.army_size(army.tier, alive_by_slot(army.troops))
        return self._sizes[army.name]

    def _cancel_plan(self, army: Army) -> None:
        """3.2.2.3: somebody else holds the next square of its long move by now, or is on his way there."""
        self.order(army, Hold())
        self._busy.discard(army.name)

    def _is_busy(self, army: Army) -> bool:
        """It can't be ordered, nobody orders it, or it is on its way already."""
        fights = army.name in self.position.battle_of or army.is_partially_converted
        return fights or army.name not in self.owners or army.plan is not None

    def _end_unordered(self, army: Army) -> Square:
        return army.plan.steps[0].step.to if army.plan else army.at


def reach(square: Square) -> list[Square]:
    """3.2.2.1: the squares of the map that an army can move to from there."""
    return [other for other in all_squares() if 1 <= square.distance(other) <= RANGE]
