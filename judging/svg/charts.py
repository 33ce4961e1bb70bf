"""Data for the templates of small charts: plain numbers, words, and the table behind each figure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from django.utils.formats import number_format

from wargame.rules.core.saying import grouped

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 84, 14, 12, 34
PARTS = 4
ENDS = (10, 12, 16, 20, 24, 32, 40, 60, 80, 100)
"""Possible ends of a y axis, times a power of ten."""

MOST_X_LABELS = 12
GAP = 0.25
"""The empty share of a bar group's width."""

Number = int | float
Row = tuple[str, ...]


@dataclass(frozen=True)
class Series:
    """A named row of values, one for each place on the x axis; None where one is missing. `css` is its class."""

    name: str
    css: str
    values: tuple[Number | None, ...]


@dataclass(frozen=True)
class Tick:
    at: float
    label: str


@dataclass(frozen=True)
class Mark:
    """A line's points or a bar's path as in SVG, and its tooltip."""

    d: str
    css: str
    says: str


@dataclass(frozen=True)
class Chart:
    """A figure with its axes; `head` and `rows` are the same data as a table."""

    key: str
    title: str
    x_title: str
    lines: tuple[Mark, ...]
    bars: tuple[Mark, ...]
    series: tuple[Series, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    head: Row
    rows: tuple[Row, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def line_chart(key: str, title: str, x_title: str, places: Sequence[str], series: Sequence[Series]) -> Chart:
    """Values over time; `places` are the labels of the x axis."""
    top = _top(series)
    lines = tuple(Mark(_path(one.values, len(places), top), one.css, one.name) for one in series)
    return _chart(key, title, x_title, places, series, top, _line_x, lines=lines)


def bar_chart(
    key: str,
    title: str,
    x_title: str,
    places: Sequence[str],
    series: Sequence[Series],
    expected: Series | None = None,
) -> Chart:
    """Counts side by side at each place; `expected` is a line across them."""
    all_series = [*series, expected] if expected else list(series)
    top = _top(all_series)
    bars = tuple(
        Mark(_bar(place, number, len(places), len(series), value, top), one.css, _says(label, one.name, value))
        for number, one in enumerate(series)
        for place, (label, value) in enumerate(zip(places, one.values, strict=True))
        if value
    )
    lines = (Mark(_steps(expected.values, len(places), top), expected.css, expected.name),) if expected else ()
    return _chart(key, title, x_title, places, all_series, top, _group_middle, lines=lines, bars=bars)


def words(value: Number | None) -> str:
    """A number as in a table: `1,234`, `0.5`; a dash for none."""
    if value is None:
        return "–"
    if isinstance(value, float) and not value.is_integer():
        return number_format(round(value, 1), 1, force_grouping=True)
    return grouped(int(value))


def _chart(
    key: str,
    title: str,
    x_title: str,
    places: Sequence[str],
    series: Sequence[Series],
    top: Number,
    place_x: Callable[[int, int], float],
    lines: tuple[Mark, ...] = (),
    bars: tuple[Mark, ...] = (),
) -> Chart:
    every = max(1, ceil(len(places) / MOST_X_LABELS))
    x_ticks = tuple(Tick(place_x(n, len(places)), label) for n, label in enumerate(places) if n % every == 0)
    y_ticks = tuple(Tick(_y(top * part / PARTS, top), words(top * part / PARTS)) for part in range(PARTS + 1))
    head = (x_title, *(one.name for one in series))
    rows = tuple((label, *(words(one.values[n]) for one in series)) for n, label in enumerate(places))
    return Chart(key, title, x_title, lines, bars, tuple(series), x_ticks, y_ticks, head, rows)


def _top(series: Sequence[Series]) -> Number:
    """The end of the y axis: a round number that no value exceeds and whose quarters are whole."""
    highest = max((value for one in series for value in one.values if value is not None), default=0)
    size = 10 ** max(0, floor(log10(max(1, highest))) - 1)
    ends = (end * size // tens for tens in (10, 1) for end in ENDS)
    limit: int | float = next(end for end in ends if end >= max(highest, PARTS) and end % PARTS == 0)
    return limit


def _path(values: Sequence[Number | None], places: int, top: Number) -> str:
    """A line through the known values; a gap where one is missing, a dot for a single one."""
    path, pen_is_down = "", False
    for place, value in enumerate(values):
        if value is not None:
            path += f"{'L' if pen_is_down else 'M'}{_line_x(place, places):g} {_y(value, top):g}"
            path += "" if pen_is_down else "h0"
        pen_is_down = value is not None
    return path


def _steps(values: Sequence[Number | None], places: int, top: Number) -> str:
    width = _across(places)
    return "".join(
        f"M{LEFT + place * width:g} {_y(value, top):g}h{width:g}" for place, value in enumerate(values) if value
    )


def _bar(place: int, number: int, places: int, bars: int, value: Number, top: Number) -> str:
    group, y = _across(places), _y(value, top)
    width = group * (1 - GAP) / bars
    x = LEFT + place * group + group * GAP / 2 + number * width
    return f"M{x:.1f} {HEIGHT - BOTTOM}V{y:g}h{width:.1f}V{HEIGHT - BOTTOM}z"


def _says(place: str, name: str, value: Number) -> str:
    return f"{place}, {name}: {words(value)}"


def _across(places: int) -> float:
    return (WIDTH - LEFT - RIGHT) / max(1, places)


def _line_x(place: int, places: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * (place / (places - 1) if places > 1 else 0.5), 1)


def _group_middle(place: int, places: int) -> float:
    return round(LEFT + (place + 0.5) * _across(places), 1)


def _y(value: Number, top: Number) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top, 1)
