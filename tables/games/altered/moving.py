"""2.1, 3.1.2: objects never change zones: their representations do, and become new objects there."""

from dataclasses import replace

from tables.core import query
from tables.core.effects.cards import left
from tables.core.events import Event, SilentEvent
from tables.core.pile import Do
from tables.core.play import Play
from tables.core.state import Scope, Thing
from tables.core.zones import kind_of, seat_of, zone_of
from tables.games.altered import statuses
from tables.games.altered.flow import is_expedition


def go(
    play: Play,
    thing: Thing,
    kind: str,
    *,
    seat: str = "",
    cites: tuple[str, ...] = (),
    event: str = "moved",
    origin: str = "",
    place: int | None = None,
    entering: tuple[str, ...] = (),
) -> Thing | None:
    """1.4.3, 2.1.c, 3.1.2.c: to a zone of its owner's, or into an expedition of `seat`'s; None for a token that ceased.

    `origin`: where it was played from, for triggers of its entering; else where it was. `entering`: the statuses with
    which it enters an expedition, besides those of its keywords (2.4.1.b).
    """
    was = is_expedition(kind_of(thing.zone))
    side = (seat or thing.controller) if is_expedition(kind) else thing.owner
    after = play.move(thing.key, kind, seat=side, cites=cites, event=event, place=place)
    if after.stamp == thing.stamp and play.state.version >= 5:  # something else happens in its place (1.4.2)
        return after
    now = is_expedition(kind)
    if was and not now:
        play.emit(SilentEvent("leaves", (), thing.controller, thing, zone=after.zone, from_zone=thing.zone))
    if now and not was:
        keywords = (*entering, *query.keywords(play.state, after))
        new_statuses = tuple(dict.fromkeys(keyword for keyword in keywords if keyword in statuses.STATUSES))
        after = play.change(after.key, statuses=new_statuses) if new_statuses else play.state.things[after.key]
        play.emit(Event("enters", cites, after.controller, after, zone=after.zone, from_zone=origin or thing.zone))
    if was and not now and play.state.cards[thing.card].token:
        play.emit(Event("ceases", ("2.1.d",), thing.owner, thing))
        play.cease(thing.key)
        return None
    return play.state.things[after.key]


def kept_boosts(play: Play, before: Thing, after: Thing, entered: bool) -> None:
    """2.4.4, A6, A38: boosts are kept into visible zones, except by things that leave the Expedition zone."""
    here = play.rules.zones[kind_of(after.zone)]
    count = statuses.boosts(before)
    if count and here.sees == "all" and not is_expedition(kind_of(before.zone)):
        play.change(after.key, counters=((statuses.BOOST, count),))


def across(play: Play, thing: Thing, kind: str) -> Thing:
    """3.2.4.d: from one expedition to the other: the same object, nothing enters or leaves."""
    zone = zone_of(seat_of(thing.zone), kind)
    if zone == thing.zone:
        return thing
    play.zone_set(thing.zone, tuple(key for key in play.state.zones[thing.zone] if key != thing.key))
    play.zone_set(zone, (*play.state.zones.get(zone, ()), thing.key))
    new_thing = replace(thing, zone=zone)
    play.state = replace(play.state, things={**play.state.things, thing.key: new_thing})
    play.emit(Event("across", ("3.2.4.d",), thing.controller, new_thing, zone=zone))
    return new_thing


def into_mana(play: Play, thing: Thing, cites: tuple[str, ...], *, ready: bool = False) -> Thing | None:
    """3.2.9.b: face down, unrevealed, exhausted unless something says otherwise (1.4.2.a)."""
    orb = go(play, thing, "mana", cites=(*cites, "3.2.9.b"), event="mana")
    if orb is not None and not ready:
        statuses.gain(play, orb, statuses.EXHAUSTED)
    return orb


def sacrifice(play: Play, things: list[Thing], cites: tuple[str, ...], scope: Scope) -> list[Thing]:
    """1.4.5, 3.1.2.c: Characters to their owners' Discard piles, all together; 1.4.1: except those that can't be."""
    victims: list[Thing] = []
    for thing in things:
        if query.forbids(play.state, "sacrifice", thing):
            play.emit(Event("impossible", ("1.4.1.c",), thing.controller, thing))
        elif not _instead(play, "sacrificed", thing):
            victims.append(thing)
    for thing in victims:
        go(play, thing, "discard", cites=cites, event="sacrificed")
    return left(play, victims)


def _instead(play: Play, event: str, thing: Thing) -> bool:
    """1.4.2: what happens instead of an event, if a passive ability says so; 1.4.1.d: only of a possible one."""
    for active in query.in_effect(play.state):
        when = active.effect.trigger("instead of") if active.effect.word == "instead of" else None
        key = active.scope.source.key
        if when is None or when.event != event or when.what is None or (key in play.guard and play.state.version >= 5):
            continue
        if query.is_one(play.state, thing, when.what, active.scope):
            instead = active.scope.instead | ({key} if play.state.version >= 5 else set())
            play.push(Do(active.effect.effects(), replace(active.scope, it=(thing.ref,), instead=instead)))
            play.emit(Event("instead", ("1.4.2.a",), thing.controller, thing))
            return True
    return False
