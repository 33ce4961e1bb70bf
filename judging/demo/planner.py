"""The orders of all armies in a turn of the demo: based on the current map, so that they are believable."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from judging.demo.scenes import (
    PlannedManifest,
    PlannedTurn,
    contest,
    engage,
    intercept,
    joint_engage,
    meet,
    reach,
    strike_at_air,
    support,
    transfer,
)
from wargame.rules.core.board import RANGE, Square
from wargame.rules.core.dice import Dice
from wargame.rules.core.orders import Hold, InBattle, Intercept, Move, Order, Step, Transfer
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Side
from wargame.rules.core.troops import alive_by_slot, strength_by_slot
from wargame.rules.mercenaries.guidelines import decide_all

SHARE = 0.72
"""The share of idle armies that get an order."""

NEW_BATTLES = 3
"""The number of battles in a turn, including those that the mercenaries seek."""

AMONG_TEAMS = 2
"""The minimum of them between the teams."""

SCENES: tuple[tuple[Callable[[PlannedTurn], bool], ...], ...] = (
    (),
    (joint_engage, intercept),
    (joint_engage, intercept),
    (joint_engage, intercept),
)
"""The scenes that cause battles in each turn besides `engage`, if the map allows it."""

GUARDS = 0.25
"""The share of each side that stays by its own bases."""

WOUNDED = 0.75
"""An army goes to be healed below this share of its strength."""

NEAR = 2
"""The distance from its base within which a guard stays."""

Mistake = Callable[[PlannedTurn, Army], Order | None]


class ForeignOrder(NamedTuple):
    """5.4.1: a player's order to an army that is not theirs."""

    player: str
    army: str
    order: Order


@dataclass
class TurnPlan:
    """3.2: the orders of a turn by army; the armies among them that only march; orders by players to armies that are
    not theirs; and a manifest."""

    orders: dict[str, Order]
    marching: list[str]
    strangers: list[ForeignOrder] = field(default_factory=list)
    manifest: PlannedManifest | None = None


def plan_turn(position: Position, owners: Mapping[str, str], number: int, rng: Random) -> TurnPlan:
    """The orders of turn `number`; `owners` are the players who will post, by the names of their armies."""
    table = PlannedTurn(position, owners, rng)
    manifest = transfer(table) if number > 2 else None
    _bring_about_battles(table, number)
    support(table)
    contest(table)
    err(table, MISTAKES[number - 1])
    marching = march(table, SHARE)
    strike_at_air(table, 1)
    plan = TurnPlan(table.orders, marching, manifest=manifest)
    _mention_battles(table, plan)
    _order_foreign_army(table, plan)
    return plan


def _bring_about_battles(table: PlannedTurn, number: int) -> None:
    """R25: the turn's new battles; where too few armies are near enough to engage, some meet."""
    target = max(AMONG_TEAMS, NEW_BATTLES - _sought_by_mercenaries(table))
    battles = sum(scene(table) for scene in SCENES[number - 1])
    battles += engage(table, target - battles)
    while battles < target and meet(table):
        battles += 1


def _sought_by_mercenaries(table: PlannedTurn) -> int:
    """R48: the number of armies that the mercenaries will attack, as far as it does not depend on chance."""
    decisions = decide_all(table.position, Dice(b"", "the planner of the demo"), {})
    return sum(decision.course == "engages" for decision in decisions)


def _mention_battles(table: PlannedTurn, plan: TurnPlan) -> None:
    """R29, 3.2.1: some say that an army fights; one forgets it and gives orders, which is refused."""
    fighting = [table.position.by_name[name] for name in sorted(table.position.battle_of) if name in table.owners]
    table.rng.shuffle(fighting)
    for number, army in enumerate(fighting[: max(1, len(fighting) * 2 // 3)]):
        plan.orders[army.name] = _away(table, army) if number == 0 else InBattle()


def _order_foreign_army(table: PlannedTurn, plan: TurnPlan) -> None:
    """5.4.1: a player orders an army of their side that another player controls."""
    for army in table.idle():
        players = {table.owners[other.name] for other in table.position.armies if _is_friend(table, army, other)}
        candidates = sorted(players - {table.owners[army.name]})
        if candidates:
            plan.strangers.append(ForeignOrder(table.rng.choice(candidates), army.name, _away(table, army)))
            return


def _is_friend(table: PlannedTurn, army: Army, other: Army) -> bool:
    return not other.is_enemy(army) and other.name in table.owners


def _away(table: PlannedTurn, army: Army) -> Order:
    squares = [square for square in reach(army.at) if table.is_open(square)]
    return Move((Step(army.at, table.rng.choice(squares or reach(army.at))),))


def march(table: PlannedTurn, share: float) -> list[str]:
    """Order that share of the idle armies to move, those nearest to the enemy first so that others follow.

    Return the names of those that move.
    """
    idle = table.idle()
    armies = idle[: round(len(idle) * share)]
    for army in sorted(armies, key=lambda army: _to_enemy(table, army)):
        _march_one(table, army)
    return [army.name for army in armies if not isinstance(table.orders[army.name], Hold)]


def _march_one(table: PlannedTurn, army: Army) -> None:
    goal, distance = _goal(table, army)
    if army.at.distance(goal) <= distance:
        table.order(army, Hold())
        return
    to = _step(table, army, army.at, goal)
    if to is None:
        table.order(army, Hold())
    elif leaver := table.leaver(army, to):
        table.move(army, to, suffix="replace", target=leaver.name)
    elif army.at.distance(goal) > 3 * RANGE and table.rng.random() < 0.3:
        table.move(army, to, *_later_steps(table, army, to, goal))
    else:
        table.move(army, to)


def _goal(table: PlannedTurn, army: Army) -> tuple[Square, int]:
    """The square that the army wants to reach, and the distance that is near enough."""
    character = Random(f"{army.name} of the demo")
    own_bases, enemy = _places(table, army)
    if sum(alive_by_slot(army.troops)) < WOUNDED * sum(strength_by_slot(army.troops)):
        healing = [s for s in own_bases if _heals(table, army, s) and (s == army.at or table.is_open(s))]
        if healing:
            return min(healing, key=army.at.distance), 0
    if character.random() < GUARDS or army.tier <= 2:
        return min(own_bases, key=army.at.distance), NEAR
    targets = sorted(enemy, key=army.at.distance)[:2]
    return character.choice(targets), 0


def _places(table: PlannedTurn, army: Army) -> tuple[list[Square], list[Square]]:
    """1.7: the bases and portals that the army's team still has, and those of the other team."""
    bases = [base for base in table.position.board.bases if not base.destroyed]
    own_bases = [base.at for base in bases if base.side is army.side]
    return own_bases, [base.at for base in bases if base.side is not army.side]


def _heals(table: PlannedTurn, army: Army, square: Square) -> bool:
    """2.3.1: any portal for a Phyrexian army, a base of one of its colours for a Coalition one."""
    return army.side is Side.PHYREXIA or table.position.board.base_by_square[square].color in army.colors


def _step(table: PlannedTurn, army: Army, start: Square, goal: Square) -> Square | None:
    """The best square to move to; None if staying is as good."""
    squares = [
        square
        for square in reach(start)
        if square.distance(goal) < start.distance(goal) and (table.is_open(square) or table.leaver(army, square))
    ]
    return min(squares, key=lambda square: _cost(table, army, square, goal), default=None)


def _cost(table: PlannedTurn, army: Army, square: Square, goal: Square) -> float:
    """The cost of a square: the remaining distance, stronger enemies nearby, and open sea."""
    danger = sum(
        0.7
        for other in table.position.armies
        if other.is_enemy(army) and other.at.distance(square) <= RANGE and table.size(other) > 1.3 * table.size(army)
    )
    at_sea = table.position.board.terrain_at(square) == "ocean" and "blue" not in _colors(army)
    chain = 0.8 if table.leaver(army, square) else 0
    return square.distance(goal) + min(danger, 2) + 2 * at_sea - chain + 1.5 * table.rng.random()


def _later_steps(table: PlannedTurn, army: Army, start: Square, goal: Square) -> list[Square]:
    """3.2.2.3: one or two more steps of a long move, over squares that are empty now."""
    steps: list[Square] = []
    here = start
    for _ in range(table.rng.choice((1, 1, 2))):
        ahead = [
            square
            for square in reach(here)
            if table.is_open(square) and square.distance(goal) == here.distance(goal) - RANGE
        ]
        if not ahead:
            break
        here = table.rng.choice(ahead)
        steps.append(here)
    return steps


def _to_enemy(table: PlannedTurn, army: Army) -> int:
    return min(other.at.distance(army.at) for other in table.position.armies if other.is_enemy(army))


def _colors(army: Army) -> set[str]:
    return {color for troop in army.troops for color in troop.colors}


def err(table: PlannedTurn, mistakes: tuple[Mistake, ...]) -> None:
    """Give each mistake to an idle army that can make it; the army does not move, so nobody else is disturbed."""
    for mistake in mistakes:
        for army in table.idle():
            order = mistake(table, army)
            if order is not None:
                table.order(army, order)
                break


def too_far(table: PlannedTurn, army: Army) -> Order | None:
    """3.2.2.1: a step more than an army has, round a corner."""
    steps = ((2, 2), (-2, 2), (2, -2), (-2, -2), (3, 1), (1, -3))
    squares = [Square(army.at.row + row, army.at.column + column) for row, column in steps]
    return _move(army, next((square for square in squares if table.is_open(square)), None))


def from_elsewhere(table: PlannedTurn, army: Army) -> Order | None:
    """3.2.2.5: from a square next to the army's real one."""
    start = Square(army.at.row, army.at.column + 1)
    to = next((s for s in reach(army.at) if 1 <= start.distance(s) <= RANGE and table.is_open(s)), None)
    return Move((Step(start, to),)) if to and start.on_map else None


def onto_a_friend(table: PlannedTurn, army: Army) -> Order | None:
    """3.2.2.2: onto a friend's square without saying that it replaces them."""
    return _move(army, _held_by(table, army, enemy=False))


def onto_an_enemy(table: PlannedTurn, army: Army) -> Order | None:
    """3.2.2.2: onto an enemy's square without saying that it engages them."""
    return _move(army, _held_by(table, army, enemy=True))


def off_the_map(table: PlannedTurn, army: Army) -> Order | None:
    """1.2: over the edge in the south or east."""
    squares = (Square(army.at.row + RANGE, army.at.column), Square(army.at.row, army.at.column + RANGE))
    return _move(army, next((square for square in squares if not square.on_map), None))


def by_a_broken_route(table: PlannedTurn, army: Army) -> Order | None:
    """3.2.2.4: a route that cuts a corner."""
    to = Square(army.at.row + 1, army.at.column + 2)
    route = (army.at, Square(army.at.row + 1, army.at.column + 1), to)
    return Move((Step(army.at, to, route),)) if table.is_open(to) else None


def joint_too_high(table: PlannedTurn, army: Army) -> Order | None:
    """3.2.5.4: a joint engagement by an army of a rank that can't."""
    to = _held_by(table, army, enemy=True)
    if to is None or not army.is_leading or table.is_target(to):
        return None
    return Move((Step(army.at, to, None, "joint engage"),))


def joint_alone(table: PlannedTurn, army: Army) -> Order | None:
    """3.2.5.3: a joint engagement for which the second army never posts."""
    to = _held_by(table, army, enemy=True)
    if to is None or army.is_leading or table.is_target(to) or table.position.board.is_built(to):
        return None
    return Move((Step(army.at, to, None, "joint engage"),))


def intercept_a_friend(table: PlannedTurn, army: Army) -> Order | None:
    """3.2.3.1: the wrong name."""
    friends = [a for a in table.position.armies if 1 <= a.at.distance(army.at) <= RANGE and not a.is_enemy(army)]
    return Intercept(friends[0].name) if friends else None


def without_manifest(table: PlannedTurn, army: Army) -> Order | None:
    """3.2.4.2: a transfer without a manifest."""
    neighbours = [a for a in table.position.armies if a.at.is_neighbour(army.at) and not a.is_enemy(army)]
    if not neighbours or table.position.board.is_built(army.at):
        return None
    return Transfer(neighbours[0].name, neighbours[0].at)


def _held_by(table: PlannedTurn, army: Army, *, enemy: bool) -> Square | None:
    """A square in reach that such an army occupies, out of battle."""
    for square in reach(army.at):
        there = table.position.by_square.get(square, ())
        if len(there) == 1 and there[0].is_enemy(army) is enemy and there[0].side.is_team:
            return square
    return None


def _move(army: Army, to: Square | None) -> Order | None:
    return Move((Step(army.at, to),)) if to else None


MISTAKES: tuple[tuple[Mistake, ...], ...] = (
    (too_far, onto_a_friend, from_elsewhere),
    (off_the_map, by_a_broken_route, joint_too_high, intercept_a_friend),
    (joint_alone, without_manifest, onto_an_enemy, too_far, by_a_broken_route),
    (too_far, onto_a_friend, from_elsewhere),
)
"""The mistakes of each turn."""
