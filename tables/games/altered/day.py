"""1.3.2.b, 1.3.2.c: Morning and Noon: first player, readying, drawing, a card for the Mana zone, Noon reactions."""

from dataclasses import dataclass, replace

from tables.core import query
from tables.core.blanks import with_names
from tables.core.decisions import Decision
from tables.core.effects.lasting import expire
from tables.core.engine import go_to
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import State, Task, Turn
from tables.core.zones import zone_of
from tables.games.altered import finding, moving, statuses, words
from tables.games.altered.flow import DRAWN
from wargame.rules.core.saying import said

EXPANDED = "expanded"


def next_day(play: Play) -> None:
    """1.3.2.a: begin the next day with its Morning."""
    turn = play.state.turn
    counts = {name: number for name, number in play.state.counts.items() if not name.startswith("today ")}
    play.state = replace(
        expire(expire(play.state, "turn"), "day"),
        turn=Turn(turn.number + 1, turn.starter, "morning", starter=turn.starter), marks=(), counts=counts, gone={},
    )  # fmt: skip
    play.emit(Event("turn", (), turn.starter, amount=turn.number + 1))


def morning(play: Play) -> None:
    """1.3.2.b: succeed, prepare, draw two."""
    order = play.state.clockwise(play.state.turn.starter)
    first = order[1 % len(order)]
    play.state = replace(play.state, turn=replace(play.state.turn, of=first, starter=first))
    play.emit(Event("first player", ("1.3.2.b",), first))
    for seat in play.state.from_turn_player():
        for kind in ("hero", "companion", "landmark", "mana"):
            for thing in play.state.zone(zone_of(seat, kind)):
                if not query.forbids(play.state, "ready", thing):
                    statuses.lose(play, thing, statuses.EXHAUSTED)
    play.emit(Event("readied", ("1.3.2.b", "A29")))
    for seat in play.state.from_turn_player():
        words.draw(play, seat, DRAWN, ("1.3.2.b",))


def expand(play: Play) -> None:
    """1.3.2.b, A30: each may put a card into their Mana zone; in the order of initiative."""
    if EXPANDED in play.state.marks:
        go_to(play, "noon")
        return
    play.mark(EXPANDED)
    play.push(Expand())


@dataclass(frozen=True, slots=True)
class Expand(Task):
    """A30: yes or no is shown in the order of initiative, the card is sealed; both enter together."""

    given: tuple[tuple[str, str], ...] = ()
    """By seat: the key of the card, or empty."""
    early: tuple[tuple[str, str], ...] = ()

    def run(self, play: Play) -> None:
        """1.3.2.b: a player without cards isn't asked."""
        answers = dict(self.given)
        for seat in play.state.from_turn_player():
            if seat in answers:
                continue
            if not play.state.zone(zone_of(seat, "hand")):
                answers[seat] = ""
            elif (answer := dict(self.early).get(seat)) is not None:
                _emit_expands(play, seat, answer)
                answers[seat] = answer
            else:
                play.ask(AskExpand((seat,), tuple(answers.items()), self.early))
                return
        for key in answers.values():
            if key and key in play.state.things:
                moving.into_mana(play, play.state.things[key], ("1.3.2.b",))


def _emit_expands(play: Play, seat: str, key: str) -> None:
    play.emit(Event("expands", ("1.3.2.b", "1.4.5.a"), seat, amount=1 if key else 0))


@dataclass(frozen=True, slots=True)
class AskExpand(Decision):
    """1.3.2.b: whether a player puts a card into their Mana zone, and which; the other may hand in early (A11)."""

    given: tuple[tuple[str, str], ...] = ()
    early: tuple[tuple[str, str], ...] = ()

    kind = "mana"
    takes = ("mana", "no")
    cites = "1.3.2.b"

    def sealed(self, state: State) -> bool:
        """A11: an early or hidden answer is known to nobody until it counts."""
        return True

    def hears(self, seat: str) -> bool:
        """A11: the seat that is asked, and the one after it."""
        return seat not in dict(self.given)

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """1.3.2.b: one card at most."""
        names = naming.names(action)
        if len(names) > 1:
            raise Refused("1.3.2.b", said("you can choose only one card a day"), action.column(names[1]))
        key = ""
        if names:
            with finding.citing("1.3.2.b"):
                key = naming.hand_card(play.state, seat, action, names[0]).key
        if seat not in self.of:
            if not play.state.zone(zone_of(seat, "hand")):
                raise Refused("1.3.2.b", said("you have no card in your hand"))
            rest = tuple((other, was) for other, was in self.early if other != seat)
            play.ask(replace(self, early=(*rest, (seat, key))))
            play.emit(Event("sealed", ("A11",), seat))
            return
        _emit_expands(play, seat, key)
        play.push(Expand((*self.given, (seat, key)), self.early))

    def handed_in(self) -> frozenset[str]:
        """T9.4: the seats that handed in early."""
        return frozenset(seat for seat, _ in self.early)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B, A23: a player who does not answer puts no card there."""
        return Action("mana")

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        names = dict.fromkeys(thing.card for thing in state.zone(zone_of(seat, "hand")))
        return (Action("mana"), *(with_names(Action("mana"), (name,)) for name in names))


def noon(play: Play) -> None:
    """1.3.2.c: triggers At Noon."""
    play.emit(Event("noon", ("1.3.2.c",), play.state.turn.starter))
