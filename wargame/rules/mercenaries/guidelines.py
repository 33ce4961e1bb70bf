"""R48, R78: each mercenary's order by its faction's guidelines, one after the other, so that no two want one square."""

from collections.abc import Callable, Mapping

from wargame.rules.core.board import Board, Square
from wargame.rules.core.dice import Dice
from wargame.rules.core.draws import Draw
from wargame.rules.core.orders import Move, Order
from wargame.rules.core.position import Army, Position
from wargame.rules.core.saying import said
from wargame.rules.core.sides import Faction
from wargame.rules.mercenaries import defenders, oceans, raiders, themes
from wargame.rules.mercenaries.outlook import Decision, Outlook
from wargame.rules.mercenaries.reasoning import Why

_DECIDE: dict[Faction, Callable[[Army, Outlook], Decision]] = {
    Faction.TOWN_DEFENDER: defenders.decide,
    Faction.THEME: themes.decide,
    Faction.OCEAN_THEME: oceans.decide,
    Faction.RAIDER: raiders.decide,
}
"""The factions' guidelines."""

_TURNS = (
    (Draw.DEFENDERS, (Faction.TOWN_DEFENDER,)),
    (Draw.THEMES, (Faction.THEME, Faction.OCEAN_THEME)),
    (Draw.RAIDERS, (Faction.RAIDER,)),
)
"""R78: the order of choice, one faction (6.1 to 6.3) after the other."""


def decide_all(position: Position, dice: Dice, ordered: Mapping[str, Square]) -> tuple[Decision, ...]:
    """R3, R48, R78: the decisions of the town defenders, then of the theme armies, then of the raiders. Within a
    faction the next to choose is drawn. Captives have no faction and decide nothing.

    `ordered` are the destinations of those that have an order already; they still decide, for everybody to compare, and
    no other army claims their squares.
    """
    view = Outlook(position, dice, {square: name for name, square in ordered.items()})
    decisions = []
    for draw, factions in _TURNS:
        pending = [army for army in position.armies if army.faction in factions]
        for place in range(1, len(pending) + 1):
            before = len(dice.rolls)
            army = dice.choose(draw.value.format(place=place), pending)
            pending.remove(army)
            decision = _decide(army, view)
            if army.name not in ordered and decision.step:
                view.claims[decision.step.to] = army.name
            decisions.append(decision._replace(draws=tuple(dice.rolls[before:])))
    return tuple(decisions)


def _decide(army: Army, view: Outlook) -> Decision:
    """3.2.1: a fighting army can do nothing else; all others follow their guidelines."""
    assert army.faction
    battle = view.position.battle_of.get(army.name)
    if battle:
        why = Why.FIGHTS(army=army.name, at=str(army.at))
        return Decision(army.name, army.faction, army.at, "fights", "3.2.1", why)
    return _DECIDE[army.faction](army, view)


def against_the_guidelines(board: Board, army: Army, order: Order) -> str:
    """6.2.3, 6.3.1: a sentence about an order that the guidelines would never give; empty for all others.

    Such an order is legal: the guidelines only apply to a mercenary without another order (R48).
    """
    if not isinstance(order, Move):
        return ""
    to = order.steps[0].to
    if army.faction is Faction.RAIDER and to in board.near_built:
        return said(
            "%(to)s is next to a base, portal or town; by the guidelines, raiders never move there (6.3.1).", to=to
        )
    at_war = army.campaign and army.campaign.at_war
    if army.faction is Faction.THEME and at_war and to in board.near_bases:
        return said(
            "%(to)s is in or next to a base or portal; by the guidelines, an army at war never moves there (6.2.3).",
            to=to,
        )
    return ""
