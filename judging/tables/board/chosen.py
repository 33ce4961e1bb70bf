"""6.G to 6.J, 13.1: what a chosen mercenary reaches, as it is lit on the battlefield and said beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from judging.tables.board.faces import Plain
from judging.tables.board.shapes import Act, Chosen, Grid, Lit, Reached, Square, Tile

STATS = {"melee": "melee", "ranged": "from a distance"}
"""6.G, 6.H: the attacks, as they are said."""
HERE = Lit(("here",), "it stands here", "6")


def with_reach(tile: Tile, found: Plain | None, names: Mapping[int, str]) -> Tile:
    """6: a mercenary's tile with what it reaches; as it was where nothing is known of that."""
    if not found:
        return tile
    lights = {name: [list(lit.kinds), _why(lit)] for name, lit in squares(found, tile.acts, names).items()}
    return replace(tile, reaches=said(found, names), lights=json.dumps(lights, separators=(",", ":")))


def said(found: Plain, names: Mapping[int, str]) -> tuple[Reached, ...]:
    """11.5, 7.1, 7.3: where it may move, whom it reaches, who is out of its reach, and whether it may plunder."""
    ways, steps, now = found["ways"], found["steps"], found["now"]
    told = [_of_moves(found, ", ".join(ways), f"{steps} step{'' if steps == 1 else 's'} left")]
    if found["targets"]:
        reached = "; ".join(f"{names[one['number']]} on {one['at']}, {STATS[one['stat']]}" for one in found["targets"])
        told.append(_unless(found["idle"] or now["attack"], Reached("Reaches", reached, "6.G, 6.H.1")))
    elif found["idle"]:
        told.append(Reached("Attacks nobody", found["idle"]["told"], found["idle"]["cites"]))
    told += [
        Reached("Out of reach", f"{names[one['number']]} on {one['at']}: {one['told']}", one["cites"])
        for one in found["barred"]
    ]
    if found["plunder"] is None:
        told.append(_unless(now["attack"], Reached("Plunders", "it stands in an opponent’s Guild Hall", "7.3")))
    return tuple(told)


def _of_moves(found: Plain, ways: str, left: str) -> Reached:
    if found["still"]:
        return Reached("Doesn’t move", found["still"]["told"], found["still"]["cites"])
    if not ways:
        return Reached("Moves", f"nowhere, {left}", "6.J, 7.2")
    return _unless(found["now"]["move"], Reached("Moves", f"{ways} ({left})", "6.J"))


def _unless(why: Plain | None, reached: Reached) -> Reached:
    """A sentence with what keeps it from being done in this moment."""
    if why is None:
        return reached
    return replace(reached, words=f"{reached.words}; {why['told']}", cites=f"{reached.cites}; {why['cites']}")


def squares(found: Plain, acts: Sequence[Act], names: Mapping[int, str]) -> dict[str, Lit]:
    """13.1: every square of the battlefield as it is lit while this mercenary is chosen."""
    lit: dict[str, Lit] = {found["at"]: HERE}
    posts = {tile: act for act in reversed(acts) if act.kind == "move" for tile in act.tiles}
    for tile, path in found["ways"].items():
        act, why = posts.get(tile), found["now"]["move"]
        words = f"it moves here by {path}" + (f"; {why['told']}" if why else "")
        cites = why["cites"] if why else "6.J, 7.2"
        lit[tile] = Lit(("way",), words, cites, act.line if act else "", act.label if act else "")
    for tile, why in found["refused"].items():
        lit[tile] = Lit(("refused",), why["told"], why["cites"])
    for stat, tiles in found["covers"].items():
        for tile in tiles:
            lit[tile] = _and(lit[tile], "covered", f"its attack reaches here, {STATS[stat]}")
    for one in found["barred"]:
        lit[one["at"]] = Lit(("barred",), f"out of reach: {one['told']}", one["cites"])
    for one in found["barred"]:
        if one["blocks"]:
            lit[one["blocks"]] = _and(lit[one["blocks"]], "blocks", f"it blocks the view of {names[one['number']]}")
    for one in found["targets"]:
        lit[one["at"]] = _target(lit[one["at"]], one, acts)
    return lit


def _target(before: Lit, one: Plain, acts: Sequence[Act]) -> Lit:
    """7.1: an enemy in reach, with the attack that is posted by a press on it."""
    aims = f"> #{one['number']}"
    act = next((act for act in acts if act.kind == "attack" and aims in f"{act.line} "), None)
    kinds = ("target", *(kind for kind in before.kinds if kind == "blocks"))
    blocks = f"; {before.words.rpartition('; ')[2]}" if "blocks" in before.kinds else ""
    words = f"in reach, {STATS[one['stat']]}{blocks}"
    return Lit(kinds, words, "6.G, 6.H.1", act.line if act else "", act.label if act else "")


def _and(lit: Lit, kind: str, words: str) -> Lit:
    if kind in lit.kinds:
        return lit
    return replace(lit, kinds=(*lit.kinds, kind), words=f"{lit.words}; {words}")


def _why(lit: Lit) -> str:
    return f"{lit.words[:1].upper()}{lit.words[1:]} ({lit.cites})"


def lit_for(grid: Grid, tile: Tile | None, found: Plain | None, names: Mapping[int, str]) -> Grid:
    """6: the battlefield lit for the mercenary that was chosen by its address; as it was where none was."""
    if tile is None or not found:
        return grid
    lit = squares(found, tile.acts, names)
    ranks = tuple(
        (rank, tuple(replace(square, lit=lit.get(square.name)) for square in row)) for rank, row in grid.ranks
    )
    return replace(grid, ranks=ranks, chosen=Chosen(tile, _refusals(lit, ranks)))


def _refusals(
    lit: Mapping[str, Lit], ranks: Sequence[tuple[str, tuple[Square, ...]]]
) -> tuple[tuple[Reached, tuple[str, ...]], ...]:
    """11.5: why it can't move to the other squares: each reason once. Where a square's name stands in it, it stays."""
    found: dict[tuple[str, str], list[str]] = {}
    for name in (square.name for _, row in ranks for square in row):
        one = lit.get(name)
        if one is not None and "refused" in one.kinds:
            words = one.words.partition(";")[0].replace(name, "the square")
            found.setdefault((words, one.cites), []).append(name)
    return tuple((Reached("", words, cites), tuple(names)) for (words, cites), names in found.items())
