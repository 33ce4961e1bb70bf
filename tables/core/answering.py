"""T10: automatic passes, answers by orders and plans, and defaults for players who don't answer at all.

What all players know (stops, nothing to decide on an open table) is carried out at once. A seat's private settings
(standing orders, an idle hand) are carried out at once too where the table has no beat; where it has one, the table
waits for that seat as for any other, and `pending` tells the service that the next beat must be entered.
"""

from collections.abc import Sequence

from tables.core import engine
from tables.core.events import Event, PrivateEvent
from tables.core.lines import naming
from tables.core.lines.actions import PASS, Action
from tables.core.lines.understanding import read
from tables.core.lines.writing import write
from tables.core.pace import standing_orders, stops
from tables.core.play import Play, Rules
from tables.core.reasons import Refused
from tables.core.state import Aim, State
from wargame.rules.core.saying import said

MOST_ANSWERS = 2_000
"""The most automatic answers after one entry."""
MOST_IN_A_STEP = 400
"""The most in one step of a turn; more is an endless loop of cards, and a judge is called."""


def automatic(play: Play, *, beat: bool = False) -> None:
    """T10.4: carry out what was settled beforehand, until a player must be asked. `beat`: private answers too."""
    private = beat or not play.state.options.beat
    event_count, here, often = 0, ("", 0), 0
    for _ in range(MOST_ANSWERS):
        at = (play.state.turn.at, play.state.turn.number)
        here, often = (at, often + 1) if at == here else (at, 0)
        if often > MOST_IN_A_STEP:
            engine.call_judge(play)
            return
        play.state = standing_orders.after(play.state, play.events[event_count:])
        event_count = len(play.events)
        if play.state.result is not None:
            return
        if not any(_goes_on(play, seat, private) for seat in engine.waits_for(play.state)[0]):
            return


def pending(rules: Rules, state: State) -> tuple[str, ...]:
    """T10.4: the pending seats that the next beat answers for; this must stay secret from all others."""
    if state.result is not None or not state.options.beat:
        return ()
    return tuple(seat for seat in engine.waits_for(state)[0] if _private(Play(rules, state), seat))


def _goes_on(play: Play, seat: str, private: bool) -> bool:
    if private and _by_order(play, seat):
        return True
    if _by_plan(play, seat):
        return True
    if not private and _order_acts(play, seat):
        return False
    return _quiet(play, seat, private)


def _order_acts(play: Play, seat: str) -> bool:
    """T10: whether an order of a seat does more than pass where all know that it would pass anyway."""
    trial = Play(play.rules, play.state)
    if not _by_order(trial, seat):
        return False
    has_passed = any(event.kind == "passed" and event.seat == seat for event in trial.events[:1])
    return not (has_passed and play.state.decision is None and not stops.asks(play.state, seat))


def _private(trial: Play, seat: str) -> bool:
    return _by_order(trial, seat) or _quiet(trial, seat, True)


def _quiet(play: Play, seat: str, private: bool) -> bool:
    """T10: a window in which a seat doesn't want to be asked, or in which it has nothing to decide."""
    state, rules = play.state, play.rules
    if state.decision is None and not stops.asks(state, seat):
        engine.act(play, seat, PASS)
        engine.settle(play)
        return True
    if not stops.nothing_to_do(rules, state, seat):
        return False
    is_known = stops.known_to_all(rules, state, seat)
    if not (private or is_known):
        return False
    action = state.decision.default(state, seat) if state.decision is not None else PASS
    if state.decision is not None and state.version >= 5:
        event_class = Event if is_known else PrivateEvent  # T10.4: else it would tell of the hand
        play.emit(event_class("only way", ("T10.2",), seat, only=None if is_known else frozenset({seat})))
    act(play, seat, action)
    return True


def act(play: Play, seat: str, action: Action) -> None:
    """8.3: one action; it stops the plans of others (9)."""
    engine.act(play, seat, action)
    play.state = standing_orders.others_stop(play.state, seat, action)
    engine.settle(play)


# --------------------------------------------------------------------------------------------- plans


def plan(play: Play, seat: str, lines: tuple[str, ...]) -> None:
    """T9: several lines: the first must be legal now if it is asked for now; the rest wait their turn."""
    actions = [read(play.state, line) for line in lines]
    play.state = standing_orders.put(play.state, seat, standing_orders.Plan(seat, lines, play.state.turn.number))
    if _is_asked(play, seat, actions[0]):
        _planned(play, seat)


def _is_asked(play: Play, seat: str, action: Action) -> bool:
    state = play.state
    if action.kind in play.rules.anytime:
        return True
    if state.decision is not None:
        return engine.asks(state, seat, action.kind)
    return state.priority is not None and state.priority.holder == seat and action.kind in play.rules.acts


def _planned(play: Play, seat: str) -> None:
    """T9, T10: the next line of a plan; a shortcut passes once and stays until the place it names is reached."""
    plan = standing_orders.of(play.state, seat)
    if plan is None:
        return
    action = read(play.state, plan.lines[0])
    rest = standing_orders.Plan(seat, plan.lines[1:], plan.turn)
    if action.kind == "pass" and action.to:
        if standing_orders.reached(play.state, plan, action):
            play.state = standing_orders.put(play.state, seat, rest)
            return
        play.state = standing_orders.put(play.state, seat, standing_orders.Plan(seat, plan.lines, plan.turn, True))
        act(play, seat, PASS)
        return
    play.state = standing_orders.put(play.state, seat, rest)
    act(play, seat, action)


def _by_plan(play: Play, seat: str) -> bool:
    plan = standing_orders.of(play.state, seat)
    if plan is None:
        return False
    try:
        action = read(play.state, plan.lines[0])
        if action.kind == "pass" and action.to and standing_orders.reached(play.state, plan, action):
            _planned(play, seat)
            return True
        if not _is_asked(play, seat, action):
            return False
        trial = Play(play.rules, play.state)
        if _own_still_waits(play, seat, action):
            act(trial, seat, PASS)
        else:
            _planned(trial, seat)
    except Refused:
        play.state = standing_orders.put(play.state, seat, None)
        play.emit(Event("plan stopped", (), seat))
        return False
    _take(play, trial, seat)
    return True


def _own_still_waits(play: Play, seat: str, action: Action) -> bool:
    """T9: a plan's line that needs an empty pile lets its poster's own items resolve first; others' items stop it."""
    pile = play.state.pile
    waits = play.state.decision is None and standing_orders.needs_quiet(play.rules.quiet, action)
    return waits and bool(pile) and all(item.controller == seat for item in pile)


# --------------------------------------------------------------------------------------------- orders


def _by_order(play: Play, seat: str) -> bool:
    """T10: the first order that fits and is legal answers; a seat without one is asked."""
    kind = engine.waits_for(play.state)[1]
    for order, line, occasion in standing_orders.answer(play.state, seat, kind):
        trial = Play(play.rules, standing_orders.fired(play.state, order, occasion))
        try:
            action = read(trial.state, line)
            act(trial, seat, action)
        except Refused:
            continue
        trial.emit(PrivateEvent("by order", (), seat, amount=order.number, only=frozenset({seat})))
        _take(play, trial, seat)
        return True
    return False


def _take(play: Play, trial: Play, seat: str) -> None:
    play.state = trial.state
    play.events.extend(trial.events)
    play.drew = play.drew or trial.drew
    play.answered |= {seat}


# --------------------------------------------------------------------------------------------- defaults


def default(play: Play, seat: str) -> None:
    """T10.5, Appendix B: when time is over, the default for what a seat is asked."""
    if seat not in engine.waits_for(play.state)[0]:
        raise Refused("8.3", said("no one is waiting for this player"))
    decision = play.state.decision
    action = decision.default(play.state, seat) if decision is not None else PASS
    if decision is not None and (draw := decision.to_draw(play.state, seat)) is not None:
        verb, among, number = draw
        action = naming.action(play.state, verb, _drawn_aims(play, seat, among, number))
    line = write(action, play.state.game)  # type: ignore[arg-type]
    play.emit(Event("default", (), seat, told=line, only=frozenset({seat})))
    act(play, seat, action)


def _drawn_aims(play: Play, seat: str, among: Sequence[Aim], number: int) -> list[Aim]:
    """Appendix B: a forced choice of a player who doesn't answer is drawn by commitment (`default A`)."""
    rest, aims = list(among), []
    name = f"default {seat}"
    for _ in range(number):
        aims.append(rest.pop(play.draw(name, play.count(name), len(rest)) - 1))
    return aims
