"""What armies do together in a turn: battles and near misses with enemies, contests and transfers with friends.

Apart from `planner`, because each scene is made from the map alone, and that decides how many of which a turn has.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from judging.demo.table import PlannedTurn, reach
from wargame.rules.armies.creatures import fits_colors, fits_slot
from wargame.rules.core.board import RANGE, Square, neighbours
from wargame.rules.core.orders import Intercept, Move, Step, Transfer
from wargame.rules.core.position import Army
from wargame.rules.core.troops import MOST_CREATURES, SLOT_MAXIMUM, Troop, alive_by_slot
from wargame.rules.core.turn import ManifestEntry

Pair = tuple[Army, Army]

ROOM = 3
"""4.2.5: how many free neighbours a battle needs, so that its loser is not driven into the next one."""

LIKELY_LOSSES = 300
"""What an army that fights is taken to lose of its first slot at least."""


class PlannedManifest(NamedTuple):
    """3.2.4.2: the manifest that a transfer needs, with the names of the two armies."""

    sender: str
    receiver: str
    entries: tuple[ManifestEntry, ...]


def engage(table: PlannedTurn, wanted: int) -> int:
    """3.2.2.2: so many armies engage an enemy that stays, the stronger ones first to; how many there were."""
    done = 0
    while done < wanted and (pair := _best_pair(table)):
        attacker, target = pair
        table.move(attacker, target.at, suffix="engage", target=target.name)
        table.pin(target)
        table.fight(target.at, attacker, target)
        done += 1
    return done


def _best_pair(table: PlannedTurn) -> Pair | None:
    """A fight worth its while: the attacker somewhat stronger, and if possible both commanders new to it."""
    idle = table.idle()
    rested = [army for army in idle if not table.fights(army)]
    pairs = _pairs_in_range(table, rested) or _pairs_in_range(table, idle)
    return min(pairs, key=lambda pair: _how_unlikely(table, pair), default=None)


def _pairs_in_range(table: PlannedTurn, idle: list[Army]) -> list[Pair]:
    """3.2.2.1: who can engage whom, where the loser will find room."""
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
    """3.2.5: two armies below Captain/Evincar go for one enemy on open ground; whether there were such."""
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
    """3.2.3: an army lies in wait for an enemy that comes straight over its square; whether there were such."""
    idle = table.rested()
    for waiting in idle:
        for enemy in idle:
            beyond = _straight_beyond(enemy.at, waiting.at)
            if enemy.is_enemy(waiting) and beyond and table.is_open(beyond) and _has_room(table, waiting.at):
                table.order(waiting, Intercept(enemy.name))
                table.order(enemy, Move((Step(enemy.at, beyond),)), ends=waiting.at)
                table.fight(waiting.at, waiting, enemy)
                return True
    return False


def _straight_beyond(start: Square, over: Square) -> Square | None:
    """The square behind another one, in a straight line and within a move; None if there is none."""
    rows, columns = over.row - start.row, over.column - start.column
    steps = abs(rows) + abs(columns)
    if (rows and columns) or not 1 <= steps < RANGE:
        return None
    return Square(over.row + rows // steps, over.column + columns // steps)


def meet(table: PlannedTurn) -> bool:
    """R25: two enemies make for the same empty square, a battle without attacker; whether there were such."""
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
    """3.3.1: two friends of different commanders want one empty square; whether there were such."""
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
    """3.2.4: to each army that fights comes a friend who will have troops for it when the battle is over."""
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
            if found := next(coming, None):
                table.move(*found)


def _has_troops_for(sender: Army, receiver: Army) -> bool:
    kinds = {troop.creature for troop in receiver.troops}
    return not sender.is_enemy(receiver) and any(
        fits_slot(troop, receiver.tier)[:1] == (1,)
        and fits_colors(troop, receiver)
        and (troop.creature in kinds or len(kinds) < MOST_CREATURES)
        for troop in sender.troops
    )


def transfer(table: PlannedTurn) -> PlannedManifest | None:
    """3.2.4: a sender, a receiver that has room, or will have it after its battle, and the manifest; None if no
    two stand so."""
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
    kinds = {own.creature for own in receiver.troops}
    too_many = troop.creature not in kinds and len(kinds) >= MOST_CREATURES
    if not slots or too_many or not fits_colors(troop, receiver):
        return 0
    slot = slots[0] - 1
    return SLOT_MAXIMUM[slot] - alive_by_slot(receiver.troops)[slot] + (0 if slot else losses)
