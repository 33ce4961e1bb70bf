"""The parts of a turn between friends: squares that two of them want, and transfers."""

from __future__ import annotations

from itertools import product

from wargame.rules.armies.creatures import fits_colors, fits_slot
from wargame.rules.core.board import neighbours
from wargame.rules.core.orders import Transfer
from wargame.rules.core.position import Army
from wargame.rules.core.troops import MOST_CREATURES, SLOT_MAXIMUM, Troop, alive_by_slot
from wargame.rules.core.turn import ManifestEntry

from .scenes import ROOM
from .table import Table, reach

LIKELY_LOSSES = 300
"""What an army that fights is taken to lose of its first slot at least."""


def contest(table: Table) -> bool:
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


def support(table: Table) -> None:
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


def transfer(table: Table) -> tuple[str, str, tuple[ManifestEntry, ...]] | None:
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
                return sender.name, receiver.name, (entry,)
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
