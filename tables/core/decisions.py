"""T10.5: the pending decisions, and whose they are. Every decision has a default and says which lines answer it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from tables.core.blanks import GOES_ON, Blank, OpenLine
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.reasons import Refused
from tables.core.state import Aim, OnPile, Player, Ref, State
from wargame.rules.core.saying import said

if TYPE_CHECKING:
    from tables.core.lists.cards import Price
    from tables.core.play import Play
    from tables.core.state import Scope

MOST_OPTIONS = 60
"""The most lines that are offered for one decision."""


def _card_of(value: object) -> str:
    """The card of the effect or the trigger that a decision, or its continuation, belongs to."""
    for name in ("scope", "wait"):
        if card := getattr(getattr(value, name, None), "card", ""):
            return str(card)
    inner = (getattr(value, name, None) for name in ("then", "question", "search"))
    return next((card for one in inner if one is not None and (card := _card_of(one))), "")


AGREED = Player("yes")
"""What a `Then` takes for a yes."""


@dataclass(frozen=True, slots=True)
class Decision:
    """T10: a decision of a seat (or several, sealed). `takes`: the kinds of actions that answer it."""

    of: tuple[str, ...]

    kind: ClassVar[str] = ""
    takes: ClassVar[tuple[str, ...]] = ()
    cites: ClassVar[str] = ""
    open_to_all: ClassVar[bool] = False
    """T10: whether everybody knows all possible answers: a single option is taken at once."""

    def sealed(self, state: State) -> bool:
        """T8: whether an answer says what others may not know yet: the chain has only its hash."""
        return len(self.of) > 1

    renewed: ClassVar[bool] = False
    """Whether the flow itself asks it again, from the state, after an agreement or a ruling."""
    what: ClassVar[str] = ""
    """Which primitive a `may` or `choose` is about, where that matters (`resupply`, `sacrifice`)."""

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """Carry the answer out; Refused if a rule forbids it. The decision is no longer in the state."""
        raise NotImplementedError

    def ask_again(self, play: Play) -> None:
        """T11.3: ask it again after an agreement or a ruling."""
        play.ask(self)

    def leaves(self, play: Play, seat: str) -> None:
        """3.2, T11.1: a player who is out before the first turn answers by their default, so that the others go on."""
        play.state = play.state.but(decision=None)
        self.answer(play, seat, self.default(play.state, seat))

    def hears(self, seat: str) -> bool:
        """Whether a seat may answer it now."""
        return seat in self.of

    def handed_in(self) -> frozenset[str]:
        """T9.4: the seats whose sealed answers wait in it for those of others."""
        return frozenset()

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: what stands for who doesn't answer."""
        raise NotImplementedError

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        """Actions that answer it now, the default among them."""
        return (self.default(state, seat),)

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """T9: answers besides the options, with blanks for what is chosen."""
        return ()

    def says_all(self, state: State) -> bool:
        """T10.2, K58: whether the options are the only possible answers: if there is just one, nobody is asked."""
        return self.open_to_all

    def is_open(self, state: State) -> bool:
        """T10.2: whether everybody knows all possible answers."""
        return self.open_to_all

    def words(self, state: State) -> tuple[str, ...]:
        """T10: the words, besides its kind, by which an order may name the question: a primitive, a card, its
        number."""
        return ()

    def offered(self) -> tuple[Aim, ...]:
        """10.4: what may be chosen; empty if it isn't a choice among things."""
        return ()

    def at_least(self) -> int:
        """10.4: how many must be chosen."""
        return 0

    def is_clean_up(self, state: State) -> bool:
        """T10: whether a hand is reduced to its limit here."""
        return False

    def agreed(self, state: State) -> tuple[str, ...]:
        """T10.3: the seats that have said yes to the same question (`if opponent did`)."""
        return state.agreed

    def card(self) -> str:
        """9.3: the card whose words are carried out; empty if a rule of the game asks."""
        return _card_of(self)

    def about(self) -> tuple[str, str]:
        """T11.3: the card and the text that it is about, while it waits for an agreement or a ruling."""
        return ("", "")

    def to_draw(self, state: State, seat: str) -> tuple[str, tuple[Aim, ...], int] | None:
        """Appendix B: the draw for a player who must choose and doesn't: the line's word, the candidates, the
        number."""
        return None

    def told(self, state: State, seat: str) -> tuple[str, ...]:
        """The question for the seat that is asked: the names of its candidates."""
        return ()


@dataclass(frozen=True, slots=True)
class Then:
    """T10: how it goes on after a choice."""

    ordered: ClassVar[bool] = False
    """6.3: whether the order counts in which it is named."""

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """Go on with what was chosen."""
        raise NotImplementedError

    def agree(self, play: Play, seat: str, action: Action) -> None:
        """9.3: a player said yes; the line names what they give for it."""
        self.take(play, seat, (AGREED,))

    def is_clean_up(self, state: State) -> bool:
        """T10: whether a hand is brought down to its size."""
        return False

    def price(self) -> tuple[Price, Scope] | None:
        """8.1: the price of it, if any."""
        return None

    def words(self, state: State) -> tuple[str, ...]:
        """T10: the words by which an order may name the question."""
        return ()


@dataclass(frozen=True, slots=True)
class AskChoice(Decision):
    """10.4: choose a number of the candidates. `word`: `choose`, `discard` or `overlord`, as the case may be."""

    among: tuple[Aim, ...]
    least: int
    most: int
    then: Then
    cited: str = "10.4"
    word: str = "choose"
    prefix: str = "choose"

    @property
    def kind(self) -> str:  # type: ignore[override]
        return self.word

    @property
    def takes(self) -> tuple[str, ...]:  # type: ignore[override]
        """A discard is also answered by `choose`."""
        return tuple({self.prefix: None, "choose": None, "target": None, "sacrifice": None})

    def offered(self) -> tuple[Aim, ...]:
        """10.4: all candidates."""
        return self.among

    def at_least(self) -> int:
        """10.4: the least number to choose."""
        return self.least

    def is_clean_up(self, state: State) -> bool:
        """T10: a discard that no card asks for."""
        return self.word == "discard" and self.then.is_clean_up(state)

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """10.4, 10.3: as many as required, of what fits; a line that names none chooses none."""
        aims = naming.chosen(play.state, seat, action, self.among)
        if not self.least <= len(aims) <= self.most:
            raise Refused(self.cited, _must_be_chosen(self.least, self.most, len(aims)))
        self.then.take(play, seat, aims)

    def ask_again(self, play: Play) -> None:
        """T11: among what is still there, as many as possible; if nothing is left, nothing is chosen."""
        among = tuple(aim for aim in self.among if _is_there(play.state, aim))
        if among:
            least, most = min(self.least, len(among)), min(self.most, len(among))
            play.ask(replace(self, among=among, least=least, most=most))
        else:
            self.then.take(play, self.of[0], ())

    def sealed(self, state: State) -> bool:
        """T8: a choice among cards without a public number, unless they are thrown where all see them."""
        if self.word in ("discard", "overlord"):
            return False
        things = [state.thing(aim) for aim in self.among]
        return any(thing is not None and thing.number is None for thing in things)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: nothing if nothing is required; else the first that is possible."""
        return naming.action(state, self.prefix, self.among[: self.least])

    def to_draw(self, state: State, seat: str) -> tuple[str, tuple[Aim, ...], int] | None:
        """Appendix B: as many as required; which overlord stays is not drawn (K26)."""
        if not 0 < self.least < len(self.among) or self.word == "overlord":
            return None
        return self.prefix, self.among, self.least

    @property
    def ordered(self) -> bool:
        """6.3: whether all are named, and their order counts."""
        return self.then.ordered

    def says_all(self, state: State) -> bool:
        """K58: a single one, or all, or cards of one name; their order is a choice, too."""
        if self.ordered or self.least != self.most:
            return self.most <= 1
        return self.most <= 1 or self.least == len(self.among) or len({naming.call(state, a) for a in self.among}) == 1

    def is_open(self, state: State) -> bool:
        """T10.2: among cards in the open everybody knows what may be chosen."""
        things = [state.thing(aim) for aim in self.among]
        return all(thing is None or thing.number is not None for thing in things)

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """10.4: several of them."""
        if self.most <= 1 and not self.ordered:
            return ()
        names = tuple(naming.call(play.state, aim) for aim in self.among)
        blank = Blank(GOES_ON, names, max(1, self.least), self.most, self.ordered)
        return (OpenLine(Action(self.prefix), (blank,)),)

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        actions = [self.default(state, seat)]
        if self.least <= 1 <= self.most:
            actions += [naming.action(state, self.prefix, (aim,)) for aim in self.among]
        return tuple(islice(Counter(actions), MOST_OPTIONS))


def _is_there(state: State, aim: Aim) -> bool:
    if isinstance(aim, Ref):
        return state.thing(aim) is not None
    if isinstance(aim, OnPile):
        return state.item(aim.item) is not None
    return not isinstance(aim, Player) or aim.seat in state.living or aim == AGREED


def _must_be_chosen(least: int, most: int, chosen: int) -> str:
    if least == most:
        return said("choose %(least)s, not %(chosen)s", least=least, chosen=chosen)
    return said("choose %(least)s to %(most)s, not %(chosen)s", least=least, most=most, chosen=chosen)


@dataclass(frozen=True, slots=True)
class AskMay(Decision):
    """9.3: yes or no."""

    then: Then
    question: str = ""

    kind = "may"
    takes = ("may", "yes", "no")
    cites = "9.3"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """9.3: what a player declines does not happen."""
        if naming.yes(action):
            play.state = replace(play.state, agreed=(*play.state.agreed, seat))
            self.then.agree(play, seat, action)
        else:
            self.then.take(play, seat, ())

    def words(self, state: State) -> tuple[str, ...]:
        """T10: what it would do, and whose it is."""
        return self.then.words(state)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: a player who does not answer says no."""
        return Action("no")

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        """The answers: no and yes."""
        return (Action("no"), Action("yes")) if self._free(state) else (Action("no"),)

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """8.1: yes, with what is given for it."""
        price = self.then.price()
        if price is None or self._free(play.state):
            return ()
        return (OpenLine(Action("yes"), tuple(play.rules.blanks(play, seat, *price))),)

    def _free(self, state: State) -> bool:
        price = self.then.price()
        return price is None or not price[0].acts or state.version < 5
