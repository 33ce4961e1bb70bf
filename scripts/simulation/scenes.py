"""3.2.3, 3.2.5: orders of several armies that belong together, as chance alone hardly brings them about."""

from __future__ import annotations

from random import Random

from scripts.simulation.marching import within
from wargame.rules.core.board import RANGE
from wargame.rules.core.orders import Intercept, Move, Order, Step
from wargame.rules.core.position import Army, Position
from wargame.rules.moves.marches import shortest_paths

JOINT = 3
CROSSINGS = 4
"""How many joint engagements and intercepts are tried in a turn."""


def scenes(position: Position, random: Random) -> dict[str, Order]:
    """The orders of the armies that take part, by name."""
    orders: dict[str, Order] = {}
    free = [army for army in position.armies if army.name not in position.battle_of and not army.is_partially_converted]
    for enemy in random.sample(free, min(JOINT, len(free))):
        orders |= _joint_engagement(position, enemy, free, random)
    for interceptor in random.sample(free, min(CROSSINGS, len(free))):
        orders |= _crossing(interceptor, free, random)
    return orders


def _joint_engagement(position: Position, enemy: Army, free: list[Army], random: Random) -> dict[str, Order]:
    """3.2.5.2: two of one side onto an enemy; now and then a third one spoils it."""
    near = [army for army in free if army.is_enemy(enemy) and army.at.distance(enemy.at) <= RANGE]
    first = random.choice(near) if near else enemy
    pair = [army for army in near if army.side is first.side and not army.is_leading]
    chosen = random.sample(pair, min(len(pair), random.choice((2, 2, 2, 3))))
    return {army.name: Move((Step(army.at, enemy.at, None, "joint engage"),)) for army in chosen}


def _crossing(interceptor: Army, free: list[Army], random: Random) -> dict[str, Order]:
    """3.2.3.1: an enemy that crosses the square of somebody who waits for it."""
    near = [army for army in free if army.is_enemy(interceptor) and army.at.distance(interceptor.at) < RANGE]
    if not near:
        return {}
    crosser = random.choice(near)
    beyond = [to for to in within(crosser.at) if to != interceptor.at]
    routes = [path for to in beyond for path in shortest_paths(crosser.at, to) if interceptor.at in path]
    if not routes:
        return {}
    route = random.choice(routes)
    return {
        crosser.name: Move((Step(crosser.at, route[-1], route),)),
        interceptor.name: Intercept(crosser.name),
    }
