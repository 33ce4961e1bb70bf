"""T7: the vocabulary's verbs in Altered."""

from collections.abc import Mapping
from dataclasses import replace

from tables.core import query
from tables.core.effects import SHARED
from tables.core.effects.cards import changed, did, left, who
from tables.core.events import Event, SilentEvent
from tables.core.lists.cards import Effect, Filter, Selector
from tables.core.pile import Do, carry
from tables.core.play import Play, Primitive
from tables.core.state import Aim, Ref, Scope, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.altered import agreements, asking, dusk, moving, statuses
from tables.games.altered.choosing import InOrder, Question
from tables.games.altered.flow import is_expedition


def things_meant(play: Play, effect: Effect, scope: Scope, key: str = "") -> list[Thing]:
    """2.1.c: the things that are meant, if they are still the same; a thing that has left is not found."""
    selector = effect.selector(key or effect.word)
    if selector is None:
        return []
    things, aims = [], query.meant(play.state, selector, scope)
    statuses.show_used(play, aims, selector.where)
    for aim in aims:
        thing = play.state.thing(aim)
        if thing is not None:
            things.append(thing)
        elif isinstance(aim, Ref):
            play.emit(Event("gone", ("2.1.c",), scope.controller, play.state.things.get(scope.source.key)))
    return things


def draw(play: Play, seat: str, number: int, cites: tuple[str, ...]) -> int:
    """1.3.2.b, A25: from the top of the deck, as many as there are; an empty deck means what was agreed."""
    if query.forbids(play.state, "draw", seat):
        play.emit(Event("impossible", ("1.4.1.c",), seat))
        return 0
    for count in range(number):
        deck = play.state.zone(zone_of(seat, "deck"))
        if not deck:
            _empty(play, seat)
            return count
        new_thing = play.move(deck[0].key, "hand", cites=cites, event="drawn")
        if new_thing.zone == deck[0].zone and play.state.version >= 5:  # something else happens in its place (1.4.2)
            return count
        play.emit(SilentEvent("draws", (), seat, new_thing, only=frozenset({seat})))
    return max(0, number)


def _empty(play: Play, seat: str) -> None:
    play.emit(Event("deck empty", agreements.cites(play.state, 10), seat))
    if agreements.agreed(play.state, 10) == "loses":
        dusk.lose(play, seat, agreements.cites(play.state, 10)[0])


def _draw(play: Play, effect: Effect, scope: Scope) -> None:
    """1.3.2.b, A25."""
    number = query.number(play.state, effect.value("draw"), scope)
    count = sum(draw(play, seat, number, ("A25",)) for seat in who(play, effect, scope))
    carry(play, scope, many=count, done=count > 0)


def _resupply(play: Play, effect: Effect, scope: Scope) -> None:
    """1.4.5, A19: the top card of the deck to the Reserve."""
    things = []
    for seat in who(play, effect, scope):
        deck = play.state.zone(zone_of(seat, "deck"))
        thing = moving.go(play, deck[0], "reserve", cites=("1.4.5", "A19"), event="resupplied") if deck else None
        things += [thing] if thing is not None else []
    did(play, scope, things)


def _move(play: Play, effect: Effect, scope: Scope) -> None:
    """1.4.3, 2.1.e: to another zone; this effect's next steps find there what it moved."""
    if not isinstance(effect.get("move"), Selector):
        return
    things = things_meant(play, effect, scope)
    followed: dict[Ref, Ref] = {}
    for thing in things:
        new_thing = put(play, thing, effect.text("to"), scope, exhausted=effect.flag("exhausted"), at=effect.text("at"))
        if new_thing is not None and play.rules.zones[kind_of(new_thing.zone)].public:
            followed[thing.ref] = new_thing.ref
    follow(play, scope, followed)
    movers = things if play.state.version < 5 else [one for one in things if play.state.things.get(one.key) is not one]
    here = [play.state.things[thing.key] for thing in things if thing.key in play.state.things]
    carry(play, _followed(scope, followed), it=tuple(thing.ref for thing in here), acted=tuple(
        thing.ref for thing in here), many=len(movers), done=bool(movers))  # fmt: skip


def follow(play: Play, scope: Scope, followed: Mapping[Ref, Ref]) -> None:
    """2.1.e: the remaining steps of the same ability mean the new objects."""
    if not followed:
        return
    agenda = tuple(
        replace(task, scope=_followed(task.scope, followed))
        if isinstance(task, Do) and task.scope.source == scope.source
        else task
        for task in play.state.agenda
    )
    play.state = replace(play.state, agenda=agenda)


def _followed(scope: Scope, followed: Mapping[Ref, Ref]) -> Scope:
    def new(aim: Aim) -> Aim:
        return followed.get(aim, aim) if isinstance(aim, Ref) else aim

    return replace(
        scope,
        source=followed.get(scope.source, scope.source),
        targets=tuple(tuple(new(aim) for aim in aims) for aims in scope.targets),
        it=tuple(new(aim) for aim in scope.it),
        chosen=tuple(new(aim) for aim in scope.chosen),
    )


def put(
    play: Play, thing: Thing, kind: str, scope: Scope, *, exhausted: bool | None = None, at: str = ""
) -> Thing | None:
    """3.1.2.c, 3.2.4.d: the thing where an effect puts it; None for a token that ceased."""
    here = kind_of(thing.zone)
    if kind in ("other expedition", "expedition", "expeditions"):
        if is_expedition(here):
            other = "companion" if here == "hero" else "hero"
            return moving.across(play, thing, other if kind == "other expedition" else here)
        kind = "hero"
    if is_expedition(kind) and is_expedition(here):
        return moving.across(play, thing, kind)
    if kind == "mana":
        return moving.into_mana(play, thing, ("2.1.c",), ready=exhausted is False)
    cites = ("1.4.3.a", "3.1.2.c") if thing.owner != scope.controller else ("2.1.c",)
    place = {"top": 0, "bottom": None}.get(at, 0 if kind == "deck" else None)
    event = "discarded" if kind == "discard" else "moved"
    new_thing = moving.go(play, thing, kind, seat=scope.controller, cites=cites, event=event, place=place)
    if new_thing is not None and exhausted:
        statuses.gain(play, new_thing, statuses.EXHAUSTED)
    return play.state.things.get(thing.key)


def _sacrifice(play: Play, effect: Effect, scope: Scope) -> None:
    """1.4.5: Characters in the Expedition zone; a player who has a choice is asked."""
    selector = effect.selector("sacrifice") or Selector("self")
    if selector.where is not None and selector.word != "all":
        number = query.number(play.state, effect.value("n"), scope, selector.n or 1)
        where = replace(selector.where, whose=selector.where.whose or "they")
        question = Question(
            (Effect("sacrifice", (("sacrifice", Selector("chosen")),)),), scope, Selector("one", where=where), number
        )
        play.push(InOrder(question, who(play, effect, scope)))
        return
    things = [thing for thing in things_meant(play, effect, scope) if is_expedition(kind_of(thing.zone))]
    victims = moving.sacrifice(play, things, ("1.4.5",), scope)
    did(play, scope, _present(play, victims), len(things if play.state.version < 5 else victims))


def _present(play: Play, things: list[Thing]) -> list[Thing]:
    return [thing for thing in things if thing.key in play.state.things]


def _discard(play: Play, effect: Effect, scope: Scope) -> None:
    """1.2.3: given things, or a number of cards of the hand by choice or at random."""
    if isinstance(effect.get("discard"), Selector):
        things = things_meant(play, effect, scope)
        for thing in things:
            moving.go(play, thing, "discard", cites=("3.1.2.c",), event="discarded")
        discards = left(play, things)
        did(play, scope, _present(play, discards), len(discards))
        return
    number, seats = query.number(play.state, effect.value("discard"), scope), who(play, effect, scope)
    if effect.flag("random"):
        picks = [thing for seat in seats for thing in _at_random(play, seat, number)]
        changed(play, scope, left(play, picks))
        return
    where = replace(effect.filter("of") or Filter(), zone="hand", whose="they")
    steps = (Effect("move", (("move", Selector("chosen")), ("to", "discard"))),)
    play.push(InOrder(Question(steps, scope, Selector("one", where=where), number), seats))


def _at_random(play: Play, seat: str, number: int) -> list[Thing]:
    """T8.4: by committed draw; the drawn cards, as they were in the hand."""
    zone, picks = zone_of(seat, "hand"), []
    for _ in range(number):
        keys = sorted(play.state.zones.get(zone, ()))
        if keys:
            at = play.draw(f"random {zone}", play.count(f"random {zone}"), len(keys)) - 1
            picks.append(play.state.things[keys[at]])
            moving.go(play, picks[-1], "discard", cites=("3.1.2.c",), event="discarded")
    return picks


def _tell(play: Play, event: Event) -> None:
    """3.2.9.d: for a Mana Orb, only its owner learns which card it is."""
    only = statuses.knowing(play, event.thing) if event.thing is not None else None
    play.emit(replace(event, only=only))


def _give(play: Play, effect: Effect, scope: Scope) -> None:
    """2.4.1.d: a thing that has it can't gain it; boosts are counters, never gained directly (2.4.4.b)."""
    status = effect.text("give")
    things = things_meant(play, effect, scope, "to")
    recipients = [thing for thing in things if status in statuses.STATUSES and statuses.gain(play, thing, status)]
    for thing in recipients:
        _tell(play, Event("status given", ("2.4.1.c",), thing.controller, play.state.things[thing.key], told=status))
    did(play, scope, recipients)


def _remove(play: Play, effect: Effect, scope: Scope) -> None:
    """2.4.1.e: a thing that doesn't have it can't lose it."""
    status = effect.text("remove")
    things = [thing for thing in things_meant(play, effect, scope, "from") if statuses.lose(play, thing, status)]
    for thing in things:
        _tell(play, Event("status gone", ("2.4.1.c",), thing.controller, play.state.things[thing.key], told=status))
    did(play, scope, things)


def _exhaust(play: Play, effect: Effect, scope: Scope) -> None:
    """1.1.7.e, 2.4.1.d."""
    did(play, scope, [
        thing for thing in things_meant(play, effect, scope) if statuses.gain(play, thing, statuses.EXHAUSTED)
    ])  # fmt: skip


def _ready(play: Play, effect: Effect, scope: Scope) -> None:
    """1.3.2.b, 2.4.1.e: it is no longer exhausted."""
    did(play, scope, [
        thing for thing in things_meant(play, effect, scope)
        if not query.forbids(play.state, "ready", thing) and statuses.lose(play, thing, statuses.EXHAUSTED)
    ])  # fmt: skip


def _counters(play: Play, effect: Effect, scope: Scope) -> None:
    """1.1.7.c, 2.4.4: add or remove counters, or set them to a number; never below zero."""
    kind, fixed, more = effect.text("counters"), effect.value("set"), effect.value("n")
    things, changed = things_meant(play, effect, scope, "on"), []
    for thing in things:
        have = dict(thing.counters)
        before = have.get(kind, 0)
        number = query.number(play.state, more, scope) if fixed is None else 0
        have[kind] = max(0, before + number if fixed is None else query.number(play.state, fixed, scope))
        play.change(thing.key, counters=tuple((name, count) for name, count in have.items() if count))
        changed += [thing] if have[kind] != before else []
    if changed:
        cites = ("2.4.4",) if kind == statuses.BOOST else ("1.1.7.c",)
        _tell(play, Event("counters", cites, scope.controller, play.state.things[changed[0].key], told=kind))
    did(play, scope, changed)


def _create(play: Play, effect: Effect, scope: Scope) -> None:
    """1.1.7.b: tokens, in the named expedition."""
    name, kind = effect.text("create"), effect.text("in") or "hero"
    if name not in play.state.cards:
        play.rules.primitives["manual"](play, Effect("manual", (("manual", f"Create {name}."),)), scope)
        return
    tokens = []
    for seat in who(play, effect, scope):
        for _ in range(query.number(play.state, effect.value("n"), scope)):
            token = play.create(name, kind if is_expedition(kind) else "hero", seat)
            play.emit(Event("enters", ("1.1.7.b",), seat, token, zone=token.zone))
            tokens.append(play.state.things[token.key])
    did(play, scope, tokens)


def _expedition(play: Play, effect: Effect, scope: Scope) -> None:
    """A13, A34: move a counter, forward or back; the half that it enters is turned up."""
    change, choice = effect.change("expedition"), effect.text("which") or "both"
    number = query.number(play.state, change.by, scope) if change is not None else 0
    for seat in who(play, effect, scope):
        for kind in ("hero", "companion") if choice == "both" else (choice,):
            dusk.advance(play, seat, kind, number, ("1.3.2.e",))


def _becomes_first(play: Play, effect: Effect, scope: Scope) -> None:
    """1.3.2.b: another first player."""
    for seat in query.seats_meant(play.state, effect.selector("becomes first"), scope)[:1]:
        play.state = replace(play.state, turn=replace(play.state.turn, starter=seat))


def _wins(play: Play, effect: Effect, scope: Scope) -> None:
    """A15: agreed, ruled, or said by a card."""
    seats = query.seats_meant(play.state, effect.selector(effect.word), scope)
    for seat in play.state.living:
        if (seat in seats) is (effect.word == "loses"):
            dusk.lose(play, seat, "A15")


def _choose(play: Play, effect: Effect, scope: Scope) -> None:
    """1.4.5: chosen when it resolves, in the order of initiative."""
    selector = effect.get("choose")
    if not isinstance(selector, Selector):
        SHARED["choose"](play, effect, scope)
        return
    number = query.number(play.state, effect.value("most"), scope, selector.n or 1)
    optional = selector.word == "up to" or effect.get("least") is not None
    question = Question(effect.effects(), scope, selector, number, optional, known_after=True)
    play.push(InOrder(question, who(play, effect, scope)))


def _may(play: Play, effect: Effect, scope: Scope) -> None:
    """1.4.5: optional for each player; or something is allowed for a while."""
    if isinstance(effect.get("may"), tuple):
        play.push(InOrder(Question(effect.effects("may"), scope), who(play, effect, scope)))
    else:
        SHARED["may"](play, effect, scope)


def _search(play: Play, effect: Effect, scope: Scope) -> None:
    """3.1.3.f: a card searched for by its characteristics is shown when it is found."""
    where = effect.filter("for")
    if where is not None and play.state.version >= 5 and statuses.uses_characteristics(where):
        effect = Effect(
            effect.word, (*((key, value) for key, value in effect.args if key != "reveal"), ("reveal", True))
        )
    SHARED["search"](play, effect, scope)


def _for_each(play: Play, effect: Effect, scope: Scope) -> None:
    """3.1.3.f: hidden cards that are counted by their characteristics are shown first."""
    things_meant(play, effect, scope)
    SHARED["for each"](play, effect, scope)


def _end(play: Play, effect: Effect, scope: Scope) -> None:
    """A33: a judge ends the Dusk."""
    if effect.text("end") == "dusk":
        dusk.end(play)
    else:
        play.rules.primitives["manual"](play, Effect("manual", (("manual", f"end {effect.text('end')}"),)), scope)


def _agreement(play: Play, effect: Effect, scope: Scope) -> None:
    """A12: a ruling, or both players, change an agreement."""
    asking.change(play, query.number(play.state, effect.value("n"), scope), effect.text("agreement"))


PRIMITIVES: Mapping[str, Primitive] = {
    **SHARED,
    "draw": _draw, "resupply": _resupply, "move": _move, "sacrifice": _sacrifice, "discard": _discard,
    "give": _give, "remove": _remove, "exhaust": _exhaust, "ready": _ready, "counters": _counters, "create": _create,
    "expedition": _expedition, "becomes first": _becomes_first, "wins": _wins, "loses": _wins, "choose": _choose,
    "may": _may, "search": _search, "for each": _for_each, "end": _end, "agreement": _agreement,
}  # fmt: skip
