"""R37: what a book makes of two armies, as the editor of books plots it."""

from wargame.rules.battle.curves import RATIOS, Curves, Point, curves
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.core.board import Square
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import Troop

ANA = Army(
    *("Ana", Side.COALITION, Square(1, 1), Rank.CAPTAIN),
    troops=(Troop(1, "Goblin", 100, 100), Troop(2, "Ogre", 50, 50)),
)
BEN = ANA._replace(name="Ben", side=Side.PHYREXIA, rank=Rank.EVINCAR)


def plotted(first: Army = ANA, second: Army = BEN) -> Curves:
    return curves(first, second, DEFAULT)


def at(points: tuple[Point, ...], x: int) -> Point:
    return next(point for point in points if point.x == x)


def test_equal_armies_stand_almost_even_and_the_same_wherever_they_are_plotted() -> None:
    """The seed is public. The second army defends."""
    found = plotted()
    assert found.even == Point(0, 491, (144, 143))
    assert found == plotted()


def test_a_bonus_is_plotted_from_ten_for_the_second_army_to_ten_for_the_first() -> None:
    """4.2.1: what is one army's gain is the other one's loss."""
    points = plotted().by_bonus
    assert [point.x for point in points] == list(range(-10, 11))
    assert (points[0], points[-1]) == (Point(-10, 25, (258, 64)), Point(10, 975, (64, 258)))
    assert at(points, 3) == Point(3, 750, (111, 180))
    assert [point.wins for point in points] == sorted(point.wins for point in points)


def test_a_size_is_plotted_from_a_quarter_to_four_times_that_of_the_second_army() -> None:
    """4.2.2: the army that is too large for it fights with fewer of its troops; nobody gets more."""
    points = plotted().by_ratio
    assert tuple(point.x for point in points) == RATIOS
    assert at(points, 100) == Point(100, 491, (144, 143))
    assert (points[0], points[-1]) == (Point(25, 25, (505, 37)), Point(400, 975, (37, 505)))


def test_armies_that_differ_are_brought_to_each_size_by_the_troops_of_the_larger_one() -> None:
    larger = BEN._replace(troops=(Troop(1, "Goblin", 400, 400),))
    found = plotted(second=larger)
    assert found.even == Point(0, 58, (356, 49))
    assert (found.by_ratio[0], found.by_ratio[-1]) == (Point(25, 25, (491, 33)), Point(400, 975, (37, 517)))


def test_an_army_of_no_size_has_no_curve_by_size_and_loses_nothing() -> None:
    found = plotted(ANA._replace(troops=()))
    assert found.even == Point(0, 25, (0, 0))
    assert found.by_ratio == ()
    assert plotted(second=BEN._replace(troops=())).by_ratio == ()
