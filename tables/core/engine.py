"""T6: the loop: tasks, checks, triggers, flow and priority, until a player must act.

Invariant: after `settle` either there is a result, or exactly one decision or holder of priority.
"""

from dataclasses import dataclass, replace

from tables.core.decisions import Decision
from tables.core.events import Event, SilentEvent
from tables.core.lines.actions import PROPOSE_NOTHING, Action
from tables.core.play import Play, Rules
from tables.core.reacting import waiting
from tables.core.reasons import Refused
from tables.core.state import State, Turn
from tables.core.zones import kind_of
from wargame.rules.core.saying import said

MOST_STEPS = 5_000
"""The most small steps after one action; more is an endless loop of cards, and a judge is called."""


def settle(play: Play) -> None:
    """T6: go on until a result, a decision, or priority; K16: checks come before anybody gets priority."""
    for _ in range(MOST_STEPS):
        if play.state.result is not None or play.state.decision is not None:
            return
        play.refresh()
        if not _go_on(play):
            return
    call_judge(play)


@dataclass(frozen=True, slots=True)
class AskLoop(Decision):
    """T10, K42: cards trigger each other endlessly: an agreement or a judge's ruling says how it goes on.

    All remaining tasks, everything that waits and the pile are gone by then, so that nothing starts again.
    """

    kind = "manual"
    takes = ("done",)
    cites = "K42"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """K42: only an accepted proposal or a ruling settles it."""
        raise Refused("K42", said("propose what happens, or ask a judge"))

    def default(self, state: State, seat: str) -> Action:
        """K42: a player who does not answer proposes nothing; a judge rules."""
        return PROPOSE_NOTHING

    def told(self, state: State, seat: str) -> tuple[str, ...]:
        return (said("Cards trigger each other endlessly."),)


def call_judge(play: Play) -> None:
    """T10, K42: for an endless loop: the table waits for an agreement or a ruling."""
    for item in play.state.pile:
        play.state = play.state.but(pile=tuple(other for other in play.state.pile if other is not item))
        if (thing := play.state.thing(item.source)) is not None and kind_of(thing.zone) == "pile":
            play.move(thing.key, play.rules.discard, cites=("K42",), event="done", forced=True)
    play.state = play.state.but(agenda=(), waiting=(), priority=None, decision=None)
    play.emit(Event("endless", ("K42",), play.state.turn.of))
    play.ask(AskLoop((play.state.from_turn_player()[0],)))


def _go_on(play: Play) -> bool:
    """One small step; False if the holder of priority must act."""
    state, rules = play.state, play.rules
    if state.agenda:
        task = state.agenda[-1]
        play.state = state.but(agenda=state.agenda[:-1])
        task.run(play)
        return True
    if rules.check(play):
        return True
    step = rules.steps[state.turn.at]
    if not state.turn.entered:
        _enter(play)
        return True
    if not step.priority:
        _leave(play)
        return True
    if state.waiting:
        waiting.settle(play)
        return True
    if state.priority is None:
        play.give_priority(state.from_turn_player()[0])
        return True
    if state.priority.passed < len(state.living):
        return state.priority.holder not in state.living and _hand_on(play)
    if state.pile:
        play.give_priority(state.from_turn_player()[0])
        rules.resolve(play, state.pile[-1])
        return True
    _leave(play)
    return True


def _hand_on(play: Play) -> bool:
    """K59: the holder of priority has left: the next seat gets it."""
    if play.state.priority is not None:
        play.give_priority(play.state.clockwise(play.state.priority.holder)[0], play.state.priority.passed)
    return True


def _enter(play: Play) -> None:
    """4, 8.3.1: begin a phase or step: automatic actions first, then the turn player has priority."""
    step = play.rules.steps[play.state.turn.at]
    if _skipped(play, step.name):
        return
    play.state = play.state.but(turn=replace(play.state.turn, entered=True), priority=None)
    play.emit(Event("step", (), play.state.turn.of, zone=step.name))
    play.emit(SilentEvent("start of phase", (), play.state.turn.of, zone=step.name))
    if (hook := play.rules.entering.get(step.name)) is not None:
        hook(play)


def _skipped(play: Play, name: str) -> bool:
    """10.1: whether a card skips this phase; then the next one begins."""
    counts = play.state.counts
    for phase, (first, after) in play.rules.phases.items():
        mark = f"skip {play.state.turn.of} {phase}"
        if first == name and counts.get(mark, 0) > 0:
            play.state = play.state.but(counts={**counts, mark: counts[mark] - 1})
            play.emit(Event("skipped", ("10.1",), play.state.turn.of, told=phase))
            go_to(play, after)
            return True
    return False


def _leave(play: Play) -> None:
    """8.3.2: all have passed on an empty pile, or nobody has priority here: end the step, then begin the next one."""
    name = play.state.turn.at
    if (hook := play.rules.leaving.get(name)) is not None:
        hook(play)
    else:
        go_to(play, play.rules.steps[name].then)


def go_to(play: Play, name: str) -> None:
    """4: begin another phase or step of the same turn."""
    play.state = play.state.but(turn=replace(play.state.turn, at=name, entered=False), priority=None)


def next_turn(play: Play, seat: str, first: str) -> None:
    """4: begin a new turn."""
    turn = play.state.turn
    play.state = play.state.but(
        turn=Turn(turn.number + 1, seat, first, starter=turn.starter), priority=None, marks=(), fight=None
    )
    play.emit(Event("turn", (), seat, amount=turn.number + 1))


def act(play: Play, seat: str, action: Action) -> None:
    """8.3: a player's action. Refused if they aren't asked for it, or if a rule forbids it."""
    state, rules = play.state, play.rules
    if state.result is not None:
        raise Refused(rules.unasked.get("over", "3"), said("the table is finished"))
    anytime = rules.anytime.get(action.kind)
    if seat not in state.living and (anytime is None or state.version >= 4):
        raise Refused(rules.unasked.get("out", "3.1"), said("you are out of the game"))
    if action.kind == "concede" and not (action.confirmed or state.version < 4):
        raise Refused("T9.5", said("you can't take it back: write “concede!”, with an exclamation mark"))
    if anytime is not None:
        anytime(play, seat, action)
        return
    decision = state.decision
    if decision is not None:
        if not asks(state, seat, action.kind):
            raise _unasked(play, action)
        play.state = state.but(decision=None)
        decision.answer(play, seat, action)
        return
    if action.kind not in rules.acts:
        raise _unasked(play, action)
    if state.priority is None or state.priority.holder != seat:
        raise Refused("8.3", said("you can only do this when you have priority"))
    rules.acts[action.kind](play, seat, action)


def _unasked(play: Play, action: Action) -> Refused:
    """8.3: why an action can't be done now; a game's own citation for the unnamed ones is at the empty word."""
    now, citations = play.rules.unasked_now, play.rules.unasked
    cites = now(play.state) if now is not None else citations.get("", "8.3")
    return Refused(citations.get(action.kind, cites), said("you can't do that right now"))


def asks(state: State, seat: str, kind: str) -> bool:
    decision = state.decision
    return decision is not None and decision.hears(seat) and kind in decision.takes


def pass_priority(play: Play, seat: str, action: Action) -> None:
    """8.3.2: pass priority to the next player, clockwise."""
    priority = play.state.priority
    if priority is not None:
        play.emit(Event("passed", ("8.3.2",), seat))
        hand_over(play, seat, priority.passed + 1)


def hand_over(play: Play, seat: str, passed: int = 0) -> None:
    """8.3.2, K8: after a cast, an activation or a pass the next player has priority; nobody retains it."""
    order = play.state.clockwise(seat)
    play.give_priority(order[1 % len(order)] if order and order[0] == seat else order[0], passed)


def started(rules: Rules, state: State) -> Play:
    """A fresh state, advanced to the point where somebody must act."""
    play = Play(rules, state)
    settle(play)
    return play


def waits_for(state: State) -> tuple[tuple[str, ...], str]:
    """T10: the pending seats, and for what: a decision's kind or `priority`; none if there is a result."""
    if state.result is not None:
        return (), ""
    if state.decision is not None:
        return state.decision.of, state.decision.kind
    if state.priority is not None:
        return (state.priority.holder,), "priority"
    return (), ""
