"""1.2, 1.7, 2.3.1: a position as what the map's template draws: plain dicts of numbers, ids and words; with small marks
for how far a siege or a victory has come, and who heals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext, gettext_noop, ngettext, pgettext_lazy

from judging.drawing.arrows import army_id, arrows_of
from judging.drawing.crests import crest_of, short_side
from judging.drawing.terrain import CELL, HEIGHT, WIDTH, land, squares
from wargame.rules.core.board import ROWS, Base, Board, Square, Town, all_squares
from wargame.rules.core.codec import Json
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Side
from wargame.rules.core.troops import alive_by_slot, strength_by_slot
from wargame.rules.settling.days import SIEGE_DAYS, is_besieging
from wargame.rules.settling.healing import days_to_healing

Drawn = Json

MARGIN = 22
CREST = 32
FULL, HALF = 0.75, 0.5
"""1.2: armies on one square are drawn at half size."""

BAR = 22


def draw(position: Position, events: Iterable[Drawn] = ()) -> Drawn:
    """Everything that `map/svg.html` needs; `events` are those whose moves are drawn as arrows."""
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
    words = [str(square), terrain_word(board.terrain_at(square))] + ([built.name] if built else [])
    return ", ".join(words)


TERRAIN_WORDS = {
    "ocean": pgettext_lazy("terrain of a square", "ocean"),
    "islands": pgettext_lazy("terrain of a square", "islands"),
    "plains": pgettext_lazy("terrain of a square", "plains"),
    "mountain": pgettext_lazy("terrain of a square", "mountain"),
    "forest": pgettext_lazy("terrain of a square", "forest"),
    "swamp": pgettext_lazy("terrain of a square", "swamp"),
}


def terrain_word(terrain: str) -> str:
    """A terrain as it is read: `plains`."""
    return str(TERRAIN_WORDS.get(terrain, terrain))


def building_words(board: Board, square: Square) -> str:
    """1.1, 2.5.1.4: what is built on a square: `Portal of Phyrexia`, `Neutral town`; empty for open land."""
    if base := board.base_by_square.get(square):
        return _what(base)
    return gettext("Neutral town") if square in board.town_by_square else ""


def battle_words(position: Position, name: str) -> str:
    """`attacking Bob`, `defending against Bob`, `fighting Bob`; empty if the army does not fight."""
    battle = position.battle_of.get(name)
    if battle is None:
        return ""
    own = 0 if name in battle.sides[0] else 1
    enemies = gettext(" and ").join(battle.sides[1 - own])
    if battle.defends is None:
        told = gettext("fighting %(enemies)s")
    elif battle.defends == own:
        told = gettext("defending against %(enemies)s")
    else:
        told = gettext("attacking %(enemies)s")
    return told % {"enemies": enemies}


def _armies(position: Position, marked: dict[str, str]) -> list[Drawn]:
    """Row by row, so that the keyboard walks the map as it is read; `marked` are the words of marks by army."""
    drawn = []
    for square in (s for s in all_squares() if s in position.by_square):
        armies = _by_battle_side(position, square)
        places = zip(armies, _places(position, armies), strict=True)
        drawn += [_army(position, army, place) | {"mark": marked.get(army.name, "")} for army, place in places]
    return drawn


def _by_battle_side(position: Position, square: Square) -> list[Army]:
    """The armies of a square, those of a battle's first side first."""
    armies = position.by_square[square]
    return sorted(armies, key=lambda army: (_battle_side(position, army), army.side.value, army.name))


def _battle_side(position: Position, army: Army) -> int:
    battle = position.battle_of.get(army.name)
    return 1 if battle and army.name in battle.sides[1] else 0


def _places(position: Position, armies: Sequence[Army]) -> list[tuple[float, float, float]]:
    """x, y and scale within the square: alone in the middle, else each side a column of small ones."""
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
    alive, of = alive_by_slot(army.troops), strength_by_slot(army.troops)
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
        "of": sum(of),
        "slots": alive,
        "battle": battle_words(position, army.name),
        "captured": army.captivity is not None,
        "groups": " ".join((army.side.value, f"tier{army.tier}", *army.colors)),
        "empty": army.is_empty,
    }


def _strengths(position: Position) -> Drawn:
    """A line under each army that stands alone: its full length is its strength, the coloured part is alive."""
    alone = [armies[0] for armies in position.by_square.values() if len(armies) == 1]
    sides = {side: "".join(_line(a) for a in alone if a.side is side) for side in Side}
    whole = "".join(f"M{x + 5} {y + 29}h{BAR}" for x, y in (_origin(army.at) for army in alone))
    return {"all": whole, "sides": {side.value: path for side, path in sides.items() if path}}


def _line(army: Army) -> str:
    (x, y), alive, of = _origin(army.at), sum(t.alive for t in army.troops), sum(t.of for t in army.troops)
    return f"M{x + 5} {y + 29}h{max(1, round(BAR * alive / of))}" if alive else ""


def _base(base: Base) -> Drawn:
    x, y = _origin(base.at)
    kind = base.color or base.side.value
    drawn = {"name": base.name, "at": str(base.at), "x": x, "y": y, "color": kind, "what": _what(base)}
    return {**drawn, "win": base.win, "destroyed": base.destroyed}


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
    words = [gettext(BASES[base.color]) if base.color else gettext("Portal of Phyrexia")]
    words += [gettext("win condition")] if base.win else []
    words += [gettext("destroyed")] if base.destroyed else []
    return ", ".join(words)


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
    """The marks, each with its place, its sign, its class and what it says; at most one an army."""
    return [mark for army in position.armies if (mark := _mark(position, army))]


def _mark(position: Position, army: Army) -> dict[str, object] | None:
    if army.days and is_besieging(army, position.board):
        return _mark_drawn(army, "siege", f"{army.days}/{SIEGE_DAYS}", _siege_words(army))
    if army.winning_days:
        words = gettext("day %(winning_days)s of %(siege_days)s towards winning the round (1.7.2)") % {
            "winning_days": army.winning_days,
            "siege_days": SIEGE_DAYS,
        }
        return _mark_drawn(army, "win", f"{army.winning_days}/{SIEGE_DAYS}", words)
    wait = days_to_healing(army, position.board)
    if wait is None or army.is_partially_converted:
        return None
    return _mark_drawn(army, "heal", "+", _heals(wait))


def _heals(wait: int) -> str:
    """2.3.1."""
    told = ngettext("heals after %(number)s more day (2.3.1)", "heals after %(number)s more days (2.3.1)", wait)
    return told % {"number": wait}


def _siege_words(army: Army) -> str:
    """1.7.1."""
    if army.days >= SIEGE_DAYS:
        return gettext("all %(siege_days)s days counted: it will destroy the base next if it stays (1.7.1)") % {
            "siege_days": SIEGE_DAYS
        }
    return gettext("day %(days)s of %(siege_days)s towards destroying the base (1.7.1)") % {
        "days": army.days,
        "siege_days": SIEGE_DAYS,
    }


def _mark_drawn(army: Army, kind: str, sign: str, words: str) -> dict[str, object]:
    x, y = (army.at.column - 1) * CELL, army.at.row * CELL
    return {"army": army.name, "kind": kind, "sign": sign, "words": words, "x": x + CELL - 2, "y": y + 9}
