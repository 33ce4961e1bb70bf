"""9.3: triggered abilities: what an event triggers, and how that gets onto the pile (8.4, K6, K27)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tables.core import ability_index, query, traits
from tables.core.events import Event
from tables.core.lists.cards import Ability, Effect, Selector, Trigger
from tables.core.lists.vocabulary import EVENTS
from tables.core.state import Aim, Gone, Lasting, Player, Scope, State, Thing, Waiting
from tables.core.zones import kind_of

if TYPE_CHECKING:
    from tables.core.play import Play

_EVENTS = frozenset(EVENTS)
_OF_PLAYERS = frozenset({"start of turn", "end of turn", "start of phase", "draws", "noon"})


def watch(play: Play, event: Event) -> None:
    """9.3: abilities triggered by an event wait until they may be placed; costs and targets are decided then."""
    if event.kind not in _EVENTS:
        return
    for thing, ability, when, number, record in list(_watchers(play, event.kind)):
        scope = Scope(
            thing.ref, thing.card, thing.controller, it=_it(play.state, event), many=event.amount, they=event.seat
        )
        if not matches(play.state, when, event, scope, record):
            continue
        if not query.holds(play.state, ability.test, scope) or _spent(play, ability, thing, number):
            continue
        giver = _giver(play.state, thing, ability, number)
        waits = Waiting(0, "trigger", thing.controller, thing.ref, thing.card, scope, ability)
        _wait(play, replace(waits, giver=giver, number=number))
    _delayed(play, event)


def _giver(state: State, thing: Thing, ability: Ability, number: int) -> str:
    """A32: the card that gave it this ability, if it isn't its own."""
    if number < len(state.cards[thing.card].abilities):
        return ""
    return next((card for candidate, card in query.given(state, thing) if candidate == ability), "")


def _it(state: State, event: Event) -> tuple[Aim, ...]:
    if event.thing is not None:
        return (event.thing.ref,)
    return (Player(event.seat),) if event.seat else ()


class _Watcher(NamedTuple):
    """9.3: an ability that such an event may trigger, with its index in its thing. `gone`: the thing has just left
    play, and is considered as it was."""

    thing: Thing
    ability: Ability
    when: Trigger
    number: int
    gone: Gone | None = None


def _watchers(play: Play, kind: str) -> Iterator[_Watcher]:
    """Every ability that works now and is triggered by such events, and those of things that just left play
    together."""
    state = play.state
    giving, names = bool(query.giving(state)), ability_index.triggered_by(state.cards, kind)
    for thing in state.things.values():
        if not giving and thing.card not in names:
            continue
        abilities = query.abilities(state, thing) if giving else state.cards[thing.card].abilities
        for number, ability in enumerate(abilities):
            if (when := _when(ability, kind)) is not None and query.works_here(state, thing, ability):
                yield _Watcher(thing, ability, when, number)
    for key, record in play.leaving.items():
        if (here := state.things.get(key)) is not None and here.stamp == record.thing.stamp:
            continue
        for number, ability in enumerate(record.abilities):
            if (when := _when(ability, kind)) is not None and not ability.zone:
                yield _Watcher(record.thing, ability, when, number, record)


def _when(ability: Ability, kind: str) -> Trigger | None:
    when = ability.when
    return when if when is not None and when.event == kind and ability.kind == "when" else None


def matches(state: State, when: Trigger, event: Event, scope: Scope, gone: Gone | None = None) -> bool:
    """9.3: whether an event is the one that a card names."""
    if when.phase and when.phase != event.zone:
        return False
    if when.status and when.status != event.told:
        return False
    if when.from_zone and when.from_zone != kind_of(event.from_zone):
        return False
    if when.to_zone and when.to_zone != kind_of(event.zone):
        return False
    if when.by is not None and not (
        event.other and _is_thing(state, event.other, when.by, scope, state.gone.get(event.other.ref))
    ):
        return False
    return when.what is None or _is_what(state, when.what, event, scope)


def _is_what(state: State, selector: Selector, event: Event, scope: Scope) -> bool:
    if event.thing is None or event.kind in _OF_PLAYERS:
        return event.seat in query.seats_meant(state, selector, scope)
    if selector.where is None and (seats := traits.players(state, selector.word, scope)):
        return (event.seat or event.thing.controller) in seats
    return _is_thing(state, event.thing, selector, scope, state.gone.get(event.thing.ref))


def _is_thing(state: State, thing: Thing, selector: Selector, scope: Scope, record: Gone | None) -> bool:
    if selector.where is not None:
        where = selector.where if selector.where.zone else replace(selector.where, zone="any")
        return query.fits(state, thing, where, scope, record)
    if selector.word in ("any", "all", "one"):
        return True
    return any(aim == thing.ref for aim in query.meant(state, selector, scope))


def _spent(play: Play, ability: Ability, thing: Thing, number: int) -> bool:
    """G: Solo, and `once`: whether it has triggered as often as allowed this turn."""
    once = ability.when.once if ability.when else ""
    mark = f"once {thing.key} {thing.stamp} {number}"
    if once == "together":
        return any(
            wait.source == thing.ref and wait.ability == ability and not wait.settled for wait in play.state.waiting
        )
    if once or ability.limit:
        if play.state.marks.count(mark) >= (ability.limit or 1):
            return True
        play.mark(mark)
    if ability.solo:
        solo = f"solo {thing.controller} {thing.card} {number}"
        if solo in play.state.marks:
            return True
        play.mark(solo)
    return False


def _wait(play: Play, waiting: Waiting) -> None:
    play.state = replace(play.state, waiting=(*play.state.waiting, waiting))


def _delayed(play: Play, event: Event) -> None:
    """T7: effects delayed until this event (`later`)."""
    for one in play.state.lasting:
        if one.effect.word != "later":
            continue
        when = one.effect.trigger("later")
        if when is None or when.event != event.kind or not matches(play.state, when, event, one.scope, None):
            continue
        play.state = replace(play.state, lasting=tuple(other for other in play.state.lasting if other is not one))
        ability = Ability("when", do=one.effect.effects())
        _wait(
            play,
            Waiting(0, "trigger", one.scope.controller, one.scope.source, one.scope.card, one.scope, ability, True),
        )


def delay(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: `later: EVENT, do: ..`."""
    modifier = Lasting(effect, scope, play.count("stamp"))
    play.state = replace(play.state, lasting=(*play.state.lasting, modifier))
