"""6.3.2, R48: the after-lock edit: what the new order of the one raider must be."""

from __future__ import annotations

from dataclasses import replace

from wargame.rules.core.board import Square
from wargame.rules.core.orders import Move, Order, Step, write_action
from wargame.rules.core.position import Army, Position
from wargame.rules.core.reasons import Reason
from wargame.rules.core.sides import Faction
from wargame.rules.moves.commands import Commands
from wargame.rules.moves.legality import Refusal, refusal_of_order
from wargame.rules.moves.marches import shortest_paths
from wargame.rules.moves.nearest import with_nearest


def refusal_after_lock(position: Position, commands: Commands, army: Army, order: Order) -> Refusal | None:
    """6.3.2: what stands against an order after the lock; it is checked like a player's first (R14).

    It must be a move that engages an army: one that stays on its end, or whose order at the lock leads there.
    Its path, and without a route any of the paths that might be drawn, crosses no army's present square.
    """
    if army.faction is not Faction.RAIDER:
        return Refusal(Reason.AFTER_LOCK_RAIDER, army=army.name)
    if refusal := refusal_of_order(position, army, order):
        return with_nearest(position, army, order, refusal)
    if not isinstance(order, Move) or len(order.steps) > 1 or order.steps[0].suffix != "engage":
        return Refusal(Reason.AFTER_LOCK_ENGAGE, army=army.name)
    step = order.steps[0]
    target = position.by_name.get(step.target or "")
    if target is None:
        return Refusal(Reason.AFTER_LOCK_ENGAGE, army=army.name)
    if why := _why_not_met(position, commands, army, target, step.to):
        facts = {"target": target.name, "why": why, "to": str(step.to)}
        return Refusal(Reason.AFTER_LOCK_AVOIDS, facts, army=army.name)
    return _crossing(position, army, step)


def _why_not_met(position: Position, commands: Commands, army: Army, target: Army, to: Square) -> str:
    """6.3.2: an attempt to engage an army, not simply to avoid engagement: where its order at the lock leads, or else
    where it stands; and none that fights already, before whom a raider would only draw back (R22). Empty if it is."""
    if not target.is_enemy(army):
        return "is a mercenary too"
    if target.name in position.battle_of:
        return "is fighting, and nobody else may join that battle"
    command = commands.get(target.name)
    if command and isinstance(command.order, Step):
        return "" if to == command.order.to else f"is ordered to {command.order.to}"
    return "" if to == target.at else f"stands on {target.at}"


def _crossing(position: Position, army: Army, step: Step) -> Refusal | None:
    """6.3.2: not through the present square of any army on the map."""
    paths = (step.route,) if step.route else shortest_paths(step.start, step.to)
    crossed = [next((square for square in path[1:-1] if square in position.by_square), None) for path in paths]
    square = next((square for square in crossed if square), None)
    if square is None:
        return None
    facts = {"square": str(square), "there": position.by_square[square][0].name}
    refusal = Refusal(Reason.AFTER_LOCK_CROSSES, facts, army=army.name)
    clear = next((path for path, met in zip(paths, crossed, strict=True) if met is None), None)
    return replace(refusal, would_do=write_action(Move((step._replace(route=clear),)))) if clear else refusal
