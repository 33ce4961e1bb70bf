"""T10.2: stops: the windows in which a seat wants to be asked. Public, like the setting of a chess clock; without one
in a window its priority passes at once, and that says nothing about its hand.

Only a seat that has set its stops passes automatically; without any (`Seat.stops` is None), every window asks.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from types import MappingProxyType

from tables.core import offering
from tables.core.decisions import Decision
from tables.core.play import Rules
from tables.core.reasons import Refused
from tables.core.state import Player, Ref, State
from tables.core.zones import zone_of
from wargame.rules.core.saying import marked, said

EVENTS: Mapping[str, str] = MappingProxyType({
    "every window": marked("whenever I could do something"),
    "targeted": marked("when an opponent targets me or my cards"),
    "attacked": marked("when I am attacked"),
    "last card": marked("when my last 11 year card is attacked"),
    "spell": marked("when an opponent's spell is on the %(pile)s"),
    "pile": marked("when an opponent has anything on the %(pile)s"),
})  # fmt: skip
"""The events, by the stop's name, in words for people."""

USUAL = ("targeted", "attacked", "last card", "spell", "their end")
"""The initial stops of a seat, in addition to its own main phases."""


def default(rules: Rules) -> tuple[str, ...]:
    """T10.2: the stops that a seat begins with."""
    main = tuple(f"my {step.name}" for step in rules.steps.values() if step.main)
    return tuple(name for name in (*USUAL, *main) if name in names(rules))


def names(rules: Rules) -> tuple[str, ...]:
    """T10.2: every stop of a game: the events, and each window of one's own and of the others' turns."""
    windows = [step.name for step in rules.steps.values() if step.priority]
    return (*EVENTS, *(f"{owner} {name}" for owner in ("my", "their") for name in windows))


def given(rules: Rules, lines: Sequence[str]) -> tuple[str, ...]:
    """T10.2: stops as a seat sets them; Refused (`stops`) for an unknown one."""
    by_key = {name.casefold(): name for name in names(rules)}
    stops = []
    for line in lines:
        name = by_key.get(" ".join(line.split()).casefold())
        if name is None:
            raise Refused(
                "stops",
                said("“%(line)s” is not a stop. Try: %(names)s", line=line[:40], names=", ".join(by_key.values())),
            )
        stops.append(name)
    return tuple(dict.fromkeys(stops))


def asks(state: State, seat: str) -> bool:
    """T10.2: whether the holder of priority wants to be asked in this window. It depends only on public knowledge.
    They let their own item on top of the pile resolve."""
    set_ = state.seat(seat).stops
    if set_ is None or "every window" in set_:
        return True
    if state.pile and state.pile[-1].controller == seat:
        return False
    if f"{'my' if state.turn.of == seat else 'their'} {state.turn.at}" in set_:
        return True
    items = [item for item in state.pile if item.controller != seat]
    attacked = state.fight is not None and state.fight.of == seat
    return (
        ("pile" in set_ and bool(items))
        or ("spell" in set_ and any(item.what == "card" and state.cards[item.card].type == "spell" for item in items))
        or ("targeted" in set_ and any(_mine(state, seat, aim) for item in items for aim in _aims(item.scope.targets)))
        or ("attacked" in set_ and attacked)
        or ("last card" in set_ and attacked and len(state.zones.get(zone_of(seat, "eleven"), ())) <= 1)
    )


def _aims(targets: Sequence[Sequence[object]]) -> list[object]:
    return [aim for part in targets for aim in part]


def _mine(state: State, seat: str, aim: object) -> bool:
    if isinstance(aim, Player):
        return aim.seat == seat
    thing = state.thing(aim) if isinstance(aim, Ref) else None
    return thing is not None and thing.controller == seat


# --------------------------------------------------------------------------------------------- nothing to decide


def nothing_to_do(rules: Rules, state: State, seat: str) -> bool:
    """T10.2: whether a seat that is asked can do nothing but the default, as far as it knows."""
    if state.seat(seat).stops is None:
        return False
    if state.decision is not None:
        return _is_forced(rules, state, seat, state.decision)
    idle = rules.idle
    if idle is None:
        return False
    kinds = ("pass", *idle)
    if state.version < 5:
        return not offering.open_lines(rules, state, seat) and all(
            action.kind in kinds for action in rules.legal(state, seat)
        )
    return all(action.kind in kinds for action in offering.iterate_offers(rules, state, seat))


def _is_forced(rules: Rules, state: State, seat: str, decision: Decision) -> bool:
    """K58: whether there is only one possible answer; earlier versions took it only for attacks and blocks."""
    if state.version < 5:
        return decision.kind in ("attack", "block") and len(decision.options(state, seat)) == 1
    return decision.says_all(state) and len(set(islice(offering.iterate_offers(rules, state, seat), 2))) == 1


def known_to_all(rules: Rules, state: State, seat: str) -> bool:
    """T10.2: whether everybody can tell that a seat can do nothing: it has no card that others don't see."""
    if state.decision is not None:
        return state.decision.is_open(state)
    names = [kind.name for kind in rules.zones.values() if kind.sees == "owner"]
    return not any(state.zones.get(zone_of(seat, name)) for name in names)
