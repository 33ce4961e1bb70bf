"""T6: `step(rules, state, entry)`: the next state and its events, or why the entry is refused."""

from dataclasses import dataclass, replace

from tables.core import agreeing, answering, engine
from tables.core.entries import Entry
from tables.core.events import Event, PrivateEvent
from tables.core.lines.understanding import action_of, read_ruling
from tables.core.pace import never_asked, standing_orders, stops
from tables.core.play import Play, Rules
from tables.core.reasons import Reason, Refused
from tables.core.state import Back, Look, Seat, State
from tables.core.views import known_to_somebody, knows
from wargame.rules.core.saying import said

__all__ = ["TAKE_BACK", "Outcome", "step"]

TAKE_BACK = 300
"""T9.4: seconds within which a post may be taken back."""
SHOWING = frozenset(
    {
        "drawn", "draws", "looked", "revealed", "searched", "shuffled", "eleven destroyed", "coin", "rolled", "over",
        "judge looks",
    }
)  # fmt: skip
"""Events that show somebody something new: after them nothing is taken back, and only a fresh rewind goes behind."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """T6: the state after an entry and its events; or the unchanged state, and the reason."""

    state: State
    events: tuple[Event, ...] = ()
    reason: Reason | None = None


def step(rules: Rules, state: State, entry: Entry) -> Outcome:
    """T6: carry one entry out. The given state is never changed."""
    play = Play(rules, replace(state, entry=state.entry + 1))
    try:
        _carry_out(play, state, entry)
    except Refused as refused:
        reason = refused.reason
        return Outcome(state, (), replace(reason, cites=rules.cites.get(reason.cites, reason.cites)))
    return Outcome(play.state, tuple(play.events))


def _carry_out(play: Play, before: State, entry: Entry) -> None:
    match entry.kind:
        case "act" if len(entry.lines) == 1:
            action = action_of(play.state, entry)
            if action.kind == "take back":
                _take_back(play, entry)
                return
            if action.kind == "pass" and action.to:
                answering.plan(play, entry.by, entry.lines)
            else:
                answering.act(play, entry.by, action)
        case "act" | "plan":
            answering.plan(play, entry.by, entry.lines)
        case "order":
            _order(play, entry)
            play.emit(PrivateEvent("ordered", (), entry.by, only=frozenset({entry.by})))
        case "stops":
            seat = play.state.seat(_seated(play.state, entry.by))
            play.change_seat(replace(seat, stops=stops.given(play.rules, entry.lines)))
            play.emit(Event("stops", (), entry.by))
        case "ruling":
            agreeing.rule(play, read_ruling(play.state, entry.lines[0]), entry)
            engine.settle(play)
        case "look":
            _look(play, entry)
        case "tick":
            _tick(play, entry)
        case "end":
            play.end(_winner(play.state, entry.seat), entry.cites or "end", draw=entry.what == "draw")
        case "rewind":
            raise Refused("rewind", said("a rewind needs the log's record of the earlier entry"))
    answering.automatic(play, beat=entry.what == "beat")
    is_shown = any(event.kind in SHOWING for event in play.events) or (
        before.version >= 4 and (play.drew or _turned_up(play, before, entry.by))
    )
    is_reversible = entry.kind in ("act", "plan") and not is_shown and not _answered(play, before, entry.by)
    back = Back(entry.by, entry.at, replace(before, back=None)) if is_reversible else None
    quiet = entry.kind in ("order", "stops")
    play.state = replace(
        play.state, back=before.back if quiet else back, shown=play.state.entry if is_shown else play.state.shown
    )


def _turned_up(play: Play, before: State, by: str) -> bool:
    """T9.4: whether a seat now knows a card that the poster did not know; nor its owner, if no seat posted."""
    rules = play.rules
    for key, thing in play.state.things.items():
        then = before.things.get(key)
        if then is None or then is thing:
            continue
        poster = by if by in (seat.letter for seat in before.seats) else then.owner
        if not knows(rules, then, poster) and known_to_somebody(rules, thing):
            return True
    return False


def _answered(play: Play, before: State, by: str) -> bool:
    """T9.4: whether the order or the plan of another seat has answered, or its sealed answer was opened."""
    if before.version < 4:
        return any(event.kind == "by order" and event.seat != by for event in play.events)
    waited = before.decision.handed_in() if before.decision is not None else frozenset()
    still = play.state.decision.handed_in() if play.state.decision is not None else frozenset()
    return bool((play.answered | (waited - still)) - {by})


def _order(play: Play, entry: Entry) -> None:
    """T10.3: give a standing order; one that could never fire is refused."""
    previous = {(order.seat, order.number) for order in play.state.orders}
    play.state = standing_orders.give(play.state, entry.by, entry.lines[0])
    for order in play.state.orders:
        if (order.seat, order.number) not in previous and play.state.version >= 5:
            never_asked.refuse(play.rules, play.state, order.text)


def _seated(state: State, letter: str) -> str:
    if letter not in [seat.letter for seat in state.seats]:
        raise Refused("table", said("only players at this table can do this"))
    return letter


def _winner(state: State, letter: str) -> str:
    """T10: the winner if another player stays away; empty: nobody."""
    if state.result is not None:
        raise Refused("3", said("the table is finished"))
    return _seated(state, letter) if letter else ""


def _tick(play: Play, entry: Entry) -> None:
    """T10.4: a seat's time is over; or the table's beat, on which private answers are given."""
    if entry.what != "beat":
        answering.default(play, entry.seat or entry.by)
    elif not answering.pending(play.rules, play.state):
        raise Refused("beat", said("no one prepared an answer in advance"))


def _look(play: Play, entry: Entry) -> None:
    """T11.8: from now on judges see a seat's hidden cards, and everybody sees that they do."""
    look = Look(_seated(play.state, entry.seat), play.state.entry, entry.reason)
    play.state = replace(play.state, looks=(*play.state.looks, look))
    play.emit(Event("judge looks", (), entry.seat, told=entry.reason))


def _take_back(play: Play, entry: Entry) -> None:
    """T9: the poster's own last post, for five minutes, unless a player has seen something new because of it."""
    back = play.state.back
    if back is None or back.by != entry.by:
        raise Refused("T9.4", said("you can't take it back: someone has seen something new since"))
    if entry.at - back.at > TAKE_BACK:
        raise Refused("T9.4", said("your five minutes to take it back are up"))
    now = play.state
    play.state = replace(back.before, entry=now.entry, orders=now.orders, seats=_with_stops(back.before, now))
    play.emit(Event("taken back", (), entry.by))


def _with_stops(before: State, now: State) -> tuple[Seat, ...]:
    """T9: stops set since then remain: only the post is taken back."""
    return tuple(replace(seat, stops=now.seat(seat.letter).stops) for seat in before.seats)
