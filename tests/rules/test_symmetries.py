"""What decides nothing of a settlement: names, the order of lists, which way is north, and who is far away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.rules.random_turns import random_position, random_turn
from wargame.rules.core.board import LAST_ROW, PLAINS, Board, Square
from wargame.rules.core.dice import Dice, turn_dice
from wargame.rules.core.orders import Intercept, Move, Order, Step, Transfer
from wargame.rules.core.position import Army, Battle, Position, sorted_armies
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.turn import Result, TurnInput
from wargame.rules.moves.events import MovedPartially
from wargame.rules.moves.marches import shortest_paths
from wargame.rules.settlement import carry_out, settle

T = TypeVar("T")

seeds = st.integers(min_value=0, max_value=10**9)
sizes = st.integers(min_value=2, max_value=34)
turns = settings(max_examples=30, deadline=None)


class PlainDice(Dice):
    """Dice that fall alike whatever a draw is called: of several squares or armies it is the first on the map."""

    def __init__(self) -> None:
        super().__init__(b"", "")

    def roll(self, name: str, sides: int, number: int = 1) -> int:
        return 1

    def choose(self, name: str, options: Sequence[T], number: int = 1) -> T:
        return min(options, key=lambda option: getattr(option, "at", option))


@turns
@given(seeds, sizes, st.randoms(use_true_random=False))
def test_what_the_armies_are_called_decides_nothing(seed: int, armies: int, shuffler: Random) -> None:
    """R18: not even between equals; those are drawn, or put in order by their places or the times of their posts."""
    position, turn = _start(seed, armies)
    names = list(position.by_name)
    called = dict(zip(names, shuffler.sample(names, len(names)), strict=True))

    first = settle(position, turn, PlainDice()).position
    second = settle(*_renamed(position, turn, called), PlainDice()).position

    assert sorted(army._replace(name=called[army.name], plan=None) for army in first.armies) == sorted(
        army._replace(plan=None) for army in second.armies
    )


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
@given(seeds, sizes)
def test_north_and_south_are_alike(seed: int, armies: int) -> None:
    """3.2.2.1, 3.3: but for a partial move that leaves its route, which prefers the north (R24)."""
    random = Random(seed)
    position = random_position(random, armies, rows=8, columns=5)
    turn = _with_routes(random, random_turn(random, position))
    lines = tuple(line._replace(order=_mirrored(line.order)) for line in turn.lines)

    moves = carry_out(position, turn, dice := turn_dice(b"seed", "random", 1))
    assume(not dice.rolls)
    assume(not any(isinstance(event, MovedPartially) and event.how == "aside" for event in moves.events))
    mirrored = carry_out(_upside_down(position), replace(turn, lines=lines), turn_dice(b"seed", "random", 1))

    assert mirrored.places == {name: _mirror(square) for name, square in moves.places.items()}


def _start(seed: int, armies: int) -> tuple[Position, TurnInput]:
    random = Random(seed)
    position = random_position(random, armies)
    return position, random_turn(random, position)


def _without_board(position: Position) -> Position:
    return replace(position, board=Board(position.board.terrain))


def _renamed(position: Position, turn: TurnInput, called: dict[str, str]) -> tuple[Position, TurnInput]:
    """The same turn with every army under another's name."""
    armies = sorted_armies([army._replace(name=called[army.name]) for army in position.armies])
    lines = tuple(
        line._replace(by=called[line.by], army=called[line.army], order=_order(line.order, called))
        for line in turn.lines
    )
    manifests = tuple(
        replace(one, by=called[one.by], sender=called[one.sender], receiver=called[one.receiver])
        for one in turn.manifests
    )
    control = {name: (name,) for name in called}
    return replace(position, armies=armies), replace(turn, lines=lines, manifests=manifests, control=control)


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


def _mirror(square: Square) -> Square:
    return Square(LAST_ROW - square.row, square.column)


def _upside_down(position: Position) -> Position:
    board = position.board
    bases = tuple(replace(base, at=_mirror(base.at)) for base in board.bases)
    towns = tuple(replace(town, at=_mirror(town.at)) for town in board.towns)
    armies = tuple(army._replace(at=_mirror(army.at)) for army in position.armies)
    return replace(position, board=replace(board, bases=bases, towns=towns), armies=armies)


def _mirrored(order: Order) -> Order:
    if isinstance(order, Transfer):
        return Transfer(order.target, _mirror(order.at))
    if not isinstance(order, Move):
        return order
    return Move(
        tuple(
            step._replace(
                start=_mirror(step.start),
                to=_mirror(step.to),
                route=tuple(map(_mirror, step.route)) if step.route else None,
            )
            for step in order.steps
        )
    )


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
