"""6.2.3, 6.3.1: what the guidelines say a mercenary never does, for a judge who orders it."""

from __future__ import annotations

from wargame.rules.core.board import Board
from wargame.rules.core.orders import Move, Order
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Faction


def against_the_guidelines(board: Board, army: Army, order: Order) -> str:
    """6.2.3, 6.3.1: a sentence about an order that the guidelines would never give; empty for all others.

    Such an order is legal: the guidelines are what a mercenary follows that was ordered nothing else (R48).
    """
    if not isinstance(order, Move):
        return ""
    to = order.steps[0].to
    if army.faction is Faction.RAIDER and to in board.near_built:
        return f"By the guidelines raiders never move next to a base, portal or town, and {to} is (6.3.1)."
    at_war = army.campaign and army.campaign.at_war
    if army.faction is Faction.THEME and at_war and to in board.near_bases:
        return f"By the guidelines an army at war moves into no base or portal and next to none, and {to} is (6.2.3)."
    return ""
