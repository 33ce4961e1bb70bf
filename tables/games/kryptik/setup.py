"""2: setup, K1: draw, recursion, shuffle, place the 11 year cards."""

from dataclasses import dataclass, replace

from tables.core.blanks import GOES_ON, Blank, OpenLine, with_names
from tables.core.decisions import Decision
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import State, Task
from tables.core.zones import zone_of
from tables.games.kryptik import piles
from tables.games.kryptik.flow import HAND, ROW
from wargame.rules.core.saying import said


def begin(play: Play) -> None:
    """2.1, 2.3: the starter (drawn, unless the players named one: K2), then six cards each."""
    turn = play.state.turn
    letters = [seat.letter for seat in play.state.seats]
    starter = turn.of or play.state.options.starter
    if not starter:
        starter = letters[play.draw("starter", 1, len(letters)) - 1]
    play.state = replace(play.state, turn=replace(turn, of=starter, starter=starter))
    play.emit(Event("starter", ("2.1",), starter))
    for seat in play.state.from_turn_player():
        piles.draw(play, seat, HAND, ("2.3",))
    play.ask(AskRecursion(play.state.from_turn_player()))


@dataclass(frozen=True, slots=True)
class AskRecursion(Decision):
    """2.3.1, K3, K55: all choose secretly and at the same time; until all have, a choice may be changed."""

    given: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By seat: the keys of the cards that go to the bottom, in this order."""

    kind = "recursion"
    takes = ("recursion",)
    cites = "2.3.1"

    def sealed(self, state: State) -> bool:
        """2.3.1, K3: cards put back are never shown."""
        return True

    def hears(self, seat: str) -> bool:
        """K55: a player who has chosen may change it while another still thinks."""
        return seat in self.of or any(letter == seat for letter, _ in self.given)

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """2.3.1: any number of cards from the hand."""
        keys: list[str] = []
        hand = play.state.zone(zone_of(seat, "hand"))
        for name in naming.names(action):
            card = next(
                (thing for thing in hand if thing.key not in keys and thing.card.casefold() == str(name).casefold()),
                None,
            )
            if card is None:
                raise Refused(
                    "2.3.1",
                    said("this hand doesn't have that many copies of “%(word)s”", word=name),
                    action.column(name),
                )
            keys.append(card.key)
        answers = (*((letter, old) for letter, old in self.given if letter != seat), (seat, tuple(keys)))
        seats = tuple(letter for letter in self.of if letter != seat)
        if seats:
            play.ask(AskRecursion(seats, answers))
        else:
            play.push(Recursion(answers))

    def handed_in(self) -> frozenset[str]:
        """T9.4: the seats that have already chosen."""
        return frozenset(seat for seat, _ in self.given)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: a player who does not answer keeps their hand."""
        return Action("recursion")

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """2.3.1: any number of the cards."""
        hand = tuple(thing.card for thing in play.state.zone(zone_of(seat, "hand")))
        return (OpenLine(Action("recursion"), (Blank(GOES_ON, hand, 1, len(hand)),)),) if hand else ()

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        hand = [thing.card for thing in state.zone(zone_of(seat, "hand"))]
        keep = Action("recursion")
        return (keep, with_names(keep, hand[:1]), with_names(keep, hand)) if hand else (keep,)


@dataclass(frozen=True, slots=True)
class Recursion(Task):
    """2.3.1: to the bottom, as many drawn, then shuffled; a player who put none back does not shuffle (K3)."""

    given: tuple[tuple[str, tuple[str, ...]], ...]

    def run(self, play: Play) -> None:
        """2.3.1, then 2.4: the top six unseen into the 11 year row."""
        answers = dict(self.given)
        for seat in play.state.from_turn_player():
            keys = answers.get(seat, ())
            for key in keys:
                play.move(key, "deck", cites=(), event="put back")
            play.emit(Event("recursion", ("2.3.1",), seat, amount=len(keys)))
            if keys:
                piles.draw(play, seat, len(keys), ("2.3.1",))
                play.shuffle(seat, "deck", ("2.3.1", "G: Shuffle"))
        for seat in play.state.from_turn_player():
            for thing in play.state.zone(zone_of(seat, "deck"))[:ROW]:
                play.move(thing.key, "eleven", cites=(), event="placed")
            play.emit(Event("row placed", ("2.4",), seat, amount=ROW))
