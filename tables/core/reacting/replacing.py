"""10.1: `instead of EVENT: do`: what happens instead of an event. Every change of a table asks here first.

What an effect does instead of an event isn't replaced by the same card again, so that nothing replaces itself without
end; a death is replaced once a turn per thing and card (the thing may still be dying).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tables.core import pile, query
from tables.core.events import Event
from tables.core.lists.cards import Effect, Selector, Trigger
from tables.core.reacting import triggers
from tables.core.state import Aim, Player, Scope, Thing

if TYPE_CHECKING:
    from tables.core.play import Play

BEFORE = frozenset({
    "enters", "leaves", "dies", "sacrificed", "attacks", "blocks", "deals damage", "is dealt damage", "cast", "used",
    "countered", "drawn", "draws", "discarded", "eleven destroyed", "plundered", "moved", "shuffled", "engaged",
    "attached",
})  # fmt: skip
"""Events that are checked before they happen; of the others, only their triggers are replaced."""


def instead(play: Play, event: Event) -> bool:
    """10.1: whether something else happens instead of this event; it is to be done next."""
    for active in query.in_effect(play.state, "instead of"):
        key = active.scope.source.key
        when = active.effect.trigger("instead of")
        if when is None or when.event != event.kind or key in play.guard:
            continue
        if not _meant(play, active.effect, active.on, when, event, active.scope):
            continue
        if event.kind in ("dies", "sacrificed") and event.thing is not None:
            mark = f"instead {key} {event.thing.key} {event.thing.stamp}"
            if mark in play.state.marks:
                continue
            play.mark(mark)
        play.events.append(Event("replaced", ("10.1",), active.scope.controller, event.thing, told=event.kind))
        scope = replace(
            active.scope, it=_it(event), many=event.amount, they=event.seat, instead=active.scope.instead | {key}
        )
        play.push(pile.Do(active.effect.effects(), scope))
        return True
    return False


def _meant(play: Play, effect: Effect, on: tuple[Aim, ...], when: Trigger, event: Event, scope: Scope) -> bool:
    """T7: whether this is the event that the effect means; `on` names its things, if the effect says so."""
    if effect.get("on") is not None and on:
        if event.thing is None or event.thing.ref not in on:
            return False
        if when.what is not None and when.what == Selector("self"):
            when = replace(when, what=None)
    return triggers.matches(play.state, when, event, scope)


def _it(event: Event) -> tuple[Aim, ...]:
    if event.thing is not None:
        return (event.thing.ref,)
    return (Player(event.seat),) if event.seat else ()


def of_thing(play: Play, kind: str, thing: Thing, seat: str = "", amount: int = 0, other: Thing | None = None) -> bool:
    """10.1: the same, for an event of a thing in its place."""
    return instead(play, Event(kind, (), seat or thing.controller, thing, other, amount, thing.zone))
