"""R48, 6.3.2: what the mercenary judge typed, checked, before it is stored."""

from __future__ import annotations

from collections.abc import Sequence

from judging.models import MercenaryOrder
from judging.services.errors import Refused
from judging.services.texts import checked_text
from wargame.rules.core.board import Square, read_square
from wargame.rules.core.orders import InBattle, Move, ReadOrder, Transfer
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Faction
from wargame.rules.mercenaries.spawning import MOST_RAIDERS, STRONGER_TIER, TIER
from wargame.rules.moves.legality import refusal_of_order
from wargame.rules.moves.reach import with_nearest
from wargame.rules.posts.notation import read_line

MAX_REASON = 2_000
TIERS = {"1/1": TIER, "2/2": STRONGER_TIER}
"""6.3: the ranks of raiders, and their tiers."""


def checked_army(name: str, position: Position) -> Army:
    """6: a mercenary on the map."""
    army = position.by_name.get(name)
    if army is None or army.faction is None:
        raise Refused(f"There is no mercenary “{name[:40]}” on the map of this turn.", "6", "army")
    return army


def checked_raider(name: str, position: Position) -> Army:
    """6.3.2: a raider that may disband."""
    army = checked_army(name, position)
    if army.faction is not Faction.RAIDER:
        raise Refused(f"{army.name} is no raider; only raiders disband.", "6.3.2", "army")
    if army.name in position.battle_of:
        raise Refused(f"{army.name} fights this turn and can do nothing else.", "3.2.1", "army")
    return army


def checked_legal(position: Position, army: Army, text: str) -> None:
    """R48, R14: an order, in its canonical form, that the army can be given for one turn. Refused with the nearest one
    that would do."""
    line = read_line(text, position.names, army.name)
    assert isinstance(line, ReadOrder)
    order = line.order
    if isinstance(order, InBattle):
        raise Refused("Write a move, intercept or hold; a mercenary that fights needs no order.", "3.2.1", "order")
    if isinstance(order, Transfer):
        raise Refused("Mercenaries hand in no manifests, so a transfer would do nothing.", "3.2.4.2", "order")
    if isinstance(order, Move) and len(order.steps) > 1:
        raise Refused("Mercenaries get their orders turn by turn: write this turn's step alone.", "R48", "order")
    if isinstance(order, Move) and order.steps[0].suffix == "joint engage":
        raise Refused("Two mercenaries never share a square, so none of them joint engages: engage.", "R3", "order")
    target = position.by_name.get(order.steps[0].target or "") if isinstance(order, Move) else None
    if isinstance(order, Move) and order.steps[0].suffix == "engage" and target and not target.is_enemy(army):
        raise Refused(f"{target.name} is a mercenary too, and they never attack each other.", "R3", "order")
    refusal = refusal_of_order(position, army, order)
    if refusal:
        refusal = with_nearest(position, army, order, refusal)
        raise Refused(refusal.sentence, refusal.cites, "order")


def checked_reason(text: str) -> str:
    """6.3.2: the reason, which is public after the settlement."""
    try:
        return checked_text(text, what="reason", most=MAX_REASON, cites="6.3.2").strip()
    except Refused as error:
        raise Refused(error.sentence, error.cites, "reason") from None


def checked_tier(rank: str) -> int:
    """6.3: 1/1 or 2/2."""
    if rank not in TIERS:
        raise Refused("Say of which rank the raider is: 1/1 or 2/2.", "6.3", "rank")
    return TIERS[rank]


def checked_site(text: str, position: Position, planned: Sequence[MercenaryOrder]) -> Square:
    """6.3, 6.3.1: a square on which one more raider can appear besides those that are `planned`."""
    raiders = sum(army.faction is Faction.RAIDER for army in position.armies)
    if raiders + len(planned) >= MOST_RAIDERS:
        raise Refused(f"There can be {MOST_RAIDERS} raiders at most.", "6.3", "square")
    try:
        square = read_square(text)
    except ValueError as error:
        raise Refused(f"{error}.", "", "square") from None
    if not square.on_map:
        raise Refused(f"{square} is not on the map, which ends at 38 and at N.", "1.2", "square")
    if square in position.board.near_built:
        raise Refused(f"{square} is in or next to a base, portal or town; raiders keep away.", "6.3.1", "square")
    if square in position.by_square or any(row.square == str(square) for row in planned):
        raise Refused(f"{square} is taken. A raider appears on a square on which nobody is.", "6.3", "square")
    return square
