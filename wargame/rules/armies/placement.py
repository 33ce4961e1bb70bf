"""2.5.2.3, 2.5.3: where the armies start: drop each near its starting base, and find the faults of its square and
the points that a judge may want to know."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from wargame.rules.armies.numbers import base_faults
from wargame.rules.core.board import RANGE, Base, Board, Square, nearest_free, squares_at
from wargame.rules.core.dice import Dice
from wargame.rules.core.faults import Fault, Finding
from wargame.rules.core.saying import marked
from wargame.rules.core.sides import Side
from wargame.rules.core.wording import count

NEARBY = 4
"""2.5.2.3: the maximum distance, in steps, at which an army starts near a base: there is room for 40 armies."""


@dataclass(frozen=True, slots=True)
class StartingArmy:
    """2.5.2.3: an army that is to be dropped. `base` is the name of the requested starting base; empty: any."""

    name: str
    side: Side
    tier: int
    colors: tuple[str, ...] = ()
    base: str = ""


@dataclass(frozen=True, slots=True)
class Dropped:
    """2.5.2.3: the square of an army, and its starting base."""

    name: str
    at: Square
    base: str


def bases_for(board: Board, starter: StartingArmy) -> tuple[Base, ...]:
    """2.5.2.3: the bases by which an army may start: those of its colours for a Coalition army, portals for a
    Phyrexian one."""
    return tuple(
        base
        for base in board.bases
        if base.side is starter.side and not base_faults(starter.side, starter.colors, base.color)
    )


def drop_armies(
    board: Board, starters: Sequence[StartingArmy], fixed: Mapping[str, Square], dice: Dice, number: int = 1
) -> tuple[Dropped, ...]:
    """2.5.2.3: a square for every army: the nearest free one round its base; drawn among equally near ones.

    Army by army, the highest ranks first, the teams in turn. Those that name no base go to their base that has the
    fewest. No army shares a square or is put onto anything built, and as long as there is a square nearby, no army is
    within a move of an enemy. `fixed` are squares that were set already. An army without a base is left out.
    """
    placed = _Placed(board, fixed, starters)
    by_name = {starter.name: starter for starter in starters}
    pending = [starter for starter in _in_order(starters) if starter.name not in fixed]
    dropped = [Dropped(name, at, placed.base_near(by_name[name], at)) for name, at in fixed.items() if name in by_name]
    for starter in pending:
        options = bases_for(board, starter)
        base = next((base for base in options if base.name == starter.base), None)
        if base is None and options:
            fewest = min(placed.crowd[base.name] for base in options)
            least = [base for base in options if placed.crowd[base.name] == fewest]
            base = dice.choose(f"base of {starter.name}", least, number)
        if base is not None:
            at = dice.choose(f"square of {starter.name}", placed.nearest(base.at, starter.side), number)
            placed.put(starter, at, base.name)
            dropped.append(Dropped(starter.name, at, base.name))
    return tuple(dropped)


class _Placed:
    """The occupied squares while armies are dropped, and the number of armies that start by each base."""

    def __init__(self, board: Board, fixed: Mapping[str, Square], starters: Sequence[StartingArmy]) -> None:
        self._board = board
        self._taken = {*fixed.values(), *(base.at for base in board.bases), *(town.at for town in board.towns)}
        self._sides: dict[Side, list[Square]] = {side: [] for side in Side}
        for base in board.bases:
            self._sides[base.side].append(base.at)
        self.crowd: Counter[str] = Counter()
        sides = {starter.name: starter.side for starter in starters}
        for name, at in fixed.items():
            self._sides[sides.get(name, Side.MERCENARY)].append(at)
        for starter in starters:
            if starter.name in fixed:
                self.crowd[self.base_near(starter, fixed[starter.name])] += 1

    def put(self, starter: StartingArmy, at: Square, base: str) -> None:
        self._taken.add(at)
        self._sides[starter.side].append(at)
        self.crowd[base] += 1

    def nearest(self, center: Square, side: Side) -> list[Square]:
        """The free squares at the smallest distance, row by row: out of the enemies' reach as long as one is nearby."""
        for steps in range(1, NEARBY + 1):
            free = [square for square in squares_at(center, steps) if square not in self._taken]
            if safe := [square for square in free if not self._is_in_reach(square, side)]:
                return safe
        return list(nearest_free(center, self._taken))

    def base_near(self, starter: StartingArmy, at: Square) -> str:
        """The nearest to a square of the bases by which the army may start; the one that it asks for, if that is
        nearby; empty if there is none."""
        options = sorted(bases_for(self._board, starter), key=lambda base: base.at.distance(at))
        choice = next((b for b in options if b.name == starter.base and b.at.distance(at) <= NEARBY), None)
        return choice.name if choice else options[0].name if options else ""

    def _is_in_reach(self, square: Square, side: Side) -> bool:
        """3.2.2.1: whether an enemy could get there in a turn, from its armies' current or future squares."""
        enemy_squares = (at for other, squares in self._sides.items() if other is not side for at in squares)
        return any(square.distance(at) <= RANGE for at in enemy_squares)


def _in_order(starters: Sequence[StartingArmy]) -> list[StartingArmy]:
    """The order in which armies are dropped: the highest ranks first, and of a rank the teams in turn, by name."""
    ranked: dict[tuple[int, Side], list[StartingArmy]] = {}
    for starter in sorted(starters, key=lambda starter: starter.name):
        ranked.setdefault((starter.tier, starter.side), []).append(starter)
    places = {s.name: (s.tier, place, list(Side).index(s.side)) for g in ranked.values() for place, s in enumerate(g)}
    return sorted(starters, key=lambda starter: places[starter.name])


@dataclass(frozen=True, slots=True)
class PlacedArmy:
    """2.5.2.3: an army of a team and its starting square; None: it has none yet."""

    starter: StartingArmy
    at: Square | None


FAR = marked(
    "{name} would start {away} steps from {base}, the nearest base it can start near (up to {nearby} counts as nearby)."
)


class PlaceFault(Fault):
    """1.2, 2.5.2.3: the faults of an army's square. Breaches must be corrected before the round starts."""

    NO_SQUARE = "{rule}", "There is no square for {name} yet."
    OFF_MAP = "1.2", "{name} would start on {at}, which isn't on the map. Squares run from 1A to 38N."
    WITH_FRIEND = "3.3.1", "{name} and {other} are both on {at}; friends can't share a square."
    WITH_ENEMY = "3.2.1", "{name} and {other} are both on {at}, so they would fight right away."
    IN_BASE_OF_ENEMY = "2.5.2.3", "{name} would start on {base}, an enemy base."
    IN_TOWN = "6.1", "{name} would start in {town}, where a town defender starts."
    NO_BASE = "2.5.2.3", "There is no base in the colours of {name} to start near."
    BY_WRONG_BASE = "2.5.2.3", FAR
    FAR_FROM_BASES = "2.5.2.3", FAR, False
    NOT_AS_ASKED = "2.5.2.3", "{name} asked to start near {asked} but would start near {base}.", False
    IN_REACH = "3.2.2.1", "{name} would start within a move of {enemy}, {steps} away.", False


@dataclass(frozen=True, slots=True)
class PlaceFinding(Finding):
    """A fault of the square of the army that the facts call `name`."""

    @property
    def army(self) -> str:
        return str(self.facts["name"])


def place_faults(
    board: Board, standing: Sequence[PlacedArmy], mercenaries: Sequence[PlacedArmy] = ()
) -> tuple[PlaceFinding, ...]:
    """2.5.2.3: all findings on the squares of the teams' armies, in their order. `mercenaries` count only as armies
    that they may meet."""
    everybody = (*standing, *mercenaries)
    return tuple(fault for army in standing for fault in _faults(board, army, everybody))


def shared_squares(standing: Sequence[PlacedArmy]) -> tuple[PlaceFinding, ...]:
    """3.3.1: where two of these armies are on one square."""
    return tuple(fault for army in standing if army.at for fault in _shared(army, army.at, standing))


def _faults(board: Board, army: PlacedArmy, armies: Sequence[PlacedArmy]) -> Iterator[PlaceFinding]:
    name, at = army.starter.name, army.at
    if at is None:
        yield PlaceFinding(PlaceFault.NO_SQUARE, {"name": name, "rule": "2.5.2.3"})
        return
    if not at.on_map:
        yield PlaceFinding(PlaceFault.OFF_MAP, {"name": name, "at": at})
        return
    yield from _shared(army, at, armies)
    yield from _built(board, army, at)
    yield from _by_its_base(board, army, at)
    yield from _reached(army, at, armies)


def _shared(army: PlacedArmy, at: Square, armies: Sequence[PlacedArmy]) -> Iterator[PlaceFinding]:
    """3.3.1, 3.2.1: two armies that start on one square. Each pair is reported once."""
    place = armies.index(army)
    for other in armies[place + 1 :]:
        if other.at == at and other is not army:
            is_friend = other.starter.side is army.starter.side
            facts = {"name": army.starter.name, "other": other.starter.name, "at": at}
            yield PlaceFinding(PlaceFault.WITH_FRIEND if is_friend else PlaceFault.WITH_ENEMY, facts)


def _built(board: Board, army: PlacedArmy, at: Square) -> Iterator[PlaceFinding]:
    name, base = army.starter.name, board.base_by_square.get(at)
    if base is not None and base.side is not army.starter.side:
        yield PlaceFinding(PlaceFault.IN_BASE_OF_ENEMY, {"name": name, "base": base.name})
    if town := board.town_by_square.get(at):
        yield PlaceFinding(PlaceFault.IN_TOWN, {"name": name, "town": town.name})


def _by_its_base(board: Board, army: PlacedArmy, at: Square) -> Iterator[PlaceFinding]:
    """2.5.2.3: the army is near a base by which it may start, and near the requested one."""
    name, bases = army.starter.name, bases_for(board, army.starter)
    if not bases:
        yield PlaceFinding(PlaceFault.NO_BASE, {"name": name})
        return
    nearest = min(bases, key=lambda base: base.at.distance(at))
    away = nearest.at.distance(at)
    if away > NEARBY:
        friendly = [base for base in board.bases if base.side is army.starter.side]
        is_others = any(base.at.distance(at) < away for base in friendly)
        facts = {"name": name, "away": away, "base": nearest.name, "nearby": NEARBY}
        yield PlaceFinding(PlaceFault.BY_WRONG_BASE if is_others else PlaceFault.FAR_FROM_BASES, facts)
    named_base = _base_called(board, army.starter.base)
    if named_base is not None and named_base is not nearest and named_base.at.distance(at) > NEARBY:
        yield PlaceFinding(PlaceFault.NOT_AS_ASKED, {"name": name, "asked": named_base.name, "base": nearest.name})


def _reached(army: PlacedArmy, at: Square, armies: Sequence[PlacedArmy]) -> Iterator[PlaceFinding]:
    """3.2.2.1: whether a battle could begin in the first turn."""
    enemies = [
        (other.at.distance(at), other.starter.name)
        for other in armies
        if other.starter.side is not army.starter.side and other.at is not None and other.at.on_map
    ]
    steps, enemy = min(enemies, default=(RANGE + 1, ""))
    if 0 < steps <= RANGE:
        away = count(steps, "step")
        yield PlaceFinding(PlaceFault.IN_REACH, {"name": army.starter.name, "enemy": enemy, "steps": away})


def _base_called(board: Board, name: str) -> Base | None:
    return next((base for base in board.bases if base.name == name), None)
