"""3.3.3: rulings on the orders of armies, at the first step of R18."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from wargame.rules.core.board import Square
from wargame.rules.core.dice import Dice
from wargame.rules.core.events import Event
from wargame.rules.core.orders import Hold, InBattle, Intercept, Move, Order, Step, Transfer
from wargame.rules.core.position import Army, Position
from wargame.rules.core.rulings import RefusalLifted, SetAside, TakenAsGiven, counting, ruled
from wargame.rules.core.turn import PostedLine, TurnInput
from wargame.rules.mercenaries.commanding import command_mercenaries, with_replacements
from wargame.rules.moves.commands import Command, Commands, as_command, commands_of_turn
from wargame.rules.moves.events import PlanCancelled, Refused
from wargame.rules.moves.legality import RANGE

RulingOnOrders = TakenAsGiven | RefusalLifted | SetAside
NEVER = "a judge ruled on its orders"


@dataclass(frozen=True, slots=True)
class _Ordered:
    """The line that counts for an army by a ruling; None: it has no order. `why_not`: the ruling can't apply."""

    line: PostedLine | None = None
    command: Command | None = None
    why_not: str = ""


def commands_as_ruled(position: Position, given: TurnInput, dice: Dice) -> tuple[Commands, list[Event]]:
    """R18, step 1: the legal order of each army, the mercenaries' by their guidelines (R48), or the one that a judge
    ruled on; and what happened."""
    given = with_replacements(given)
    commands, events = commands_of_turn(position, given)
    if given.guidelines or given.mercenaries:
        command_mercenaries(position, given, commands, events, dice)
    rulings, beaten = counting([r for r in given.rulings if isinstance(r, RulingOnOrders)])
    if not rulings:
        return commands, events
    events.extend(beaten)
    for ruling in rulings:
        army = position.by_name.get(ruling.army)
        if army is None:
            events.append(ruled(ruling, f"there is no army {ruling.army} on the map"))
            continue
        ordered = _ordered(position, army, ruling, given, events)
        why_not = ordered.why_not or _why_so_anyway(army, ordered.command, commands.get(army.name), events)
        if why_not:
            events.append(ruled(ruling, why_not, start=army.at))
            continue
        events = [event for event in events if not _is_of(event, army)]
        events.append(ruled(ruling, start=army.at))
        commands.pop(army.name, None)
        if ordered.command:
            commands[army.name] = ordered.command
        if army.plan and not (ordered.command and ordered.command.rest):
            events.append(PlanCancelled(army.name, tuple(planned.step.to for planned in army.plan.steps), NEVER))
    return {army.name: commands[army.name] for army in position.armies if army.name in commands}, events


def _is_of(event: Event, army: Army) -> bool:
    """What was said of the army's own orders before the ruling."""
    return event.kind in ("refused", "held", "plan_cancelled") and getattr(event, "army", "") == army.name


def _why_so_anyway(army: Army, command: Command | None, before: Command | None, events: list[Event]) -> str:
    """That the army does without the ruling what it says; empty if it does something else, or was told otherwise."""
    if any(_is_of(event, army) and event.kind != "held" for event in events):
        return ""
    if army.plan and not (command and command.rest):
        return ""
    if command is None or before is None:
        return "" if command or before else "it stays on its square without it too"
    same = before._replace(text=command.text) == command
    return "that is what it was ordered to do" if same else ""


def _ordered(position: Position, army: Army, ruling: RulingOnOrders, given: TurnInput, events: list[Event]) -> _Ordered:
    if isinstance(ruling, SetAside):
        return _Ordered()
    lines = [line for line in given.lines if line.army == army.name]
    last = _last(lines, given.control)
    if isinstance(ruling, TakenAsGiven):
        at, place = last.when if last else (given.after_all, (0, 0))
        by = last.by if last else next(iter(given.control.get(army.name, ())), "")
        return _carried_out(position, army, PostedLine(by, army.name, ruling.order, at, place, text=ruling.text))
    if not any(isinstance(event, Refused) and event.army == army.name for event in events):
        return _Ordered(why_not="none of its orders was refused (R14)")
    if last is not None:
        return _carried_out(position, army, last)
    return _plan_carried_out(position, army)


def _last(lines: list[PostedLine], control: Mapping[str, tuple[str, ...]]) -> PostedLine | None:
    """R12: the last order by one of the army's controllers or, where none posted, by anybody."""
    orders = [line for line in lines if not isinstance(line.order, InBattle)]
    own = [line for line in orders if line.by in control.get(line.army, ())]
    return max(own or orders, key=lambda line: line.when, default=None)


def _carried_out(position: Position, army: Army, line: PostedLine) -> _Ordered:
    order = line.order
    if isinstance(order, Hold | InBattle):
        return _Ordered(line)
    if why_not := _why_not(position, army, order):
        return _Ordered(why_not=why_not)
    if isinstance(order, Move):
        order = replace(order, steps=(_passable(army, order.steps[0]), *order.steps[1:]))
    return _Ordered(line, as_command(position, army, line._replace(order=order)))


def _plan_carried_out(position: Position, army: Army) -> _Ordered:
    """R17: the step of a long move that was due."""
    plan = army.plan
    if plan is None:
        return _Ordered(why_not="it has no order to carry out")
    due, *rest = plan.steps
    if why_not := _why_not(position, army, Move((due.step,))):
        return _Ordered(why_not=why_not)
    step, text = _passable(army, due.step), f"{due.step.start} > {due.step.to}"
    return _Ordered(None, Command(army, step, plan.by, (plan.at, plan.place), tuple(rest), text))


def _why_not(position: Position, army: Army, order: Order) -> str:
    """What no ruling can make possible; everything else that R14 asks is the judge's to waive."""
    if army.name in position.battle_of:
        return "it fights this turn (3.2.1)"
    if isinstance(order, Move):
        off = next((step.to for step in order.steps if not step.to.on_map), None)
        return f"{off} is not on the map (1.2)" if off else ""
    if not isinstance(order, Intercept | Transfer):
        return ""
    target = position.by_name.get(order.target)
    if target is None:
        return f"there is no army {order.target} on the map"
    if isinstance(order, Intercept):
        return "" if target.is_enemy(army) else f"{target.name} is no enemy of it (3.2.3.1)"
    return "" if target is not army and not target.is_enemy(army) else f"{target.name} is no friend of it (3.2.4.1)"


def _passable(army: Army, step: Step) -> Step:
    """The step from where the army stands, on the route that was given if it leads there; a long way runs straight."""
    route = step.route
    if route is not None and not _leads(route, army.at, step.to):
        route = None
    if route is None and army.at.distance(step.to) > RANGE:
        route = _straight(army.at, step.to)
    return step._replace(start=army.at, route=route)


def _leads(route: tuple[Square, ...], start: Square, to: Square) -> bool:
    joined = all(before.distance(after) == 1 for before, after in zip(route, route[1:], strict=False))
    return (route[0], route[-1]) == (start, to) and joined and all(square.on_map for square in route)


def _straight(start: Square, to: Square) -> tuple[Square, ...]:
    """North or south first, then west or east: a way beyond 3.2.2.1's is not drawn."""
    down, right = (1 if to.row > start.row else -1), (1 if to.column > start.column else -1)
    rows = [Square(row, start.column) for row in range(start.row, to.row, down)]
    columns = [Square(to.row, column) for column in range(start.column, to.column, right)]
    return (*rows, *columns, to)
