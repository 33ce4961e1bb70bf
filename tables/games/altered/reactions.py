"""A8, 5.3 to 5.5: abilities: when they trigger, their targets, and their resolution."""

from dataclasses import dataclass, replace

from tables.core import pile, query
from tables.core.blanks import OpenLine, refs_of
from tables.core.decisions import AGREED, AskChoice, Decision, Then
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.lists.cards import Ability, Number, Price, Stone
from tables.core.play import Play
from tables.core.reacting.waiting import of
from tables.core.reasons import Refused
from tables.core.state import Aim, Ref, Scope, State, Task, Waiting
from tables.core.zones import kind_of
from tables.games.altered import choosing, finding, paying, statuses
from tables.games.altered.flow import MOST_A_DAY
from wargame.rules.core.saying import said


def resolve(play: Play, ability: Ability, scope: Scope) -> None:
    """A8: its decisions in the order of initiative, then its steps."""
    if ability.when is None and not query.holds(play.state, ability.test, scope):
        play.emit(Event("no effect", ("1.4.1.c",), scope.controller, play.state.things.get(scope.source.key)))
        return
    seats: tuple[str, ...] = (scope.controller,)
    if ability.each is not None:
        members = query.seats_meant(play.state, ability.each, scope)
        seats = tuple(seat for seat in play.state.from_turn_player() if seat in members)
    if ability.choose is None and not ability.may and ability.each is None:
        play.push(pile.Do(ability.do, scope))
        return
    as_each = ability.each is not None
    number = max(1, ability.choose.n) if ability.choose is not None else 1
    question = choosing.Question(ability.do, scope, ability.choose, number, ability.may, as_each)
    if ability.choose is None and not ability.may:
        play.push(choosing.Together(question, seats, tuple((seat, (AGREED,)) for seat in seats)))
    else:
        play.push(choosing.InOrder(question, seats))


def declare(play: Play, seat: str, action: Action, ability: Ability, scope: Scope) -> Scope:
    """A8, 1.4.1.c: the targets of what is played; if there are no possible targets, none."""
    names = [name for name in (action.targets or ()) if name != "none"]
    declared: list[tuple[Aim, ...]] = []
    for at, target in enumerate(ability.targets, 1):
        legal = pile.legal_targets(play.state, target, scope)
        least, most = min(target.least, len(legal)), min(target.most, len(legal))
        later = sum(other.least for other in ability.targets[at:])
        own_names = names[: max(0, min(most, len(names) - later))]
        names = names[len(own_names) :]
        aims = finding.listed(play.state, seat, action, own_names, legal, "A8")
        if len(aims) < least:
            raise Refused("A8", said("name its target: `; target #4`"))
        statuses.show_used(play, aims, target.where)
        declared.append(aims)
    if names:
        raise Refused("A8", said("“%(word)s” is one target too many", word=names[0]), action.column(names[0]))
    return replace(scope, targets=tuple(declared))


def tough_cost(state: State, scope: Scope) -> int:
    """5.5.c, A22, A40: the extra cost for its targets."""
    things = [state.thing(aim) for aims in scope.targets for aim in aims if isinstance(aim, Ref)]
    return sum(statuses.tough(state, thing) for thing in things if thing is not None)


MOVES = ("leaves", "sacrificed", "discarded")
"""2.1.e: a trigger of these events refers to an object that moves away, and may find the new one. A trigger of
entering means the object that entered, and no other (2.1.c)."""


def settle(play: Play) -> bool:
    """A31: one step: after each, ask again the one with initiative if they have any; else the other."""
    for seat in play.state.from_turn_player():
        for wait in of(play.state, seat):
            if times(play.state, wait) >= MOST_A_DAY:
                drop(play, wait)
                play.emit(Event("not activated", ("1.4.6.c",), seat, play.state.things.get(wait.source.key)))
                return True
        reactions = of(play.state, seat)
        if len(reactions) > 1 and len({_alike(wait) for wait in reactions}) > 1:
            play.ask(AskReact((seat,)))
            return True
        if reactions:
            start(play, reactions[0])
            return True
    play.state = replace(play.state, waiting=())
    return False


def _alike(wait: Waiting) -> object:
    """A7: a key for reactions whose order is no choice: the same reaction to the same thing, of cards of one name."""
    return (wait.card, wait.giver, wait.number, wait.scope.it)


def mark(wait: Waiting) -> str:
    """1.4.6.c: the counter's key for how often a given reaction of a card activated today."""
    return f"today reaction {wait.source.key} {wait.number}"


def times(state: State, wait: Waiting) -> int:
    """1.4.6.c: how often the reaction has been activated today."""
    return state.counts.get(mark(wait), 0)


def drop(play: Play, wait: Waiting) -> None:
    remaining = list(play.state.waiting)
    remaining.remove(wait)
    play.state = replace(play.state, waiting=tuple(remaining))


def start(play: Play, wait: Waiting) -> None:
    """5.5: play it: it changes no zone; then targets, cost, resolution."""
    drop(play, wait)
    play.count(mark(wait))
    play.emit(Event("reaction", ("5.5", "A7"), wait.controller, play.state.things.get(wait.source.key)))
    play.push(React(_followed(play, wait)))


def _followed(play: Play, wait: Waiting) -> Waiting:
    """2.1.e: an object that its trigger moved to a visible zone is found there, as a new object."""
    ability, scope = wait.ability, wait.scope
    if ability is None or ability.when is None or ability.when.event not in MOVES:
        return wait
    it = tuple(_follow(play, aim) for aim in scope.it)
    if it == scope.it:
        return wait
    source = it[scope.it.index(scope.source)] if scope.source in scope.it else scope.source
    play.emit(Event("found", ("2.1.e",), wait.controller, play.state.thing(it[0])))
    new = source if isinstance(source, Ref) else scope.source
    return replace(wait, scope=replace(scope, it=it, source=new))


def _follow(play: Play, aim: Aim) -> Aim:
    record = play.state.gone.get(aim) if isinstance(aim, Ref) else None
    if record is None or record.then is None:
        return aim
    thing = play.state.thing(record.then)
    return record.then if thing is not None and play.rules.zones[kind_of(thing.zone)].public else aim


@dataclass(frozen=True, slots=True)
class React(Task):
    """5.5: a reaction that is being played: its targets one after the other, then its cost."""

    wait: Waiting

    def run(self, play: Play) -> None:
        """5.5.c, 5.5.d: ask for the next target; once all are chosen, for the cost."""
        ability, scope = self.wait.ability, self.wait.scope
        if ability is None:
            return
        at = len(scope.targets)
        if at < len(ability.targets):
            target = ability.targets[at]
            legal = pile.legal_targets(play.state, target, scope)
            least, most = min(target.least, len(legal)), min(target.most, len(legal))
            if legal:
                play.ask(AskTarget((self.wait.controller,), legal, least, most, TargetThen(self.wait), "A8", "target",
                                   "target"))  # fmt: skip
            else:
                TargetThen(self.wait).take(play, self.wait.controller, ())
            return
        if ability.cost.free and not tough_cost(play.state, scope):
            resolve(play, ability, scope)
        elif paying.can_pay(play, self.wait.controller, price(play.state, self.wait), scope):
            play.ask(AskPay((self.wait.controller,), self.wait))
        else:
            unpaid(play, self.wait)


def price(state: State, wait: Waiting) -> Price:
    """5.5.c: the cost of a reaction, including Tough."""
    cost = wait.ability.cost if wait.ability is not None else Price()
    return replace(cost, stones=(*cost.stones, Stone("mana", Number(tough_cost(state, wait.scope)))))


def unpaid(play: Play, wait: Waiting) -> None:
    """5.5.d: a reaction played without paying has no effect."""
    play.emit(Event("unpaid", ("5.5.d",), wait.controller, play.state.things.get(wait.source.key)))


@dataclass(frozen=True, slots=True)
class AskTarget(AskChoice):
    """A8: the target of a reaction."""

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """A8: as many as its targets."""
        aims = finding.chosen(play.state, seat, action, self.among, "A8")
        if not self.least <= len(aims) <= self.most:
            raise Refused("A8", said("choose %(most)s targets, not %(number)s", most=self.most, number=len(aims)))
        self.then.take(play, seat, aims)


@dataclass(frozen=True, slots=True)
class TargetThen(Then):
    """A8: the next target, or the cost."""

    wait: Waiting

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """A8: store the target, and go on with the next one or the cost."""
        if self.wait.ability is not None:
            statuses.show_used(play, aims, self.wait.ability.targets[len(self.wait.scope.targets)].where)
        scope = replace(self.wait.scope, targets=(*self.wait.scope.targets, aims))
        play.push(React(replace(self.wait, scope=scope)))


@dataclass(frozen=True, slots=True)
class AskPay(Decision):
    """5.5.d: whether its controller pays the cost of a reaction."""

    wait: Waiting

    kind = "pay"
    takes = ("pay", "yes", "no")
    cites = "5.5.d"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """5.5.c, 5.5.d: pay the cost and carry out the reaction, or don't pay and nothing happens."""
        if action.kind == "no" or self.wait.ability is None:
            unpaid(play, self.wait)
            return
        paying.pay(play, seat, price(play.state, self.wait), self.wait.scope, action)
        play.emit(Event("paid for", ("5.5.c",), seat))
        resolve(play, self.wait.ability, self.wait.scope)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: a player who does not answer does not pay."""
        return Action("no")

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        """To pay, or not."""
        no = Action("no")
        return (no,) if self._acts() and state.version >= 5 else (no, Action("pay"))

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """5.5.c: to pay, with what is given for it."""
        if not self._acts() or play.state.version < 5:
            return ()
        cost = price(play.state, self.wait)
        return (OpenLine(Action("pay"), tuple(paying.blanks(play, seat, cost, self.wait.scope))),)

    def _acts(self) -> bool:
        return self.wait.ability is not None and bool(self.wait.ability.cost.acts)


@dataclass(frozen=True, slots=True)
class AskReact(Decision):
    """A7: the reaction that a player plays next."""

    kind = "react"
    takes = ("react",)
    cites = "A7"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """A7, A32: by its card, by the card that gave it, or by the number of its ability."""
        reactions = of(play.state, seat)
        with finding.citing("A7"):
            matches = [wait for wait in reactions if _is_called(play.state, wait, action)]
        if action.ability and not any(_nth(wait, reactions) == action.ability for wait in matches):
            raise Refused("A32", said("it has no such waiting reaction"))
        matches = [wait for wait in matches if not action.ability or _nth(wait, reactions) == action.ability]
        if not matches:
            raise Refused("A7", said("none of your waiting reactions has that name"))
        start(play, matches[0])

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: in their current order."""
        return self.options(state, seat)[0]

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        reactions = of(state, seat)
        actions = []
        for wait in reactions:
            alike = [other for other in reactions if other.source == wait.source]
            (thing,) = refs_of((naming.called(state, wait.source, wait.card),))
            nth = min(_nth(wait, reactions), 5) if len(alike) > 1 else 0
            actions.append(Action("react", thing=thing, ability=nth))
        return tuple(dict.fromkeys(actions))


def _nth(wait: Waiting, reactions: tuple[Waiting, ...]) -> int:
    """A32: its number among the waiting reactions of its object, from 1."""
    numbers = sorted({other.number for other in reactions if other.source == wait.source})
    return numbers.index(wait.number) + 1


def _is_called(state: State, wait: Waiting, action: Action) -> bool:
    name = action.thing
    if naming.is_called(state, name, wait.source, wait.card):
        return True
    return isinstance(name, str) and bool(wait.giver) and wait.giver.casefold() == name.casefold()
