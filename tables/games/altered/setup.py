"""4.1: the set-up, a to j, and the first hand, which the document lacks and the players agree on (A12)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tables.core.blanks import GOES_ON, Blank, OpenLine
from tables.core.decisions import Decision
from tables.core.engine import go_to
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.lists.decks import Deck
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Aim, State, Task, Thing
from tables.core.zones import zone_of
from tables.games.altered import agreements, finding, moving, words
from tables.games.altered.asking import AskAgree
from tables.games.altered.flow import FIRST_REGION, LAST_REGION, TUMULTS
from wargame.rules.core.saying import said

BEGUN = "set up"


def dealt(play: Play, decks: Mapping[str, Deck]) -> None:
    """4.1.b, 4.1.c, 4.1.e: the layout besides the decks: Heroes, face down, and the Tumults of the table's list.

    Of a list with more than three Tumults, three are drawn by the commitment.
    """
    for letter, deck in decks.items():
        for name in [name for kind, name in deck.extra if kind == "hero"]:
            _lay(play, zone_of(letter, "presented"), name, letter)
    tumults = sorted(name for name, card in play.state.cards.items() if card.type == "tumult")
    for name in play.state.draws.shuffle(tumults, "tumults", 1)[:TUMULTS]:
        _lay(play, "adventure", name, "")


def _lay(play: Play, zone: str, card: str, owner: str) -> None:
    key = f"{owner}/{card}/beside"
    thing = Thing(key, card, owner, owner, zone, play.count("stamp"))
    play.state = replace(play.state, things={**play.state.things, key: thing})
    play.zone_set(zone, (*play.state.zones.get(zone, ()), key))


def go_on(play: Play) -> None:
    """4.1.j, A12: nothing starts while a required question is open; then the first day, at Noon."""
    if agreements.still_open(play.state.options.agreed):
        play.ask(AskAgree(play.state.living, play.state.living))
    elif BEGUN not in play.state.marks:
        play.mark(BEGUN)
        _adventure(play)
        _first_player(play)
        _heroes_and_decks(play)
        play.push(FirstHand())
    else:
        go_to(play, "noon")


def _adventure(play: Play) -> None:
    """4.1.c, 4.1.d, A5: the Tumults shuffled, face down; counters in the regions at both ends."""
    keys = play.state.zones.get("adventure", ())
    if keys:
        play.zone_set("adventure", play.state.draws.shuffle(keys, "adventure", play.count("shuffle adventure")))
        for key in play.state.zones["adventure"]:
            tumult = replace(play.state.things[key], number=play.count("number"))
            play.state = replace(play.state, things={**play.state.things, key: tumult})
        play.emit(Event("shuffled", ("4.1.c",), zone="adventure"))
    for seat in play.state.seats:
        play.change_seat(replace(seat, numbers=(("hero", FIRST_REGION), ("companion", LAST_REGION))))


def _first_player(play: Play) -> None:
    """4.1.g: at random, by the commitment; unless the players named one."""
    letters = [seat.letter for seat in play.state.seats]
    first = play.state.options.starter or letters[play.draw("first", 1, len(letters)) - 1]
    play.state = replace(play.state, turn=replace(play.state.turn, of=first, starter=first))
    play.emit(Event("first player", ("4.1.g",), first))


def _heroes_and_decks(play: Play) -> None:
    """4.1.f, 4.1.h, 4.1.i: reveal and place the Heroes, shuffle the decks."""
    for seat in play.state.from_turn_player():
        for thing in play.state.zone(zone_of(seat, "presented")):
            moving.go(play, thing, "herozone", cites=("4.1.h",), event="revealed")
        play.shuffle(seat, "deck", ("4.1.i",))


@dataclass(frozen=True, slots=True)
class FirstHand(Task):
    """4.1.j, A12: the agreed number of cards, some of which become the first Orbs, ready."""

    def run(self, play: Play) -> None:
        """Agreed 1: each draws the agreed number of cards; players with any are asked for their first Orbs."""
        hand, mana = agreements.first_hand(play.state)
        for seat in play.state.from_turn_player():
            words.draw(play, seat, hand, ("agreed 1",))
        seats = tuple(seat for seat in play.state.from_turn_player() if mana and play.state.zone(zone_of(seat, "hand")))
        if seats:
            play.ask(AskFirstOrbs(seats))


@dataclass(frozen=True, slots=True)
class AskFirstOrbs(Decision):
    """A12: the cards of the first hand that become Mana Orbs; all choose secretly, and may change it until all have."""

    given: tuple[tuple[str, tuple[str, ...]], ...] = ()

    kind = "mana"
    takes = ("mana",)
    cites = "agreed 1"

    def sealed(self, state: State) -> bool:
        """A11: a secret choice is known to nobody until all have chosen."""
        return True

    def hears(self, seat: str) -> bool:
        """A11: a player who has chosen may change it while the other still thinks."""
        return seat in self.of or seat in dict(self.given)

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """agreed 1: exactly the agreed number."""
        hand = tuple(thing.ref for thing in play.state.zone(zone_of(seat, "hand")))
        number = min(agreements.first_hand(play.state)[1], len(hand))
        aims = finding.chosen(play.state, seat, action, hand, "agreed 1")
        if len(aims) != number:
            raise Refused(
                ("agreed 1", "A12"),
                said("choose %(number)s cards to become Mana Orbs, not %(given)s", number=number, given=len(aims)),
            )
        keys = tuple(thing.key for aim in aims if (thing := play.state.thing(aim)) is not None)
        answers = (*((other, was) for other, was in self.given if other != seat), (seat, keys))
        seats = tuple(other for other in self.of if other != seat)
        play.emit(Event("first orbs", ("agreed 1",), seat, amount=number))
        if seats:
            play.ask(replace(self, of=seats, given=answers))
            return
        for other in play.state.from_turn_player():
            for key in dict(answers).get(other, ()):
                moving.into_mana(play, play.state.things[key], ("agreed 1",), ready=True)

    def _hand(self, state: State, seat: str) -> tuple[tuple[Aim, ...], int]:
        hand = tuple(thing.ref for thing in state.zone(zone_of(seat, "hand")))
        return hand, min(agreements.first_hand(state)[1], len(hand))

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """agreed 1: this many of the hand."""
        hand, number = self._hand(play.state, seat)
        names = tuple(naming.call(play.state, aim) for aim in hand)
        return (OpenLine(Action("mana"), (Blank(GOES_ON, names, number, number),)),)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: as many as required."""
        hand, number = self._hand(state, seat)
        return naming.action(state, "mana", hand[:number])

    def to_draw(self, state: State, seat: str) -> tuple[str, tuple[Aim, ...], int] | None:
        """Appendix B: drawn by commitment."""
        hand, number = self._hand(state, seat)
        return ("mana", hand, number) if 0 < number < len(hand) else None
