"""3.2.2.5, R9: orders in their canonical form."""

from __future__ import annotations

from .orders import Hold, InBattle, Intercept, Move, Order, Step, Transfer


def write_order(army: str, order: Order) -> str:
    """R9: an order in its canonical form, which reads back to the same value.

    Of a move's steps, each starts where the one before ends.
    """
    return f"{army}: {write_action(order)}"


def write_action(order: Order) -> str:
    """R9: the same without the army's name."""
    match order:
        case Move(steps):
            return f"{steps[0].start}{''.join(map(_write_step, steps))}"
        case Intercept(target):
            return f"intercept {target}"
        case Transfer(target, at):
            return f"transfer to {target} at {at}"
        case Hold():
            return "hold"
        case InBattle():
            return "in battle"


def _write_step(step: Step) -> str:
    route = f" ({' - '.join(map(str, step.route))})" if step.route is not None else ""
    suffix = " ".join(filter(None, (step.suffix, step.target)))
    return f" > {step.to}{route}{'; ' if suffix else ''}{suffix}"
