"""What decides nothing of a settlement: names, the order of lists, which way is north, and who is far away."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.random_turns import random_position, random_turn
from wargame.rules.core.board import COLUMNS, LAST_ROW, PLAINS, Board, Square
from wargame.rules.core.dice import Dice, turn_dice
from wargame.rules.core.orders import Intercept, Move, Order, Step, Transfer
from wargame.rules.core.position import Army, Battle, Position, sorted_armies
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.turn import Result, TurnInput
from wargame.rules.moves.marches import shortest_paths
from wargame.rules.settlement import settle
from wargame.rules.settling.accepted_changes import renamed

T = TypeVar("T")

EXAMPLES = int(os.environ.get("TURN_EXAMPLES", "10"))
"""How many random turns each of these tests plays: more for whoever changed the rules (CONTRIBUTING.md)."""

seeds = st.integers(min_value=0, max_value=10**9)
sizes = st.integers(min_value=2, max_value=34)
turns = settings(max_examples=EXAMPLES, deadline=None)


def upside_down(square: Square) -> Square:
    return Square(LAST_ROW - square.row, square.column)


def back_to_front(square: Square) -> Square:
    return Square(square.row, COLUMNS + 1 - square.column)


class PlainDice(Dice):
    """Dice that fall alike whatever a draw is called, and whichever way the map lies: of several armies or squares the
    first one comes, by the names that the armies have elsewhere (`called`) and the squares where they are there."""

    def __init__(
        self, called: Mapping[str, str] | None = None, there: Callable[[Square], Square] | None = None
    ) -> None:
        super().__init__(b"", "")
        self.called, self.there = called or {}, there or (lambda square: square)

    def roll(self, name: str, sides: int, number: int = 1) -> int:
        lot = name.removeprefix("lot of ")
        return 1 if lot == name else 1 + sorted(self.called.values()).index(self.called[lot])

    def choose(self, name: str, options: Sequence[T], number: int = 1) -> T:
        return min(options, key=self._key)

    def _key(self, option: object) -> object:
        if isinstance(option, Square):
            return self.there(option)
        name = option.name if isinstance(option, Army) else option
        return self.called[name] if isinstance(name, str) else option


@turns
@given(seeds, sizes, st.randoms(use_true_random=False))
def test_what_the_armies_are_called_decides_nothing(seed: int, armies: int, shuffler: Random) -> None:
    """R18, R70: not even between equals; those are drawn, or put in order by their places or the times of posting."""
    random = Random(seed)
    position = random_position(random, armies)
    names = list(position.by_name)
    called = dict(zip(names, shuffler.sample(names, len(names)), strict=True))
    same, back = {name: name for name in names}, {new: old for old, new in called.items()}
    for _ in range(3):
        turn = random_turn(random, position)
        otherwise = settle(*_renamed(position, turn, called), PlainDice(back)).position
        position = settle(position, turn, PlainDice(same)).position
        assert _plain(otherwise) == _called(position, called)
        # Two losers of one battle each leave by chance: which one does first is all the same, but not with these dice.
        if any(len(side) > 1 for battle in position.battles for side in battle.sides):
            return


@turns
@given(seeds, sizes)
def test_an_army_far_away_changes_nothing_here(seed: int, armies: int) -> None:
    """R38: a draw hangs on its own name, and not on who else draws."""
    random = Random(seed)
    position = random_position(random, armies)
    hermit = Army("Hermit", Side.COALITION, Square(LAST_ROW, 38), Rank.LIEUTENANT)
    for number in range(3):
        turn = random_turn(random, position)
        settled = settle(position, turn, turn_dice(b"seed", "random", number)).position
        crowd = replace(position, armies=sorted_armies([*position.armies, hermit]))
        beside = settle(crowd, turn, turn_dice(b"seed", "random", number)).position
        assert replace(beside, armies=tuple(army for army in beside.armies if army != hermit)) == settled
        position = settled


@turns
@given(seeds, sizes, st.randoms(use_true_random=False))
def test_the_order_of_no_list_decides(seed: int, armies: int, shuffler: Random) -> None:
    """R18, R27: of battles, results, manifests, bases and towns, and of the control list."""

    def shuffled(listed: Sequence[T]) -> tuple[T, ...]:
        return tuple(shuffler.sample(listed, len(listed)))

    random = Random(seed)
    position = random_position(random, armies)
    for number in range(3):
        turn = random_turn(random, position)
        board = replace(position.board, bases=shuffled(position.board.bases), towns=shuffled(position.board.towns))
        otherwise = replace(position, board=board, battles=shuffled(position.battles))
        given_otherwise = replace(
            turn,
            manifests=shuffled(turn.manifests),
            results=shuffled(turn.results),
            control=dict(shuffled([*turn.control.items()])),
        )
        settled = settle(position, turn, turn_dice(b"seed", "random", number))
        again = settle(otherwise, given_otherwise, turn_dice(b"seed", "random", number))
        assert _without_board(again.position) == _without_board(settled.position)
        assert sorted(map(repr, again.events)) == sorted(map(repr, settled.events))
        position = settled.position


@turns
@given(seeds, sizes, st.sampled_from([upside_down, back_to_front]))
def test_no_side_of_the_map_is_preferred(seed: int, armies: int, there: Callable[[Square], Square]) -> None:
    """3.2.2.1, 3.3, R22, R24: but for the order in which battles are separated (R27), of which there is one at most."""
    random = Random(seed)
    position = random_position(random, armies)
    same = {name: name for name in position.by_name}
    for _ in range(3):
        turn = _with_routes(random, random_turn(random, position))
        mirrored = settle(_flipped(position, there), _flipped_turn(turn, there), PlainDice(same, there)).position
        position = settle(position, turn, PlainDice(same)).position
        assert _plain(mirrored) == _flipped(position, there)
        if len(position.battles) > 1:
            return


@turns
@given(seeds, sizes)
def test_in_how_many_posts_the_lines_are_decides_nothing(seed: int, armies: int) -> None:
    """3.3.1, R12: as long as they are in their order."""
    position, turn = _start(seed, armies)
    ordered = sorted(turn.lines, key=lambda line: line.when)
    one = replace(turn, lines=tuple(line._replace(at=0, place=(1, n)) for n, line in enumerate(ordered)))
    many = replace(turn, lines=tuple(line._replace(at=0, place=(n, 1)) for n, line in enumerate(ordered)))

    settled = settle(position, one, turn_dice(b"seed", "random", 1)).position
    again = settle(position, many, turn_dice(b"seed", "random", 1)).position

    assert [a._replace(plan=None) for a in again.armies] == [a._replace(plan=None) for a in settled.armies]
    assert again.battles == settled.battles


def _start(seed: int, armies: int) -> tuple[Position, TurnInput]:
    random = Random(seed)
    position = random_position(random, armies)
    return position, random_turn(random, position)


def _without_board(position: Position) -> Position:
    return replace(position, board=Board(position.board.terrain))


def _renamed(position: Position, turn: TurnInput, called: dict[str, str]) -> tuple[Position, TurnInput]:
    """The same turn with every army and its player under another's name."""
    lines = tuple(
        line._replace(by=called[line.by], army=called[line.army], order=_order(line.order, called))
        for line in turn.lines
    )
    manifests = tuple(
        replace(one, by=called[one.by], sender=called[one.sender], receiver=called[one.receiver])
        for one in turn.manifests
    )
    results = tuple(
        Result(
            one.at,
            tuple(called[name] for name in one.winner),
            {called[name]: lost for name, lost in one.losses.items()},
            tuple(called[name] for name in one.killed),
            tuple(called[name] for name in one.captured),
        )
        for one in turn.results
    )
    control = {called[name]: (called[name],) for name in turn.control}
    given_otherwise = replace(turn, lines=lines, manifests=manifests, control=control, results=results)
    return _called(position, called), given_otherwise


def _called(position: Position, called: dict[str, str]) -> Position:
    """The position with every army and its player under another's name."""

    def of_army(army: Army) -> Army:
        plan, captivity = army.plan, army.captivity
        if plan:
            plan = replace(plan, by=called[plan.by])
        if captivity:
            captivity = replace(captivity, controllers=tuple(called[name] for name in captivity.controllers))
        return army._replace(plan=plan, captivity=captivity)

    return _plain(renamed(replace(position, armies=tuple(map(of_army, position.armies))), called))


def _plain(position: Position) -> Position:
    """The position without former names, and with lists in the order of the map or of the names."""

    def of_army(army: Army) -> Army:
        plan, campaign = army.plan, army.campaign
        if plan:
            steps = tuple(replace(planned, stood=tuple(sorted(planned.stood))) for planned in plan.steps)
            plan = replace(plan, steps=steps)
        if campaign:
            campaign = replace(campaign, fought=tuple(sorted(campaign.fought)))
        return army._replace(former=(), plan=plan, campaign=campaign)

    board = replace(position.board, bases=tuple(sorted(position.board.bases, key=lambda base: base.name)))
    battles = tuple(sorted(position.battles, key=lambda battle: battle.at))
    return replace(position, board=board, armies=tuple(map(of_army, position.armies)), battles=battles)


def _order(order: Order, called: dict[str, str]) -> Order:
    match order:
        case Move(steps):
            return Move(tuple(step._replace(target=called.get(step.target or "")) for step in steps))
        case Intercept(target):
            return Intercept(called[target])
        case Transfer(target, at):
            return Transfer(called[target], at)
    return order


def _with_routes(random: Random, turn: TurnInput) -> TurnInput:
    """The turn with a route for every step, so that none is drawn."""

    def routed(step: Step) -> Step:
        if step.route or step.start == step.to:
            return step
        return step._replace(route=random.choice(shortest_paths(step.start, step.to)))

    lines = (
        line._replace(order=Move(tuple(map(routed, line.order.steps)))) if isinstance(line.order, Move) else line
        for line in turn.lines
    )
    return replace(turn, lines=tuple(lines))


def _flipped(position: Position, there: Callable[[Square], Square]) -> Position:
    """The position with everything on the other side of the map."""

    def of_army(army: Army) -> Army:
        plan, campaign = army.plan, army.campaign
        if plan:
            steps = tuple(replace(planned, step=_flipped_step(planned.step, there)) for planned in plan.steps)
            plan = replace(plan, steps=steps)
        if campaign:
            campaign = replace(campaign, area=campaign.area and there(campaign.area))
        home = army.home and there(army.home)
        return army._replace(at=there(army.at), home=home, plan=plan, campaign=campaign)

    board = position.board
    bases = tuple(replace(base, at=there(base.at)) for base in board.bases)
    towns = tuple(replace(town, at=there(town.at)) for town in board.towns)
    battles = tuple(replace(battle, at=there(battle.at)) for battle in position.battles)
    armies = tuple(map(of_army, position.armies))
    return _plain(replace(position, board=replace(board, bases=bases, towns=towns), armies=armies, battles=battles))


def _flipped_turn(turn: TurnInput, there: Callable[[Square], Square]) -> TurnInput:
    lines = tuple(line._replace(order=_flipped_order(line.order, there)) for line in turn.lines)
    results = tuple(replace(result, at=there(result.at)) for result in turn.results)
    return replace(turn, lines=lines, results=results)


def _flipped_order(order: Order, there: Callable[[Square], Square]) -> Order:
    match order:
        case Transfer(target, at):
            return Transfer(target, there(at))
        case Move(steps):
            return Move(tuple(_flipped_step(step, there) for step in steps))
    return order


def _flipped_step(step: Step, there: Callable[[Square], Square]) -> Step:
    route = tuple(map(there, step.route)) if step.route else None
    return step._replace(start=there(step.start), to=there(step.to), route=route)


def test_of_two_losers_chance_says_who_has_the_last_free_square():
    """4.2.5, R27: and not their names; the other one is pushed onto an enemy."""
    at = Square(0, 1)
    armies = [
        Army("Abe", Side.COALITION, at, Rank.LIEUTENANT),
        Army("Zed", Side.COALITION, at, Rank.LIEUTENANT),
        Army("Grutch", Side.PHYREXIA, at, Rank.EVINCAR),
        Army("Orla", Side.COALITION, Square(0, 2), Rank.CAPTAIN),
        Army("Vex", Side.PHYREXIA, Square(1, 1), Rank.EVINCAR),
    ]
    fight = Battle(at, (("Abe", "Zed"), ("Grutch",)), 0)
    position = Position(Board(PLAINS), sorted_armies(armies), (fight,))
    turn = TurnInput(results=(Result(at, ("Grutch",), {}),))

    free = Square(1, 2)
    settled = (settle(position, turn, turn_dice(bytes([seed]), "random", 1)).position for seed in range(20))
    escaped = [next(army.name for army in after.armies if army.at == free) for after in settled]

    assert {*escaped} == {"Abe", "Zed"}
