"""The planner's view of the map, and the joint actions of armies in a turn: battles, near misses, contests and
transfers."""

from collections import Counter
from collections.abc import Mapping
from itertools import product
from random import Random
from typing import NamedTuple

from wargame.rules.armies.creatures import fits_colors, fits_slot
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.core.board import RANGE, Square, all_squares, neighbours
from wargame.rules.core.orders import Hold, Intercept, Move, Order, Step, Suffix, Transfer
from wargame.rules.core.position import Army, Position
from wargame.rules.core.troops import MOST_CREATURES, SLOT_MAXIMUM, Troop, alive_by_slot
from wargame.rules.core.turn import ManifestEntry


class PlannedTurn:
    """One turn in the making. `owners` are the players who control the armies, by the armies' names.

    An army is idle as long as it has no order and no plan needs it where it is. `fighting` are the players who will
    have a new battle.
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
        self._kept_free = {square for battle in position.battles for square in neighbours(battle.at)}
        self._sizes: dict[str, int] = {}
        for army in position.armies:
            if army.plan and (self._ending[self.ends[army.name]] > 1 or self.ends[army.name] in position.by_square):
                self._cancel_plan(army)

    def idle(self) -> list[Army]:
        """The teams' armies that can still get an order, in random order."""
        armies = [army for army in self.position.armies if army.name not in self._busy]
        self.rng.shuffle(armies)
        return armies

    def rested(self) -> list[Army]:
        """Those of some armies whose players have no new battle yet."""
        return [army for army in self.idle() if not self.fights(army)]

    def is_empty(self, square: Square) -> bool:
        """Whether no army is there now or at the end of the turn."""
        return square.on_map and square not in self.position.by_square and not self._ending[square]

    def is_open(self, square: Square) -> bool:
        """Whether the square is empty and no loser of a battle may need it."""
        return self.is_empty(square) and square not in self._kept_free

    def is_target(self, square: Square) -> bool:
        """Whether an army plans to engage, replace or meet the army there."""
        return self._ending[square] > 1

    def room_around(self, square: Square) -> int:
        """4.2.5: the number of squares that the loser of a battle can choose from, as far as known."""
        return sum(self.is_empty(neighbour) for neighbour in neighbours(square))

    def leaver(self, army: Army, square: Square) -> Army | None:
        """3.2.2.2: the friend who is alone there and leaves, so that the army can take its place."""
        there = self.position.by_square.get(square, ())
        if len(there) != 1 or there[0].is_enemy(army) or self._ending[square]:
            return None
        return there[0]

    def pin(self, army: Army) -> None:
        """The army gets no further order and does not move."""
        self._busy.add(army.name)

    def fight(self, at: Square, *armies: Army) -> None:
        self.fighting.update(self.owners[army.name] for army in armies)
        self._kept_free.update(neighbours(at))

    def fights(self, army: Army) -> bool:
        return self.owners[army.name] in self.fighting

    def move(self, army: Army, *to: Square, suffix: Suffix | None = None, target: str | None = None) -> None:
        """3.2.2: orders a move, of several turns where more than one square is given; the suffix is the first's."""
        starts = (army.at, *to[:-1])
        first, *later = [Step(start, end) for start, end in zip(starts, to, strict=True)]
        self.order(army, Move((Step(first.start, first.to, None, suffix, target), *later)), ends=to[0])

    def order(self, army: Army, order: Order, ends: Square | None = None) -> None:
        """Any order; without `ends` the army does not move."""
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
        """3.2.2.3: another army occupies the next square of its long move by now, or is on its way there."""
        self.order(army, Hold())
        self._busy.discard(army.name)

    def _is_busy(self, army: Army) -> bool:
        """Whether it can't be ordered, has no orders from anybody, or is on its way already."""
        fights = army.name in self.position.battle_of or army.is_partially_converted
        return fights or army.name not in self.owners or army.plan is not None

    def _end_unordered(self, army: Army) -> Square:
        return army.plan.steps[0].step.to if army.plan else army.at


def reach(square: Square) -> list[Square]:
    """3.2.2.1: the squares of the map that an army can move to from there."""
    return [other for other in all_squares() if 1 <= square.distance(other) <= RANGE]


Pair = tuple[Army, Army]

ROOM = 3
"""4.2.5: the number of free neighbours that a battle needs, so that its loser is not driven into the next one."""

LIKELY_LOSSES = 300
"""The assumed minimum loss of a fighting army in its first slot."""


class PlannedManifest(NamedTuple):
    """3.2.4.2: the manifest that a transfer needs, with the names of the two armies."""

    sender: str
    receiver: str
    entries: tuple[ManifestEntry, ...]


def engage(table: PlannedTurn, wanted: int) -> int:
    """3.2.2.2: up to `wanted` armies engage an enemy that stays, stronger ones preferred; returns their number."""
    count = 0
    while count < wanted and (pair := _best_pair(table)):
        attacker, target = pair
        table.move(attacker, target.at, suffix="engage", target=target.name)
        table.pin(target)
        table.fight(target.at, attacker, target)
        count += 1
    return count


def _best_pair(table: PlannedTurn) -> Pair | None:
    """A worthwhile fight: the attacker somewhat stronger, and if possible both commanders without a new battle."""
    idle = table.idle()
    rested = [army for army in idle if not table.fights(army)]
    pairs = _pairs_in_range(table, rested) or _pairs_in_range(table, idle)
    return min(pairs, key=lambda pair: _how_unlikely(table, pair), default=None)


def _pairs_in_range(table: PlannedTurn, idle: list[Army]) -> list[Pair]:
    """3.2.2.1: pairs that can engage where the loser will find room."""
    return [
        (attacker, target)
        for attacker in idle
        for target in idle
        if attacker.is_enemy(target) and attacker.at.distance(target.at) <= RANGE and _has_room(table, target.at)
    ]


def _has_room(table: PlannedTurn, square: Square) -> bool:
    return table.room_around(square) >= ROOM


def _how_unlikely(table: PlannedTurn, pair: Pair) -> float:
    odds = table.size(pair[0]) / max(table.size(pair[1]), 1)
    return abs(odds - 1.3) + (2 if odds < 1 else 0) + table.rng.random() / 2


def joint_engage(table: PlannedTurn) -> bool:
    """3.2.5: two armies below Captain/Evincar attack one enemy on open ground; whether there were any."""
    idle = table.rested()
    for target in sorted(idle, key=table.size, reverse=True):
        friends = [army for army in idle if army.is_enemy(target) and _can_join(army, target)]
        if len(friends) < 2 or table.position.board.is_built(target.at) or not _has_room(table, target.at):
            continue
        for army in friends[:2]:
            table.move(army, target.at, suffix="joint engage")
        table.pin(target)
        table.fight(target.at, target, *friends[:2])
        return True
    return False


def _can_join(army: Army, target: Army) -> bool:
    return not army.is_leading and army.at.distance(target.at) <= RANGE


def intercept(table: PlannedTurn) -> bool:
    """3.2.3: an army waits for an enemy that comes straight over its square; whether there were any."""
    idle = table.rested()
    for army in idle:
        for enemy in idle:
            beyond = _straight_beyond(enemy.at, army.at)
            if enemy.is_enemy(army) and beyond and table.is_open(beyond) and _has_room(table, army.at):
                table.order(army, Intercept(enemy.name))
                table.order(enemy, Move((Step(enemy.at, beyond),)), ends=army.at)
                table.fight(army.at, army, enemy)
                return True
    return False


def _straight_beyond(start: Square, over: Square) -> Square | None:
    """The square behind another one, in a straight line and within a move, or None."""
    rows, columns = over.row - start.row, over.column - start.column
    steps = abs(rows) + abs(columns)
    if (rows and columns) or not 1 <= steps < RANGE:
        return None
    return Square(over.row + rows // steps, over.column + columns // steps)


def meet(table: PlannedTurn) -> bool:
    """R25: two enemies move to the same empty square, a battle without attacker; whether there were any."""
    idle = table.rested()
    for army in idle:
        for enemy in idle:
            if not army.is_enemy(enemy) or not 4 <= army.at.distance(enemy.at) <= 2 * RANGE:
                continue
            between = [s for s in reach(army.at) if enemy.at.distance(s) <= RANGE and table.is_open(s)]
            between = [square for square in between if _has_room(table, square)]
            if between and 0.5 < table.size(army) / max(table.size(enemy), 1) < 2:
                land = [square for square in between if table.position.board.terrain_at(square) != "ocean"]
                square = table.rng.choice(land or between)
                table.move(army, square)
                table.move(enemy, square)
                table.fight(square, army, enemy)
                return True
    return False


def strike_at_air(table: PlannedTurn, wanted: int) -> None:
    """3.2.2.5: armies engage enemies that will be gone, and get the empty squares."""
    for army in table.idle():
        if not wanted:
            return
        for square in reach(army.at):
            there = table.position.by_square.get(square, ())
            if len(there) == 1 and there[0].is_enemy(army) and square not in table.ends.values():
                table.move(army, square, suffix="engage", target=there[0].name)
                wanted -= 1
                break


def contest(table: PlannedTurn) -> bool:
    """3.3.1: two friends of different commanders want one empty square; whether there were any."""
    idle = table.idle()
    for army in idle:
        for friend in idle:
            if friend is army or friend.is_enemy(army) or table.owners[friend.name] == table.owners[army.name]:
                continue
            shared = [s for s in reach(army.at) if 2 <= friend.at.distance(s) <= 3 and table.is_open(s)]
            if shared and army.at.distance(friend.at) <= 4:
                square = table.rng.choice(shared)
                table.move(army, square)
                table.move(friend, square)
                return True
    return False


def support(table: PlannedTurn) -> None:
    """3.2.4: each army that fights gets a friend beside it who will have troops for it after the battle."""
    for battle in table.position.battles:
        for name in battle.armies:
            fighter = table.position.by_name[name]
            squares = [square for square in neighbours(fighter.at) if table.is_empty(square)]
            if len(squares) <= ROOM:
                break
            coming = (
                (army, square)
                for army in table.idle()
                for square in squares
                if army.at.distance(square) in (1, 2, 3) and _has_troops_for(army, fighter)
            )
            if order := next(coming, None):
                table.move(*order)


def _has_troops_for(sender: Army, receiver: Army) -> bool:
    kinds = {troop.creature for troop in receiver.troops}
    return not sender.is_enemy(receiver) and any(
        fits_slot(troop, receiver.tier)[:1] == (1,)
        and fits_colors(troop, receiver)
        and (troop.creature in kinds or len(kinds) < MOST_CREATURES)
        for troop in sender.troops
    )


def transfer(table: PlannedTurn) -> PlannedManifest | None:
    """3.2.4: a sender, a receiver that has room, or will have it after its battle, and the manifest; None if there
    is no such pair."""
    idle = table.idle()
    senders = [army for army in idle if not table.position.board.is_built(army.at)]
    fighting = [army for army in table.position.armies if army.name in table.position.battle_of]
    for receivers, losses in ((idle, 0), (fighting, LIKELY_LOSSES)):
        for sender, receiver in product(senders, receivers):
            if entry := _entry(sender, receiver, losses):
                table.order(sender, Transfer(receiver.name, receiver.at))
                table.pin(receiver)
                return PlannedManifest(sender.name, receiver.name, (entry,))
    return None


def _entry(sender: Army, receiver: Army, losses: int) -> ManifestEntry | None:
    """2.3.3: some of the sender's troops that the receiver can take once it has those losses in its first slot."""
    if sender.is_enemy(receiver) or not sender.at.is_neighbour(receiver.at):
        return None
    for troop in sender.troops:
        number = min(troop.alive // 3, _room(receiver, troop, losses)) // 50 * 50
        if number >= 100:
            return ManifestEntry(troop.slot, number, troop.creature)
    return None


def _room(receiver: Army, troop: Troop, losses: int) -> int:
    """R28: the room in the lowest slot that the troop fits."""
    slots = fits_slot(troop, receiver.tier)
    kinds = {own_troop.creature for own_troop in receiver.troops}
    too_many = troop.creature not in kinds and len(kinds) >= MOST_CREATURES
    if not slots or too_many or not fits_colors(troop, receiver):
        return 0
    slot = slots[0] - 1
    return SLOT_MAXIMUM[slot] - alive_by_slot(receiver.troops)[slot] + (0 if slot else losses)
