"""6.G to 6.J, 11.5, 13.1, 13.2: the reach of a chosen mercenary, and why not the rest, as plain data for the page.

It depends only on public data (positions, counters, tiles, events) and on nothing in a hand, a deck or a face-down
card: two tables that differ only in those give the same.
"""

from collections.abc import Mapping

from tables.core import grid
from tables.core.reasons import Refused
from tables.core.state import State, Thing
from tables.core.views import Plain
from tables.games.seize import reach, stats
from tables.games.seize.flow import MOVES
from wargame.rules.core.saying import marked, said


def chosen(state: State, number: int) -> dict[str, Plain] | None:
    """6: the reach of the mercenary with that public number from its tile; None if there is none.

    `ways` by tile, each with its path; `refused`: why no other tile; `targets` in reach; `barred`: the enemies that an
    attack doesn't reach, with the tile that blocks the view; `covers`: the tiles that its attacks reach, by stat;
    `now`: why it could do none of it in this phase, if so.
    """
    thing = next((one for one in stats.mercenaries(state) if one.number == number), None)
    if thing is None or not thing.at or thing.under:
        return None
    tiles = [tile for tile in reach.board(state).tiles if tile != thing.at]
    ways = reach.ways(state, thing)
    refused = {tile: _refusal_in_words(reach.tile_refused(state, thing, tile)) for tile in tiles if tile not in ways}
    return {
        "number": number,
        "at": thing.at,
        "steps": reach.budget(state, thing),
        "ways": {tile: "-".join(path) for tile, path in sorted(ways.items())},
        "refused": dict(refused),
        "targets": [
            {"number": target.number, "at": target.at, "stat": stat} for target, stat in reach.targets(state, thing)
        ],
        "barred": _barred(state, thing),
        "covers": {stat: list(_covered(state, thing, stat, tiles)) for stat in reach.STATS},
        "still": _refusal_in_words(reach.still(state, thing)),
        "idle": _refusal_in_words(reach.idle(state, thing)),
        "plunder": _refusal_in_words(reach.plunder_refused(state, thing)),
        "now": {
            "move": _refusal_in_words(_moves_now(state, thing)),
            "attack": _refusal_in_words(_attacks_now(state, thing)),
        },
    }


def every_one(state: State) -> Mapping[int, Mapping[str, object]]:
    """6: the reach of each mercenary on the battlefield, by its number."""
    numbers = [thing.number for thing in stats.mercenaries(state) if thing.number is not None]
    return {number: {**view} for number in numbers if (view := chosen(state, number)) is not None}


def _barred(state: State, thing: Thing) -> list[Plain]:
    """6.G, 6.H.1, 13.1, 13.8.5: each enemy that none of its attacks reaches, and why the most fitting one doesn't."""
    entries: list[Plain] = []
    reached = {target.key for target, _ in reach.targets(state, thing)}
    for target in stats.mercenaries(state):
        if target.key in reached or not stats.enemies(state, thing.controller, target.controller):
            continue
        have = [stat for stat in reach.STATS if stats.reach(state, thing, stat) is not None]
        whys = [why for stat in have if (why := reach.target_refused(state, thing, target, stat)) is not None]
        if not whys:
            continue
        blocking = [why for why in whys if isinstance(why, reach.Obscured)]
        is_near = grid.distance(thing.at, target.at) == 1
        why = blocking[0] if blocking else whys[0 if is_near else -1]
        blocks = reach.sight_blocked(state, thing.at, target.at) if blocking else ""
        entries.append({"number": target.number, "at": target.at, "blocks": blocks, **(_refusal_in_words(why) or {})})
    return entries


def _covered(state: State, thing: Thing, stat: str, tiles: list[str]) -> list[str]:
    """13.2: the tiles that an attack reaches from its tile, whoever is there."""
    if stats.reach(state, thing, stat) is None:
        return []
    distances = reach.distances(state, thing, stat)
    return [
        tile for tile in tiles
        if grid.distance(thing.at, tile) in distances and reach.reach_refused(state, thing, tile, stat) is None
    ]  # fmt: skip


def _moves_now(state: State, thing: Thing) -> Refused | None:
    """11.5, 11.7: why it can't be moved at this moment."""
    return _in_phase(state, thing, MOVES, ("11.5", "11.7"), marked("only in its player’s Movement Phases"))


def _attacks_now(state: State, thing: Thing) -> Refused | None:
    """11.6: why it can't attack anybody at this moment."""
    return _in_phase(state, thing, ("attack",), ("11.6",), marked("only in its player’s Attack Phase"))


def _in_phase(
    state: State, thing: Thing, phases: tuple[str, ...], cites: tuple[str, ...], when: str
) -> Refused | None:  # fmt: skip
    if thing.controller not in stats.turn_seats(state) or state.turn.at not in phases:
        return Refused(cites, said(when))
    if state.pile:
        return Refused(("S28", "12"), said("the stack isn't empty yet"))
    return None


def _refusal_in_words(refused: Refused | None) -> dict[str, Plain] | None:
    return None if refused is None else {"told": refused.reason.told, "cites": ", ".join(refused.reason.cites)}
