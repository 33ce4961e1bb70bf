"""1.4.5: decisions in the order of initiative: public if about visible things, else sealed; done together."""

from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice

from tables.core import query
from tables.core.blanks import GOES_ON, Blank, OpenLine
from tables.core.decisions import AGREED, MOST_OPTIONS, Decision, Then
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.lists.cards import Effect, Selector
from tables.core.pile import Do, carry
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Aim, Scope, State, Task
from tables.games.altered import finding, statuses
from wargame.rules.core.saying import said

Given = tuple[tuple[str, tuple[Aim, ...]], ...]
"""By seat: the choice; for a `may`: `AGREED` for yes."""


@dataclass(frozen=True, slots=True)
class Question(Then):
    """1.4.5: the decision that each of some players makes, and its result.

    `choose`: candidates, and the most and least number; None: a `may`. `as_each`: they do it, not the controller.
    """

    do: tuple[Effect, ...]
    scope: Scope
    choose: Selector | None = None
    number: int = 1
    optional: bool = False
    as_each: bool = False
    known_after: bool = False
    """Whether the steps after this one know what was chosen (`chosen`)."""

    @property
    def kind(self) -> str:
        return "may" if self.choose is None else "choose"

    @property
    def word(self) -> str:
        return self.do[0].word if self.do else ""

    def scope_of(self, seat: str) -> Scope:
        """T7: `they` is the player who decides; with `each` they do it themselves."""
        scope = replace(self.scope, they=seat)
        return replace(scope, controller=seat) if self.as_each else scope

    def among(self, state: State, seat: str) -> tuple[Aim, ...]:
        """1.4.1: the candidates; without those to which it can't be done."""
        if self.choose is None:
            return ()
        aims = query.meant(state, self.choose, self.scope_of(seat))
        if self.word != "sacrifice":
            return aims
        things = [(aim, state.thing(aim)) for aim in aims]
        return tuple(aim for aim, thing in things if thing and not query.forbids(state, "sacrifice", thing))

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """1.4.5: carry out one player's decision, with their choice."""
        scope = self.scope_of(seat)
        Do(self.do, scope if self.choose is None else replace(scope, chosen=aims)).run(play)

    def bounds(self, state: State, seat: str) -> tuple[int, int]:
        """1.4.1.c: the least and the most number: as many as there are."""
        most = min(self.number, len(self.among(state, seat)))
        return (0 if self.optional else most), most


@dataclass(frozen=True, slots=True)
class InOrder(Task):
    """1.4.5.a: ask each in turn, the one with initiative first; then carry out everything together."""

    question: Question
    seats: tuple[str, ...]
    given: Given = ()
    early: Given = ()

    def run(self, play: Play) -> None:
        """1.4.5.a: a choice with one option is asked, one with none is not."""
        picks, question = dict(self.given), self.question
        for seat in self.seats:
            if seat in picks:
                continue
            if question.choose is not None and question.bounds(play.state, seat)[1] == 0:
                picks[seat] = ()
                continue
            if (answer := dict(self.early).get(seat)) is not None:
                tell(play, question, seat, answer)
                picks[seat] = answer
                continue
            play.ask(AskInOrder((seat,), question, self.seats, tuple(picks.items()), self.early))
            return
        play.push(Together(question, self.seats, tuple(picks.items())))


def tell(play: Play, question: Question, seat: str, aims: tuple[Aim, ...]) -> None:
    """1.4.5.a: announce the decision, but not which card of a hidden zone."""
    thing = play.state.thing(aims[0]) if aims else None
    only = statuses.knowing(play, thing) if thing is not None else None
    play.emit(Event("chosen", ("1.4.5.a",), seat, thing, amount=len(aims), only=only))


@dataclass(frozen=True, slots=True)
class AskInOrder(Decision):
    """1.4.5.a: one player decides; those after them may hand in early, sealed (A11)."""

    question: Question
    seats: tuple[str, ...]
    given: Given
    early: Given

    cites = "1.4.5.a"

    @property
    def kind(self) -> str:  # type: ignore[override]
        return self.question.kind

    @property
    def what(self) -> str:  # type: ignore[override]
        return self.question.word

    @property
    def takes(self) -> tuple[str, ...]:  # type: ignore[override]
        """A may is also answered by its word."""
        if self.question.choose is None:
            return ("may", "yes", "no", "resupply")
        return ("choose", "target", "sacrifice", "discard", *(("no",) if self.question.optional else ()))

    def sealed(self, state: State) -> bool:
        """A11: an early or hidden answer is known to nobody until it counts."""
        return True

    def hears(self, seat: str) -> bool:
        """A11: the seats that are asked now or later."""
        return seat in self.seats and seat not in dict(self.given)

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """1.4.5.a: their choice counts; an early one waits for its turn."""
        aims = self._aims(play.state, seat, action)
        if seat not in self.of:
            rest = tuple((other, was) for other, was in self.early if other != seat)
            play.ask(replace(self, early=(*rest, (seat, aims))))
            play.emit(Event("sealed", ("A11",), seat))
            return
        tell(play, self.question, seat, aims)
        play.push(InOrder(self.question, self.seats, (*self.given, (seat, aims)), self.early))

    def _aims(self, state: State, seat: str, action: Action) -> tuple[Aim, ...]:
        question = self.question
        if question.choose is None:
            if action.kind == "resupply" and question.word != "resupply":
                raise Refused("1.4.5.a", said("answer yes or no"))
            return (AGREED,) if naming.yes(action) or action.kind == "resupply" else ()
        if action.kind == "no":
            return ()
        least, most = question.bounds(state, seat)
        aims = finding.chosen(state, seat, action, question.among(state, seat), "1.4.5.a")
        if not least <= len(aims) <= most:
            if least == most:
                raise Refused("1.4.5.a", said("choose %(number)s", number=most))
            raise Refused("1.4.5.a", said("choose %(least)s to %(most)s", least=least, most=most))
        return aims

    def agreed(self, state: State) -> tuple[str, ...]:
        """1.4.5.a: the seats that have said yes before."""
        return tuple(seat for seat, aims in self.given if aims) if state.version >= 5 else state.agreed

    def handed_in(self) -> frozenset[str]:
        """T9.4: the seats that handed in early."""
        return frozenset(seat for seat, _ in self.early)

    @property
    def prefix(self) -> str:
        """T9: the word of a line that answers it."""
        return "sacrifice" if self.question.word == "sacrifice" else "choose"

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: no; a forced choice is drawn."""
        if self.question.choose is None:
            return Action("no")
        least, _ = self.question.bounds(state, seat)
        return naming.action(state, self.prefix if least else "choose", self.question.among(state, seat)[:least])

    def to_draw(self, state: State, seat: str) -> tuple[str, tuple[Aim, ...], int] | None:
        """Appendix B: the draw for a player who does not answer: its name, the choices, and the number; None if
        nothing must be chosen."""
        least, _ = self.question.bounds(state, seat)
        among = self.question.among(state, seat)
        return (self.prefix, among, least) if self.question.choose is not None and 0 < least < len(among) else None

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """1.4.5: several of them."""
        least, most = self.question.bounds(play.state, seat)
        if self.question.choose is None or most <= 1:
            return ()
        names = tuple(naming.call(play.state, aim) for aim in self.question.among(play.state, seat))
        return (OpenLine(Action(self.prefix), (Blank(GOES_ON, names, max(1, least), most),)),)

    def says_all(self, state: State) -> bool:
        """K58: a choice of all, or among cards of one name."""
        if self.question.choose is None:
            return False
        least, most = self.question.bounds(state, self.of[0])
        among = self.question.among(state, self.of[0])
        alike = len({naming.call(state, aim) for aim in among}) <= 1
        return most <= 1 or (least == most and (alike or most == len(among)))

    def is_open(self, state: State) -> bool:
        """T10.2: among cards in the open everybody knows what may be chosen."""
        things = [state.thing(aim) for aim in self.question.among(state, self.of[0])]
        return all(thing is not None and thing.number is not None for thing in things)

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        if self.question.choose is None:
            return (Action("no"), Action("yes"))
        actions = [self.default(state, seat)]
        least, most = self.question.bounds(state, seat)
        if least <= 1 <= most:
            actions += [naming.action(state, self.prefix, (aim,)) for aim in self.question.among(state, seat)]
        return tuple(islice(Counter(actions), MOST_OPTIONS))


@dataclass(frozen=True, slots=True)
class Together(Task):
    """1.4.5: carry out all decisions simultaneously, step by step in the order of initiative."""

    question: Question
    seats: tuple[str, ...]
    given: Given

    def run(self, play: Play) -> None:
        """1.4.1.c: a player without candidates still does the rest; one who said no does nothing."""
        question, picks = self.question, dict(self.given)
        for seat in self.seats if question.choose is not None else ():
            statuses.show_used(play, picks[seat], question.choose.where if question.choose else None)
        if question.known_after:
            carry(play, question.scope, chosen=picks[self.seats[-1]], done=bool(picks[self.seats[-1]]))
        if not question.do:
            return
        doing = [seat for seat in self.seats if picks[seat] or (question.choose is not None and not question.optional)]
        carry(play, question.scope, done=bool(doing))
        base, parts, is_done = play.state.agenda, [], False
        acted: tuple[Aim, ...] = ()
        for seat in doing:
            heard = Do((), replace(question.scope, done=bool(picks[seat]), acted=()))
            play.state = replace(play.state, agenda=(heard,) if play.state.version >= 5 else ())
            question.take(play, seat, picks[seat])
            first = play.state.agenda[:1]
            if first and isinstance(first[0], Do) and not first[0].effects:
                is_done, acted = is_done or first[0].scope.done, (*acted, *first[0].scope.acted)
            parts.append(play.state.agenda)
        play.state = replace(play.state, agenda=base)
        if play.state.version >= 5 and len(question.do) == 1:  # 5.4: whether it happened, not whether it was wanted
            carry(play, question.scope, done=is_done, acted=acted)
        rest = tuple(task for part in reversed(parts) for task in part)
        play.state = replace(play.state, agenda=(*play.state.agenda, *rest))
