"""Turns that are hard on the rules: chains, crowds, crossings, battles everywhere, of any number of armies."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from scripts.simulation.mustering import demo_board, hand_out, new_round
from scripts.simulation.posting import post
from wargame.rules.core.board import COLUMNS, PLAINS, ROWS, Board, Square
from wargame.rules.core.orders import Intercept, Move, Order, Step, Transfer
from wargame.rules.core.position import Army, Battle, Position, sorted_armies
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, Troop
from wargame.rules.core.turn import Manifest, ManifestEntry, PostedLine, Result, TurnInput

Heavy = tuple[Position, TurnInput]
ALL = [Square(row, column) for row in range(len(ROWS)) for column in range(1, COLUMNS + 1)]


def ordinary(armies: int) -> Heavy:
    """A turn as it is played every week."""
    random = Random(1)
    position = new_round(demo_board(), random, armies)
    control = hand_out(position, random)
    posted = post(position, control, random)
    return position, TurnInput(posted.lines, control, posted.manifests)


def replaces(armies: int) -> Heavy:
    """Each army onto the square of the one before it; the first one moves on."""
    return _chain(armies, head_moves=True)


def bounces(armies: int) -> Heavy:
    """The same, but the first one stays."""
    return _chain(armies, head_moves=False)


def crowd(armies: int) -> Heavy:
    """No gaps: each army wants the square two columns to the east, and every fourth one stays."""
    made = [army(f"{place:03}", at) for place, at in enumerate(ALL[:armies])]
    here = {one.at: one for one in made}
    orders: dict[str, Order] = {}
    for place, one in enumerate(made):
        to = Square(one.at.row, one.at.column + 2)
        if place % 4 and to.on_map:
            orders[one.name] = _replace(one, here[to]) if to in here else Move((Step(one.at, to),))
    return _turn(made, orders)


def crossings(armies: int) -> Heavy:
    """Every second army crosses the one that intercepts it, on which a third one's move ends."""
    made, orders = [], {}
    places = [at for at in ALL if at.column % 3 == 1 and at.column < COLUMNS - 1]
    for place, at in enumerate(places[: armies // 3]):
        crosser, waiting, engaging = (Square(at.row, at.column + aside) for aside in (0, 1, 2))
        first, second = army(f"{place} C", crosser), army(f"{place} W", waiting, Side.PHYREXIA)
        third = army(f"{place} E", engaging)
        orders[first.name] = Move((Step(crosser, engaging, (crosser, waiting, engaging), "replace", third.name),))
        orders[second.name] = Intercept(first.name)
        orders[third.name] = Move((Step(engaging, waiting, None, "engage", second.name),))
        made += [first, second, third]
    return _turn(made, orders)


def transfers(armies: int) -> Heavy:
    """Every second army sends troops to its neighbour; each has a manifest for every slot."""
    made = [army(f"{place:03}", at, alive=0.5) for place, at in enumerate(ALL[:armies])]
    pairs = [(one, other) for one, other in zip(made[::2], made[1::2], strict=False) if one.at.is_neighbour(other.at)]
    manifests = [
        Manifest(one.name, one.name, other.name, tuple(ManifestEntry(slot, 100) for slot in SLOTS), at)
        for at, (one, other) in enumerate(pairs)
    ]
    return _turn(made, {one.name: Transfer(other.name, other.at) for one, other in pairs}, tuple(manifests))


def battles(armies: int) -> Heavy:
    """A battle on every square, so that the losers are surrounded."""
    squares = ALL[: armies // 2]
    made = [army(f"{at} {side.value}", at, side) for at in squares for side in (Side.COALITION, Side.PHYREXIA)]
    fights = tuple(Battle(at, ((f"{at} coalition",), (f"{at} phyrexia",)), 0) for at in squares)
    results = tuple(
        Result(fight.at, fight.sides[place % 2], dict.fromkeys(fight.armies, (100, 50, 20, 10)))
        for place, fight in enumerate(fights)
    )
    return _turn(made, {}, results=results, fights=fights)


def joint_engagements(armies: int) -> Heavy:
    """Two of three armies joint engage the third one, all over the map."""
    made, orders = [], {}
    places = [at for at in ALL if at.column % 3 == 1 and at.column < COLUMNS - 1]
    for place, at in enumerate(places[: armies // 3]):
        middle = Square(at.row, at.column + 1)
        made.append(army(f"{place} P", middle, Side.PHYREXIA))
        for aside in (0, 2):
            one = army(f"{place} C{aside}", Square(at.row, at.column + aside))
            orders[one.name] = Move((Step(one.at, middle, None, "joint engage"),))
            made.append(one)
    return _turn(made, orders)


def pushes(armies: int) -> Heavy:
    """Both teams onto every mercenary."""
    made, orders = [], {}
    places = [at for at in ALL if at.column % 3 == 1 and at.column < COLUMNS - 1]
    for place, at in enumerate(places[: armies // 3]):
        middle = Square(at.row, at.column + 1)
        made.append(army(f"{place} M", middle, Side.MERCENARY))
        for aside, side in ((0, Side.COALITION), (2, Side.PHYREXIA)):
            one = army(f"{place} {side.value}", Square(at.row, at.column + aside), side)
            orders[one.name] = Move((Step(one.at, middle, None, "engage", f"{place} M"),))
            made.append(one)
    return _turn(made, orders)


def long_moves(armies: int) -> Heavy:
    """Ten turns of moves for everybody."""
    made = [army(f"{place:03}", at) for place, at in enumerate(ALL[:armies])]
    there = {one.at: one for one in made}
    orders: dict[str, Order] = {}
    for one in made:
        east = Square(one.at.row, one.at.column + (1 if one.at.column < COLUMNS else -1))
        first = Step(one.at, east, None, "replace", there[east].name) if east in there else Step(one.at, east)
        steps = [first, *(Step(east, one.at) if turn % 2 else Step(one.at, east) for turn in range(1, 10))]
        orders[one.name] = Move(tuple(steps))
    return _turn(made, orders)


def mercenaries(armies: int) -> Heavy:
    """Every second army is a raider that follows its guidelines, among armies of both teams (6.3.1)."""
    made = []
    for place, at in enumerate(ALL[:armies]):
        side = Side.MERCENARY if place % 2 else (Side.COALITION, Side.PHYREXIA)[place // 2 % 2]
        made.append(army(f"{place:03}", at, side, alive=(5 + place % 5) / 10))
    position, given = _turn(made, {})
    return position, replace(given, guidelines=True)


HEAVY: tuple[Callable[[int], Heavy], ...] = (
    ordinary,
    replaces,
    bounces,
    crowd,
    crossings,
    transfers,
    battles,
    joint_engagements,
    pushes,
    long_moves,
    mercenaries,
)


def army(name: str, at: Square, side: Side = Side.COALITION, alive: float = 1.0) -> Army:
    """A low army of a side; troops of one colour."""
    rank = {Side.COALITION: Rank.LIEUTENANT, Side.PHYREXIA: Rank.CENTURION}.get(side)
    faction = None if side.is_team else Faction.RAIDER
    troops = tuple(
        Troop(slot, f"Orc {slot}", int(most * alive), most, ("red",), f"{slot}/{slot}")
        for slot, most in zip(SLOTS, SLOT_MAXIMUM, strict=True)
    )
    return Army(name, side, at, rank, faction, colors=("red",) if rank else (), troops=troops)


def _chain(armies: int, *, head_moves: bool) -> Heavy:
    rows = ([at for at in ALL if at.row == row] for row in range(len(ROWS)))
    winding = [at for row, squares in enumerate(rows) for at in (squares if row % 2 == 0 else squares[::-1])]
    made = [army(f"{place:03}", at) for place, at in enumerate(winding[1 : armies + 1])]
    orders: dict[str, Order] = {one.name: _replace(one, ahead) for ahead, one in zip(made, made[1:], strict=False)}
    if head_moves:
        orders[made[0].name] = Move((Step(made[0].at, winding[0]),))
    return _turn(made, orders)


def _replace(one: Army, other: Army) -> Move:
    return Move((Step(one.at, other.at, None, "replace", other.name),))


def _turn(
    armies: list[Army],
    orders: dict[str, Order],
    manifests: tuple[Manifest, ...] = (),
    results: tuple[Result, ...] = (),
    fights: tuple[Battle, ...] = (),
) -> Heavy:
    lines = tuple(
        PostedLine(name, name, order, place, (place, 1)) for place, (name, order) in enumerate(orders.items())
    )
    control = {one.name: (one.name,) for one in armies}
    return Position(Board(PLAINS), sorted_armies(armies), fights), TurnInput(lines, control, manifests, results)
