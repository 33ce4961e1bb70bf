"""R18: the steps of a settlement, as one readable list."""

from dataclasses import dataclass

from wargame.rules.core.board import Square
from wargame.rules.core.dice import Dice
from wargame.rules.core.events import Drawn, Event
from wargame.rules.core.position import Battle, Position, sorted_armies
from wargame.rules.core.rulings import Ruling
from wargame.rules.core.turn import Result, TurnInput
from wargame.rules.mercenaries.mercenary_orders import command_mercenaries, with_replacements
from wargame.rules.mercenaries.spawning import disband, spawn
from wargame.rules.mercenaries.wars import go_to_war, remember_battles
from wargame.rules.moves.commands import Commands, commands_of_turn
from wargame.rules.moves.contests import settle_friends, settle_three_sides
from wargame.rules.moves.events import Moved
from wargame.rules.moves.intercepts import work_out_intercepts
from wargame.rules.moves.joint import dissolve_pairs_without_enemy, judge_joint_engagements
from wargame.rules.moves.marches import Fate, Field, set_out
from wargame.rules.moves.partial import work_out_partial_moves
from wargame.rules.moves.ruled import overrule_commands, place_as_ruled, report_winners_without_contest
from wargame.rules.settling.accepted_changes import carry_out_changes, renamed
from wargame.rules.settling.bases import count_winning_days, destroy_bases, fallen_teams, winners
from wargame.rules.settling.days import count_days, forget_days
from wargame.rules.settling.engagements import engage
from wargame.rules.settling.healing import heal, heal_town_defenders, remember_losses
from wargame.rules.settling.losses import take_losses
from wargame.rules.settling.plans import follow_plans
from wargame.rules.settling.punishing import count_as_lost, punish, punish_after_battles, punished
from wargame.rules.settling.ruled_armies import set_days, set_troops
from wargame.rules.settling.scene import Scene, scene_of
from wargame.rules.settling.separation import separate
from wargame.rules.settling.transfers import deliver_transits, hand_over, send_troops


@dataclass(frozen=True, slots=True)
class Moves:
    """R18, steps 1 to 6: the end of every army's move, and the events on the way."""

    places: dict[str, Square]
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Settlement:
    """R18, steps 1 to 11: the position in which the next turn opens, and the events."""

    position: Position
    events: tuple[Event, ...]


def carry_out(position: Position, given: TurnInput, dice: Dice) -> Moves:
    """R18, steps 1 to 6: the draft of a turn's moves. The results of its battles are ignored."""
    position = punished(position, given.penalties)
    commands, refused = commands_as_ruled(position, given, dice)
    field = move(position, commands, dice, given.rulings)
    places = {name: march.to for name, march in field.marches.items()}
    return Moves(places, (*refused, *_moved(field), *field.events, *_draw_events(dice)))


def commands_as_ruled(position: Position, given: TurnInput, dice: Dice) -> tuple[Commands, list[Event]]:
    """R18, step 1: the legal order of each army, the mercenaries' by their guidelines (R48), or the one that a judge
    ruled on; and the events."""
    given = with_replacements(given)
    commands, events = commands_of_turn(position, given)
    if given.guidelines or given.mercenaries:
        command_mercenaries(position, given, commands, events, dice)
    return overrule_commands(position, given, commands, events)


def move(position: Position, commands: Commands, dice: Dice, rulings: tuple[Ruling, ...] = ()) -> Field:
    """3.3.4, R18, steps 2 to 6: all moves at once."""
    field = set_out(position, commands, dice)
    field.rulings = rulings
    pairs = judge_joint_engagements(field)
    work_out_intercepts(field)
    pairs = dissolve_pairs_without_enemy(field, pairs)
    settle_friends(field, {march.army.name for pair in pairs for march in pair})
    settle_three_sides(field)
    report_winners_without_contest(field)
    work_out_partial_moves(field)
    place_as_ruled(field)
    return field


def settle(position: Position, given: TurnInput, dice: Dice) -> Settlement:
    """R18: the whole settlement of a turn, after its penalties (5.4.1). ValueError if a battle that was fought has
    no result, or an impossible one (4.2.5, R63)."""
    unpunished = position
    position, penalised = punish(position, given.penalties)
    commands, refused = commands_as_ruled(position, given, dice)
    field = move(position, commands, dice, given.rulings)
    move_events = _moved(field)
    scene = scene_of(field, given.control)
    count_as_lost(scene, unpunished)
    results = _results(position, given)
    take_losses(scene, results)
    punish_after_battles(scene, given.penalties)
    separate(scene, results)
    set_troops(scene, given.rulings)
    deliver_transits(scene)
    on_the_way = send_troops(scene, commands, given)
    engage(scene)
    hand_over(scene, on_the_way)
    follow_plans(scene, commands)
    after = _new_day(scene, given, commands)
    return Settlement(after, (*penalised, *refused, *move_events, *field.events, *scene.events, *_draw_events(dice)))


def _new_day(scene: Scene, turn_input: TurnInput, commands: Commands) -> Position:
    """R18, steps 10 and 11: days, healing, changes of troops, bases, victory, and chapter 6."""
    forget_days(scene)
    names = count_days(scene)
    set_days(scene, turn_input.rulings, names)
    heal(scene, names)
    remember_losses(scene, names)
    carry_out_changes(scene, turn_input)
    board = destroy_bases(scene)
    count_winning_days(scene, names, board)
    won_by = winners(scene)
    remember_battles(scene)
    go_to_war(scene)
    spawn(scene, turn_input)
    disband(scene, commands)
    heal_town_defenders(scene)
    after = Position(
        board=board,
        armies=sorted_armies(list(scene.armies.values())),
        battles=tuple(scene.battles),
        transits=tuple(scene.transits),
        fallen=fallen_teams(board),
        won_by=won_by,
    )
    return renamed(after, scene.new_names)


def _results(position: Position, turn_input: TurnInput) -> dict[Battle, Result]:
    by_square = {result.at: result for result in turn_input.results}
    missing = [str(battle.at) for battle in position.battles if battle.at not in by_square]
    if missing:
        raise ValueError(f"no result for the battle on {', '.join(missing)}")
    results = {battle: by_square[battle.at] for battle in position.battles}
    for battle, result in results.items():
        _check_result(position, battle, result)
    return results


def _check_result(position: Position, battle: Battle, result: Result) -> None:
    """4.2.5, R63: a result is about the armies of its battle, one side of them has won, and only armies of the
    lowest two ranks of a team are captured."""
    names = (*result.winner, *result.losses, *result.killed, *result.captured, *result.retreat)
    strangers = [name for name in names if name not in battle.armies]
    if strangers:
        raise ValueError(f"the result of the battle on {battle.at} names {strangers[0]}, which does not fight there")
    if sum(not set(side).isdisjoint(result.winner) for side in battle.sides) != 1:
        raise ValueError(f"the result of the battle on {battle.at} must name one winning side")
    safe = next((name for name in result.captured if not position.by_name[name].is_low), None)
    if safe:
        why = "mercenaries have no rank" if position.by_name[safe].faction else "its rank is too high"
        raise ValueError(f"the result of the battle on {battle.at} has {safe} captured, and {why} (4.5, R63)")


def _moved(field: Field) -> list[Event]:
    """3.2.2: the moves that reached their squares."""
    events: list[Event] = []
    for march in field.marches.values():
        if march.fate is Fate.ARRIVES and march.command:
            later = tuple([planned.step.to for planned in march.command.rest])
            events.append(Moved(march.army.name, march.start, march.to, march.route, march.paths, later))
    return events


def _draw_events(dice: Dice) -> list[Event]:
    return [Drawn(roll.name, roll.sides, roll.value) for roll in dice.rolls]
