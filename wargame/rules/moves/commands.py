"""3.3.6, 5.4: which of the orders posted for an army counts."""

from collections.abc import Mapping
from typing import NamedTuple

from wargame.rules.core.events import Event
from wargame.rules.core.orders import IDLE, Disband, Hold, InBattle, Intercept, Move, Order, Step, Transfer
from wargame.rules.core.phrases import Phrase
from wargame.rules.core.position import Army, Plan, PlannedStep, Position
from wargame.rules.core.reasons import Reason
from wargame.rules.core.sides import Side
from wargame.rules.core.turn import PostedLine, TurnInput
from wargame.rules.moves.events import Held, PlanCancelled, Refused, WhyCancelled
from wargame.rules.moves.legality import Refusal, refusal_of_order, refusal_of_step
from wargame.rules.moves.reach import with_nearest

When = tuple[int, tuple[int, int]]


class Command(NamedTuple):
    """R18, step 1: the legal order of an army this turn. `rest` are the later steps of a long move."""

    army: Army
    order: Step | Intercept | Transfer | Disband
    by: str
    when: When
    rest: tuple[PlannedStep, ...] = ()
    text: str = ""


Commands = dict[str, Command]


def commands_of_turn(position: Position, given: TurnInput) -> tuple[Commands, list[Event]]:
    """R18, step 1: the legal order of each army (R12, R13, R14), and what was refused."""
    by_army: dict[str, list[PostedLine]] = {}
    for line in given.lines:
        by_army.setdefault(line.army, []).append(line)
    commands: Commands = {}
    events: list[Event] = []
    for army in position.armies:
        lines = by_army.get(army.name)
        if lines:
            command = _command_of_lines(position, army, lines, given.control, events)
        elif army.plan:
            command = _command_of_plan(position, army, army.plan, given.control, events)
        else:
            continue
        if command:
            commands[army.name] = command
    return commands, events


def _command_of_lines(
    position: Position,
    army: Army,
    lines: list[PostedLine],
    control: Mapping[str, tuple[str, ...]],
    events: list[Event],
) -> Command | None:
    """R12, R13: the command that results from an army's lines, if any; events are appended to `events`."""
    controllers = control.get(army.name, ())
    valid = [line for line in lines if line.by in controllers]
    orders = [line for line in valid if not isinstance(line.order, InBattle)]
    if len(valid) < len(lines):
        events += _void_lines(army, lines, controllers, beside_valid=bool(valid) or army.plan is not None)
    if not orders:
        events.extend(Held(army.name, army.at, "in battle") for _ in valid[-1:])
        return _command_of_plan(position, army, army.plan, control, events) if army.plan else None
    if army.plan:
        events.append(_cancelled(army, army.plan, WhyCancelled.ORDERED_ANEW()))
    last = max(orders, key=lambda line: line.when)
    return _judge(position, army, last, orders, events)


def refusal_of_line(position: Position, line: PostedLine, control: Mapping[str, tuple[str, ...]]) -> Refusal | None:
    """R14: the objection to one line by itself: its poster's control first, then the order's own checks."""
    army = position.by_name.get(line.army)
    if army is None or isinstance(line.order, IDLE):
        return None
    if line.by not in control.get(army.name, ()):
        reason = Reason.LOST_CONTROL if line.controlled else Reason.NOT_YOURS
        return Refusal(reason, {"by": line.by}, army=army.name)
    refusal = refusal_of_order(position, army, line.order)
    return with_nearest(position, army, line.order, refusal) if refusal else None


def _void_lines(
    army: Army, lines: list[PostedLine], controllers: tuple[str, ...], *, beside_valid: bool
) -> list[Event]:
    """5.4.1, 5.4.2, R13: lines by players who don't control the army at the lock; a stranger's order to hold is not
    cited."""
    events: list[Event] = []
    void = [line for line in lines if line.by not in controllers and not isinstance(line.order, IDLE)]
    for line in sorted(void, key=lambda line: line.when):
        reason = Reason.LOST_CONTROL if line.controlled else Reason.NOT_YOURS
        events.append(Refused(army.name, reason, (), line.by, line.text, not beside_valid, army.at))
    return events


def _judge(
    position: Position, army: Army, last: PostedLine, orders: list[PostedLine], events: list[Event]
) -> Command | None:
    """3.3.6, R12: the last order, unless two controllers gave the army orders; then none."""
    givers = {line.by for line in orders}
    if len(givers) > 1:
        real = [line for line in orders if not isinstance(line.order, Hold)]
        facts = {"others": ", ".join(sorted(givers))}
        if not real:
            events.append(Held(army.name, army.at, "hold"))
            return None
        refused = max(real, key=lambda line: line.when)
        events.append(_refused(army, Refusal(Reason.TWO_CONTROLLERS, facts, army=army.name), refused.by, refused.text))
        return None
    if isinstance(last.order, Hold):
        events.append(Held(army.name, army.at, "hold"))
        return None
    refusal = refusal_of_order(position, army, last.order)
    if refusal:
        events.append(_refused(army, with_nearest(position, army, last.order, refusal), last.by, last.text))
        return None
    return as_command(position, army, last)


def as_command(position: Position, army: Army, line: PostedLine) -> Command:
    """3.2.2.3, R15: an order as this turn's part and the rest, which remembers the armies on its squares now."""
    order: Order = line.order
    if isinstance(order, Move):
        rest = tuple([PlannedStep(step, who_stands(position, army, step)) for step in order.steps[1:]])
        return Command(army, order.steps[0], line.by, line.when, rest, line.text)
    if isinstance(order, Intercept | Transfer):
        return Command(army, order, line.by, line.when, (), line.text)
    raise TypeError(f"{order} is not an order that an army carries out")


def who_stands(position: Position, army: Army, step: Step) -> tuple[tuple[str, Side], ...]:
    """R15: the other armies on the square where a step ends."""
    there = position.by_square.get(step.to, ())
    return tuple([(other.name, other.side) for other in there if other is not army])


def _command_of_plan(
    position: Position, army: Army, plan: Plan, control: Mapping[str, tuple[str, ...]], events: list[Event]
) -> Command | None:
    """R17: the step of a long move that is due; if it is refused, the rest is cancelled with it."""
    due, *rest = plan.steps
    refusal = (
        refusal_of_step(position, army, due.step, due.stood)
        if plan.by in control.get(army.name, ())
        else Refusal(Reason.LOST_CONTROL, army=army.name)
    )
    text = f"{due.step.start} > {due.step.to}"
    if not refusal:
        return Command(army, due.step, plan.by, (plan.at, plan.place), tuple(rest), text)
    events.append(_refused(army, refusal, plan.by, text))
    if rest:
        events.append(_cancelled(army, Plan(plan.by, tuple(rest)), WhyCancelled.STEP_REFUSED()))
    return None


def _refused(army: Army, refusal: Refusal, by: str, text: str) -> Refused:
    facts = tuple(refusal.facts.items())
    return Refused(army.name, refusal.fault, facts, by, text, at=army.at, would_do=refusal.would_do)


def _cancelled(army: Army, plan: Plan, why: Phrase) -> PlanCancelled:
    return PlanCancelled(army.name, tuple(planned.step.to for planned in plan.steps), why)
