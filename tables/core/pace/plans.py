"""T9.2: queued lines, carried out one by one as their poster is asked, and the shortcut `pass to`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tables.core.lines.actions import Action
from tables.core.state import State


@dataclass(frozen=True, slots=True)
class Plan:
    """T9.2: what is left of a post of several lines. `turn`: in which turn it was posted."""

    seat: str
    lines: tuple[str, ...]
    turn: int
    started: bool = False
    """Whether the first line, a `pass to`, has passed at least once."""


def of(state: State, seat: str) -> Plan | None:
    """T9.2: a seat's plan, if it has one."""
    return next((plan for plan in state.plans if plan.seat == seat), None)


def put(state: State, seat: str, plan: Plan | None) -> State:
    """T9.2: a seat's plan as it is from now on; None: it has none."""
    rest = tuple(other for other in state.plans if other.seat != seat)
    return replace(state, plans=(*rest, plan) if plan is not None and plan.lines else rest)


def others_stop(state: State, seat: str, action: Action) -> State:
    """T9.2: a plan goes on while only its poster's things happen: what another does stops it, but not his passing."""
    if action.kind in ("pass", "yes", "no", "recursion") or (action.kind == "block" and not action.things):
        return state
    kept = tuple(
        plan for plan in state.plans
        if plan.seat == seat or plan.lines[0].casefold().startswith("whatever comes")
    )  # fmt: skip
    return replace(state, plans=kept)


def needs_quiet(quiet: frozenset[str], action: Action) -> bool:
    """T13, S86: whether a line is of a kind (of `quiet`) that needs an empty pile: plans and cases wait for it.

    A `play` without a place is an ability at instant speed, and a plain `pass` is no shortcut.
    """
    return action.kind in quiet and (action.kind not in ("play", "pass") or bool(action.to))


def reached(state: State, plan: Plan, action: Action) -> bool:
    """T9.2: whether a shortcut is where it names: a step of this turn, or the next turn."""
    if action.to == "turn":
        return state.turn.number != plan.turn
    return plan.started and (state.turn.at == action.to or state.turn.number != plan.turn)
