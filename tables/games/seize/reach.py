"""6.G to 6.J, 13.1, 13.2: the reach of a mercenary: tiles to move to, targets of its attacks, and why not.

Everything here reads a state and changes nothing; refusals are `Refused` with their citations, to be raised or shown.
The page lights tiles by `ways` and `targets` and explains a refused tile by `tile_refused`.
"""

from collections import deque
from collections.abc import Mapping, Sequence

from tables.core import grid, query
from tables.core.grid import Ground
from tables.core.reasons import Refused
from tables.core.state import State, Thing
from tables.games.seize import stats
from wargame.rules.core.saying import said

STATS = ("melee", "ranged")
"""6.G, 6.H: the two possible attacks of a mercenary."""


class Obscured(Refused):
    """13.1: something stands between."""

    def __init__(self, tile: str) -> None:
        super().__init__(("13.1", "S19"), said("the tile in between, %(blocking)s, is not free", blocking=tile))


def board(state: State) -> Ground:
    """2: the table's battlefield. A table of Seize always has one."""
    if state.ground is None:
        raise ValueError("this table has no battlefield")
    return state.ground


# --------------------------------------------------------------------------------------------- moving


def budget(state: State, thing: Thing) -> int:
    """6.J, 13.8.2, S62: the remaining steps of a mercenary in this turn, both Movement Phases together."""
    if stats.frozen(state, thing):
        return 0
    cold = min(2, stats.count(thing, "frost")) + stats.did(state, "chilled", thing)
    return max(0, query.statistic(state, thing, "move") - cold - stats.did(state, "step", thing))


def still(state: State, thing: Thing) -> Refused | None:
    """13.7.1, 13.8.2: why a mercenary can't move at all now; None if it can."""
    if stats.count(thing, "exhaust"):
        return Refused(("13.7.1", "11.6"), said("it is exhausted"))
    if stats.frozen(state, thing):
        return Refused(("13.8.2", "S37"), said("it has three frost counters and can't move"))
    if card := query.forbids(state, "move", thing):
        return Refused("9.F", said("%(card)s forbids it", card=card))
    return None


def step_refused(state: State, thing: Thing, start: str, end: str) -> Refused | None:
    """6.J, 7.2, S24: why one step from tile to tile is impossible; None if it is possible."""
    cites = ("6.J", "7.2", "11.5", "11.7")
    move = stats.reach(state, thing, "move")
    if not board(state).owner(end) or grid.distance(start, end) != 1:
        return Refused(cites, said("%(end)s is not next to %(start)s", end=end, start=start))
    if move is None or board(state).direction(thing.controller, start, end) not in move.directions:
        return Refused(cites, said("it can't move towards %(end)s", end=end))
    if not state.is_open(end):
        return Refused(("S24", "5.3", "11.5"), said("a pillar blocks %(end)s", end=end))
    if (there := state.on_tile(end)) is not None and there.key != thing.key:
        return Refused(("S24", "11.5"), said("%(end)s is occupied", end=end))
    return None


def path_refused(state: State, thing: Thing, path: Sequence[str]) -> Refused | None:
    """7.2, 11.5: why a path can't be moved along; it begins with the mercenary's tile."""
    cites = ("6.J", "7.2", "11.5", "11.7", "S62")
    if (refused := still(state, thing)) is not None:
        return refused
    if not path or path[0] != thing.at:
        return Refused(("7.2", "S24"), said("it is on %(at)s, so the path must begin there", at=thing.at))
    if len(path) < 2:
        return Refused(("7.2", "S24"), said("a path needs at least one step"))
    if len(path) - 1 > (steps := budget(state, thing)):
        return Refused(cites, said("it only has %(left)s steps left", left=steps))
    for start, end in zip(path, path[1:], strict=False):
        if (refused := step_refused(state, thing, start, end)) is not None:
            return refused
    return None


def ways(state: State, thing: Thing) -> Mapping[str, tuple[str, ...]]:
    """11.5: every tile that a mercenary can move to with its remaining steps, and a shortest path to each.

    Turn and phase aren't checked. The path begins with the mercenary's tile.
    """
    if still(state, thing) is not None or not thing.at:
        return {}
    paths: dict[str, tuple[str, ...]] = {thing.at: (thing.at,)}
    steps = budget(state, thing)
    queue = deque([thing.at])
    while queue:
        here = queue.popleft()
        if len(paths[here]) > steps:
            continue
        for there in board(state).neighbours(here):
            if there not in paths and step_refused(state, thing, here, there) is None:
                paths[there] = (*paths[here], there)
                queue.append(there)
    del paths[thing.at]
    return paths


def tile_refused(state: State, thing: Thing, tile: str) -> Refused | None:
    """11.5: why a mercenary can't move to a tile; None if it can."""
    if tile in ways(state, thing):
        return None
    if (refused := still(state, thing)) is not None:
        return refused
    if tile == thing.at:
        return Refused(("7.2",), said("it is already there"))
    if tile not in board(state).tiles:
        return Refused(("2", "S1"), said("%(tile)s is not an open tile of this battlefield", tile=tile))
    if not state.is_open(tile):
        return Refused(("S24", "5.3", "11.5"), said("a pillar blocks %(tile)s", tile=tile))
    if state.on_tile(tile) is not None:
        return Refused(("S24", "11.5"), said("%(tile)s is occupied", tile=tile))
    return Refused(
        ("6.J", "7.2", "11.5"),
        said(
            "it can't reach %(tile)s with %(budget)s steps in the directions it can move",
            budget=budget(state, thing),
            tile=tile,
        ),
    )


# --------------------------------------------------------------------------------------------- attacking


def sight_blocked(state: State, start: str, end: str) -> str:
    """13.1, S19: the first tile between two on one line with a mercenary or a pillar; empty if the view is free."""
    for tile in grid.between(start, end):
        if state.on_tile(tile) is not None or not state.is_open(tile):
            return tile
    return ""


def distances(state: State, thing: Thing, stat: str) -> range:
    """13.2, S18: the possible distances of a target in tiles: 1 for melee, from 2 on for a ranged attack."""
    attack = stats.reach(state, thing, stat)
    if stat == "melee" or attack is None:
        return range(1, 2)
    return range(2, attack.distance + 2)


def reach_refused(state: State, thing: Thing, tile: str, stat: str) -> Refused | None:
    """6.G, 6.H.1, 13.1, 13.2: why an attack doesn't reach a tile; None if it does."""
    attack, number = stats.reach(state, thing, stat), "6.G" if stat == "melee" else "6.H.1"
    if attack is None:
        return Refused(number, said("it has no %(stat)s attack", stat=stat))
    if board(state).direction(thing.controller, thing.at, tile) not in attack.directions:
        return Refused(number, said("its %(stat)s attack doesn't point towards %(tile)s", tile=tile, stat=stat))
    if grid.distance(thing.at, tile) not in distances(state, thing, stat):
        return Refused(
            ("13.2", "S18", number),
            said("%(tile)s is %(distance)s tiles away", tile=tile, distance=grid.distance(thing.at, tile)),
        )
    if blocking := sight_blocked(state, thing.at, tile):
        return Obscured(blocking)
    return None


def target_refused(state: State, thing: Thing, target: Thing, stat: str) -> Refused | None:
    """S20, 13.8.5: why a mercenary can't be the target of an attack; None if it can."""
    if not stats.on_battlefield(state, target):
        return Refused("S20", said("only mercenaries on the battlefield can be attacked"))
    if not stats.enemies(state, thing.controller, target.controller):
        return Refused("S20", said("it can't attack its own side"))
    if stats.count(target, "stealth"):
        return Refused(("13.8.5", "S40"), said("it is stealthed and can't be targeted"))
    if card := query.forbids(state, "be targeted", target):
        return Refused("9.F", said("%(card)s forbids it", card=card))
    return reach_refused(state, thing, target.at, stat)


def idle(state: State, thing: Thing) -> Refused | None:
    """7.1, 11.6, 13.7.1, 13.8.2: why a mercenary can't attack anybody now; None if it can."""
    if stats.did(state, "attacked", thing):
        return Refused(("11.6", "7.1", "13.7.1"), said("each mercenary can only attack or plunder once"))
    if stats.count(thing, "exhaust"):
        return Refused(("13.7.1", "11.6"), said("it is exhausted"))
    if stats.frozen(state, thing):
        return Refused(("13.8.2", "S37"), said("it has three frost counters and can't attack"))
    if card := query.forbids(state, "attack", thing) or query.forbids(state, "attack", thing.controller):
        return Refused("9.F", said("%(card)s forbids it", card=card))
    return None


def targets(state: State, thing: Thing) -> tuple[tuple[Thing, str], ...]:
    """7.1: the enemies that a mercenary's attacks reach from its tile, each with `melee` or `ranged`."""
    return tuple(
        (target, stat)
        for target in stats.mercenaries(state)
        for stat in STATS
        if target.key != thing.key and target_refused(state, thing, target, stat) is None
    )


def plunder_refused(state: State, thing: Thing) -> Refused | None:
    """7.3, 5.3: why a mercenary can't plunder from its tile; None if it can."""
    if stats.arena(state):
        return Refused("5.3", said("you can't plunder in the Arena"))
    if f"plunder {thing.controller}" in state.marks:
        return Refused("7.3", said("a player can only plunder once a turn"))
    if not plundered(state, thing):
        return Refused("7.3", said("it isn't in an opponent's Guild Hall"))
    return idle(state, thing)


def plundered(state: State, thing: Thing) -> str:
    """7.3: the opponent whose Guild Hall a mercenary is in; empty if it is in none."""
    if not thing.at or board(state).depth(thing.at) != 1:
        return ""
    owner = board(state).owner(thing.at)
    return owner if owner in state.living and stats.enemies(state, owner, thing.controller) else ""


# --------------------------------------------------------------------------------------------- entering


def entry_refused(state: State, seat: str, tile: str) -> Refused | None:
    """11.4, 11.4.1, S3: why a seat's mercenary can't be played to a tile; None if it can, including by upstage."""
    if tile not in board(state).back(seat):
        return Refused(("11.4", "S3"), said("%(tile)s is not one of the eight back tiles on your side", tile=tile))
    if not state.is_open(tile):
        return Refused(("S24", "5.3"), said("a pillar blocks %(tile)s", tile=tile))
    there = state.on_tile(tile)
    if there is None:
        return None
    if not stats.enemies(state, seat, there.controller):
        return Refused(("S24", "11.4"), said("a mercenary of your own side is on %(tile)s", tile=tile))
    if not pushed_to(state, seat, tile):
        return Refused(("11.4.1", "S25"), said("no tile behind %(tile)s is free, so you can't upstage it", tile=tile))
    return None


def pushed_to(state: State, seat: str, tile: str, direction: str = "F", steps: int = 1) -> str:
    """11.4.1, S25: the tile to which one is pushed, straight away from a seat's fort; empty if it can't be."""
    behind = board(state).go(seat, tile, direction, steps)
    return behind if behind and state.is_open(behind) and state.on_tile(behind) is None else ""
