"""6.2.1, R51: the guidelines of the ocean's theme army."""

from __future__ import annotations

from ..board import Square
from ..legality import RANGE
from ..position import Army, Campaign
from ..sides import Faction
from .decisions import Considered, Decision, engaging, moving, staying
from .oceans import area_at, is_ocean, ocean_squares, turns_to_another_area
from .outlook import Outlook, reach
from .themes import may_patrol

OURS = Faction.OCEAN_THEME
GUIDELINE = "6.2.1"

SEVERAL_BATTLES = 3
"""6.2.1: how many battles in one ocean area make it move on to another, if one can be reached."""


def decide(army: Army, view: Outlook) -> Decision:
    """6.2.1: it attacks what comes in range on the ocean, rarely the same target twice, and patrols all oceans."""
    campaign = army.campaign or Campaign()
    considered: list[Considered] = []
    targets = _targets(army, campaign, considered, view)
    if moves_on := _move_on(army, campaign, targets, view):
        return moves_on
    if targets:
        enemy = view.nearest(army, targets, "target")
        why = f"{army.name} attacks {enemy.name}, the nearest army in range on the ocean."
        considered += [Considered(f"engage {other.name}", "not the nearest") for other in targets if other is not enemy]
        return engaging(army, OURS, enemy, GUIDELINE, why, tuple(considered))
    return _patrol(army, tuple(considered), view)


def _targets(army: Army, campaign: Campaign, considered: list[Considered], view: Outlook) -> list[Army]:
    """R51: within 3 of itself, on ocean, never the one that it fought last while another is in range."""
    found = []
    for enemy in view.within(army.at, RANGE):
        why_not = "" if is_ocean(view.board, enemy.at) else f"{enemy.at} is {view.board.terrain_at(enemy.at)}"
        why_not = why_not or view.why_not_engaged(army, enemy)
        if why_not:
            considered.append(Considered(f"engage {enemy.name}", why_not))
        else:
            found.append(enemy)
    fresh = [enemy for enemy in found if enemy.name not in campaign.fought]
    if fresh and len(fresh) < len(found):
        why_not = "it fought that army last, and another is in range"
        considered += [Considered(f"engage {e.name}", why_not) for e in found if e not in fresh]
    return fresh or found


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
    left = [turns.get(square, 0) for square in squares]
    least = min(left, default=here)
    if least >= here:
        return None
    nearest = [square for square, number in zip(squares, left, strict=True) if number == least]
    to = view.dice.choose(f"way of {army.name}", nearest)
    why = f"{army.name} moves on to another ocean area, after {campaign.battles} battles in this one."
    others = tuple(Considered(f"engage {enemy.name}", "it leaves the armies of this area") for enemy in targets)
    return moving(army, OURS, to, GUIDELINE, why, others)


def _patrol(army: Army, considered: tuple[Considered, ...], view: Outlook) -> Decision:
    """6.2.1: any free ocean square in reach; back to the ocean if it was driven off it."""
    squares = view.free([s for s in reach(army.at) if is_ocean(view.board, s) and may_patrol(s, view)], army)
    if squares:
        to = view.dice.choose(f"patrol of {army.name}", squares)
        drawn = Considered(f"{len(squares)} free ocean squares in reach", "one of them was drawn")
        return moving(army, OURS, to, GUIDELINE, f"{army.name} patrols the ocean.", (*considered, drawn))
    if not is_ocean(view.board, army.at) and (back := _back_to_the_ocean(army, view)):
        return moving(army, OURS, back, GUIDELINE, f"{army.name} returns to the ocean.", considered)
    return staying(army, OURS, GUIDELINE, f"{army.name} stays: no ocean square in reach is free.", considered)


def _back_to_the_ocean(army: Army, view: Outlook) -> Square | None:
    oceans = ocean_squares(view.board)
    return view.toward(army, min(oceans, key=army.at.distance)) if oceans else None
