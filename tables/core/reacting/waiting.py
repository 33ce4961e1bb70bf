"""8.4, K6, K27: waiting triggers are settled (paid, wanted, aimed), ordered by their controllers, and placed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tables.core import pile
from tables.core.blanks import GOES_ON, Blank, OpenLine, refs_of
from tables.core.decisions import AGREED, AskChoice, AskMay, Decision, Then
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.lists.cards import Price
from tables.core.reasons import Refused
from tables.core.state import Aim, Scope, State, Waiting
from wargame.rules.core.saying import said

if TYPE_CHECKING:
    from tables.core.play import Play


def settle(play: Play) -> None:
    """8.4: one step: settle the first unsettled one, in turn order; else order and place them."""
    for seat in play.state.from_turn_player():
        for wait in of(play.state, seat):
            if not wait.settled:
                _settle(play, wait)
                return
    for seat in play.state.from_turn_player():
        waits = of(play.state, seat)
        if not waits:
            continue
        if len(waits) > 1 and len({_alike(wait) for wait in waits}) > 1:
            play.ask(AskTriggers((seat,)))
        else:
            place(play, waits)
        return
    play.state = replace(play.state, waiting=())


def of(state: State, seat: str) -> tuple[Waiting, ...]:
    """8.4: the waiting triggers that a seat controls, in the order in which they triggered."""
    return tuple(wait for wait in state.waiting if wait.controller == seat)


def _alike(wait: Waiting) -> object:
    """A key for triggers whose order doesn't matter: the same ability of the same card, without targets."""
    if wait.scope.targets or wait.what == "choice" or _of_itself(wait):
        return wait.source
    return (wait.card, wait.ability)


def _of_itself(wait: Waiting) -> bool:
    return wait.ability is not None and any("self" in str(effect) for effect in wait.ability.do)


def place(play: Play, ordered: tuple[Waiting, ...]) -> None:
    """8.4: put them on the pile, the first named first; the holder of priority has it again, nobody having passed."""
    play.state = replace(play.state, waiting=tuple(wait for wait in play.state.waiting if wait not in ordered))
    for wait in ordered:
        if wait.ability is not None and play.rules.outside_pile(wait.ability):
            play.push(pile.Do(wait.ability.do, wait.scope))
        else:
            pile.put(play, pile.next_item(play, wait), ("9.3", "8.4") if wait.what == "trigger" else ("6.1", "8.4"))
    if play.state.priority is not None:
        play.give_priority(play.state.priority.holder)


def _drop(play: Play, wait: Waiting, cites: str) -> None:
    play.state = replace(play.state, waiting=tuple(other for other in play.state.waiting if other is not wait))
    play.emit(Event("not placed", (cites,), wait.controller, play.state.things.get(wait.source.key)))


def _swap(play: Play, old: Waiting, new: Waiting) -> Waiting:
    play.state = replace(play.state, waiting=tuple(new if other == old else other for other in play.state.waiting))
    return new


def _settle(play: Play, wait: Waiting) -> None:
    """K27: without a legal target it is dropped; then whether it is wanted and paid; then its targets."""
    ability = wait.ability
    if ability is None:
        _swap(play, wait, replace(wait, settled=True))
        return
    open_ = ability.targets[len(wait.scope.targets) :]
    for target in open_:
        if target.least > len(pile.legal_targets(play.state, target, wait.scope)):
            _drop(play, wait, "8.5")
            return
    if (ability.may or not ability.cost.free) and not wait.scope.chosen:
        if not play.rules.can_pay(play, wait.controller, ability.cost, wait.scope):
            _drop(play, wait, "9.3")
            return
        play.ask(AskMay((wait.controller,), WantedThen(wait), ability.text or wait.card))
        return
    if not open_:
        _swap(play, wait, replace(wait, settled=True, scope=replace(wait.scope, chosen=())))
        return
    target = open_[0]
    legal = pile.legal_targets(play.state, target, wait.scope)
    if len(legal) == target.least:
        _aimed(play, wait, legal)
        return
    then = TargetThen(wait)
    play.ask(AskChoice((wait.controller,), legal, target.least, min(target.most, len(legal)), then, "8.5"))


def _aimed(play: Play, wait: Waiting, aims: tuple[Aim, ...]) -> None:
    _swap(play, wait, replace(wait, scope=replace(wait.scope, targets=(*wait.scope.targets, aims))))


@dataclass(frozen=True, slots=True)
class WantedThen(Then):
    """9.3: an optional or paid trigger: an unwanted one does not go on the pile."""

    wait: Waiting

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """9.3, 8.1: pay at once, without the pile."""
        if not aims or self.wait.ability is None:
            play.emit(Event("not placed", ("9.3",), seat, play.state.things.get(self.wait.source.key)))
            play.state = replace(play.state, waiting=tuple(other for other in play.state.waiting if other != self.wait))
            return
        self.agree(play, seat, Action("yes"))

    def agree(self, play: Play, seat: str, action: Action) -> None:
        """9.3, 8.1: pay at once, without the pile, with what the line names."""
        if self.wait.ability is not None:
            new = _swap(play, self.wait, replace(self.wait, scope=replace(self.wait.scope, chosen=(AGREED,))))
            play.rules.pay(play, seat, self.wait.ability.cost, new.scope, action)

    def price(self) -> tuple[Price, Scope] | None:
        """8.1: the cost of a trigger."""
        return (self.wait.ability.cost, self.wait.scope) if self.wait.ability is not None else None

    def words(self, state: State) -> tuple[str, ...]:
        """T10: the card that triggered, its number, and what it would do."""
        steps = self.wait.ability.do if self.wait.ability else ()
        name = naming.called(state, self.wait.source, self.wait.card)
        return (self.wait.card, name, *(effect.word for effect in steps))


@dataclass(frozen=True, slots=True)
class TargetThen(Then):
    """8.5, K27: a trigger's targets."""

    wait: Waiting

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """8.5: declare the targets."""
        _aimed(play, self.wait, aims)


@dataclass(frozen=True, slots=True)
class AskTriggers(Decision):
    """8.4: the order in which a player's triggers go on the pile."""

    kind = "triggers"
    takes = ("triggers",)
    cites = "8.4"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """8.4: each is named once; the first named goes on the pile first, so it resolves last."""
        waits = list(of(play.state, seat))
        ordered = []
        for name in naming.names(action):
            trigger = next((wait for wait in waits if naming.is_called(play.state, name, wait.source, wait.card)), None)
            if trigger is None:
                raise Refused("8.4", said("name each trigger once"))
            waits.remove(trigger)
            ordered.append(trigger)
        if len({wait.card for wait in waits}) > 1:
            raise Refused("8.4", said("name all of the triggers"))
        place(play, (*ordered, *waits))

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """8.4: in any order."""
        names = tuple(naming.called(play.state, wait.source, wait.card) for wait in of(play.state, seat))
        return (OpenLine(Action("triggers"), (Blank(GOES_ON, names, len(names), len(names), True),)),)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: in their current order."""
        names = tuple(naming.called(state, wait.source, wait.card) for wait in of(state, seat))
        return Action("triggers", order=refs_of(names))
