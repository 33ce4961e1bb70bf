"""6.2.1, 6.2.3, R51: the guidelines of the theme armies."""

from __future__ import annotations

from wargame.rules.core.board import RANGE, Square
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Faction, Side
from wargame.rules.mercenaries.outlook import (
    Considered,
    Decision,
    Outlook,
    disc,
    engaging,
    moving,
    nearest_to,
    reach,
    staying,
)

OURS = Faction.THEME
TERRITORY = RANGE
"""R51: the steps from its starting square within which a theme army patrols."""


def decide(army: Army, view: Outlook) -> Decision:
    """6.2.1, 6.2.3: it patrols its territory and attacks what comes near; at war it advances on its enemies."""
    enemies = army.campaign.at_war if army.campaign else ()
    return _at_war(army, enemies, view) if enemies else _at_peace(army, view)


def _at_peace(army: Army, view: Outlook) -> Decision:
    """6.2.1: the nearest army within a move of its starting square and of itself; else it patrols."""
    home = army.home or army.at
    considered = []
    for enemy in view.within(army.at, RANGE):
        if enemy.at.distance(home) > TERRITORY:
            considered.append(Considered(f"engage {enemy.name}", f"{enemy.at} is not within {TERRITORY} of {home}"))
        elif why_not := view.why_not_engaged(army, enemy):
            considered.append(Considered(f"engage {enemy.name}", why_not))
        else:
            return _attack(army, enemy, home, tuple(considered), view)
    return _patrol(army, home, tuple(considered), view)


def _attack(army: Army, first: Army, home: Square, considered: tuple[Considered, ...], view: Outlook) -> Decision:
    near = [
        enemy
        for enemy in view.within(army.at, RANGE)
        if enemy.at.distance(home) <= TERRITORY and not view.why_not_engaged(army, enemy)
    ]
    enemy = view.nearest(army, near, "target")
    why = f"{army.name} attacks {enemy.name}, the nearest army that came within a move of {home}, where it began."
    return engaging(army, OURS, enemy, "6.2.1", why, (*considered, *_passed_over(army, enemy, near)))


def _passed_over(army: Army, chosen: Army, others: list[Army]) -> list[Considered]:
    near = army.at.distance(chosen.at)
    return [
        Considered(
            f"engage {other.name}", "the draw chose another" if army.at.distance(other.at) == near else "farther"
        )
        for other in others
        if other is not chosen
    ]


def _patrol(army: Army, home: Square, considered: tuple[Considered, ...], view: Outlook) -> Decision:
    """6.2.1, R51: anywhere in its territory, next to no base or portal; back to it if it was driven off."""
    territory = disc(home, TERRITORY)
    squares = view.free([s for s in reach(army.at) if s in territory and may_patrol(s, view)], army)
    if squares:
        to = view.dice.choose(f"patrol of {army.name}", squares)
        why = f"{army.name} patrols its territory, the squares within {TERRITORY} of {home}."
        return moving(army, OURS, to, "6.2.1", why, (*considered, Considered(_count(squares), "one of them was drawn")))
    if army.at.distance(home) > TERRITORY and (back := view.toward(army, home)):
        return moving(army, OURS, back, "6.2.1", f"{army.name} returns to its territory around {home}.", considered)
    return staying(army, OURS, "6.2.1", f"{army.name} stays: no square of its territory is free.", considered)


def may_patrol(square: Square, view: Outlook) -> bool:
    """6.2.1: not onto or next to a base or portal, and into no town."""
    return square not in view.board.near_bases and square not in view.board.town_by_square


def _count(squares: list[Square]) -> str:
    return f"{len(squares)} free squares in reach" if len(squares) > 1 else "1 free square in reach"


def _at_war(army: Army, enemies: tuple[Side, ...], view: Outlook) -> Decision:
    """6.2.3, R51: its enemies in range first, the nearest of them; then whoever is in range; else towards the front."""
    considered, ours, others = _targets_at_war(army, enemies, view)
    if ours or others:
        enemy = view.nearest(army, ours or others, "target")
        whom = "the nearest of its enemies in range" if ours else "the nearest army in range, none of its enemies"
        why = f"{army.name} is at war with {_sides(enemies)} and attacks {enemy.name}, {whom}."
        rest = [*_passed_over(army, enemy, ours), *(_not_first(other) for other in others if ours)]
        rest += [] if ours else _passed_over(army, enemy, others)
        return engaging(army, OURS, enemy, "6.2.3", why, (*considered, *rest))
    return _advance(army, enemies, considered, view)


def _targets_at_war(
    army: Army, enemies: tuple[Side, ...], view: Outlook
) -> tuple[tuple[Considered, ...], list[Army], list[Army]]:
    """6.2.3: what can't be attacked; and of what can, the armies of the teams it is at war with, and the others."""
    considered: list[Considered] = []
    ours: list[Army] = []
    others: list[Army] = []
    for enemy in view.within(army.at, RANGE):
        why_not = "it is in or next to a base or portal" if enemy.at in view.board.near_bases else ""
        why_not = why_not or view.why_not_engaged(army, enemy)
        if why_not:
            considered.append(Considered(f"engage {enemy.name}", why_not))
        else:
            (ours if enemy.side in enemies else others).append(enemy)
    return tuple(considered), ours, others


def _not_first(other: Army) -> Considered:
    return Considered(f"engage {other.name}", "its enemies come first")


def _advance(army: Army, enemies: tuple[Side, ...], considered: tuple[Considered, ...], view: Outlook) -> Decision:
    """6.2.3: towards the nearest army that it is at war with, never onto or next to a base or portal."""
    hostile = [other for other in view.teams if other.side in enemies]
    if not hostile:
        return _patrol(army, army.home or army.at, considered, view)
    goal = view.nearest(army, hostile, "goal")
    to = view.toward(army, goal.at, lambda square: square not in view.board.near_bases)
    war = f"{army.name} is at war with {_sides(enemies)}"
    if to is None and army.at in view.board.near_bases:
        to = _away_from_bases(army, view)
    if to is None:
        why = f"{war} and stays: no free square nearer to {goal.name} on {goal.at} is away from bases and portals."
        return staying(army, OURS, "6.2.3", why, considered)
    why = f"{war} and advances towards {goal.name} on {goal.at}, the nearest of its enemies."
    return moving(army, OURS, to, "6.2.3", why, considered)


def _away_from_bases(army: Army, view: Outlook) -> Square | None:
    """6.2.3: the nearest free square away from bases, for an army that was driven to one; ties are drawn."""
    near = nearest_to(army.at, view.free([s for s in reach(army.at) if s not in view.board.near_bases], army))
    return view.dice.choose(f"way of {army.name}", near) if near else None


def _sides(enemies: tuple[Side, ...]) -> str:
    return " and ".join(side.title for side in enemies)
