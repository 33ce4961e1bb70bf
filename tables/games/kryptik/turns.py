"""4: the automatic actions in the phases of a turn."""

from dataclasses import dataclass, replace

from tables.core import query
from tables.core.decisions import AskChoice, Then
from tables.core.effects.lasting import expire
from tables.core.engine import next_turn
from tables.core.events import Event
from tables.core.play import Play
from tables.core.state import Aim, Scope, Task
from tables.core.zones import kind_of, zone_of
from tables.games.kryptik import citizens, piles, words
from tables.games.kryptik.flow import DRAWN, HAND_LIMIT


def disengage(play: Play) -> None:
    """4.1, G: Weary: the turn player's citizens and soul row disengage, their citizens lose weary."""
    seat = play.state.turn.of
    play.state = expire(play.state, "my next turn", seat)
    for thing in play.state.zone(zone_of(seat, "island")):
        stays = thing.engaged and bool(query.forbids(play.state, "disengage", thing))
        play.change(thing.key, engaged=stays, weary=False)
    for thing in play.state.zone(zone_of(seat, "soul")):
        play.change(thing.key, engaged=False)
    play.emit(Event("disengaged all", ("4.1",), seat))


def draw(play: Play) -> None:
    """4.2, 4.2.1, K4, K51: one card, or destroyed; the starter skips it on the first turn."""
    seat = play.state.turn.of
    if play.state.turn.number == 1:
        play.emit(Event("no draw", ("4.2.1",), seat))
        return
    if query.forbids(play.state, "draw", seat):
        play.emit(Event("not drawn", ("10.2", "K51"), seat))
        return
    play.push(DrawOne(seat))
    if play.state.zone(zone_of(seat, "deck")):
        return
    row = tuple(thing.ref for thing in play.state.zone(zone_of(seat, "eleven")))
    if not play.state.options.limited or not row or not piles.refill(play, seat, ("4.2", "3.1.1")):
        return
    if len(row) > 1:
        play.ask(AskChoice((seat,), row, 1, 1, OneOfTheRow(), "4.2"))
    else:
        OneOfTheRow().take(play, seat, row)


@dataclass(frozen=True, slots=True)
class OneOfTheRow(Then):
    """4.2, K4: in limited an 11 year card of one's own is destroyed for an empty deck."""

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """K6: its choice waits until a player has priority."""
        things = [thing for aim in aims if (thing := play.state.thing(aim)) is not None]
        citizens.destroy_eleven(play, things, ("4.2",))


@dataclass(frozen=True, slots=True)
class DrawOne(Task):
    """4.2, 3.1.1: the turn player draws; if they can't, they are destroyed."""

    seat: str

    def run(self, play: Play) -> None:
        """3.1.1: the player draws; if their deck is empty, they are destroyed."""
        if not play.state.zone(zone_of(self.seat, "deck")):
            play.emit(Event("deck empty", ("4.2",), self.seat))
            citizens.lose(play, self.seat, "3.1.1")
            return
        piles.draw(play, self.seat, DRAWN, ("4.2",))


def first(play: Play) -> None:
    """4.3: triggers at the start of one's turn."""
    play.emit(Event("start of turn", ("4.3",), play.state.turn.of))


def end(play: Play) -> None:
    """4.6, K17: triggers at the end of the turn go on the pile first."""
    play.emit(Event("end of turn", ("4.6",), play.state.turn.of))


def end_is_over(play: Play) -> None:
    """4.6, K17: then effects and damage end together, the hand is discarded down to seven, energy goes."""
    play.push(EffectsEnd(), DiscardDown(play.state.turn.of), NextTurn())


@dataclass(frozen=True, slots=True)
class EffectsEnd(Task):
    """4.6, 8.2.2: all "until end of turn" effects and all damage, simultaneously; soul energy."""

    def run(self, play: Play) -> None:
        """4.6: end them all at once."""
        for one in [one for one in play.state.lasting if one.effect.word == "control back" and one.until == "turn"]:
            thing = play.state.thing(one.on[0])
            if thing is not None and kind_of(thing.zone) == "island" and one.scope.they in play.state.living:
                words.change_sides(play, thing, one.scope.they)
        play.state = expire(play.state, "turn")
        for thing in citizens.citizens(play.state):
            if thing.damage or thing.lethal:
                play.change(thing.key, damage=0, lethal=False)
        for seat in play.state.seats:
            if seat.energy:
                play.change_seat(replace(seat, energy=()))
        play.state = replace(play.state, gone={})
        play.emit(Event("effects end", ("4.6", "8.2.2"), play.state.turn.of))


@dataclass(frozen=True, slots=True)
class DiscardDown(Task):
    """4.6, K18: the turn player's hand, only now."""

    seat: str

    def run(self, play: Play) -> None:
        """4.6: cards of their choice, until there are seven."""
        over = len(play.state.zone(zone_of(self.seat, "hand"))) - HAND_LIMIT
        if over > 0 and self.seat in play.state.living:
            scope = Scope(play.state.zone(zone_of(self.seat, "hand"))[0].ref, "", self.seat)
            play.push(words.Discard(self.seat, over, scope, cites="4.6"))


@dataclass(frozen=True, slots=True)
class NextTurn(Task):
    """4.6: the next turn starts, clockwise; an extra one before that."""

    def run(self, play: Play) -> None:
        """4: begin the next turn."""
        now = play.state.turn.of
        counts = dict(play.state.counts)
        for seat in play.state.from_turn_player():
            if counts.get(f"extra {seat}", 0) > 0:
                counts[f"extra {seat}"] -= 1
                play.state = replace(play.state, counts=counts)
                next_turn(play, seat, "disengage")
                return
        order = [*(seat for seat in play.state.clockwise(now) if seat != now), now]
        while counts.get(f"skip {order[0]} turn", 0) > 0:
            counts[f"skip {order[0]} turn"] -= 1
            play.state = replace(play.state, counts=counts)
            play.emit(Event("skipped", ("10.1",), order[0], told="turn"))
            order = [*order[1:], order[0]]
        next_turn(play, order[0], "disengage")
