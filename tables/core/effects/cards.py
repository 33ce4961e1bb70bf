"""T7: cards and zones: what moves them, looks at them, and counts on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tables.core import costs, pile, query
from tables.core.decisions import AskChoice, Then
from tables.core.events import Event
from tables.core.lists.cards import Effect, Filter, Number, Selector
from tables.core.play import Primitive
from tables.core.reacting.replacing import instead
from tables.core.state import Aim, Item, OnPile, Scope, Task, Thing
from tables.core.zones import kind_of, zone_of

if TYPE_CHECKING:
    from tables.core.play import Play


def things_meant(play: Play, effect: Effect, scope: Scope, key: str = "") -> list[Thing]:
    """T7: the things that an effect's argument means, wherever they are now."""
    selector = effect.selector(key or effect.word)
    if selector is None:
        return []
    aims = query.meant(play.state, selector, scope)
    followed = [play.state.followed(aim) for aim in aims]
    return [thing for thing in followed if thing is not None]


def who(play: Play, effect: Effect, scope: Scope) -> tuple[str, ...]:
    """T7: the players who do it: the controller where nothing is said; players who are out do nothing."""
    seats = query.seats_meant(play.state, effect.selector("who"), scope)
    return tuple(seat for seat in seats if seat in play.state.living)


def did(play: Play, scope: Scope, things: list[Thing], many: int | None = None) -> None:
    """T7: pass to the next step what this one did, to what, how often."""
    acted: tuple[Aim, ...] = tuple(play.state.things[thing.key].ref for thing in things)
    number = len(things) if many is None else many
    pile.carry(play, scope, acted=acted, many=number, done=number > 0)


def left(play: Play, things: list[Thing]) -> list[Thing]:
    """10.1, 10.2: the cards that really went elsewhere; for earlier versions, all of them."""
    return things if play.state.version < 5 else [thing for thing in things if play.state.thing(thing.ref) is None]


def changed(play: Play, scope: Scope, things: list[Thing]) -> None:
    """T7: the same as `did`, for words that passed nothing to later steps before version 5."""
    if play.state.version >= 5:
        did(play, scope, things)


def _move(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Put/Place/Move: to another zone, without entering."""
    if not isinstance(effect.get("move"), Selector):
        return
    _to_zone(play, effect, scope, entered=False)


def _return(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Return: to another zone; on the island it has entered."""
    _to_zone(play, effect, scope, entered=True)


def _to_zone(play: Play, effect: Effect, scope: Scope, *, entered: bool) -> None:
    things = things_meant(play, effect, scope)
    kind = effect.text("to")
    for thing in things:
        put_in(play, thing, kind, scope, at=effect.text("at"), place=effect.value("place"), entered=entered)
    did(play, scope, left(play, things))


def put_in(
    play: Play, thing: Thing, kind: str, scope: Scope, *, at: str = "", place: object = None, entered: bool = False
) -> None:  # fmt: skip
    """T5: put a card into a zone: its owner's zone, or into play on the side of the effect's controller."""
    zone = play.rules.zones[kind]
    where: int | None = {"top": 0, "bottom": None}.get(at, 0 if kind == "deck" else None)
    if isinstance(place, Number):
        where = max(0, place.n - 1)
    cites = ("G: Return",) if entered else ("G: Put/Place/Move",)
    event = "enters" if entered and zone.play else "moved"
    seat = scope.controller if zone.play else thing.owner
    play.move(thing.key, kind, seat=seat, cites=cites, place=where, entered=entered, event=event)


def _abolish(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Abolish: to the abolished zone; nothing dies."""
    things = things_meant(play, effect, scope)
    for thing in things:
        play.move(thing.key, "abolished", cites=("G: Abolish", "5.7"), event="abolished")
    did(play, scope, left(play, things))


def _attach(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Attach, 5.3.1: beneath a citizen; cards beneath the card move along."""
    things = things_meant(play, effect, scope)
    hosts = things_meant(play, effect, scope, "to")
    if not hosts:
        return
    attachments = [thing for thing in things if thing.key != hosts[0].key and attach(play, thing, hosts[0])]
    did(play, scope, attachments)


def attach(play: Play, thing: Thing, host: Thing) -> bool:
    """5.3.1: one card beneath a citizen, as a new thing that is not on the island, with the cards beneath it."""
    if host.under or not play.rules.zones[kind_of(host.zone)].play:
        return False
    along = play.state.beneath(thing.key)
    for beneath in along:  # before the move, at which they would fall
        play.change(beneath.key, under=host.key)
    new_thing = play.move(thing.key, kind_of(host.zone), seat=host.controller, cites=("G: Attach",), event="attached")
    if new_thing.stamp == thing.stamp:  # something else happened in its place (10.1)
        for beneath in along:
            play.change(beneath.key, under=thing.key)
        return False
    play.change(new_thing.key, under=host.key, engaged=False, weary=False, damage=0, controller=host.controller)
    for beneath in along:
        _lie_with(play, beneath, host)
    return True


def _lie_with(play: Play, beneath: Thing, host: Thing) -> None:
    """5.3.1: a card beneath a citizen is on its side of the table, whoever owns it."""
    if beneath.zone == host.zone:
        return
    play.zone_set(beneath.zone, tuple(key for key in play.state.zones[beneath.zone] if key != beneath.key))
    play.zone_set(host.zone, (*play.state.zones.get(host.zone, ()), beneath.key))
    play.relocate(beneath.key, host.zone, host.controller)


def _detach(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Detach: from beneath a citizen to its owner's discard pile."""
    selector = effect.selector("detach")
    hosts = things_meant(play, effect, scope, "from") if effect.get("from") else []
    beneath = [thing for host in hosts for thing in play.state.beneath(host.key)]
    if selector is not None and selector.word not in ("all", "any", "attached") and selector.where is None:
        beneath = [thing for thing in things_meant(play, effect, scope) if thing.under]
    elif selector is not None and selector.where is not None:
        where = replace(selector.where, zone="any")
        beneath = [thing for thing in beneath if query.fits(play.state, thing, where, scope)]
    for thing in beneath:
        play.move(thing.key, play.rules.discard, cites=("G: Detach",), event="detached")
    did(play, scope, left(play, beneath))


def _shuffle(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Shuffle."""
    for seat in who(play, effect, scope):
        play.shuffle(seat, effect.text("shuffle") or "deck", ("G: Shuffle",))


def _look(play: Play, effect: Effect, scope: Scope) -> None:
    """6.2, K40: the player who looks knows the card while it stays where it is."""
    things = things_meant(play, effect, scope, "look at")
    for seat in who(play, effect, scope):
        for thing in things:
            play.change(thing.key, known=play.state.things[thing.key].known | {seat})
        play.emit(Event("looked", ("6.2",), seat, amount=len(things)))
    did(play, scope, things)


def _reveal(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: show it to everybody; all know it while it stays where it is."""
    everybody = frozenset(seat.letter for seat in play.state.seats)
    things = things_meant(play, effect, scope)
    for thing in things:
        play.change(thing.key, known=everybody)
        play.emit(Event("revealed", ("10",), thing.owner, thing))
    did(play, scope, things)


def _search(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Search, K28: a fitting card must be found if there is any; then the zone is shuffled."""
    kind = effect.text("search") or "deck"
    for seat in who(play, effect, scope):
        play.push(Search(seat, kind, effect, scope))


@dataclass(frozen=True, slots=True)
class Search(Task):
    """G: Search: one player looks through one of their zones."""

    seat: str
    kind: str
    effect: Effect
    scope: Scope

    def run(self, play: Play) -> None:
        """K28: they choose among what fits; if nothing fits, only the shuffle is left."""
        where = replace(self.effect.filter("for") or Filter(), zone=self.kind)
        scope = replace(self.scope, controller=self.seat)
        things = play.state.zone(zone_of(self.seat, self.kind))
        fits: tuple[Aim, ...] = tuple(thing.ref for thing in things if query.fits(play.state, thing, where, scope))
        number = min(query.number(play.state, self.effect.value("n"), self.scope), len(fits))
        then = SearchThen(self)
        if not number:
            then.take(play, self.seat, ())
            return
        play.ask(AskChoice((self.seat,), fits, number, number, then, "G: Search"))


@dataclass(frozen=True, slots=True)
class SearchThen(Then):
    """G: Search: put the found card where the card says; then shuffle."""

    search: Search

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """K28: shown only if the card says so."""
        effect, things = self.search.effect, [thing for aim in aims if (thing := play.state.thing(aim))]
        if effect.flag("reveal"):
            for thing in things:
                play.emit(Event("revealed", ("G: Search",), seat, thing))
        for thing in things:
            put_in(play, thing, effect.text("to"), replace(self.search.scope, controller=seat))
        play.emit(Event("searched", ("G: Search",), seat, amount=len(things)))
        if self.search.kind == "deck":
            play.shuffle(seat, self.search.kind, ("G: Shuffle",))
        did(play, self.search.scope, left(play, things))


def _counters(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: add counters of a kind, or set them to a number; never below 0."""
    kind = effect.text("counters")
    fixed, more = effect.value("set"), effect.value("n")
    things = things_meant(play, effect, scope, "on")
    for thing in things:
        have = dict(thing.counters)
        have[kind] = (
            query.number(play.state, fixed, scope)
            if fixed is not None
            else have.get(kind, 0) + query.number(play.state, more, scope)
        )
        play.change(thing.key, counters=tuple((name, number) for name, number in have.items() if number > 0))
    changed(play, scope, [thing for thing in things if play.state.things[thing.key].counters != thing.counters])


def _energy(play: Play, effect: Effect, scope: Scope) -> None:
    """8.2.1, 8.2.2: soul energy into the soul pile."""
    for seat in who(play, effect, scope):
        number = query.number(play.state, effect.value("n"), scope)
        costs.add_energy(play, seat, effect.text("energy"), number)
        play.emit(Event("energy", ("8.2.1", "8.2.2"), seat, amount=number, told=effect.text("energy")))


def _counter_item(play: Play, item: Item) -> None:
    """G: Counter, K60: remove all effects of the card from the pile; a card that is being cast goes to limbo."""
    items = [item]
    if item.what == "card":
        items = [other for other in play.state.pile if other.source == item.source and other.what == item.what]
    if instead(play, Event("countered", (), item.controller, play.state.things.get(item.source.key))):
        return
    play.emit(Event("countered", ("G: Counter",), item.controller, play.state.things.get(item.source.key)))
    for other in items:
        pile.take_off(play, other.id)
    pile.card_done(play, item)


def _counter(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Counter."""
    selector = effect.selector("counter")
    aims = query.meant(play.state, selector, scope) if selector else ()
    for aim in aims:
        item = play.state.item(aim.item) if isinstance(aim, OnPile) else None
        if item is not None:
            _counter_item(play, item)


CARDS: Mapping[str, Primitive] = {
    "move": _move, "return": _return, "abolish": _abolish, "attach": _attach, "detach": _detach, "shuffle": _shuffle,
    "look at": _look, "reveal": _reveal, "search": _search, "counters": _counters, "energy": _energy,
    "counter": _counter,
}  # fmt: skip
