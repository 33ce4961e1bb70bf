"""T7: effects on the pile, on places and on the flow: copies, new targets, swaps, orders, ends and skips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tables.core import pile, query
from tables.core.decisions import AskChoice, Then
from tables.core.effects.cards import did, things_meant, who
from tables.core.engine import go_to
from tables.core.events import Event
from tables.core.lists.cards import Effect, Selector
from tables.core.play import Primitive
from tables.core.state import Aim, Item, OnPile, Player, Scope, Task, Thing
from tables.core.zones import kind_of, seat_of

if TYPE_CHECKING:
    from tables.core.play import Play


def _items(play: Play, effect: Effect, scope: Scope) -> list[Item]:
    """8.4: the items of the pile that are meant, if they are still there."""
    selector = effect.selector(effect.word)
    aims = query.meant(play.state, selector, scope) if selector else ()
    items = [play.state.item(aim.item) for aim in aims if isinstance(aim, OnPile)]
    return [item for item in items if item is not None]


def _copy(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: repeat an item's effect for the player who copies it: another item on top, with the same targets."""
    copies = []
    for item in _items(play, effect, scope):
        if item.ability is None:
            continue
        copied = replace(item.scope, controller=scope.controller)
        new = Item(
            play.count("item"), "copy", scope.controller, item.source, item.card, copied, item.ability, item.by_eleven
        )
        pile.put(play, new, ("10.1",))
        copies.append(OnPile(new.id))
    pile.carry(play, scope, acted=tuple(copies), it=tuple(copies), many=len(copies), done=bool(copies))


def _new_targets(play: Play, effect: Effect, scope: Scope) -> None:
    """8.5: the controller of an item declares its targets again; if nothing else is legal, they stay."""
    for item in _items(play, effect, scope):
        if item.ability is not None:
            play.push(*(Retarget(item.id, at) for at in range(len(item.ability.targets))))


@dataclass(frozen=True, slots=True)
class Retarget(Task):
    """8.5: one of an item's targets, chosen again."""

    item: int
    at: int

    def run(self, play: Play) -> None:
        """8.5: ask if there is a choice."""
        item = play.state.item(self.item)
        if item is None or item.ability is None or self.at >= len(item.scope.targets):
            return
        target = item.ability.targets[self.at]
        legal = pile.legal_targets(play.state, target, item.scope)
        if len(legal) >= max(1, target.least):
            most = min(target.most, len(legal))
            play.ask(AskChoice((item.controller,), legal, target.least, most, RetargetThen(self), "8.5"))


@dataclass(frozen=True, slots=True)
class RetargetThen(Then):
    """8.5: the new targets count from now on."""

    task: Retarget

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """8.5: declare them again, so that they become targeted."""
        item = play.state.item(self.task.item)
        if item is None:
            return
        targets = (*item.scope.targets[: self.task.at], aims, *item.scope.targets[self.task.at + 1 :])
        new = replace(item, scope=replace(item.scope, targets=targets))
        play.state = replace(play.state, pile=tuple(new if old is item else old for old in play.state.pile))
        for aim in aims:
            thing = play.state.thing(aim)
            owner = aim.seat if isinstance(aim, Player) else thing.controller if thing else ""
            play.emit(Event("targeted", ("8.5",), owner, thing, amount=self.task.at + 1))


def _swap(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: two things swap: in one zone their places, in play their controllers, else their zones."""
    one, other = things_meant(play, effect, scope)[:1], things_meant(play, effect, scope, "with")[:1]
    if not one or not other or one[0].key == other[0].key:
        did(play, scope, [])
        return
    _exchange(play, one[0], other[0], scope)
    did(play, scope, [*one, *other])


def _exchange(play: Play, one: Thing, other: Thing, scope: Scope) -> None:
    zones = play.state.zones
    if one.zone == other.zone:
        changed = {one.key: other.key, other.key: one.key}
        play.zone_set(one.zone, tuple(changed.get(key, key) for key in zones[one.zone]))
        play.emit(Event("swapped", ("10",), seat_of(one.zone), zone=one.zone))
        return
    kinds = kind_of(one.zone), kind_of(other.zone)
    if all(play.rules.zones[kind].play for kind in kinds):
        for thing, seat in ((one, other.controller), (other, one.controller)):
            effect = Effect("control", (("control", Selector("chosen")), ("by", Selector("it"))))
            play.push(pile.Do((effect,), replace(scope, chosen=(thing.ref,), it=(Player(seat),))))
        return
    at = [zones[thing.zone].index(thing.key) for thing in (one, other)]
    sides = [thing.controller for thing in (one, other)]
    for thing, kind, side, place in ((one, kinds[1], sides[1], at[1]), (other, kinds[0], sides[0], at[0])):
        in_play = play.rules.zones[kind].play
        play.move(thing.key, kind, seat=side if in_play else thing.owner, cites=("G: Put/Place/Move",), place=place)


def _rearrange(play: Play, effect: Effect, scope: Scope) -> None:
    """6.3, T7: the player looks at the cards and puts them back at their places in any order."""
    things = things_meant(play, effect, scope)
    for seat in who(play, effect, scope):
        for thing in things:
            play.change(thing.key, known=frozenset({seat}))
        play.emit(Event("looked", ("6.2",), seat, amount=len(things)))
        refs: tuple[Aim, ...] = tuple(thing.ref for thing in things)
        if len(refs) > 1:
            play.ask(AskChoice((seat,), refs, len(refs), len(refs), RearrangeThen(scope), "6.3"))


@dataclass(frozen=True, slots=True)
class RearrangeThen(Then):
    """6.3: the first card named comes first."""

    scope: Scope

    ordered = True

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """6.3: the places stay, the cards at them change."""
        things = [thing for aim in aims if (thing := play.state.thing(aim)) is not None]
        for zone in dict.fromkeys(thing.zone for thing in things):
            new_keys = iter([thing.key for thing in things if thing.zone == zone])
            those = {thing.key for thing in things if thing.zone == zone}
            keys = play.state.zones[zone]
            play.zone_set(zone, tuple(next(new_keys) if key in those else key for key in keys))
        play.emit(Event("rearranged", ("6.3",), seat, amount=len(things)))
        did(play, self.scope, things)


def _move_counters(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: move this number of counters, or as many as there are, from one thing to another."""
    kind = effect.text("move counters")
    sources, goals = things_meant(play, effect, scope, "from")[:1], things_meant(play, effect, scope, "to")[:1]
    if not sources or not goals or sources[0].key == goals[0].key:
        did(play, scope, [])
        return
    have = dict(sources[0].counters)
    number = min(have.get(kind, 0), max(0, query.number(play.state, effect.value("n"), scope)))
    for thing, by in ((sources[0], -number), (goals[0], number)):
        counts = dict(thing.counters)
        counts[kind] = counts.get(kind, 0) + by
        play.change(thing.key, counters=tuple((name, count) for name, count in counts.items() if count > 0))
    did(play, scope, sources if number else [], number)


def _skip(play: Play, effect: Effect, scope: Scope) -> None:
    """10.1: skip a player's next phase of that name; a name unknown to the game is settled by people."""
    phase = effect.text("skip")
    if phase not in play.rules.phases and phase != "turn":
        play.rules.primitives["manual"](play, Effect("manual", (("manual", f"skip: {phase}"),)), scope)
        return
    for seat in who(play, effect, scope):
        play.count(f"skip {seat} {phase}")
        play.emit(Event("will skip", ("10.1",), seat, told=phase))


def _end(play: Play, effect: Effect, scope: Scope) -> None:
    """10.1: end the step, phase or turn: the pile and all that waits goes without effect; of a turn, only its last
    phase is left."""
    for item in play.state.pile:
        if item.source != scope.source:
            pile.take_off(play, item.id)
            pile.card_done(play, item)
    play.state = replace(play.state, waiting=(), fight=None)
    at, rules = play.state.turn.at, play.rules
    match effect.text("end"):
        case "step":
            goal = rules.steps[at].then
        case "phase":
            goal = next((after for first, after in rules.phases.values() if _within(play, first, after)), "")
            goal = goal or rules.steps[at].then
        case _:
            goal = rules.last
    if goal:
        play.push(GoTo(goal))


def _within(play: Play, first: str, after: str) -> bool:
    """4: whether the current step belongs to the phase that begins with `first` and is followed by `after`."""
    name, visited = first, set()
    while name != after and name not in visited:
        if name == play.state.turn.at:
            return True
        visited.add(name)
        name = play.rules.following.get(name, play.rules.steps[name].then)
    return False


@dataclass(frozen=True, slots=True)
class GoTo(Task):
    """4: begin another step when the current actions are done."""

    step: str

    def run(self, play: Play) -> None:
        """4: go to the step."""
        go_to(play, self.step)


ITEMS: Mapping[str, Primitive] = {
    "copy": _copy, "new targets": _new_targets, "swap": _swap, "rearrange": _rearrange,
    "move counters": _move_counters, "skip": _skip, "end": _end,
}  # fmt: skip
