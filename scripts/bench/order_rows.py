"""Rows about orders: reading them and carrying them out."""

from collections.abc import Callable

from scripts.bench import floor, peers
from scripts.bench.measuring import Measure, Row, timed
from scripts.bench.turns import Posted, bounces, read, read_and_carry_out, read_and_settle, replaces, settle_alone, war

A_THIRD = 1 / 3
"""At least three times cheaper."""


def moves_against_diplomacy() -> Row:
    """An order, from its text to where all armies end."""
    return Row("read + R18, 1-6", "100 orders", _each(read_and_carry_out, war()), *_diplomacy(), A_THIRD)


def settlement_against_diplomacy() -> Row:
    """An order, from its text to the position in which the next turn opens, with that turn's battles and healing."""
    return Row("read + settle", "100 orders", _each(read_and_settle, war()), *_diplomacy(), A_THIRD)


def settlement_against_pydip() -> Row:
    """An order that was read before."""
    return Row("settle", "100 orders", _settled(war()), "pydip 0.1.8", peers.pydip())


def moves_against_a_floor() -> Row:
    """An order, from its text to where all armies end, against a toy that knows neither reasons nor rules."""
    turn = war()
    return Row(
        "read + R18, 1-6", "100 orders", _each(read_and_carry_out, turn), "a toy", _each(floor.read_and_carry_out, turn)
    )


def reading_against_a_floor() -> Row:
    """A line, from its text to an order, against one regular expression that reads only simple moves."""
    turn = war()
    return Row("read", "100 lines", _each(read, turn), "a toy", _each(floor.read_lines, turn))


def a_thousand_orders_for_a_hundred_armies() -> Row:
    """Ten orders per army, of which the last counts."""
    return Row("read + settle", "1,000 orders", _each(read_and_settle, war(orders=1000)), *_hundred(), 1.3)


def a_thousand_orders_on_a_full_map() -> Row:
    """Two orders per army, on a map where nearly every square is taken."""
    crowded = war(armies=500, orders=1000)
    return Row("read + settle", "1,000 orders, 500 armies", _each(read_and_settle, crowded), *_hundred(), 1.3)


def a_chain_of_replaces() -> Row:
    """A hundred armies, each onto the square of the one before it, which leaves."""
    return Row("read + settle", "a chain of replaces", _each(read_and_settle, replaces()), *_hundred(), 5)


def a_chain_of_bounces() -> Row:
    """The same, but the first one stays."""
    return Row("read + settle", "a chain of bounces", _each(read_and_settle, bounces()), *_hundred(), 5)


ROWS = (
    moves_against_diplomacy,
    settlement_against_diplomacy,
    settlement_against_pydip,
    moves_against_a_floor,
    reading_against_a_floor,
    a_thousand_orders_for_a_hundred_armies,
    a_thousand_orders_on_a_full_map,
    a_chain_of_replaces,
    a_chain_of_bounces,
)


def _each(work: Callable[[Posted], object], turn: Posted) -> Measure:
    """Seconds per order."""
    return lambda: timed(lambda: work(turn), turn.orders)


def _settled(turn: Posted) -> Measure:
    work = settle_alone(turn)
    return lambda: timed(work, turn.orders)


def _hundred() -> tuple[str, Measure]:
    return "100 orders", _each(read_and_settle, war())


def _diplomacy() -> tuple[str, Measure | None]:
    return "diplomacy 1.1.2", peers.diplomacy()
