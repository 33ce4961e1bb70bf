"""8.4: the effect pile: items are put on it, resolve from the top, and are countered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict, Unpack

from tables.core import query
from tables.core.events import Event
from tables.core.lists.cards import Effect, Target
from tables.core.state import Aim, Item, Player, Ref, Scope, State, Task, Thing, Waiting
from tables.core.zones import kind_of

if TYPE_CHECKING:
    from tables.core.play import Play


def put(play: Play, item: Item, cites: tuple[str, ...] = ("8.4",)) -> None:
    """8.4: an item goes on top of the pile."""
    play.state = replace(play.state, pile=(*play.state.pile, item))
    play.emit(Event("on pile", cites, item.controller, play.state.things.get(item.source.key), told=item.what))
    for number, aims in enumerate(item.scope.targets, 1):
        for aim in aims:
            thing = play.state.thing(aim)
            seat = aim.seat if not isinstance(aim, Ref) and hasattr(aim, "seat") else ""
            play.emit(Event("targeted", ("8.5",), seat or (thing.controller if thing else ""), thing, amount=number))


def next_item(play: Play, waiting: Waiting) -> Item:
    return Item(
        play.count("item"),
        waiting.what,
        waiting.controller,
        waiting.source,
        waiting.card,
        waiting.scope,
        waiting.ability,
    )


def take_off(play: Play, number: int) -> None:
    """8.4: remove an item from the pile."""
    play.state = replace(play.state, pile=tuple(item for item in play.state.pile if item.id != number))


@dataclass(frozen=True, slots=True)
class Do(Task):
    """T10: effects that are carried out one after the other; each knows what the one before did (`scope`)."""

    effects: tuple[Effect, ...]
    scope: Scope

    def run(self, play: Play) -> None:
        """10.3: the first of them; the rest waits beneath any new tasks."""
        if not self.effects:
            return
        first, rest = self.effects[0], self.effects[1:]
        if rest:
            play.push(Do(rest, self.scope))
        primitives = play.rules.primitives
        if (primitive := primitives.get(first.word)) is not None:
            play.guard = self.scope.instead
            try:
                primitive(play, first, self.scope)
            finally:
                play.guard = frozenset()
            return
        # K42: a word of the vocabulary that this game has no procedure for is settled by agreement or ruling
        text = play.state.cards[self.scope.card].text if self.scope.card in play.state.cards else ""
        primitives["manual"](play, Effect("manual", (("manual", text or first.word),)), self.scope)


class Known(TypedDict, total=False):
    """T7: what a step passes to the steps after it."""

    chosen: tuple[Aim, ...]
    acted: tuple[Aim, ...]
    it: tuple[Aim, ...]
    many: int
    done: bool
    unseen: bool


def carry(play: Play, scope: Scope, **known: Unpack[Known]) -> Scope:
    """T7: pass knowledge of this step to the steps after it (`chosen`, `acted`, `many`, `done`, `it`)."""
    agenda = play.state.agenda
    at = len(agenda) - 1
    while play.state.version >= 5 and at >= 0 and _in_its_place(agenda[at], scope):
        at -= 1
    task = agenda[at] if at >= 0 else None
    if isinstance(task, Do) and task.scope.source == scope.source:
        rest = replace(task, scope=replace(task.scope, **known))
        play.state = replace(play.state, agenda=(*agenda[:at], rest, *agenda[at + 1 :]))
    return replace(scope, **known)


def _in_its_place(task: Task, scope: Scope) -> bool:
    """10.1: whether it replaces something that an effect did, and so is not a step of the effect itself."""
    return isinstance(task, Do) and task.scope.instead != scope.instead


@dataclass(frozen=True, slots=True)
class Finish(Task):
    """8.3.1: an item has resolved: it leaves the pile, and after its last effect its card does too (K25)."""

    item: int

    def run(self, play: Play) -> None:
        """8.3.1, 8.4: then the turn player is given priority."""
        item = play.state.item(self.item)
        if item is None:
            return
        take_off(play, self.item)
        card_done(play, item)


def card_done(play: Play, item: Item) -> None:
    """7.2, K25, 5.6: a card goes to its owner's discard pile after its last effect."""
    thing = play.state.thing(item.source)
    if thing is None or kind_of(thing.zone) not in ("pile", "revealed"):
        return
    if any(other.source == item.source for other in play.state.pile):
        return
    if any(wait.source == item.source for wait in play.state.waiting):
        return
    play.move(thing.key, play.rules.discard, cites=("7.2", "5.6"), event="done")


def legal_targets(state: State, target: Target, scope: Scope) -> tuple[Aim, ...]:
    """8.5: everything that may be declared as this target now."""
    aims = []
    for aim in candidates(state, target, scope):
        thing = state.thing(aim)
        if thing is not None and query.forbids(state, "be targeted", thing):
            continue
        if thing is not None and dict(thing.counters).get("stealth") and _opposed(state, thing, scope):
            continue
        aims.append(aim)
    return tuple(aims)


def _opposed(state: State, thing: Thing, scope: Scope) -> bool:
    """13.8.5, S40: stealth hides a thing from opponents, not from its own side."""
    return state.side(thing.controller) != state.side(scope.controller)


def candidates(state: State, target: Target, scope: Scope) -> tuple[Aim, ...]:
    """8.5: all that fits a target's words; a player if it says so."""
    if target.where.type == "player":
        return tuple(
            Player(seat)
            for seat in state.from_turn_player()
            if query.aim_fits(state, Player(seat), target.where, scope)
        )
    return query.fitting(state, target.where, scope)


def still_legal(state: State, item: Item) -> Scope | None:
    """8.5, K24: the scope with the targets that are still legal; None if the effect is removed.

    One target gone removes the effect, except in an "up to": there all of them must be gone.
    """
    if item.ability is None:
        return item.scope
    valid: list[tuple[Aim, ...]] = []
    free_gone = 0
    free_all = 0
    for target, aims in zip(item.ability.targets, item.scope.targets, strict=False):
        legal = tuple(aim for aim in aims if aim in legal_targets(state, target, item.scope))
        if target.least == target.most and len(legal) < len(aims):
            return None
        if target.least < target.most:
            free_all += len(aims)
            free_gone += len(aims) - len(legal)
        valid.append(legal)
    fixed = any(target.least == target.most and aims for target, aims in zip(item.ability.targets, valid, strict=False))
    if free_all and free_gone == free_all and not fixed:
        return None
    return replace(item.scope, targets=tuple(valid))


def resolve(play: Play, item: Item) -> None:
    """8.4, T10, K48: resolve an effect, wherever its source is now: check its targets, then carry out its steps one
    after the other."""
    play.push(Finish(item.id))
    scope = still_legal(play.state, item)
    if scope is None:
        play.emit(Event("removed", ("8.5",), item.controller, play.state.things.get(item.source.key)))
        return
    ability = item.ability
    if ability is None:
        return
    if not query.holds(play.state, ability.test, scope):
        play.emit(Event("removed", ("10",), item.controller, play.state.things.get(item.source.key)))
        return
    if ability.choose is not None:
        choice = Effect("choose", (("choose", ability.choose), ("do", ability.do)))
        play.push(Do((choice,), scope))
        return
    play.push(Do(ability.do, scope))
