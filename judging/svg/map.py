"""1.2, 3.2: a position for the map's template, with the armies' arrows, and as a small picture."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, starmap
from math import hypot
from typing import NamedTuple

from django.utils.text import slugify
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext_lazy

from judging.svg.crests import crest_of, short_side
from judging.svg.terrain import CELL, HEIGHT, WIDTH, land, squares
from wargame.rules.core.board import ROWS, Base, Board, Square, Town, all_squares, read_square
from wargame.rules.core.codec import Json
from wargame.rules.core.orders import Move, ReadOrder
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Side
from wargame.rules.core.troops import alive_by_slot, strength_by_slot
from wargame.rules.posts.notation import read_line
from wargame.rules.settling.days import SIEGE_DAYS, is_besieging
from wargame.rules.settling.healing import days_to_healing

SHORT_OF = 9
"""The distance from the end of an arrow to the centre of the square."""

WENT = ("moved", "moved_partially", "pushed", "retreated", "ruled", "intercepted", "captured")
"""The kinds of events that move an army."""

MEANT = ("moved_partially", "intercepted")
"""The kinds of events in which the army wanted to end elsewhere."""

DRAWN = (*WENT, "transferred", "in_transit", "refused")
NOBODY = "gone"
"""Replaces the side of an army that is not on the map."""


class Arrow(NamedTuple):
    """A path as in SVG. `kind` is the event's kind, or `meant` for the part that the army did not complete."""

    d: str
    kind: str
    side: str
    army: str


def army_id(name: str) -> str:
    return f"army-{slugify(name, allow_unicode=True)}"


def arrows_of(position: Position, events: Iterable[dict[str, object]]) -> list[Arrow]:
    """The ways in the events, in their order."""
    return [
        Arrow(_way(stops), kind, _side(position, name), army_id(name))
        for event in events
        for kind, name, stops in _ways(position, event)
        if len(stops) > 1 and stops[0] != stops[-1]
    ]


def _ways(position: Position, event: Json) -> Iterator[tuple[str, str, list[Square]]]:
    """The ways of one event: its kind, side and squares."""
    kind, names = event["kind"], event["armies"]
    if not names:
        return
    if kind in MEANT and event.get("meant"):
        yield "meant", names[0], _squares(event["from"], event["meant"])
    if kind in WENT:
        yield kind, names[0], _went(position, event)
    elif kind in ("transferred", "in_transit"):
        yield "transferred", event["sender"], _between(position, event["sender"], event["receiver"])
    elif kind == "refused" and event["counts"]:
        yield kind, names[0], _refused_move(position, event)


def _went(position: Position, event: Json) -> list[Square]:
    if event.get("route"):
        return _squares(*event["route"])
    army = position.by_name.get(event["armies"][0])
    start = event.get("from") or (str(army.at) if army else None)
    return _squares(start, event.get("to") or (event.get("at") if event["kind"] == "intercepted" else None))


def _refused_move(position: Position, event: Json) -> list[Square]:
    """R14: the move of a refused order, if it was a move within the map."""
    read = read_line(event["order"], position.names, event["army"])
    if not isinstance(read, ReadOrder) or not isinstance(read.order, Move):
        return []
    step = read.order.steps[0]
    stops = list(step.route or (step.start, step.to))
    return stops if all(square.on_map for square in stops) else []


def _between(position: Position, sender: str, receiver: str) -> list[Square]:
    return [army.at for name in (sender, receiver) if (army := position.by_name.get(name))]


def _squares(*names: str | None) -> list[Square]:
    return [read_square(name) for name in names if name]


def _side(position: Position, name: str) -> str:
    army = position.by_name.get(name)
    return army.side.value if army else NOBODY


def _way(stops: Sequence[Square]) -> str:
    """From the centre of the first square to the rim of the crest on the last one."""
    points = [((stop.column - 1) * CELL + CELL // 2, stop.row * CELL + CELL // 2) for stop in stops]
    (from_x, from_y), (to_x, to_y) = points[-2:]
    length = max(1, round(hypot(to_x - from_x, to_y - from_y)))
    points[-1] = (to_x - (to_x - from_x) * SHORT_OF // length, to_y - (to_y - from_y) * SHORT_OF // length)
    return f"M{points[0][0]} {points[0][1]}" + "".join(starmap(_line, pairwise(points)))


def _line(start: tuple[int, int], end: tuple[int, int]) -> str:
    """The shortest way to write a straight line: armies go north, south, east or west."""
    (x, y), (to_x, to_y) = start, end
    return f"V{to_y}" if x == to_x else f"H{to_x}" if y == to_y else f"L{to_x} {to_y}"


Drawn = Json

MARGIN = 22
CREST = 32
FULL, HALF = 0.75, 0.5
"""1.2: armies on one square are drawn at half size."""

BAR = 22


def draw(position: Position, events: Iterable[Drawn] = ()) -> Drawn:
    """The context of `map/svg.html`; the moves of `events` become arrows."""
    board = position.board
    marks = marks_of(position)
    return {
        "box": f"{-MARGIN} {-MARGIN} {WIDTH + 2 * MARGIN} {HEIGHT + 2 * MARGIN}",
        "width": WIDTH,
        "height": HEIGHT,
        "land": land(board.terrain),
        "squares": squares(board.terrain),
        "terrain": "".join(board.terrain),
        "grid": _grid(),
        "letters": _letters(),
        "numbers": _numbers(),
        "bases": [_base(base) for base in board.bases],
        "towns": [_town(town) for town in board.towns],
        "fights": [_origin(battle.at) for battle in position.battles],
        "armies": _armies(position, {mark["army"]: mark["words"] for mark in marks}),
        "marks": marks,
        "strengths": _strengths(position),
        "arrows": arrows_of(position, events),
    }


def name_of_place(board: Board, square: Square) -> str:
    """`3D, plains` or `3D, plains, Yavimaya`."""
    built = board.base_by_square.get(square) or board.town_by_square.get(square)
    parts = [str(square), terrain_word(board.terrain_at(square))] + ([built.name] if built else [])
    return ", ".join(parts)


TERRAIN_WORDS = {
    "ocean": pgettext_lazy("terrain of a square", "ocean"),
    "islands": pgettext_lazy("terrain of a square", "islands"),
    "plains": pgettext_lazy("terrain of a square", "plains"),
    "mountain": pgettext_lazy("terrain of a square", "mountain"),
    "forest": pgettext_lazy("terrain of a square", "forest"),
    "swamp": pgettext_lazy("terrain of a square", "swamp"),
}


def terrain_word(terrain: str) -> str:
    return str(TERRAIN_WORDS.get(terrain, terrain))


def building_words(board: Board, square: Square) -> str:
    """1.1, 2.5.1.4: the building on a square: `Portal of Phyrexia`, `Neutral town`; empty for open land."""
    if base := board.base_by_square.get(square):
        return _what(base)
    return gettext("Neutral town") if square in board.town_by_square else ""


def battle_words(position: Position, name: str) -> str:
    """`attacking Bob`, `defending against Bob`, `fighting Bob`; empty if the army does not fight."""
    battle = position.battle_of.get(name)
    if battle is None:
        return ""
    side = 0 if name in battle.sides[0] else 1
    enemies = gettext(" and ").join(battle.sides[1 - side])
    if battle.defends is None:
        text = gettext("fighting %(enemies)s")
    elif battle.defends == side:
        text = gettext("defending against %(enemies)s")
    else:
        text = gettext("attacking %(enemies)s")
    return text % {"enemies": enemies}


def _armies(position: Position, marks: dict[str, str]) -> list[Drawn]:
    """Row by row, so that the keyboard walks the map in reading order; `marks` are the words of marks by army."""
    rows = []
    for square in (s for s in all_squares() if s in position.by_square):
        armies = _by_battle_side(position, square)
        places = zip(armies, _places(position, armies), strict=True)
        rows += [_army(position, army, place) | {"mark": marks.get(army.name, "")} for army, place in places]
    return rows


def _by_battle_side(position: Position, square: Square) -> list[Army]:
    """The armies of a square, first those of a battle's first side."""
    armies = position.by_square[square]
    return sorted(armies, key=lambda army: (_battle_side(position, army), army.side.value, army.name))


def _battle_side(position: Position, army: Army) -> int:
    battle = position.battle_of.get(army.name)
    return 1 if battle and army.name in battle.sides[1] else 0


def _places(position: Position, armies: Sequence[Army]) -> list[tuple[float, float, float]]:
    """x, y and scale within the square: a single army in the centre, else each side as a column of small ones."""
    if len(armies) == 1:
        gap = (CELL - CREST * FULL) / 2
        return [(gap, gap - 2, FULL)]
    columns: tuple[list[str], list[str]] = ([], [])
    for place, army in enumerate(armies):
        fights = army.name in position.battle_of
        columns[_battle_side(position, army) if fights else place % 2].append(army.name)
    return [_place_in(columns, army.name) for army in armies]


def _place_in(columns: tuple[list[str], list[str]], name: str) -> tuple[float, float, float]:
    column = 0 if name in columns[0] else 1
    names = columns[column]
    top = CELL / 2 - len(names) * CELL * HALF / 2
    return column * CELL * HALF, top + names.index(name) * CELL * HALF, HALF


def _army(position: Position, army: Army, place: tuple[float, float, float]) -> Drawn:
    x, y = _origin(army.at)
    alive, total = alive_by_slot(army.troops), strength_by_slot(army.troops)
    return {
        "id": army_id(army.name),
        "name": army.name,
        "at": str(army.at),
        "place": name_of_place(position.board, army.at),
        "side": army.side.value,
        "side_name": short_side(army.side),
        "rank": army.title,
        "crest": crest_of(army.side, army.tier),
        "x": _short(x + place[0]),
        "y": _short(y + place[1]),
        "scale": _short(place[2]),
        "alive": sum(alive),
        "of": sum(total),
        "slots": alive,
        "battle": battle_words(position, army.name),
        "captured": army.captivity is not None,
        "groups": " ".join((army.side.value, f"tier{army.tier}", *army.colors)),
        "empty": army.is_empty,
    }


def _strengths(position: Position) -> Drawn:
    """A line under each single army: its full length is its strength, the coloured part is alive."""
    alone = [armies[0] for armies in position.by_square.values() if len(armies) == 1]
    sides = {side: "".join(_strength_bar(a) for a in alone if a.side is side) for side in Side}
    whole = "".join(f"M{x + 5} {y + 29}h{BAR}" for x, y in (_origin(army.at) for army in alone))
    return {"all": whole, "sides": {side.value: path for side, path in sides.items() if path}}


def _strength_bar(army: Army) -> str:
    (x, y), alive, total = _origin(army.at), sum(t.alive for t in army.troops), sum(t.of for t in army.troops)
    return f"M{x + 5} {y + 29}h{max(1, round(BAR * alive / total))}" if alive else ""


def _base(base: Base) -> Drawn:
    x, y = _origin(base.at)
    kind = base.color or base.side.value
    data = {"name": base.name, "at": str(base.at), "x": x, "y": y, "color": kind, "what": _what(base)}
    return {**data, "win": base.win, "destroyed": base.destroyed}


BASES = {
    "white": gettext_noop("White base of the Coalition"),
    "blue": gettext_noop("Blue base of the Coalition"),
    "black": gettext_noop("Black base of the Coalition"),
    "red": gettext_noop("Red base of the Coalition"),
    "green": gettext_noop("Green base of the Coalition"),
    "multicolor": gettext_noop("Multicolor base of the Coalition"),
    "colorless": gettext_noop("Colorless base of the Coalition"),
}


def _what(base: Base) -> str:
    """`Portal of Phyrexia, win condition`, `Red base of the Coalition, destroyed`."""
    parts = [gettext(BASES[base.color]) if base.color else gettext("Portal of Phyrexia")]
    parts += [gettext("win condition")] if base.win else []
    parts += [gettext("destroyed")] if base.destroyed else []
    return ", ".join(parts)


def _town(town: Town) -> Drawn:
    x, y = _origin(town.at)
    return {"name": town.name, "at": str(town.at), "x": x, "y": y}


def _origin(square: Square) -> tuple[int, int]:
    return (square.column - 1) * CELL, square.row * CELL


def _grid() -> str:
    across = "".join(f"M0 {y}h{WIDTH}" for y in range(CELL, HEIGHT, CELL))
    return across + "".join(f"M{x} 0v{HEIGHT}" for x in range(CELL, WIDTH, CELL))


def _letters() -> list[Drawn]:
    return [{"text": letter, "y": row * CELL + CELL // 2 + 5} for row, letter in enumerate(ROWS)]


def _numbers() -> Drawn:
    """All column numbers as one text with a place for each digit."""
    places = []
    for column in range(1, WIDTH // CELL + 1):
        middle = column * CELL - CELL // 2
        places += [middle - 3] if column < 10 else [middle - 7, middle]
    return {"text": "".join(map(str, range(1, WIDTH // CELL + 1))), "x": " ".join(map(str, places))}


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".").removeprefix("0") or "0"


def marks_of(position: Position) -> list[Json]:
    """The marks, each with its place, symbol, class and text; at most one an army."""
    return [mark for army in position.armies if (mark := _mark(position, army))]


def _mark(position: Position, army: Army) -> dict[str, object] | None:
    if army.days and is_besieging(army, position.board):
        return _mark_drawn(army, "siege", f"{army.days}/{SIEGE_DAYS}", _siege_words(army))
    if army.winning_days:
        text = gettext("day %(winning_days)s of %(siege_days)s towards winning the round (1.7.2)") % {
            "winning_days": army.winning_days,
            "siege_days": SIEGE_DAYS,
        }
        return _mark_drawn(army, "win", f"{army.winning_days}/{SIEGE_DAYS}", text)
    wait = days_to_healing(army, position.board)
    if wait is None or army.is_partially_converted:
        return None
    return _mark_drawn(army, "heal", "+", _heals(wait))


def _heals(wait: int) -> str:
    """2.3.1."""
    text = ngettext("heals after %(number)s more day (2.3.1)", "heals after %(number)s more days (2.3.1)", wait)
    return text % {"number": wait}


def _siege_words(army: Army) -> str:
    """1.7.1."""
    if army.days >= SIEGE_DAYS:
        return gettext("all %(siege_days)s days counted: it will destroy the base next if it stays (1.7.1)") % {
            "siege_days": SIEGE_DAYS
        }
    return gettext("day %(days)s of the %(siege_days)s needed to destroy the base (1.7.1)") % {
        "days": army.days,
        "siege_days": SIEGE_DAYS,
    }


def _mark_drawn(army: Army, kind: str, sign: str, text: str) -> dict[str, object]:
    x, y = (army.at.column - 1) * CELL, army.at.row * CELL
    return {"army": army.name, "kind": kind, "sign": sign, "words": text, "x": x + CELL - 2, "y": y + 9}


COLORS = {Side.COALITION: "#1d559c", Side.PHYREXIA: "#8c1519", Side.MERCENARY: "#c9820a"}
"""Colours of armies and bases by side; shapes say the same."""

GROUND = {"islands": "#c3d9cb", "all": "#eadba8", "swamp": "#b8abb0", "forest": "#b3c48d", "mountain": "#cbb391"}
"""The terrains from the bottom layer to the top; `all` is the land, as plains."""

SHAPES = {
    Side.COALITION: "m-12-12h24v14l-12 12l-12-12z",
    Side.PHYREXIA: "m0-15l15 25h-30z",
    Side.MERCENARY: "m0-13l13 13l-13 13l-13-13z",
}
"""Paths around the centre of a square."""


def small(position: Position) -> Json:
    """The context of `map/small.svg`: `land` as (colour, path), `bases` as (colour, path, is destroyed), `armies` as
    (colour, one path for all of a side), and the squares with a battle as one path."""
    outlines = land(position.board.terrain)
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "land": [(color, outlines[name]) for name, color in GROUND.items()],
        "bases": [
            (COLORS[base.side], _shapes_at([base.at], "m-14-14h28v28h-28z"), base.destroyed)
            for base in position.board.bases
        ],
        "towns": _shapes_at((town.at for town in position.board.towns), "m-9-9h18v18h-18z"),
        "armies": [
            (color, _shapes_at((army.at for army in position.armies if army.side is side), SHAPES[side]))
            for side, color in COLORS.items()
        ],
        "battles": _shapes_at((battle.at for battle in position.battles), "m-24-24l48 48m-48 0l48-48"),
    }


def _shapes_at(squares: Iterable[Square], shape: str) -> str:
    half = CELL // 2
    return "".join(f"M{(at.column - 1) * CELL + half} {at.row * CELL + half}{shape}" for at in dict.fromkeys(squares))
