"""8.3: what a seat may do now: actions each of which is taken, and actions with blanks for what is chosen besides."""

from collections.abc import Iterator

from tables.core import engine
from tables.core.blanks import OpenLine
from tables.core.lines.actions import Action
from tables.core.lines.writing import write
from tables.core.play import Play, Rules
from tables.core.reasons import Refused
from tables.core.state import State


def open_lines(rules: Rules, state: State, seat: str) -> tuple[OpenLine, ...]:
    """T9: lines that seem legal, with their blanks; an illegal filling is refused when it is posted."""
    if state.decision is not None:
        return state.decision.open_lines(Play(rules, state), seat) if state.decision.hears(seat) else ()
    if state.priority is None or state.priority.holder != seat:
        return ()
    return tuple(rules.open_lines(Play(rules, state), seat))


def iterate_offers(rules: Rules, state: State, seat: str) -> Iterator[Action]:
    """8.3: the actions one by one: what answers a decision, or what a holder of priority may do."""
    if state.decision is not None:
        yield from state.decision.options(state, seat) if state.decision.hears(seat) else ()
    elif state.priority is not None and state.priority.holder == seat:
        yield from rules.legal(state, seat)
    for one in open_lines(rules, state, seat):
        yield from _taken(rules, state, seat, one)


def offers(rules: Rules, state: State, seat: str) -> tuple[Action, ...]:
    """8.3: what a seat may do now, the default or `pass` first; nothing for who isn't asked."""
    return tuple(dict.fromkeys(iterate_offers(rules, state, seat))) if state.result is None else ()


def offered(rules: Rules, state: State, seat: str) -> tuple[str, ...]:
    """8.3: the lines that a seat may post now."""
    return tuple(write(action, state.game) for action in offers(rules, state, seat))  # type: ignore[arg-type]


def _taken(rules: Rules, state: State, seat: str, one: OpenLine) -> Iterator[Action]:
    """8.3: the fillings that would be taken now; each is tried on a copy."""
    for values in one.fillings():
        action = one.action(values)
        try:
            engine.act(Play(rules, state), seat, action)
        except Refused:
            continue
        yield action
