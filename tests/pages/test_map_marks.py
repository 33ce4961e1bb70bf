"""1.7, 2.3.1: the small marks on the map: sieges, victories, and who heals."""

from judging.svg.map import marks_of
from wargame.rules.core.board import PLAINS, Base, Board, read_square
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import Troop

RED = Base("Red Base", read_square("3D"), Side.COALITION, "red")
FULL, HURT = Troop(1, "Orc", 5000, 5000, ("red",)), Troop(1, "Orc", 4000, 5000, ("red",))


def mark(rank: Rank, troop: Troop = FULL, base: Base = RED, **state: int) -> tuple[str, str, str] | None:
    """The kind, the sign and the words of the mark of an army on the base."""
    army = Army("Ana", rank.side, base.at, rank, colors=("red",), troops=(troop,), **state)
    found = marks_of(Position(Board(PLAINS, (base,)), (army,)))
    return (found[0]["kind"], found[0]["sign"], found[0]["words"]) if found else None


def test_a_siege_shows_its_days() -> None:
    """1.7.1."""
    assert mark(Rank.EVINCAR, days=3) == ("siege", "3/4", "day 3 of the 4 needed to destroy the base (1.7.1)")
    assert mark(Rank.EVINCAR, days=4) == (
        "siege", "4/4", "all 4 days counted: it will destroy the base next if it stays (1.7.1)",
    )  # fmt: skip


def test_an_army_that_lacks_troops_where_it_heals_is_marked_with_the_days_to_go() -> None:
    """2.3.1.2."""
    assert mark(Rank.CAPTAIN, HURT) == ("heal", "+", "heals after 1 more day (2.3.1)")


def test_a_whole_army_or_a_destroyed_base_has_no_mark() -> None:
    assert mark(Rank.CAPTAIN, FULL, days=1) is None
    assert (
        mark(Rank.EVINCAR, FULL, RED.__class__("Red Base", RED.at, Side.COALITION, "red", destroyed=True), days=3)
        is None
    )


def test_days_towards_victory_are_shown() -> None:
    """1.7.2."""
    assert mark(Rank.CAPTAIN, FULL, winning_days=2) == ("win", "2/4", "day 2 of 4 towards winning the round (1.7.2)")
