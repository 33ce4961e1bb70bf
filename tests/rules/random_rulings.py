"""Random rulings, possible and impossible ones."""

from itertools import pairwise
from random import Random

from wargame.rules.core.board import LAST_ROW, Square
from wargame.rules.core.orders import Hold, Intercept, Move, Order, Step, Transfer, write_order
from wargame.rules.core.position import Position
from wargame.rules.core.rulings import (
    DaysSet,
    EndsOn,
    RefusalLifted,
    Ruling,
    SetAside,
    TakenAsGiven,
    TroopsSet,
    WinsSquare,
)


def random_rulings(random: Random, position: Position, most: int = 8) -> tuple[Ruling, ...]:
    """Up to `most` rulings of all kinds; some on armies that do not exist, on squares off the map, on each other."""
    names = [*(army.name for army in position.armies), "Nobody"]
    return tuple(
        _ruling(random, position, number, random.choice(names)) for number in range(1, random.randint(2, most))
    )


def _ruling(random: Random, position: Position, number: int, army: str) -> Ruling:
    said = (number, "3.3.3", "Because.", army)
    near = _square(random)
    match random.randrange(7):
        case 0:
            order = _order(random, position, army)
            return TakenAsGiven(*said, order, write_order(army, order))
        case 1:
            return RefusalLifted(*said)
        case 2:
            return SetAside(*said)
        case 3:
            return EndsOn(*said, near)
        case 4:
            return WinsSquare(*said, near)
        case 5:
            return DaysSet(*said, random.randint(-1, 6))
        case _:
            return TroopsSet(*said, random.randint(1, 4), random.choice((-1, 0, 10, 400, 900, 6000)))


def _square(random: Random) -> Square:
    """A square near the armies, or one off the map that can be written: south of N, or in the column 0."""
    return Square(random.choice((*range(8), LAST_ROW + 1)), random.randint(0, 8))


def _order(random: Random, position: Position, army: str) -> Order:
    target = random.choice(position.armies).name if position.armies else "Nobody"
    squares = [_square(random) for _ in range(random.randint(2, 3))]
    steps = tuple(Step(start, to) for start, to in pairwise(squares))
    joint = Step(_square(random), _square(random), None, "joint engage")
    orders: list[Order] = [Hold(), Intercept(target), Transfer(target, _square(random)), Move(steps), Move((joint,))]
    return random.choice(orders)
