"""2.5, R2, R5: the rules of a set-up, where random positions show more than cases do."""

from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargame.rules.armies.numbers import RECOMMENDED, number_faults
from wargame.rules.armies.sites import LEAST_DISTANCE, fairness, forbidden_squares, position_faults
from wargame.rules.armies.terrain_text import read_terrain
from wargame.rules.command.holidays import Holiday, coming_locks, first_lock, free_lock, holiday_on, read_holidays
from wargame.rules.core.board import COLUMNS, ROWS, TERRAINS, Base, Square, Town, all_squares
from wargame.rules.core.sides import Side

squares = st.builds(Square, st.integers(0, len(ROWS) - 1), st.integers(1, COLUMNS))
moments = st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)).map(lambda when: when.replace(tzinfo=UTC))
days = st.dates(datetime(2026, 1, 1).date(), datetime(2027, 6, 1).date())
holidays = st.lists(
    st.builds(lambda day, more: Holiday(day, day + timedelta(days=more)), days, st.integers(0, 20)), max_size=6
)
DAY = timedelta(days=1)


@given(portals=st.lists(squares, min_size=1, max_size=5, unique=True), at=squares)
def test_a_base_is_refused_on_the_forbidden_squares_and_nowhere_else(portals: list[Square], at: Square) -> None:
    """2.5.1.1: the squares that the map shows and the check say the same."""
    enemies = [Base(f"Portal {n}", square, Side.PHYREXIA) for n, square in enumerate(portals)]
    base = Base("Red Base", at, Side.COALITION, "red")
    is_closed = at in forbidden_squares(enemies)

    assert is_closed is any(at.distance(square) < LEAST_DISTANCE for square in portals)
    assert any("Red Base" in fault.names for fault in position_faults([base, *enemies])) is is_closed


def test_forbidden_squares_are_listed_row_by_row_and_once() -> None:
    enemies = [Base("A", Square(3, 3), Side.PHYREXIA), Base("B", Square(3, 4), Side.PHYREXIA)]
    found = forbidden_squares(enemies)
    assert list(found) == sorted(set(found))


@given(st.lists(squares, min_size=1, max_size=3), st.lists(squares, min_size=1), st.lists(squares, min_size=1))
def test_no_base_is_nearer_to_a_town_than_the_nearest(
    towns: list[Square], ours: list[Square], theirs: list[Square]
) -> None:
    """2.5.1.4."""
    bases = [Base(f"B{n}", at, Side.COALITION, "red") for n, at in enumerate(ours)]
    bases += [Base(f"P{n}", at, Side.PHYREXIA) for n, at in enumerate(theirs)]
    figure = fairness([Town(f"T{n}", at) for n, at in enumerate(towns)], bases)
    assert figure is not None
    for way in figure.ways:
        assert way.coalition.steps == min(way.town.at.distance(at) for at in ours)
        assert way.phyrexia.steps == min(way.town.at.distance(at) for at in theirs)
    assert figure.difference == abs(figure.coalition - figure.phyrexia)


def test_towns_without_bases_of_both_sides_have_no_figure() -> None:
    town = Town("Northwick", Square(0, 1))
    assert fairness([town], [Base("Red Base", Square(1, 1), Side.COALITION, "red")]) is None
    assert fairness([], []) is None


@given(st.lists(st.text("oipmfs", min_size=COLUMNS, max_size=COLUMNS), min_size=len(ROWS), max_size=len(ROWS)))
def test_every_map_is_read_as_it_was_written(rows: list[str]) -> None:
    """R2."""
    assert read_terrain("\n".join(rows)) == (tuple(rows), ())


@pytest.mark.parametrize(("between", "end"), [(";", "\r\n"), ("\t", "\n"), (",", "\n"), (", ", "\r\n")])
def test_a_map_is_pasted_from_a_spreadsheet(between: str, end: str) -> None:
    """R2: its cells as programs write them, in capitals, with a byte order mark."""
    text = "\ufeff" + "".join(between.join("P" * COLUMNS) + end for _ in ROWS)
    assert read_terrain(text) == (("p" * COLUMNS,) * len(ROWS), ())


@given(st.text())
def test_any_text_is_either_a_map_or_has_faults(text: str) -> None:
    rows, faults = read_terrain(text)
    is_map = len(rows) == len(ROWS) and all(len(row) == COLUMNS and set(row) <= set(TERRAINS) for row in rows)
    assert is_map is not bool(faults)


@given(st.text())
def test_no_text_of_holidays_breaks_the_reader(text: str) -> None:
    """R5."""
    found, faults = read_holidays(text)
    assert all(holiday.first <= holiday.last for holiday in found)
    assert all(fault.line >= 1 for fault in faults)


@given(moments, st.integers(0, 6) | st.none(), st.integers(1, 21), holidays)
def test_no_lock_and_no_deadline_falls_on_a_holiday(
    now: datetime, weekday: int | None, length: int, free: list[Holiday]
) -> None:
    """R5: and the locks lie whole turns apart; weekly ones keep their weekday."""
    turn = timedelta(days=max(length, 2))
    first = first_lock(now, weekday=weekday, at=time(5), length=turn, before=DAY, holidays=free)
    locks = coming_locks(first, turn, DAY, free, 6)

    for lock in locks:
        assert holiday_on(lock, free) is None
        assert holiday_on(lock - DAY, free) is None
    assert all((later - lock) % turn == timedelta(0) for lock, later in zip(locks, locks[1:], strict=False))
    assert first - now > max(turn / 2, DAY)
    if weekday is not None:
        assert (first - DAY).weekday() == weekday


def test_a_free_lock_stays_where_it_is() -> None:
    lock = datetime(2026, 12, 26, 5, tzinfo=UTC)
    assert free_lock(lock, timedelta(days=7), DAY, ()) == lock


@pytest.mark.parametrize(
    "line", ["2026-12-24 to 2026-12-26", "2026-12-24 – 2026-12-26 Christmas", "2026-12-24..2026-12-26"]
)
def test_a_span_is_written_in_several_ways(line: str) -> None:
    ((holiday,), faults) = read_holidays(f"\n  {line}  \n\n")
    assert not faults
    assert (holiday.last - holiday.first).days == 2


def test_the_recommended_numbers_are_45_armies_a_side() -> None:
    """2.5.2.1."""
    assert sum(RECOMMENDED) == 45
    assert number_faults(RECOMMENDED) == ()
    assert number_faults((0,) * 6)[0].sentence == "Each side needs at least one army."
    assert number_faults((1, 2))[0].tier == 0


def test_the_map_has_532_squares_of_which_a_lone_portal_closes_13() -> None:
    assert len(list(all_squares())) == 532
    assert len(forbidden_squares([Base("P", Square(6, 20), Side.PHYREXIA)])) == 13
