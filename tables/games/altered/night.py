"""4.2.5: the Night: rest (4.2.5.b, 1.3.2.f), then clean-up by limits in the order of initiative (4.2.5.c)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tables.core import query
from tables.core.blanks import GOES_ON, Blank, OpenLine
from tables.core.decisions import Decision
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Aim, State, Task, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.altered import day, finding, moving, statuses
from tables.games.altered.flow import LIMIT
from wargame.rules.core.saying import said

CLEANED = "cleaned"
LIMITED = ("reserve", "landmark")

Kept = tuple[tuple[str, tuple[Aim, ...]], ...]


def rest(play: Play) -> None:
    """4.2.5.b, A14, 1.3.2.f: Characters go to the Reserve, Fleeting ones are discarded; some stay."""
    moved: list[Thing] = []
    stayed: list[Thing] = []
    for seat in play.state.from_turn_player():
        for thing in statuses.characters(play.state, seat):
            (stayed if _stays(play.state, thing) else moved).append(thing)
    for thing in moved:
        if statuses.has(thing, statuses.FLEETING):
            moving.go(play, thing, "discard", cites=("4.2.5.b", "1.3.2.f"), event="discarded")
        else:
            moving.go(play, thing, "reserve", cites=("4.2.5.b",), event="rests")
    for thing in stayed:
        play.emit(Event("stays", ("4.2.5.b", "A14"), thing.controller, thing))
        for status in (statuses.ANCHORED, statuses.ASLEEP):
            here = play.state.things[thing.key]
            if statuses.lose(play, here, status):
                play.emit(Event("status gone", ("1.3.2.f",), here.controller, here, told=status))


def _stays(state: State, thing: Thing) -> bool:
    is_kept = statuses.has(thing, statuses.ASLEEP) or statuses.has(thing, statuses.ANCHORED)
    return is_kept or query.has(state, thing, "eternal")


def go_on(play: Play) -> None:
    """4.2.5.c: clean-up when the triggers of the rest are done; then the next day."""
    if CLEANED in play.state.marks:
        day.next_day(play)
        return
    play.mark(CLEANED)
    play.push(CleanUp())


def limit(state: State, seat: str, kind: str) -> int:
    """4.2.5.c, 4.2.5.d: the number of cards a player keeps: their Hero's limit, or two."""
    for hero in state.zone(zone_of(seat, "herozone")):
        if (maximum := dict(state.cards[hero.card].limits).get(kind)) is not None:
            return maximum
    return LIMIT


def excess(state: State, seat: str) -> tuple[str, ...]:
    """4.2.5.c: the zones in which a player has more than they keep."""
    return tuple(kind for kind in LIMITED if len(state.zone(zone_of(seat, kind))) > limit(state, seat, kind))


@dataclass(frozen=True, slots=True)
class CleanUp(Task):
    """4.2.5.c: each chooses in the order of initiative, knowing earlier choices; all the rest is discarded together."""

    given: Kept = ()
    early: Kept = ()

    def run(self, play: Play) -> None:
        """4.2.5.c: only players with too many cards are asked."""
        answers = dict(self.given)
        for seat in play.state.from_turn_player():
            if seat in answers or not excess(play.state, seat):
                continue
            heroless = not play.state.zone(zone_of(seat, "herozone"))
            if (answer := dict(self.early).get(seat)) is not None:
                answers[seat] = answer
                _emit_keeps(play, seat, answer)
                continue
            play.emit(Event("clean-up", ("4.2.5.d",) if heroless else ("4.2.5.c",), seat))
            play.ask(AskKeep((seat,), tuple(answers.items()), self.early))
            return
        for seat, aims in answers.items():
            for thing in [
                thing
                for kind in excess(play.state, seat)
                for thing in play.state.zone(zone_of(seat, kind))
                if thing.ref not in aims
            ]:
                moving.go(play, thing, "discard", cites=("4.2.5.c",), event="discarded")


def _emit_keeps(play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
    play.emit(Event("keeps", ("4.2.5.c", "1.4.5.a"), seat, amount=len(aims)))


@dataclass(frozen=True, slots=True)
class AskKeep(Decision):
    """4.2.5.c: the cards a player keeps in Reserve and Landmark zone; the other may hand in early (A11)."""

    given: Kept = ()
    early: Kept = ()

    kind = "keep"
    takes = ("keep",)
    cites = "4.2.5.c"

    def sealed(self, state: State) -> bool:
        """A11: an early or hidden answer is known to nobody until it counts."""
        return True

    def hears(self, seat: str) -> bool:
        """A11: the seats that are asked now or later. Everybody can count cards in the open."""
        return seat not in dict(self.given)

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """4.2.5.c: exactly as many as the limit."""
        kinds = excess(play.state, seat)
        if not kinds:
            raise Refused("4.2.5.c", said("you have nothing to discard"))
        every: tuple[Aim, ...] = tuple(thing.ref for kind in LIMITED for thing in play.state.zone(zone_of(seat, kind)))
        aims = finding.chosen(play.state, seat, action, every, "4.2.5.c")
        for kind in kinds:
            kind_aims = [aim for aim in aims if (thing := play.state.thing(aim)) and kind_of(thing.zone) == kind]
            if len(kind_aims) != limit(play.state, seat, kind):
                raise Refused(
                    "4.2.5.c",
                    said(
                        "keep exactly %(limit)s in the %(kind)s, not %(number)s",
                        limit=limit(play.state, seat, kind),
                        kind=kind,
                        number=len(kind_aims),
                    ),
                )
        if seat not in self.of:
            rest = tuple((other, was) for other, was in self.early if other != seat)
            play.ask(replace(self, early=(*rest, (seat, aims))))
            play.emit(Event("sealed", ("A11",), seat))
            return
        _emit_keeps(play, seat, aims)
        play.push(CleanUp((*self.given, (seat, aims)), self.early))

    def handed_in(self) -> frozenset[str]:
        """T9.4: the seats that handed in early."""
        return frozenset(seat for seat, _ in self.early)

    def default(self, state: State, seat: str) -> Action:
        """A24, A42: the newest: those with the highest numbers."""
        aims: list[Aim] = []
        for kind in excess(state, seat):
            things = sorted(state.zone(zone_of(seat, kind)), key=lambda thing: -(thing.number or 0))
            aims += [thing.ref for thing in things[: limit(state, seat, kind)]]
        return _keeping(state, aims)

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """4.2.5.c: of each zone with too many cards, as many as the limit."""
        state = play.state
        blanks = []
        for kind in excess(state, seat):
            names = tuple(naming.call(state, thing.ref) for thing in state.zone(zone_of(seat, kind)))
            blanks.append(Blank(GOES_ON, names, limit(state, seat, kind), limit(state, seat, kind)))
        return (OpenLine(Action("keep"), tuple(blanks)),) if blanks else ()

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        """The newest, or the oldest."""
        aims: list[Aim] = []
        for kind in excess(state, seat):
            aims += [thing.ref for thing in state.zone(zone_of(seat, kind))[: limit(state, seat, kind)]]
        return tuple(dict.fromkeys((self.default(state, seat), _keeping(state, aims))))


def _keeping(state: State, kept: Sequence[Aim]) -> Action:
    return naming.action(state, "keep", kept) if kept else Action("keep")
