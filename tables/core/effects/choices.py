"""T7: choices, conditions and repetition, and the fallback: an agreement of the players or a ruling (K42)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tables.core import query
from tables.core.blanks import GOES_ON, Blank, OpenLine, with_names
from tables.core.decisions import AskChoice, AskMay, Decision, Then
from tables.core.effects.cards import who
from tables.core.effects.lasting import hold
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import PROPOSE_NOTHING, Action
from tables.core.lines.understanding import read_ruling
from tables.core.lists.cards import Effect, Price, Selector
from tables.core.pile import Do, carry
from tables.core.play import Primitive
from tables.core.reasons import Refused
from tables.core.state import Aim, Player, Scope, State, Task, Tile
from wargame.rules.core.saying import said

if TYPE_CHECKING:
    from tables.core.play import Play

MOST_EACH = 50
"""T7: the most repetitions of "for each"."""


@dataclass(frozen=True, slots=True)
class Choose(Task):
    """10.4: one player chooses when the effect resolves."""

    seat: str
    effect: Effect
    scope: Scope

    def run(self, play: Play) -> None:
        """10.3: as many as there are; if there are none, nothing is done."""
        among, least, most = _offered(play.state, self.effect, self.scope, self.seat)
        then = ChooseThen(self.effect, self.scope)
        if not among:
            carry(play, self.scope, chosen=(), done=False)
        elif least == most == len(among):
            then.take(play, self.seat, among)
        else:
            play.ask(AskChoice((self.seat,), among, least, most, then))


def _offered(state: State, effect: Effect, scope: Scope, seat: str) -> tuple[tuple[Aim, ...], int, int]:
    choice = effect.get("choose")
    chooser = replace(scope, controller=seat) if seat != scope.controller else scope
    if choice == "player":
        among: tuple[Aim, ...] = tuple(Player(letter) for letter in state.from_turn_player())
        return among, 1, 1
    if choice == "tile" and state.ground is not None:
        return tuple(Tile(tile) for tile in state.ground.tiles), 1, 1
    if not isinstance(choice, Selector):
        return (), 0, 0
    among = query.meant(state, choice, chooser)
    default = choice.n or 1
    most = min(query.number(state, effect.value("most"), scope, default), len(among))
    least = min(query.number(state, effect.value("least"), scope, 0 if choice.word == "up to" else most), most)
    return among, least, most


@dataclass(frozen=True, slots=True)
class ChooseThen(Then):
    """10.4: the steps within, and those after it, know what was chosen."""

    effect: Effect
    scope: Scope

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        play.emit(Event("chosen", ("10.4",), seat, amount=len(aims)))
        new = carry(play, self.scope, chosen=aims, done=bool(aims))
        if steps := self.effect.effects():
            play.push(Do(steps, replace(new, they=seat)))


def _choose(play: Play, effect: Effect, scope: Scope) -> None:
    """10.4: `choose` by the players that `who` means, one after the other."""
    play.push(*(Choose(seat, effect, scope) for seat in who(play, effect, scope)))


def _may(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: a player may do it, or not; or an action is allowed for a while."""
    steps = effect.get("may")
    if not isinstance(steps, tuple):
        hold(play, effect, scope)
        return
    play.push(*(May(seat, steps, scope) for seat in who(play, effect, scope)))


@dataclass(frozen=True, slots=True)
class May(Task):
    """9.3: ask one player whether they do it."""

    seat: str
    steps: tuple[Effect, ...]
    scope: Scope

    def run(self, play: Play) -> None:
        """9.3: ask the player."""
        play.ask(AskMay((self.seat,), MayThen(self.steps, self.scope)))


@dataclass(frozen=True, slots=True)
class MayThen(Then):
    """9.3: on yes, the steps are done."""

    steps: tuple[Effect, ...]
    scope: Scope

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        carry(play, self.scope, done=bool(aims))
        if aims:
            play.push(Do(self.steps, replace(self.scope, they=seat)))

    def words(self, state: State) -> tuple[str, ...]:
        """T10: what would be done, and by which card."""
        return (
            self.scope.card,
            naming.called(state, self.scope.source, self.scope.card),
            *(effect.word for effect in self.steps),
        )


@dataclass(frozen=True, slots=True)
class Pay(Task):
    """8.1.3: one player may pay; else the other steps are done."""

    seat: str
    effect: Effect
    scope: Scope

    def run(self, play: Play) -> None:
        """8.1.3: a player who can't pay isn't asked."""
        price = self.effect.price("pay")
        if price is not None and play.rules.can_pay(play, self.seat, price, self.scope):
            play.ask(AskMay((self.seat,), PayThen(self.effect, self.scope), "pay"))
        else:
            PayThen(self.effect, self.scope).take(play, self.seat, ())


@dataclass(frozen=True, slots=True)
class PayThen(Then):
    """8.1: pay at once, or not at all."""

    effect: Effect
    scope: Scope

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """`do` if it was paid, `or` if it wasn't."""
        self._go_on(play, seat, paid=bool(aims))

    def agree(self, play: Play, seat: str, action: Action) -> None:
        """8.1: pay with what the line names."""
        if (price := self.effect.price("pay")) is not None:
            play.rules.pay(play, seat, price, self.scope, action)
        self._go_on(play, seat, paid=price is not None)

    def price(self) -> tuple[Price, Scope] | None:
        """8.1: the price."""
        cost = self.effect.price("pay")
        return (cost, self.scope) if cost is not None else None

    def _go_on(self, play: Play, seat: str, *, paid: bool) -> None:
        carry(play, self.scope, done=paid)
        if steps := self.effect.effects("do" if paid else "or"):
            play.push(Do(steps, replace(self.scope, they=seat)))

    def words(self, state: State) -> tuple[str, ...]:
        """T10: what would be done, and by which card."""
        return (self.scope.card, naming.called(state, self.scope.source, self.scope.card), "pay")


def _pay(play: Play, effect: Effect, scope: Scope) -> None:
    """8.1.3: `pay COST, do: .., or: ..`."""
    play.push(*(Pay(seat, effect, scope) for seat in who(play, effect, scope)))


def _in_order(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: the steps, one after the other."""
    play.push(Do(effect.effects("in order"), scope))


def _if(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: `if TEST: do .., else ..`; 10: tested when it resolves."""
    met = query.holds(play.state, effect.test("if"), scope)
    if steps := effect.effects("do" if met else "else"):
        play.push(Do(steps, scope))


def _for_each(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: the steps for each thing meant now, as `it`; at most 50."""
    selector = effect.selector("for each")
    aims = query.meant(play.state, selector, scope) if selector else ()
    most = query.number(play.state, effect.value("most"), scope, MOST_EACH)
    play.push(*(Do(effect.effects(), replace(scope, it=(aim,))) for aim in aims[: min(most, MOST_EACH)]))


def _each(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: the steps for each player in turn order, as `they`."""
    seats = query.seats_meant(play.state, effect.selector("each"), scope)
    play.push(*(Do(effect.effects(), replace(scope, they=seat, it=(Player(seat),))) for seat in seats))


def _remember(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: later steps refer to it by `chosen`."""
    selector = effect.selector("remember")
    if selector is not None:
        carry(play, scope, chosen=query.meant(play.state, selector, scope))


def _coin(play: Play, effect: Effect, scope: Scope) -> None:
    """T8.4: a committed coin."""
    won = play.draw("coin", play.count("coin"), 2) == 1
    play.emit(Event("coin", ("10",), scope.controller, amount=1 if won else 2))
    if steps := effect.effects("won" if won else "lost"):
        play.push(Do(steps, scope))


def _roll(play: Play, effect: Effect, scope: Scope) -> None:
    """T8.4: a committed die; `that many` is its result."""
    value = play.draw("die", play.count("die"), int(effect.text("roll").lstrip("d") or 6))
    play.emit(Event("rolled", ("10",), scope.controller, amount=value))
    carry(play, scope, many=value, done=True)


@dataclass(frozen=True, slots=True)
class AskManual(Decision):
    """K42: the table waits for an agreement or a ruling; its controller proposes."""

    text: str
    scope: Scope

    kind = "manual"
    takes = ("done",)
    cites = "K42"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """K42: only an accepted proposal or a ruling settles it."""
        raise Refused("K42", said("propose what happens, or ask a judge"))

    def default(self, state: State, seat: str) -> Action:
        """K42: a player who does not answer proposes nothing; a judge rules."""
        return PROPOSE_NOTHING

    def about(self) -> tuple[str, str]:
        """T11: the card, and its text."""
        return (self.scope.card, self.text)

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        """T11.1: how the same text was settled before, to be proposed again; else empty."""
        proposals = [read_ruling(state, one.program) for one in state.settled if (one.card, one.text) == self.about()]
        return (self.default(state, seat), *proposals)

    def told(self, state: State, seat: str) -> tuple[str, ...]:
        return (self.text,)


def _manual(play: Play, effect: Effect, scope: Scope) -> None:
    """K42: text beyond the vocabulary stops the table when it resolves."""
    play.ask(AskManual((scope.controller,), effect.text("manual"), scope))


@dataclass(frozen=True, slots=True)
class ModeThen(Then):
    """T7: the chosen modes, in the order of the card."""

    steps: tuple[Effect, ...]
    scope: Scope

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        numbers = {int(aim.seat) for aim in aims if isinstance(aim, Player)}
        play.push(Do(tuple(step for at, step in enumerate(self.steps, 1) if at in numbers), self.scope))


def _mode(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: choose a number of the steps by their numbers."""
    steps = effect.effects("of")
    number = min(query.number(play.state, effect.value("mode"), scope), len(steps))
    if number == len(steps):
        play.push(Do(steps, scope))
    elif number:
        play.ask(AskMode((scope.controller,), len(steps), number, ModeThen(steps, scope)))


@dataclass(frozen=True, slots=True)
class AskMode(Decision):
    """T7: the choice among a card's modes."""

    modes: int
    number: int
    then: ModeThen

    kind = "choose"
    takes = ("choose",)
    cites = "10.4"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """10.4: by number, each once."""
        texts = [str(text) for text in naming.names(action)] or ([str(action.n)] if action.n else [])
        numbers = {int(text) for text in texts if text.isascii() and text.isdigit() and 1 <= int(text) <= self.modes}
        if len(numbers) != self.number or len(texts) != self.number:
            raise Refused("10.4", said("choose %(number)s of 1 to %(modes)s", number=self.number, modes=self.modes))
        self.then.take(play, seat, tuple(Player(str(at)) for at in sorted(numbers)))

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """T7: several of them."""
        names = tuple(str(at + 1) for at in range(self.modes))
        return (OpenLine(Action("choose"), (Blank(GOES_ON, names, self.number, self.number),)),)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: the first."""
        return with_names(Action("choose"), [str(at + 1) for at in range(self.number)])


CHOICES: Mapping[str, Primitive] = {
    "choose": _choose, "may": _may, "pay": _pay, "in order": _in_order, "if": _if, "for each": _for_each, "each": _each,
    "remember": _remember, "coin": _coin, "roll": _roll, "manual": _manual, "mode": _mode,
}  # fmt: skip
