"""6.2.1, R51: the guidelines of the ocean's theme army, the ocean areas of the map, and the army's ways from one
area to another."""

from functools import lru_cache

from wargame.rules.core.board import RANGE, TERRAINS, Board, Square, all_squares, squares_at
from wargame.rules.core.position import Army, Campaign
from wargame.rules.core.sides import Faction
from wargame.rules.mercenaries.outlook import (
    Considered,
    Decision,
    Outlook,
    engaging,
    moving,
    nearest_to,
    not_engaging,
    reach,
    staying,
)
from wargame.rules.mercenaries.reasoning import Course, Why
from wargame.rules.mercenaries.themes import may_patrol

OCEAN = "ocean"
MAPS = 16
"""The number of maps whose areas a process caches."""

_LETTER = next(letter for letter, name in TERRAINS.items() if name == OCEAN)


def area_at(board: Board, square: Square) -> Square | None:
    """6.2.1: the ocean area of a square, named by its first square row by row; None on any other terrain."""
    return _areas(board.terrain).get(square)


def is_ocean(board: Board, square: Square) -> bool:
    """R2, R51: whether a square is ocean."""
    return board.terrain[square.row][square.column - 1] == _LETTER


def ocean_squares(board: Board) -> tuple[Square, ...]:
    """6.2.1: all ocean squares, row by row."""
    return tuple(_areas(board.terrain))


def turns_to_another_area(board: Board, area: Square) -> dict[Square, int]:
    """6.2.1: for the squares of an area, in how many moves, each ending on the ocean, the army is in another one.

    Empty if no area can be reached in that way.
    """
    return _turns_to_another_area(board.terrain, area)


@lru_cache(maxsize=MAPS)
def _areas(terrain: tuple[str, ...]) -> dict[Square, Square]:
    """The squares of all ocean areas, each with its area's name. An area is connected by orthogonal steps."""
    oceans = [square for square in all_squares() if terrain[square.row][square.column - 1] == _LETTER]
    areas: dict[Square, Square] = {}
    for first in oceans:
        queue = [] if first in areas else [first]
        while queue:
            square = queue.pop()
            if square in areas:
                continue
            areas[square] = first
            queue += [other for other in squares_at(square, 1) if terrain[other.row][other.column - 1] == _LETTER]
    return {square: areas[square] for square in oceans}


@lru_cache(maxsize=MAPS)
def _turns_to_another_area(terrain: tuple[str, ...], area: Square) -> dict[Square, int]:
    areas = _areas(terrain)
    turns: dict[Square, int] = {}
    front, count = [square for square, name in areas.items() if name != area], 0
    while front:
        count += 1
        reached = {other for square in front for other in reach(square) if areas.get(other) == area}
        front = sorted(reached - turns.keys())
        turns |= dict.fromkeys(front, count)
    return turns


OURS = Faction.OCEAN_THEME
GUIDELINE = "6.2.1"

SEVERAL_BATTLES = 3
"""6.2.1: the number of battles in one ocean area that make it move on to another, if one can be reached."""


def decide(army: Army, view: Outlook) -> Decision:
    """6.2.1: it attacks armies that come in range on the ocean, rarely the same target twice, and patrols all
    oceans."""
    campaign = army.campaign or Campaign()
    considered: list[Considered] = []
    targets = _targets(army, campaign, considered, view)
    if moves_on := _move_on(army, campaign, targets, view):
        return moves_on
    if targets:
        enemy = view.dice.choose(f"target of {army.name}", targets)
        why = Why.ATTACKS_ON_OCEAN(army=army.name, enemy=enemy.name)
        considered += [not_engaging(other, Why.DRAWN_ANOTHER()) for other in targets if other is not enemy]
        return engaging(army, OURS, enemy, GUIDELINE, why, tuple(considered))
    return _patrol(army, tuple(considered), view)


def _targets(army: Army, campaign: Campaign, considered: list[Considered], view: Outlook) -> list[Army]:
    """R51: in range on the ocean, never its last opponent while there is another target."""
    enemies = []
    for enemy in view.within(army.at, RANGE):
        why_not = view.why_not_engaged(army, enemy)
        if not is_ocean(view.board, enemy.at):
            why_not = Why.NO_OCEAN(at=str(enemy.at), terrain=view.board.terrain_at(enemy.at))
        if why_not:
            considered.append(not_engaging(enemy, why_not))
        else:
            enemies.append(enemy)
    fresh = [enemy for enemy in enemies if enemy.name not in campaign.fought]
    if fresh and len(fresh) < len(enemies):
        considered += [not_engaging(enemy, Why.FOUGHT_LAST()) for enemy in enemies if enemy not in fresh]
    return fresh or enemies


def _move_on(army: Army, campaign: Campaign, targets: list[Army], view: Outlook) -> Decision | None:
    """6.2.1: after several battles in one ocean area it makes for another, even if armies are left in this one."""
    area = area_at(view.board, army.at)
    if area is None or area != campaign.area or campaign.battles < SEVERAL_BATTLES:
        return None
    turns = turns_to_another_area(view.board, area)
    here = turns.get(army.at)
    if here is None:
        return None
    squares = view.free([square for square in reach(army.at) if is_ocean(view.board, square)], army)
    counts = [turns.get(square, 0) for square in squares]
    least = min(counts, default=here)
    if least >= here:
        return None
    nearest = [square for square, number in zip(squares, counts, strict=True) if number == least]
    to = view.dice.choose(f"way of {army.name}", nearest)
    why = Why.MOVES_ON(army=army.name, battles=campaign.battles)
    considered = tuple(not_engaging(enemy, Why.LEAVES_AREA()) for enemy in targets)
    return moving(army, OURS, to, GUIDELINE, why, considered)


def _patrol(army: Army, considered: tuple[Considered, ...], view: Outlook) -> Decision:
    """6.2.1: any free ocean square in reach; back to the ocean if it was driven off it."""
    squares = view.free([s for s in reach(army.at) if is_ocean(view.board, s) and may_patrol(s, view)], army)
    if squares:
        to = view.dice.choose(f"patrol of {army.name}", squares)
        option = Considered(Course.OCEAN_SQUARES(squares=len(squares)), Why.DRAWN_ONE())
        return moving(army, OURS, to, GUIDELINE, Why.PATROLS_OCEAN(army=army.name), (*considered, option))
    if not is_ocean(view.board, army.at) and (back := _back_to_the_ocean(army, view)):
        return moving(army, OURS, back, GUIDELINE, Why.RETURNS_TO_OCEAN(army=army.name), considered)
    return staying(army, OURS, GUIDELINE, Why.STAYS_ON_OCEAN(army=army.name), considered)


def _back_to_the_ocean(army: Army, view: Outlook) -> Square | None:
    """R22, R78: toward the nearest ocean square; ties are drawn."""
    oceans = nearest_to(army.at, list(ocean_squares(view.board)))
    return view.toward(army, view.dice.choose(f"goal of {army.name}", oceans)) if oceans else None
