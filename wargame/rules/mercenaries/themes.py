"""6.2.1, 6.2.3, R51: the guidelines of the theme armies."""

from wargame.rules.core.board import RANGE, Square
from wargame.rules.core.phrases import Fact
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
    not_engaging,
    reach,
    staying,
)
from wargame.rules.mercenaries.reasoning import Course, Why

OURS = Faction.THEME
TERRITORY = RANGE
"""R51: the steps from its starting square within which a theme army patrols."""


def decide(army: Army, view: Outlook) -> Decision:
    """6.2.1, 6.2.3: it patrols its territory and attacks armies that come near; at war it seeks its enemies."""
    enemies = army.campaign.at_war if army.campaign else ()
    return _at_war(army, enemies, view) if enemies else _at_peace(army, view)


def _at_peace(army: Army, view: Outlook) -> Decision:
    """6.2.1, R51: it attacks the nearest of the armies within a move of its starting square; else it patrols."""
    home = army.home or army.at
    considered = [
        not_engaging(enemy, Why.NOT_IN_TERRITORY(at=str(enemy.at), steps=TERRITORY, home=str(home)))
        for enemy in view.within(army.at, RANGE)
        if enemy.at.distance(home) > TERRITORY
    ]
    intruders = []
    for enemy in view.within(home, TERRITORY):
        if why_not := view.why_not_engaged(army, enemy):
            considered.append(not_engaging(enemy, why_not))
        else:
            intruders.append(enemy)
    if not intruders:
        return _patrol(army, home, tuple(considered), view)
    enemy = view.nearest(army, intruders, "target")
    considered += _passed_over(army, enemy, intruders)
    if army.at.distance(enemy.at) <= RANGE:
        why = Why.DEFENDS_TERRITORY(army=army.name, enemy=enemy.name, home=str(home))
        return engaging(army, OURS, enemy, "6.2.1", why, tuple(considered))
    facts: dict[str, Fact] = {"army": army.name, "enemy": enemy.name, "at": str(enemy.at), "home": str(home)}
    if to := view.toward(army, enemy.at):
        return moving(army, OURS, to, "6.2.1", Why.MAKES_FOR(**facts), tuple(considered))
    return staying(army, OURS, "6.2.1", Why.CAN_NOT_APPROACH(**facts), tuple(considered))


def _passed_over(army: Army, target: Army, candidates: list[Army]) -> list[Considered]:
    distance = army.at.distance(target.at)
    return [
        not_engaging(other, Why.DRAWN_ANOTHER() if army.at.distance(other.at) == distance else Why.FARTHER())
        for other in candidates
        if other is not target
    ]


def _patrol(army: Army, home: Square, considered: tuple[Considered, ...], view: Outlook) -> Decision:
    """6.2.1, R51: anywhere in its territory, next to no base or portal; back to it if it was driven off."""
    territory = disc(home, TERRITORY)
    squares = view.free([s for s in reach(army.at) if s in territory and may_patrol(s, view)], army)
    if squares:
        to = view.dice.choose(f"patrol of {army.name}", squares)
        why = Why.PATROLS(army=army.name, steps=TERRITORY, home=str(home))
        option = Considered(Course.FREE_SQUARES(squares=len(squares)), Why.DRAWN_ONE())
        return moving(army, OURS, to, "6.2.1", why, (*considered, option))
    if army.at.distance(home) > TERRITORY and (back := view.toward(army, home)):
        why = Why.RETURNS_TO_TERRITORY(army=army.name, home=str(home))
        return moving(army, OURS, back, "6.2.1", why, considered)
    return staying(army, OURS, "6.2.1", Why.STAYS_AT_HOME(army=army.name), considered)


def may_patrol(square: Square, view: Outlook) -> bool:
    """6.2.1: not onto or next to a base or portal, and into no town."""
    return square not in view.board.near_bases and square not in view.board.town_by_square


def _at_war(army: Army, enemies: tuple[Side, ...], view: Outlook) -> Decision:
    """6.2.3, R51: its enemies in range first, the nearest of them; then any army in range; else to the front."""
    considered, foes, neutrals = _targets_at_war(army, enemies, view)
    if foes or neutrals:
        enemy = view.nearest(army, foes or neutrals, "target")
        attacks = Why.ATTACKS_ITS_ENEMY if foes else Why.ATTACKS_ANOTHER
        why = attacks(army=army.name, teams=_teams(enemies), enemy=enemy.name)
        rest = [
            *_passed_over(army, enemy, foes),
            *(not_engaging(other, Why.ENEMIES_FIRST()) for other in neutrals if foes),
        ]
        rest += [] if foes else _passed_over(army, enemy, neutrals)
        return engaging(army, OURS, enemy, "6.2.3", why, (*considered, *rest))
    return _advance(army, enemies, considered, view)


def _targets_at_war(
    army: Army, enemies: tuple[Side, ...], view: Outlook
) -> tuple[tuple[Considered, ...], list[Army], list[Army]]:
    """6.2.3: the targets that can't be attacked; and of the others, the armies of the teams it is at war with, and
    the rest."""
    considered: list[Considered] = []
    foes: list[Army] = []
    neutrals: list[Army] = []
    for enemy in view.within(army.at, RANGE):
        why_not = Why.BY_BASE() if enemy.at in view.board.near_bases else None
        why_not = why_not or view.why_not_engaged(army, enemy)
        if why_not:
            considered.append(not_engaging(enemy, why_not))
        else:
            (foes if enemy.side in enemies else neutrals).append(enemy)
    return tuple(considered), foes, neutrals


def _advance(army: Army, enemies: tuple[Side, ...], considered: tuple[Considered, ...], view: Outlook) -> Decision:
    """6.2.3: towards the nearest army that it is at war with, never onto or next to a base or portal."""
    hostile = [other for other in view.teams if other.side in enemies]
    if not hostile:
        return _patrol(army, army.home or army.at, considered, view)
    goal = view.nearest(army, hostile, "goal")
    to = view.toward(army, goal.at, lambda square: square not in view.board.near_bases)
    if to is None and army.at in view.board.near_bases:
        to = _away_from_bases(army, view)
    facts: dict[str, Fact] = {
        "army": army.name,
        "teams": _teams(enemies),
        "enemy": goal.name,
        "at": str(goal.at),
    }
    if to is None:
        return staying(army, OURS, "6.2.3", Why.CAN_NOT_ADVANCE(**facts), considered)
    return moving(army, OURS, to, "6.2.3", Why.ADVANCES(**facts), considered)


def _away_from_bases(army: Army, view: Outlook) -> Square | None:
    """6.2.3: the nearest free square away from bases, for an army that was driven to one; ties are drawn."""
    options = nearest_to(army.at, view.free([s for s in reach(army.at) if s not in view.board.near_bases], army))
    return view.dice.choose(f"way of {army.name}", options) if options else None


def _teams(enemies: tuple[Side, ...]) -> tuple[str, ...]:
    return tuple(side.title for side in enemies)
