"""3.2, R14: orders that a player might give, most of them legal, and orders that break a rule, each in its own way."""

from collections.abc import Callable
from random import Random

from wargame.rules.core.board import COLUMNS, RANGE, ROWS, Square, neighbours
from wargame.rules.core.orders import Hold, InBattle, Intercept, Move, Order, Step, Suffix, Transfer
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import OTHER_TEAM
from wargame.rules.moves.marches import shortest_paths
from wargame.rules.settling.days import is_besieging

STUBBORN = 0.95
"""How often an army that besieges a base stays."""

Habit = Callable[[Position, Army, Random], Order | None]


def usual_order(position: Position, army: Army, random: Random) -> Order | None:
    """3.2.1: the order of somebody who wants to win, or None for no order."""
    if army.name in position.battle_of:
        return InBattle() if random.random() < 0.5 else None
    if may_win(position, army):
        return home(position, army, random)
    if is_besieging(army, position.board) and random.random() < STUBBORN:
        return None
    habits, weights = zip(*HABITS, strict=True)
    habit: Habit = random.choices(habits, weights)[0]
    return habit(position, army, random)


def may_win(position: Position, army: Army) -> bool:
    """1.7.2: the enemy's last win condition has fallen, so that days at home win the round."""
    return army.side.is_team and OTHER_TEAM[army.side] in position.fallen


def engage(position: Position, army: Army, random: Random) -> Order | None:
    """3.2.2.2: onto an enemy in reach, best of all one that besieges a base; else on."""
    enemies = [other for square in within(army.at) for other in enemies_on(position, army, square)]
    besiegers = [enemy for enemy in enemies if is_besieging(enemy, position.board)]
    if not enemies:
        return march(position, army, random)
    return Move((step_to(position, army, random.choice(besiegers or enemies).at, random),))


def march(position: Position, army: Army, random: Random) -> Order | None:
    """1.7: towards a base of the enemy, or their leaders if they have none left; the nearer the likelier."""
    bases = [base.at for base in position.board.bases if base.side is not army.side and not base.destroyed]
    leaders = (other.at for other in position.armies if other.is_leading and other.is_enemy(army))
    goals = bases or list(leaders)
    goal = min(goals, key=lambda at: army.at.distance(at) + random.randrange(20), default=None)
    if goal is None or goal == army.at or not army.side.is_team:
        return wander(position, army, random)
    to = min(within(army.at), key=lambda at: (at.distance(goal), random.random()))
    return Move((step_to(position, army, to, random),))


def wander(position: Position, army: Army, random: Random) -> Order | None:
    """3.2.2: anywhere."""
    return Move((step_to(position, army, random.choice(within(army.at)), random),))


def long_move(position: Position, army: Army, random: Random) -> Order | None:
    """3.2.2.3: two to four turns, each of one to three steps."""
    steps, at = [], army.at
    for _ in range(random.randint(2, 4)):
        steps.append(step_to(position, army, random.choice(within(at)), random, start=at))
        at = steps[-1].to
    return Move(tuple(steps))


def joint_engage(position: Position, army: Army, random: Random) -> Order | None:
    """3.2.5: onto the nearest enemy; its neighbours often choose the same one."""
    targets = [square for square in (army.at, *within(army.at)) if enemies_on(position, army, square)]
    if not targets:
        return march(position, army, random)
    return Move((Step(army.at, min(targets, key=lambda at: (army.at.distance(at), at)), None, "joint engage"),))


def intercept(position: Position, army: Army, random: Random) -> Order | None:
    """3.2.3: an enemy that is near enough to cross."""
    enemies = [other for square in within(army.at) for other in enemies_on(position, army, square)]
    return Intercept(random.choice(enemies).name) if enemies else Hold()


def transfer(position: Position, army: Army, random: Random) -> Order | None:
    """3.2.4: to a neighbour."""
    friends = [o for at in neighbours(army.at) for o in position.by_square.get(at, ()) if not o.is_enemy(army)]
    if not friends or position.board.is_built(army.at):
        return march(position, army, random)
    friend = random.choice(friends)
    return Transfer(friend.name, friend.at)


def hold(position: Position, army: Army, random: Random) -> Order | None:
    """R29: it stays."""
    return Hold()


def home(position: Position, army: Army, random: Random) -> Order | None:
    """1.7.2, 2.3.1: to the nearest base of its side, where it stays, to heal or to win."""
    own_bases = [base for base in position.board.bases if base.side is army.side and not base.destroyed]
    bases = [base.at for base in own_bases if base.win or not may_win(position, army)]
    nearest = min(bases, key=army.at.distance, default=army.at)
    if nearest == army.at:
        return None
    to = min(within(army.at), key=lambda at: (at.distance(nearest), random.random()))
    return Move((step_to(position, army, to, random),))


HABITS: tuple[tuple[Habit, int], ...] = (
    (march, 30),
    (engage, 25),
    (home, 12),
    (joint_engage, 3),
    (intercept, 6),
    (long_move, 5),
    (transfer, 8),
    (wander, 5),
    (hold, 4),
)


def step_to(position: Position, army: Army, to: Square, random: Random, start: Square | None = None) -> Step:
    """3.2.2: a legal step to a square: with a route now and then, with engage or replace where needed."""
    start = start or army.at
    route = random.choice(shortest_paths(start, to)) if random.random() < 0.2 else None
    there = [other for other in position.by_square.get(to, ()) if other is not army]
    if not there:
        return Step(start, to, route)
    other = random.choice(there)
    suffix: Suffix = "engage" if other.is_enemy(army) else "replace"
    return Step(start, to, route, suffix, other.name)


def within(square: Square) -> list[Square]:
    """3.2.2.1: the squares of the map that are 1 to 3 steps away, row by row."""
    span = range(-RANGE, RANGE + 1)
    squares = (Square(square.row + r, square.column + c) for r in span for c in span if 0 < abs(r) + abs(c) <= RANGE)
    return [other for other in squares if other.on_map]


def enemies_on(position: Position, army: Army, square: Square) -> list[Army]:
    """R3: the enemies on a square."""
    return [other for other in position.by_square.get(square, ()) if other.is_enemy(army)]


Mistake = Callable[[Position, Army, Random], Order]


def wrong_order(position: Position, army: Army, random: Random) -> Order:
    """R14: an order that is probably refused."""
    return random.choice(MISTAKES)(position, army, random)


def off_map(position: Position, army: Army, random: Random) -> Order:
    """1.2."""
    to = random.choice((Square(len(ROWS), army.at.column), Square(army.at.row, COLUMNS + 1), Square(army.at.row, 0)))
    return Move((Step(army.at, to),))


def from_elsewhere(position: Position, army: Army, random: Random) -> Order:
    """3.2.2.5."""
    start = random.choice(within(army.at))
    return Move((step_to(position, army, random.choice(within(start)), random, start=start),))


def too_far(position: Position, army: Army, random: Random) -> Order:
    """3.2.2.1."""
    return Move((Step(army.at, random.choice(within(random.choice(within(army.at))))),))


def no_step(position: Position, army: Army, random: Random) -> Order:
    """3.2.2.1."""
    return Move((Step(army.at, army.at),))


def bad_route(position: Position, army: Army, random: Random) -> Order:
    """3.2.2.4: it ends elsewhere, is too long, jumps, or leaves the map."""
    to = random.choice(within(army.at))
    path = random.choice(shortest_paths(army.at, to))
    outside = Square(len(ROWS), army.at.column)
    routes = (path[:-1], (*path, path[-2], to), (army.at, *path), (army.at, outside, to), (army.at, to, army.at, to))
    return Move((Step(army.at, to, random.choice(routes)),))


def no_suffix(position: Position, army: Army, random: Random) -> Order:
    """3.2.2.2: without the word, or with the wrong name."""
    squares = [square for square in within(army.at) if square in position.by_square]
    if not squares:
        return Move((Step(army.at, random.choice(within(army.at)), None, "engage", _anybody(position, random)),))
    to = random.choice(squares)
    wrong = (Step(army.at, to), Step(army.at, to, None, "engage", _anybody(position, random)))
    return Move((random.choice((*wrong, Step(army.at, to, None, "replace", army.name))),))


def joint_where_it_may_not(position: Position, army: Army, random: Random) -> Order:
    """3.2.5.3, 3.2.5.4: alone, or onto a base."""
    built = [square for square in within(army.at) if position.board.is_built(square)]
    return Move((Step(army.at, random.choice(built or within(army.at)), None, "joint engage"),))


def intercept_anybody(position: Position, army: Army, random: Random) -> Order:
    """3.2.3.1: a friend, itself, or an army far away."""
    return Intercept(random.choice((army.name, _anybody(position, random))))


def transfer_anywhere(position: Position, army: Army, random: Random) -> Order:
    """3.2.4.1: to itself, to an enemy, to an army far away or where it is not."""
    target = position.by_name[random.choice((army.name, _anybody(position, random)))]
    return Transfer(target.name, random.choice((target.at, *within(army.at))))


MISTAKES: tuple[Mistake, ...] = (
    off_map,
    from_elsewhere,
    too_far,
    no_step,
    bad_route,
    no_suffix,
    joint_where_it_may_not,
    intercept_anybody,
    transfer_anywhere,
)


def _anybody(position: Position, random: Random) -> str:
    return random.choice(position.armies).name
