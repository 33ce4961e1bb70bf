"""How often the loops of the rules run, at worst. Counted and not timed, so it is the same on every machine."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from functools import cache

import pytest

from tests.rules.counting import Counted, Loop, count, loops
from tests.rules.heavy_turns import HEAVY, Heavy, army, bounces, ordinary
from wargame.rules.battle.battle import BattleSide, Fighter, fight
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.command.holidays import Holiday, coming_locks, first_lock, free_lock
from wargame.rules.core.board import COLUMNS, ROWS, Square
from wargame.rules.core.dice import Dice, battle_dice, turn_dice
from wargame.rules.core.names import Names
from wargame.rules.mercenaries.oceans import _areas, _turns_to_another_area
from wargame.rules.posts.notation import LONGEST_LINE, read_line, read_post
from wargame.rules.settlement import settle

LOOPS = list(loops())
FEW, MANY = 60, 240

MOST_PASSES = 25
"""Of any loop, for each army and order of a turn. The most are the troops of an army, for each entry of a manifest."""

MOST_GROWTH = 2.0
"""Work for each army and order in a turn of many, against one of few: a crowded map leaves fewer free squares."""

LONG_LINE = "01: 5E" + " > 5F > 5E" * (LONGEST_LINE // 10 - 1)
ORDERS_WITH_NAMES = "Al Bo: 3D > 5E; engage Bo" + "; engage Bo" * 30
COLONS = "no: name: of: " * 28


def settled(turn: Heavy) -> Callable[[], object]:
    position, given = turn
    return lambda: settle(position, given, turn_dice(b"seed", "loops", 1))


@cache
def counted(heavy: Callable[[int], Heavy], armies: int) -> tuple[Counted, int]:
    """What ran, for how many armies and orders; where the mercenaries follow their guidelines, each has an order."""
    position, given = heavy(armies)
    ordered = len(given.lines) + given.guidelines * sum(one.faction is not None for one in position.armies)
    return count(settled((position, given)), operations=True), len(position.armies) + ordered


def even_battle() -> None:
    """Neither side ever wins by the dice."""
    first, second = (BattleSide((Fighter(army(name, Square(0, 1))),)) for name in "AB")
    same = ((10, 10, 10, 10), (10, 10, 10, 10))
    fight((first, second), None, DEFAULT, battle_dice(b"seed", "loops", 1, 1, ()), rolls=same)


def draws() -> None:
    """Of a number of outcomes for which nearly every second word is thrown away."""
    dice = Dice(b"seed", "loops")
    for number in range(300):
        dice.roll("worst", 2**31 + 1, number)


MONDAY = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY, WEEK = timedelta(days=1), timedelta(days=7)
HOLIDAYS = [Holiday(day, day, "Day off") for day in (date(2026, 3, 2) + number * DAY for number in range(0, 60, 2))]
"""Every second day, so that there is always one in the way of a lock or its deadline."""

SQUARES = len(ROWS) * COLUMNS
OCEAN = ("o" * COLUMNS,) * len(ROWS)
TWO_OCEANS = ("op" + "o" * (COLUMNS - 2), *["p" * COLUMNS] * (len(ROWS) - 1))

WHILES: dict[str, tuple[Callable[[], object], int]] = {
    "battle/battle.py: _decide": (even_battle, 100),
    "core/dice.py: roll": (draws, 300 + 8),
    "command/holidays.py: coming_locks": (lambda: coming_locks(MONDAY, WEEK, DAY, HOLIDAYS, 52), 52),
    "command/holidays.py: first_lock": (lambda: first_lock(MONDAY, weekday=0, at=time(5), length=WEEK, before=DAY), 12),
    "command/holidays.py: free_lock": (lambda: free_lock(MONDAY, DAY, DAY, HOLIDAYS), 2 * len(HOLIDAYS)),
    "posts/grammar.py: mark_names": (lambda: read_line(ORDERS_WITH_NAMES, ("Al Bo", "Bo")), 31),
    "mercenaries/oceans.py: _areas": (lambda: _areas.__wrapped__(OCEAN), 5 * SQUARES),
    "mercenaries/oceans.py: _turns_to_another_area": (
        lambda: _turns_to_another_area.__wrapped__(TWO_OCEANS, Square(0, 3)),
        SQUARES,
    ),
    "core/names.py: _backwards": (lambda: Names(("Al", "Bo")).before_colon(COLONS, 0), COLONS.count(":")),
    "moves/partial.py: work_out_partial_moves": (settled(bounces(MANY)), MANY),
    "posts/notation.py: _move": (lambda: read_line(LONG_LINE, ("01",)), LONGEST_LINE // 4),
}
"""Each `while` of the rules by its file and function: its worst case and how many passes that has at most."""


def name_of(loop: Loop) -> str:
    return f"{loop.file}: {loop.function}"


def test_every_for_of_the_rules_goes_over_something_that_ends() -> None:
    """None takes its values from one of the few iterators of the library that never end."""
    endless = re.compile(r"\b(?:count|cycle|repeat|iter)\(")
    assert [str(loop) for loop in LOOPS if endless.match(loop.over)] == []


def test_every_while_of_the_rules_has_a_bound_here() -> None:
    assert sorted(name_of(loop) for loop in LOOPS if loop.is_while) == sorted(WHILES)


@pytest.mark.parametrize("name", WHILES)
def test_a_while_ends_within_its_bound(name: str) -> None:
    work, most = WHILES[name]
    (loop,) = (loop for loop in LOOPS if loop.is_while and name_of(loop) == name)
    assert 1 <= count(work).times(loop) <= most


@pytest.mark.parametrize("heavy", HEAVY)
def test_no_loop_of_a_settlement_runs_more_often_than_there_are_armies_and_orders_to_look_at(
    heavy: Callable[[int], Heavy],
) -> None:
    ran, things = counted(heavy, MANY)
    assert {str(loop): ran.times(loop) for loop in LOOPS if ran.times(loop) > MOST_PASSES * things} == {}


@pytest.mark.parametrize("heavy", HEAVY)
def test_the_work_of_a_settlement_grows_with_the_armies_and_orders_alone(heavy: Callable[[int], Heavy]) -> None:
    (few, things), (many, more_things) = counted(heavy, FEW), counted(heavy, MANY)
    assert many.operations / more_things <= MOST_GROWTH * few.operations / things


@pytest.mark.parametrize("heavy", HEAVY)
def test_a_hard_turn_costs_at_most_five_ordinary_ones(heavy: Callable[[int], Heavy]) -> None:
    (hard, things), (usual, usual_things) = counted(heavy, FEW), counted(ordinary, FEW)
    assert hard.operations / things <= 5 * usual.operations / usual_things


def test_ten_times_as_many_lines_are_ten_times_as_much_to_read() -> None:
    position, given = ordinary(FEW)
    names = Names(one.name for one in position.armies)
    text = "\n".join(line.text for line in given.lines)
    once = count(lambda: read_post(text, names), operations=True)
    often = count(lambda: read_post("\n".join([text] * 10), names), operations=True)
    assert often.operations <= 10.5 * once.operations
