"""S1, S76, 6.G to 6.J: Seize's battlefield as the viewer sees it, and the reach of a chosen mercenary."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from judging.tables.board.faces import Plain
from judging.tables.board.shapes import Act, Chosen, Grid, Lit, Reached, Square, Tile
from tables.core.lines.actions import Action

RANKS = 6
DEEP = 3
WIDE = 4
MARKS = {"fog": gettext_noop("fog"), "pillar": gettext_noop("pillar")}
"""13.8.1, 5.3: the markers on a tile."""


def columns_of(letters: Sequence[str]) -> int:
    """S1: four columns for two seats, eight for more."""
    return WIDE if len(letters) <= 2 else 2 * WIDE


def quarters_of(letters: Sequence[str]) -> Mapping[str, tuple[int, bool]]:
    """S1, S76: each seat's first column, and whether it is at rank 1; partners side by side, else clockwise."""
    places = [(0, True), (0, False), (WIDE, False), (WIDE, True)]
    if any(letter[1:] for letter in letters):
        places = [(0, True), (0, False), (WIDE, True), (WIDE, False)]
    return dict(zip(letters, places, strict=False))


def left_to_right(letters: Sequence[str], viewer: str) -> list[str]:
    """S1, S76: the seats in the order of their quarters, from the viewer's left to right."""
    quarters = quarters_of(letters)
    direction = 1 if quarters.get(viewer, (0, True))[1] else -1
    return sorted(quarters, key=lambda letter: direction * quarters[letter][0])


def owner_of(column: int, rank: int, quarters: Mapping[str, tuple[int, bool]]) -> str:
    """2: the seat whose side a tile is on; empty for a closed quarter."""
    for letter, (first, is_near) in quarters.items():
        if first <= column < first + WIDE and (rank <= DEEP) is is_near:
            return letter
    return ""


def grid_of(
    letters: Sequence[str],
    viewer: str,
    marks: Mapping[str, Mapping[str, int]],
    standing: Mapping[str, Tile],
    names: Mapping[str, str],
) -> Grid:
    """2: all tiles rank by rank from the far side to the viewer's. `marks`: fog and pillars by tile."""
    quarters, wide = quarters_of(letters), columns_of(letters)
    turned = not quarters.get(viewer, (0, True))[1]
    ranks = range(1, RANKS + 1) if turned else range(RANKS, 0, -1)
    columns = range(wide - 1, -1, -1) if turned else range(wide)
    rows = []
    for rank in ranks:
        squares = []
        for column in columns:
            name = f"{chr(ord('a') + column)}{rank}"
            owner = owner_of(column, rank, quarters)
            squares.append(_square(name, column, rank, owner, viewer, marks.get(name, {}), standing.get(name), names))
        rows.append((str(rank), tuple(squares)))
    return Grid(tuple(chr(ord("a") + column) for column in columns), tuple(rows))


def _square(
    name: str,
    column: int,
    rank: int,
    owner: str,
    viewer: str,
    marks: Mapping[str, int],
    tile: Tile | None,
    names: Mapping[str, str],
) -> Square:
    kinds, labels = [], []
    if not owner:
        kinds, labels = ["closed"], [gettext("closed")]
    else:
        hall = rank in (1, RANKS)
        kinds = ["mine" if ally(owner, viewer) else "theirs", *(["hall"] if hall else [])]
        pattern = gettext("%(name)s’s Guild Hall") if hall else gettext("%(name)s’s side")
        labels = [pattern % {"name": names.get(owner, owner)}]
    for mark, number in marks.items():
        if number:
            kinds.append(mark)
            labels.append(gettext(MARKS[mark]) if mark in MARKS else mark)
    return Square(name, column, rank, tuple(kinds), ", ".join(labels), tile)


def ally(letter: str, viewer: str) -> bool:
    """5.1: whether a seat plays with the viewer: their own, or their partner's (A1 and A2)."""
    return letter == viewer or bool(letter[1:] and viewer[1:] and letter[:1] == viewer[:1])


def facing(letter: str, letters: Sequence[str], viewer: str) -> str:
    """S2: the direction of a seat's `forward` for the viewer: `up` or `down`."""
    quarters = quarters_of(letters)
    is_near = quarters.get(letter, (0, True))[1]
    return "up" if is_near == quarters.get(viewer, (0, True))[1] else "down"


REACHES = {
    "melee": gettext_noop("%(name)s on %(tile)s, melee"),
    "ranged": gettext_noop("%(name)s on %(tile)s, from a distance"),
}
COVERS = {
    "melee": gettext_noop("its melee attack reaches here"),
    "ranged": gettext_noop("its ranged attack reaches here"),
}
TARGETS = {
    "melee": gettext_noop("in range of its melee attack"),
    "ranged": gettext_noop("in range of its ranged attack"),
}
"""6.G, 6.H: the kinds of targets of an attack, its reach, and the words for an enemy in its reach."""


def with_reach(tile: Tile, found: Plain | None, names: Mapping[int, str]) -> Tile:
    """6: a mercenary's tile with its reach; unchanged if the reach is unknown."""
    if not found:
        return tile
    lights = {name: [list(lit.kinds), _why(lit)] for name, lit in squares(found, tile.acts, names).items()}
    return replace(tile, reaches=told(found, names), lights=json.dumps(lights, separators=(",", ":")))


def told(found: Plain, names: Mapping[int, str]) -> tuple[Reached, ...]:
    """11.5, 7.1, 7.3: its possible moves, the targets in and out of its reach, and whether it may plunder."""
    ways, steps, now = found["ways"], found["steps"], found["now"]
    remaining = ngettext("%(number)s step left", "%(number)s steps left", steps) % {"number": steps}
    rows = [_of_moves(found, ", ".join(ways), remaining)]
    if found["targets"]:
        reached = "; ".join(
            gettext(REACHES[stat]) % {"name": names[number], "tile": at}
            for stat, number, at in ((one["stat"], one["number"], one["at"]) for one in found["targets"])
        )
        rows.append(_unless(found["idle"] or now["attack"], Reached(gettext("Reaches"), reached, "6.G, 6.H.1")))
    elif found["idle"]:
        rows.append(Reached(gettext("Attacks no one"), found["idle"]["told"], found["idle"]["cites"]))
    for one in found["barred"]:
        fields = {"name": names[one["number"]], "tile": one["at"], "why": one["told"]}
        why = gettext("%(name)s on %(tile)s: %(why)s") % fields
        rows.append(Reached(gettext("Out of reach"), why, one["cites"]))
    if found["plunder"] is None:
        there = Reached(gettext("Plunders"), gettext("it is in an opponent’s Guild Hall"), "7.3")
        rows.append(_unless(now["attack"], there))
    return tuple(rows)


def _of_moves(reach: Plain, ways: str, remaining: str) -> Reached:
    if reach["still"]:
        return Reached(gettext("Doesn’t move"), reach["still"]["told"], reach["still"]["cites"])
    if not ways:
        return Reached(gettext("Moves"), gettext("nowhere, %(left)s") % {"left": remaining}, "6.J, 7.2")
    return _unless(reach["now"]["move"], Reached(gettext("Moves"), f"{ways} ({remaining})", "6.J"))


def _unless(why: Plain | None, reached: Reached) -> Reached:
    """A sentence with the reason why it can't be done now."""
    if why is None:
        return reached
    return replace(reached, words=f"{reached.words}; {why['told']}", cites=f"{reached.cites}; {why['cites']}")


def squares(found: Plain, acts: Sequence[Act], names: Mapping[int, str]) -> dict[str, Lit]:
    """13.1: every square of the battlefield, lit as while this mercenary is chosen."""
    lit: dict[str, Lit] = {found["at"]: Lit(("here",), gettext("its current square"), "6")}
    posts = {tile: act for act in reversed(acts) if act.kind == "move" for tile in act.tiles}
    for tile, path in found["ways"].items():
        act, why = posts.get(tile), found["now"]["move"]
        text = gettext("it moves here via %(path)s") % {"path": path} + (f"; {why['told']}" if why else "")
        cites = why["cites"] if why else "6.J, 7.2"
        lit[tile] = Lit(("way",), text, cites, act)
    for tile, why in found["refused"].items():
        lit[tile] = Lit(("refused",), why["told"], why["cites"])
    for stat, tiles in found["covers"].items():
        for tile in tiles:
            lit[tile] = _and(lit[tile], "covered", gettext(COVERS[stat]))
    for one in found["barred"]:
        lit[one["at"]] = Lit(("barred",), gettext("out of reach: %(why)s") % {"why": one["told"]}, one["cites"])
    for one in found["barred"]:
        if one["blocks"]:
            message = gettext("it blocks the view of %(name)s") % {"name": names[one["number"]]}
            lit[one["blocks"]] = _and(lit[one["blocks"]], "blocks", message)
    for one in found["targets"]:
        lit[one["at"]] = _target(lit[one["at"]], one, acts)
    return lit


def _target(before: Lit, one: Plain, acts: Sequence[Act]) -> Lit:
    """7.1: an enemy in reach, with the attack that a press on it posts."""
    act = next((act for act in acts if act.action and _attacks(act.action, one["number"])), None)
    kinds = ("target", *(kind for kind in before.kinds if kind == "blocks"))
    blocks = f"; {before.words.rpartition('; ')[2]}" if "blocks" in before.kinds else ""
    stat = one["stat"]
    text = gettext(TARGETS[stat]) + blocks
    return Lit(kinds, text, "6.G, 6.H.1", act)


def _attacks(action: Action, number: int) -> bool:
    return action.kind == "attack" and action.targets == (number,)


def _and(lit: Lit, kind: str, words: str) -> Lit:
    if kind in lit.kinds:
        return lit
    return replace(lit, kinds=(*lit.kinds, kind), words=f"{lit.words}; {words}")


def _why(lit: Lit) -> str:
    return f"{lit.words[:1].upper()}{lit.words[1:]} ({lit.cites})"


def lit_for(grid: Grid, tile: Tile | None, found: Plain | None, names: Mapping[int, str]) -> Grid:
    """6: the battlefield lit for the mercenary chosen in the URL; unchanged if none was."""
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
    """11.5: the reasons why it can't move to the other squares: each once. A square's name in a reason stays."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for name in (square.name for _, row in ranks for square in row):
        one = lit.get(name)
        if one is not None and "refused" in one.kinds:
            # Translators: in place of a square's name, wherever that stands in the reason
            square = pgettext("in place of a square's name", "the square")
            text = one.words.partition(";")[0].replace(name, square)
            reasons.setdefault((text, one.cites), []).append(name)
    return tuple((Reached("", text, cites), tuple(names)) for (text, cites), names in reasons.items())
