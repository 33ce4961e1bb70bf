"""1.3.2.e: the Dusk: sums, and moves as agreed, or by hand (A13); winning as agreed (A15)."""

from dataclasses import dataclass, replace

from tables.core.decisions import Decision
from tables.core.engine import go_to
from tables.core.events import Event
from tables.core.lines.actions import Action
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import State
from tables.games.altered import agreements, statuses
from tables.games.altered.flow import EXPEDITIONS, FIRST_REGION, LAST_REGION
from wargame.rules.core.saying import said

DONE = "dusk done"


def region(state: State, seat: str, kind: str) -> int:
    """4.1.d: the region of a player's counter, counted from the Hero Region."""
    numbers = dict(state.seat(seat).numbers)
    return numbers.get(kind, FIRST_REGION if kind == "hero" else LAST_REGION)


def ahead(state: State, seat: str, kind: str) -> int:
    """4.1.d: the next region: hero counters go up, companion counters down."""
    return region(state, seat, kind) + (1 if kind == "hero" else -1)


def shown(state: State, place: int) -> tuple[int, ...]:
    """A21, A34: the statistics that a region shows, by place from 1; a face-down one (3.1.3.c) and the ends: none."""
    tumults = state.zone("adventure")
    at, side = divmod(place - FIRST_REGION - 1, 2)
    if not FIRST_REGION < place < LAST_REGION or not 0 <= at < len(tumults) or not tumults[at].revealed:
        return ()
    tumult = tumults[at]
    halves = state.cards[tumult.card].halves
    turned = "turned" in tumult.statuses
    half = (1 - side) if turned else side
    return halves[half] if half < len(halves) else ()


def turn_up(play: Play, place: int) -> None:
    """A5, A34: turn up the Tumult of that region; its orientation was drawn by the commitment."""
    tumults = play.state.zone("adventure")
    at = (place - FIRST_REGION - 1) // 2
    if not FIRST_REGION < place < LAST_REGION or not 0 <= at < len(tumults) or tumults[at].revealed:
        return
    turned = play.draw(f"orientation {at + 1}", 1, 2) == 2
    tumult = play.change(tumults[at].key, revealed=True, statuses=("turned",) if turned else ())
    play.emit(Event("revealed", ("A34", "A5"), "", tumult))


def advance(play: Play, seat: str, kind: str, number: int, cites: tuple[str, ...]) -> None:
    """1.3.2.e: move a counter this many regions forward (or back), not beyond the ends."""
    step = number if kind == "hero" else -number
    place = max(FIRST_REGION, min(LAST_REGION, region(play.state, seat, kind) + step))
    numbers = {**{one: region(play.state, seat, one) for one in EXPEDITIONS}, kind: place}
    play.change_seat(replace(play.state.seat(seat), numbers=tuple(numbers.items())))
    play.emit(Event("forward" if number > 0 else "back", cites, seat, amount=place, told=kind))
    turn_up(play, place)


def begin(play: Play) -> None:
    """1.3.2.e, A34: turn up the regions ahead as agreed, and sum the statistics."""
    state = play.state
    play.state = replace(state, turn=replace(state.turn, of=state.turn.starter))
    if agreements.agreed(play.state, 2) == "suggested":
        for seat in play.state.living:
            for kind in EXPEDITIONS:
                turn_up(play, ahead(play.state, seat, kind))
    by_hand = agreements.agreed(play.state, 2) != "suggested"
    play.emit(Event("sums", ("1.3.2.e", *(("A13",) if by_hand else ()))))


def go_on(play: Play) -> None:
    """A13, A33: as agreed; else both say that they are done, or a judge ends the Dusk."""
    marks = play.state.marks
    if DONE in marks:
        if not _won(play):
            go_to(play, "night")
        return
    if agreements.agreed(play.state, 2) == "suggested":
        _move_as_agreed(play)
        play.mark(DONE)
        return
    seats = tuple(seat for seat in play.state.from_turn_player() if f"{DONE} {seat}" not in marks)
    if seats:
        play.ask(AskDusk(seats))
    else:
        play.mark(DONE)


def _move_as_agreed(play: Play) -> None:
    """A34: compare all four before any moves: hero against hero, companion against companion."""
    state, moving = play.state, []
    for seat in state.from_turn_player():
        for kind in EXPEDITIONS:
            own_sums, place = statuses.sums(state, seat, kind), ahead(state, seat, kind)
            other_sums = [statuses.sums(state, other, kind) for other in state.living if other != seat]
            if any(
                at <= len(own_sums) and all(own_sums[at - 1] > sums[at - 1] for sums in other_sums)
                for at in shown(state, place)
            ):
                moving.append((seat, kind))
    cites = (*agreements.cites(state, 2), "1.3.2.e")
    for seat, kind in moving:
        advance(play, seat, kind, 1, cites)
    if not moving:
        play.emit(Event("nobody moves", cites))


def _won(play: Play) -> bool:
    """A15: by agreement 3: the player whose expeditions have met or passed, the one further along; even: another
    day."""
    state = play.state
    if agreements.agreed(state, 3) != "suggested":
        return False
    along = {seat: region(state, seat, "hero") - region(state, seat, "companion") for seat in state.living}
    met = [seat for seat, distance in along.items() if distance >= 0]
    best = [seat for seat in met if along[seat] == max(along[seat] for seat in met)]
    if len(best) != 1:
        return False
    play.end(best[0], agreements.cites(state, 3)[0])
    return True


def end(play: Play) -> None:
    """A33: a judge ends the Dusk."""
    if play.state.turn.at != "dusk":
        raise Refused("A33", said("it isn't Dusk"))
    play.mark(DONE)


def lose(play: Play, seat: str, cites: str) -> None:
    """A15: a player is out; the other has won."""
    if not play.state.seat(seat).out:
        play.change_seat(replace(play.state.seat(seat), out=cites))
    living = play.state.living
    if len(living) <= 1:
        play.end(living[0] if living else "", cites, draw=not living)


@dataclass(frozen=True, slots=True)
class AskDusk(Decision):
    """A13: both are asked, with the sums; moves are proposed and accepted, or ruled."""

    kind = "dusk"
    takes = ("done",)
    cites = "1.3.2.e"
    renewed = True

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """A33: nothing more to do."""
        play.mark(f"{DONE} {seat}")

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: a player who does not answer is done."""
        return Action("done")
