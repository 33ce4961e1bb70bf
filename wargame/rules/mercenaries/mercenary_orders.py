"""R48, 6.3.2: the orders of the mercenaries: by their guidelines, instead of them, or after the lock."""

from dataclasses import replace

from wargame.rules.core.board import Square
from wargame.rules.core.dice import Dice
from wargame.rules.core.events import Event
from wargame.rules.core.orders import Disband, Hold, InBattle, Move, Order, Step, write_action
from wargame.rules.core.position import Army, Position
from wargame.rules.core.reasons import Reason
from wargame.rules.core.sides import Faction
from wargame.rules.core.turn import AfterLockOrder, DisbandingOrder, PostedLine, Replacement, TurnInput
from wargame.rules.mercenaries.events import MercenaryDecided, OrderedAfterLock
from wargame.rules.mercenaries.guidelines import decide_all
from wargame.rules.mercenaries.outlook import Decision
from wargame.rules.moves.commands import Command, Commands, When
from wargame.rules.moves.events import Refused
from wargame.rules.moves.joint import ignored_joint_engages
from wargame.rules.moves.legality import Refusal, refusal_of_order
from wargame.rules.moves.marches import shortest_paths
from wargame.rules.moves.reach import with_nearest

BY_THE_BOOK = "the guidelines"
"""The author of an order that nobody gave."""

VOID_LINES = (Reason.NOT_YOURS, Reason.LOST_CONTROL)
"""R13: why a line is void, whatever its order."""


def with_replacements(given: TurnInput) -> TurnInput:
    """R48: the turn with the mercenary judge's replacements as lines, which are judged like a player's."""
    lines = [
        PostedLine(act.by, act.army, act.order, act.at, act.place, text=act.text)
        for act in given.mercenaries
        if isinstance(act, Replacement)
    ]
    if not lines:
        return given
    control = {**given.control, **{line.army: (line.by,) for line in lines}}
    return replace(given, lines=(*given.lines, *lines), control=control)


def command_mercenaries(
    position: Position, given: TurnInput, commands: Commands, events: list[Event], dice: Dice
) -> None:
    """R48: add the mercenaries' orders to the commands of the turn, and their decisions to the events.

    `given` has the judge's replacements as lines, and `commands` their results. Without `given.guidelines` a mercenary
    without an order stays.
    """
    ordered = _ordered(position, given, commands)
    after_all = given.after_all(position)
    _disband_by_hand(position, given, commands, events, (after_all, (0, 0)))
    if given.guidelines:
        bound = {name: _bound_for(position.by_name[name], commands) for name in ordered}
        for turn, decision in enumerate(decide_all(position, dice, bound)):
            events.append(_event_of(decision, ordered.get(decision.army)))
            if decision.army not in ordered:
                _follow(position, commands, decision, (after_all, (0, turn)))
                _void_beside(events, decision.army)
    for act in given.mercenaries:
        if isinstance(act, AfterLockOrder):
            _change_after_lock(position, given, commands, events, act)


def _ordered(position: Position, turn: TurnInput, commands: Commands) -> dict[str, tuple[str, str]]:
    """The orders of the mercenaries that have one: by name, (author, order)."""
    orders: dict[str, tuple[str, str]] = {}
    mercenaries = {army.name: army for army in position.armies if army.faction}
    for name, army in mercenaries.items():
        if army.plan:
            orders[name] = army.plan.by, commands[name].text if name in commands else "hold"
    lines = [line for line in turn.lines if line.army in mercenaries and not isinstance(line.order, InBattle)]
    for line in sorted(lines, key=lambda line: line.when):
        if line.by in turn.control.get(line.army, ()):
            orders[line.army] = line.by, write_action(line.order)
    for act in turn.mercenaries:
        if isinstance(act, DisbandingOrder) and act.army in mercenaries:
            orders[act.army] = act.by, "disband"
    return orders


def _bound_for(army: Army, commands: Commands) -> Square:
    command = commands.get(army.name)
    return command.order.to if command and isinstance(command.order, Step) else army.at


def _disband_by_hand(position: Position, turn: TurnInput, commands: Commands, events: list[Event], when: When) -> None:
    """6.3.2: the raiders that the judge disbands; one that fights can't."""
    for act in turn.mercenaries:
        army = position.by_name.get(act.army) if isinstance(act, DisbandingOrder) else None
        if army is None or not isinstance(act, DisbandingOrder):
            continue
        if army.name in position.battle_of:
            events.append(Refused(army.name, Reason.FIGHTING, (), act.by, "disband", at=army.at))
        else:
            commands[army.name] = Command(army, Disband(act.by, act.reason), act.by, when)
            _void_beside(events, army.name)


def _void_beside(events: list[Event], army: str) -> None:
    """R13, R48: a mercenary's own order makes the other, void lines void alone, like a player's own."""
    for place, event in enumerate(events):
        if isinstance(event, Refused) and event.army == army and event.reason in VOID_LINES:
            events[place] = replace(event, counts=False)


def _follow(position: Position, commands: Commands, decision: Decision, when: When) -> None:
    """3.3.1, R78: an order that nobody posted comes after all posted ones; the mercenaries' in the order of their
    choices."""
    army = position.by_name[decision.army]
    if decision.step:
        commands[army.name] = Command(army, decision.step, BY_THE_BOOK, when)
    elif decision.course == "disbands":
        commands[army.name] = Command(army, Disband(), BY_THE_BOOK, when)


def _event_of(decision: Decision, ordered: tuple[str, str] | None) -> MercenaryDecided:
    judge, order = ordered or ("", "")
    return MercenaryDecided(
        army=decision.army,
        faction=decision.faction.value,
        at=decision.at,
        course=decision.course,
        order=decision.action,
        to=decision.ends_on,
        target=(decision.step.target or "") if decision.step else "",
        cites=decision.cites,
        ruling=decision.ruling,
        why=decision.why,
        considered=decision.considered,
        draws=decision.draws,
        judge=judge,
        ordered=order,
    )


def _change_after_lock(
    position: Position, turn: TurnInput, commands: Commands, events: list[Event], act: AfterLockOrder
) -> None:
    """6.3.2: the one raider's new order; one that is refused changes nothing."""
    army = position.by_name.get(act.army)
    if army is None:
        return
    refusal = refusal_after_lock(position, commands, army, act.order)
    if refusal:
        events.append(
            Refused(
                army.name,
                refusal.fault,
                tuple(refusal.facts.items()),
                act.by,
                act.text,
                False,
                army.at,
                refusal.would_do,
            )
        )
        return
    assert isinstance(act.order, Move)
    action, instead_of = write_action(act.order), _ordered_before(commands.get(army.name))
    events.append(OrderedAfterLock(army.name, army.at, act.by, action, instead_of))
    commands[army.name] = Command(army, act.order.steps[0], act.by, (turn.after_all(position) + 1, (0, 0)), (), action)
    _void_beside(events, army.name)


def _ordered_before(command: Command | None) -> str:
    """6.3.2: the order that the one after the lock replaces; also a disbanding, which takes the turn."""
    if command is None:
        return write_action(Hold())
    if isinstance(command.order, Disband):
        return "disband"
    return write_action(Move((command.order,)) if isinstance(command.order, Step) else command.order)


def refusal_after_lock(position: Position, commands: Commands, army: Army, order: Order) -> Refusal | None:
    """6.3.2: the objection to an order after the lock; it is first checked like a player's (R14).

    It must be a move that engages an army which is on its end and stays there (R61). It takes the raider through no
    army's present square. Where no route is given this is stricter than the rulebook: none of the paths that might be
    drawn may cross such a square.
    """
    if army.faction is not Faction.RAIDER:
        return Refusal(Reason.AFTER_LOCK_RAIDER, army=army.name)
    if refusal := refusal_of_order(position, army, order):
        return with_nearest(position, army, order, refusal)
    if not isinstance(order, Move) or len(order.steps) > 1 or order.steps[0].suffix != "engage":
        return Refusal(Reason.AFTER_LOCK_ENGAGE, army=army.name)
    step = order.steps[0]
    target = position.by_name.get(step.target or "")
    if target is None:
        return Refusal(Reason.AFTER_LOCK_ENGAGE, army=army.name)
    if avoided := _why_not_met(position, commands, army, target, step.to):
        reason, facts = avoided
        return Refusal(reason, {"target": target.name, **facts, "to": str(step.to)}, army=army.name)
    return _crossing(position, army, step)


def _why_not_met(
    position: Position, commands: Commands, army: Army, target: Army, to: Square
) -> tuple[Reason, dict[str, str]] | None:
    """R61: why an order after the lock is no attempt to engage this army, with the facts; None if it is one.

    The army must be on the raider's destination, and no legal order may lead it away. An army that already fights can't
    be engaged: the raider would only draw back before it (R22).
    """
    if not target.is_enemy(army):
        return Reason.AFTER_LOCK_MERCENARY, {}
    if target.name in position.battle_of:
        return Reason.AFTER_LOCK_FIGHTS, {}
    if to != target.at:
        return Reason.AFTER_LOCK_ELSEWHERE, {"at": str(target.at)}
    command = commands.get(target.name)
    if command is None or not isinstance(command.order, Step) or command.order.to == target.at:
        return None
    if target.name in ignored_joint_engages(position, commands):
        return None
    return Reason.AFTER_LOCK_LEAVES, {"ordered": str(command.order.to)}


def _crossing(position: Position, army: Army, step: Step) -> Refusal | None:
    """6.3.2: not through the present square of any army on the map."""
    paths = (step.route,) if step.route else shortest_paths(step.start, step.to)
    crossed = [next((square for square in path[1:-1] if square in position.by_square), None) for path in paths]
    square = next((square for square in crossed if square), None)
    if square is None:
        return None
    facts = {"square": str(square), "there": position.by_square[square][0].name}
    refusal = Refusal(Reason.AFTER_LOCK_CROSSES, facts, army=army.name)
    clear = next((path for path, met in zip(paths, crossed, strict=True) if met is None), None)
    return replace(refusal, would_do=write_action(Move((step._replace(route=clear),)))) if clear else refusal
