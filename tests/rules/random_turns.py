"""Random positions and turns for the invariants: small boards, many collisions, legal and illegal orders."""

from dataclasses import replace
from random import Random

from wargame.rules.core.board import PLAINS, RANGE, Base, Board, Square, Town, neighbours
from wargame.rules.core.orders import Hold, Intercept, Move, Order, Step, Transfer
from wargame.rules.core.position import Army, Position, sorted_armies
from wargame.rules.core.sides import RANKS, Faction, Side
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, Troop
from wargame.rules.core.turn import Manifest, ManifestEntry, PostedLine, Result, TurnInput
from wargame.rules.moves.marches import shortest_paths

BOARD = Board(
    PLAINS,
    (
        Base("Red Base", Square(1, 2), Side.COALITION, "red", True),
        Base("Blue Base", Square(4, 1), Side.COALITION, "blue"),
        Base("Portal 1", Square(1, 6), Side.PHYREXIA, None, True),
        Base("Portal 2", Square(5, 5), Side.PHYREXIA, None, True),
    ),
    (Town("Oakvale", Square(3, 4)),),
)

SWAPPED = {Side.COALITION: Side.PHYREXIA, Side.PHYREXIA: Side.COALITION, Side.MERCENARY: Side.MERCENARY}


def random_position(random: Random, armies: int, rows: int = 6, columns: int = 7) -> Position:
    """Armies of all sides on different squares of the north-western corner."""
    squares = random.sample([Square(row, column) for row in range(rows) for column in range(1, columns + 1)], armies)
    return Position(BOARD, sorted_armies([_army(random, number, at) for number, at in enumerate(squares)]))


def random_turn(random: Random, position: Position) -> TurnInput:
    """Orders for most armies, results for all battles, and a few manifests."""
    lines, manifests = [], []
    hot = random.sample([Square(row, column) for row in range(6) for column in range(1, 8)], 4)
    for place, army in enumerate(position.armies):
        order = _order(random, position, army, hot)
        if order is None:
            continue
        lines.append(PostedLine(army.name, army.name, order, random.randrange(20), (place, 1), text=army.name))
        if isinstance(order, Transfer):
            entries = tuple(ManifestEntry(slot, random.randrange(3000)) for slot in SLOTS)
            manifests.append(Manifest(army.name, army.name, order.target, entries))
    control = {army.name: (army.name,) for army in position.armies}
    return TurnInput(tuple(lines), control, tuple(manifests), _results(random, position))


def with_teams_swapped(position: Position) -> Position:
    """The same position with each Coalition army and base Phyrexian and the other way round; for armies that follow
    no long move."""
    bases = tuple(replace(base, side=SWAPPED[base.side]) for base in position.board.bases)
    armies = (
        army._replace(side=SWAPPED[army.side], rank=army.rank and RANKS[SWAPPED[army.side]][army.rank.tier - 1])
        for army in position.armies
    )
    return replace(position, board=replace(position.board, bases=bases), armies=tuple(armies))


def _army(random: Random, number: int, at: Square) -> Army:
    side = random.choice((Side.COALITION, Side.PHYREXIA, Side.COALITION, Side.PHYREXIA, Side.MERCENARY))
    rank = random.choice(RANKS[side]) if side.is_team else None
    faction = None if side.is_team else random.choice(tuple(Faction))
    colors = ("red", "blue") if side is Side.COALITION else ()
    full = random.random()
    troops = tuple(
        Troop(
            slot,
            f"Creature {slot}",
            random.choice((0, top // 3, top, top)) if full > 0.1 else 0,
            top,
            ("red",),
        )
        for slot, top in zip(SLOTS, SLOT_MAXIMUM, strict=True)
    )
    return Army(f"Army {number:03}", side, at, rank, faction, colors=colors, troops=troops, home=at)


def _order(random: Random, position: Position, army: Army, hot: list[Square]) -> Order | None:
    roll = random.random()
    others = [other for other in position.armies if other is not army]
    if roll < 0.08 or not others:
        return None
    if roll < 0.1:
        return Hold()
    near = [other for other in others if other.at in neighbours(army.at)]
    enemies = [other for other in near if other.is_enemy(army)]
    friends = [other for other in near if not other.is_enemy(army)]
    if roll < 0.3:
        return Intercept(random.choice(enemies or others).name)
    if roll < 0.4 and friends:
        target = random.choice(friends)
        return Transfer(target.name, target.at)
    return Move(tuple(_steps(random, position, army, hot)))


def _steps(random: Random, position: Position, army: Army, hot: list[Square]) -> list[Step]:
    """Mostly legal steps, many of them onto the hot squares; now and then one that is too far or off the map."""
    steps, at = [], army.at
    joint = not army.is_leading and random.random() < 0.6
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        route = _walk(random, at, hot)
        to = route[-1]
        there = [other for other in position.by_square.get(to, ()) if other is not army]
        suffix, target = ("joint engage", None) if joint else (None, None)
        if there and not joint:
            suffix = "engage" if there[0].is_enemy(army) else "replace"
            target = there[0].name
        steps.append(Step(at, to, route if random.random() < 0.5 else None, suffix, target))  # type: ignore[arg-type]
        at = to
    return steps


def _walk(random: Random, at: Square, hot: list[Square]) -> tuple[Square, ...]:
    """To a hot square nearby, or one to four steps anywhere."""
    near = [square for square in hot if 1 <= square.distance(at) <= RANGE]
    if near and random.random() < 0.7:
        return random.choice(shortest_paths(at, random.choice(near)))
    route = [at]
    for _ in range(random.choice((1, 1, 2, 2, 2, 3, 3, 3, 4))):
        row, column = random.choice(((0, 1), (1, 0), (0, -1), (-1, 0)))
        route.append(Square(max(0, route[-1].row + row), max(0, route[-1].column + column)))
    return tuple(route)


def _results(random: Random, position: Position) -> tuple[Result, ...]:
    results = []
    for battle in position.battles:
        won = random.randrange(2)
        losses = {name: tuple(random.randrange(800) for _ in SLOTS) for name in battle.armies}
        loser = position.by_name[battle.sides[1 - won][0]]
        fate = random.random()
        killed = (loser.name,) if fate < 0.1 else ()
        captured = (
            (loser.name,)
            if 0.1 <= fate < 0.3 and loser.is_low and position.by_name[battle.sides[won][0]].side.is_team
            else ()
        )
        results.append(Result(battle.at, battle.sides[won], losses, killed, captured))
    return tuple(results)
