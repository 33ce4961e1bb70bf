"""3.3.3: the effects of the rulings on a turn: on orders at step 1 of R18, on contests and squares at its steps 5
and 6."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from wargame.rules.core.board import RANGE, Square
from wargame.rules.core.events import Event, Ruled
from wargame.rules.core.orders import Hold, InBattle, Intercept, Move, Order, Step, Transfer
from wargame.rules.core.phrases import Phrase
from wargame.rules.core.position import Army, Position
from wargame.rules.core.rulings import (
    EndsOn,
    RefusalLifted,
    Ruling,
    RulingOn,
    SetAside,
    TakenAsGiven,
    TroopsSet,
    WhyNothing,
    WinsSquare,
)
from wargame.rules.core.turn import PostedLine, TurnInput
from wargame.rules.moves.commands import Command, Commands, as_command
from wargame.rules.moves.events import PlanCancelled, Refused, WhyCancelled
from wargame.rules.moves.marches import Fate, Field, March

RulingOnOrders = TakenAsGiven | RefusalLifted | SetAside
R = TypeVar("R", bound=RulingOn)


@dataclass(frozen=True, slots=True)
class _Ordered:
    """The line that counts for an army by a ruling; None: it has no order. `why_not`: the ruling can't apply."""

    line: PostedLine | None = None
    command: Command | None = None
    why_not: Phrase | None = None


def overrule_commands(
    position: Position, given: TurnInput, commands: Commands, events: list[Event]
) -> tuple[Commands, list[Event]]:
    """The orders of a turn with those that a judge ruled on, and the events."""
    rulings, beaten = counting([r for r in given.rulings if isinstance(r, RulingOnOrders)])
    if not rulings:
        return commands, events
    events.extend(beaten)
    for ruling in rulings:
        army = position.by_name.get(ruling.army)
        if army is None:
            events.append(ruled(ruling, WhyNothing.NO_ARMY(army=ruling.army)))
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
            rest = tuple(planned.step.to for planned in army.plan.steps)
            events.append(PlanCancelled(army.name, rest, WhyCancelled.RULED()))
    return {army.name: commands[army.name] for army in position.armies if army.name in commands}, events


def _is_of(event: Event, army: Army) -> bool:
    """Whether an event is about the army's own orders, which a ruling replaces."""
    return event.kind in ("refused", "held", "plan_cancelled") and getattr(event, "army", "") == army.name


def _why_so_anyway(army: Army, command: Command | None, before: Command | None, events: list[Event]) -> Phrase | None:
    """Why a ruling changes nothing: the army does the same without it. None if it does something else, or if its
    order was refused or its long move cancelled, so that its player was told otherwise."""
    if any(_is_of(event, army) and event.kind != "held" for event in events):
        return None
    if army.plan and not (command and command.rest):
        return None
    if command is None or before is None:
        return None if command or before else WhyNothing.STAYS_ANYWAY()
    same = before._replace(text=command.text) == command
    return WhyNothing.ORDERED_SO() if same else None


def _ordered(position: Position, army: Army, ruling: RulingOnOrders, turn: TurnInput, events: list[Event]) -> _Ordered:
    if isinstance(ruling, SetAside):
        return _Ordered()
    lines = [line for line in turn.lines if line.army == army.name]
    last = _last(lines, turn.control)
    if isinstance(ruling, TakenAsGiven):
        at, place = last.when if last else (turn.after_all(position), (ruling.number, 0))
        by = last.by if last else next(iter(turn.control.get(army.name, ())), "")
        return _carried_out(position, army, PostedLine(by, army.name, ruling.order, at, place, text=ruling.text))
    if not any(isinstance(event, Refused) and event.army == army.name for event in events):
        return _Ordered(why_not=WhyNothing.NOT_REFUSED())
    if last is not None:
        return _carried_out(position, army, last)
    return _plan_carried_out(position, army)


def _last(lines: list[PostedLine], control: Mapping[str, tuple[str, ...]]) -> PostedLine | None:
    """R12: the last order by one of the army's controllers or, if none posted, by anybody."""
    orders = [line for line in lines if not isinstance(line.order, InBattle)]
    own_orders = [line for line in orders if line.by in control.get(line.army, ())]
    return max(own_orders or orders, key=lambda line: line.when, default=None)


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
        return _Ordered(why_not=WhyNothing.NO_ORDER())
    due, *rest = plan.steps
    if why_not := _why_not(position, army, Move((due.step,))):
        return _Ordered(why_not=why_not)
    step, text = _passable(army, due.step), f"{due.step.start} > {due.step.to}"
    return _Ordered(None, Command(army, step, plan.by, (plan.at, plan.place), tuple(rest), text))


def _why_not(position: Position, army: Army, order: Order) -> Phrase | None:
    """Why an order can't be carried out even by a ruling; the judge may waive all other checks of R14."""
    if army.name in position.battle_of:
        return WhyNothing.FIGHTS()
    if isinstance(order, Move):
        off = next((step.to for step in order.steps if not step.to.on_map), None)
        return WhyNothing.OFF_MAP(at=str(off)) if off else None
    if not isinstance(order, Intercept | Transfer):
        return None
    target = position.by_name.get(order.target)
    if target is None:
        return WhyNothing.NO_ARMY(army=order.target)
    if isinstance(order, Intercept):
        return None if target.is_enemy(army) else WhyNothing.NO_ENEMY(target=target.name)
    is_friend = target is not army and not target.is_enemy(army)
    return None if is_friend else WhyNothing.NO_FRIEND(target=target.name)


def _passable(army: Army, step: Step) -> Step:
    """The step from the army's square, on the given route if it leads there; a long way runs straight."""
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
    """A route north or south first, then west or east, for a move that is longer than 3.2.2.1 allows: its route is
    not drawn as others are."""
    down, right = (1 if to.row > start.row else -1), (1 if to.column > start.column else -1)
    rows = [Square(row, start.column) for row in range(start.row, to.row, down)]
    columns = [Square(to.row, column) for column in range(start.column, to.column, right)]
    return (*rows, *columns, to)


def ruled_winner(field: Field, square: Square, claimants: list[March], first: March) -> March | None:
    """3.3.1: the claimant that a ruling gives the square; None leaves it to the rule, by which `first` has it."""
    by_name = {march.army.name: march for march in claimants}
    rulings = [r for r in field.rulings if isinstance(r, WinsSquare) and r.at == square and r.army in by_name]
    if not rulings:
        return None
    *beaten, ruling = sorted(rulings, key=lambda ruling: ruling.number)
    field.events.extend(ruled(other, WhyNothing.BEATEN_THERE(number=ruling.number)) for other in beaten)
    winner = by_name[ruling.army]
    fighting = next((march.army.name for march in claimants if march is not winner and field.fights(march)), "")
    if fighting:
        field.events.append(ruled(ruling, WhyNothing.HELD_BY_FIGHTER(army=fighting), start=winner.start))
        return None
    if winner is first:
        field.events.append(ruled(ruling, WhyNothing.HAS_IT_ANYWAY(), start=winner.start, to=square))
        return None
    field.events.append(ruled(ruling, start=winner.start, to=square))
    return winner


def report_winners_without_contest(field: Field) -> None:
    """The rulings on contests that did not happen. That of a pair may still happen, at step 8 (R26)."""
    for ruling in _untold(field.rulings, field.events):
        if not _is_of_a_pair(field, ruling):
            field.events.append(ruled(ruling, WhyNothing.NO_CONTEST()))


def report_pairs_not_left_alone(field: Field, since: list[Event]) -> None:
    """R26: the rulings on contests between two armies that fight together, or that a battle parted. `since` are the
    events after the moves, to which theirs are added."""
    for ruling in _untold(field.rulings, (*field.events, *since)):
        since.append(ruled(ruling, WhyNothing.NOT_LEFT_ALONE()))


def _untold(rulings: tuple[Ruling, ...], events: Iterable[Event]) -> list[WinsSquare]:
    """The rulings on contests that no event reports yet."""
    wins = [ruling for ruling in rulings if isinstance(ruling, WinsSquare)]
    numbers = {event.number for event in events if isinstance(event, Ruled)} if wins else ()
    return [ruling for ruling in wins if ruling.number not in numbers]


def _is_of_a_pair(field: Field, ruling: WinsSquare) -> bool:
    """3.2.5: whether two friends, including the one that a ruling prefers, end on its square."""
    march = field.marches.get(ruling.army)
    there = field.ending().get(ruling.at, ())
    return (
        march is not None and march in there and any(not m.army.is_enemy(march.army) for m in there if m is not march)
    )


def place_as_ruled(field: Field) -> None:
    """After the partial moves, one army after the other: an army ends on the judge's square, if possible."""
    rulings, beaten = counting([r for r in field.rulings if isinstance(r, EndsOn)])
    field.events.extend(beaten)
    for ruling in rulings:
        march = field.marches.get(ruling.army)
        if march is None:
            field.events.append(ruled(ruling, WhyNothing.NO_ARMY(army=ruling.army)))
            continue
        is_there = march.to == ruling.at
        why_not = WhyNothing.ENDS_THERE_ANYWAY() if is_there else _why_not_there(field, march, ruling.at)
        field.events.append(ruled(ruling, why_not, start=march.start, to=march.to if why_not else ruling.at))
        if not why_not:
            march.to, march.fate, march.joint = ruling.at, Fate.RULED, False


def _why_not_there(field: Field, march: March, square: Square) -> Phrase | None:
    """3.3.1, 3.3.5, R19: no two friends share a square, no three sides do, and a fighting army stays."""
    if not square.on_map:
        return WhyNothing.OFF_MAP(at=str(square))
    if field.fights(march):
        return WhyNothing.FIGHTS_AND_STAYS()
    marches = [other for other in field.ending().get(square, ()) if other is not march]
    friend = next((other.army.name for other in marches if not other.army.is_enemy(march.army)), "")
    if friend:
        return WhyNothing.FRIEND_THERE(friend=friend)
    if len({other.army.side for other in marches}) > 1:
        return WhyNothing.SIDES_THERE()
    return None


def ruled(
    ruling: RulingOn, why_not: Phrase | None = None, *, start: Square | None = None, to: Square | None = None
) -> Ruled:
    """The event of a ruling: the decision and its reason, or why it changes nothing."""
    return Ruled(ruling.army, ruling.number, ruling.cites, ruling.what, ruling.reason, why_not, start, to)


def counting(rulings: Iterable[R]) -> tuple[list[R], list[Ruled]]:
    """Of several rulings on one thing the last one counts: those that count, by number, and events that say why the
    others change nothing. The thing is the army; in a ruling on troops, also its creature."""
    last: dict[tuple[object, ...], R] = {}
    beaten: list[Ruled] = []
    for ruling in sorted(rulings, key=lambda ruling: ruling.number):
        key = _subject(ruling)
        before = last.pop(key, None)
        if before is not None:
            beaten.append(ruled(before, WhyNothing.BEATEN(number=ruling.number)))
        last[key] = ruling
    return list(last.values()), beaten


def _subject(ruling: RulingOn) -> tuple[object, ...]:
    if isinstance(ruling, TroopsSet):
        return ruling.army, ruling.slot, ruling.creature
    return (ruling.army,)
