"""R48, 6.3.2: what the mercenary judge does in a simulated turn: little, for the mercenaries play by themselves."""

from __future__ import annotations

from random import Random

from scripts.simulation.marching import enemies_on, step_to, within
from wargame.rules.core.board import all_squares
from wargame.rules.core.orders import Move, write_order
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Faction
from wargame.rules.core.turn import AfterLockOrder, DisbandingOrder, MercenaryAct, SpawningOrder
from wargame.rules.mercenaries.spawning import STRONGER_TIER, TIER

AFTER_LOCK = 0.4
DISBANDS = 0.02
CALLS_UP = 0.02
"""How often he sends a raider against somebody after the lock, disbands one, or calls one up."""

REPLACED = 0.1
"""How many of the mercenaries he orders himself."""

JUDGE = "Mercenary Judge"
BECAUSE = "The dice of a simulation."


def acts_of_judge(position: Position, random: Random) -> tuple[MercenaryAct, ...]:
    """6.3.2: his acts besides the orders that he posts."""
    acts: list[MercenaryAct] = []
    raiders = [army for army in position.armies if army.faction is Faction.RAIDER]
    if raiders and random.random() < DISBANDS:
        acts.append(DisbandingOrder(JUDGE, random.choice(raiders).name, BECAUSE))
    if random.random() < CALLS_UP:
        at = random.choice(list(all_squares()))
        acts.append(SpawningOrder(JUDGE, at, random.choice((TIER, STRONGER_TIER)), BECAUSE))
    if raiders and random.random() < AFTER_LOCK:
        acts += _after_lock(position, random.choice(raiders), random)
    return tuple(acts)


def _after_lock(position: Position, raider: Army, random: Random) -> list[MercenaryAct]:
    """Against somebody in reach; now and then it is refused."""
    near = [square for square in within(raider.at) if enemies_on(position, raider, square)]
    if not near:
        return []
    order = Move((step_to(position, raider, random.choice(near), random),))
    return [AfterLockOrder(JUDGE, raider.name, order, write_order(raider.name, order))]
