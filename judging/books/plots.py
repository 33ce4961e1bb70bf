"""R37: the curves of a book as what the template of a plot draws: plain numbers and words.

Apart from `pages`, because it counts and knows no request: what is drawn of a book is the same for whoever sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from django.utils.translation import gettext, gettext_noop

from judging.drawing.charts import Tick
from wargame.rules.battle.curves import Curves, Point
from wargame.rules.battle.kills_and_captures import capture_edge, edge_chance, kill_edge
from wargame.rules.book.book import Book
from wargame.rules.book.formulas import MOST_BONUS

WIDTH, HEIGHT = 340, 190
LEFT, RIGHT, TOP, BOTTOM = 42, 20, 10, 24
PERMILLE = 1000
SMALLEST, LARGEST = 25, 400
SHOWN_RATIOS = (25, 50, 100, 200, 400)
SCALES = (100, 200, 300, 500, 1000)
BY_BONUS, BY_SIZE = "bonus", "size"
HOW_OFTEN, LOSSES = "how often", "losses"
TITLES = {
    (HOW_OFTEN, BY_BONUS): gettext_noop("How often %(first)s wins, by strategy bonus"),
    (HOW_OFTEN, BY_SIZE): gettext_noop("How often %(first)s wins, by size"),
    (LOSSES, BY_BONUS): gettext_noop("Average losses, by strategy bonus"),
    (LOSSES, BY_SIZE): gettext_noop("Average losses, by size"),
}
"""What a plot shows, and by what."""
MOST_TOPS, TOPS, LOST = 1000, (1000, 800, 600, 400, 0), 20


@dataclass(frozen=True)
class DrawnCurve:
    """A curve: its points as SVG has them, its name, and its class (`a` for the first army, `b` for the second)."""

    points: str
    name: str
    css: str


@dataclass(frozen=True)
class Plot:
    """A plot with its axes; `rows` is the same as a table: x and the lines' values, in percent."""

    title: str
    x_title: str
    lines: tuple[DrawnCurve, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    rows: tuple[tuple[str, ...], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def plots_of(curves: Curves, first: str, second: str) -> tuple[Plot, ...]:
    """R37: who wins, and what it costs, by strategy bonus and by size."""
    names = {"first": first, "second": second}
    by_bonus = gettext("strategy bonus: left of 0 for %(second)s, right of 0 for %(first)s") % names
    by_ratio = gettext("size of %(first)s as a percentage of %(second)s") % names
    axes = [
        (BY_BONUS, by_bonus, curves.by_bonus, _bonus_at, _bonus_ticks()),
        (BY_SIZE, by_ratio, curves.by_ratio, _ratio_at, _ratio_ticks()),
    ]
    shown = [(HOW_OFTEN, [_wins(first)]), (LOSSES, [_lost(first, 0), _lost(second, 1)])]
    return tuple(
        _plot(gettext(TITLES[title, by]) % names, x_title, points, place, ticks, series)
        for by, x_title, points, place, ticks in axes
        if points
        for title, series in shown
    )


class CurveSeries(NamedTuple):
    """A line of a plot before it is drawn: its name, its class, and the height of each point in permille."""

    name: str
    css: str
    value: Callable[[Point], int]


class Chances(NamedTuple):
    """4.3.4: of an enemy's top troops that are left, and the chances of a kill and of a capture, in percent."""

    top: int
    kill: int
    capture: int


def chances_of(book: Book) -> tuple[Chances, ...]:
    """4.3.4: the chances for a winner who has 1000 top troops left himself and whose enemy lost a fifth of his troops,
    by how many of his top troops the enemy has left."""
    return tuple(
        Chances(
            top,
            edge_chance(kill_edge(book, MOST_TOPS, top, LOST)),
            edge_chance(capture_edge(book, MOST_TOPS, top, LOST)),
        )
        for top in TOPS
    )


def _wins(first: str) -> CurveSeries:
    return CurveSeries(gettext("%(name)s wins") % {"name": first}, "a", lambda point: point.wins)


def _lost(name: str, index: int) -> CurveSeries:
    return CurveSeries(gettext("%(name)s loses") % {"name": name}, "ab"[index], lambda point: point.lost[index])


def _plot(
    title: str,
    x_title: str,
    points: Sequence[Point],
    place: Callable[[int], float],
    ticks: tuple[Tick, ...],
    series: list[CurveSeries],
) -> Plot:
    highest = max(one.value(point) for one in series for point in points)
    top = PERMILLE if len(series) == 1 else next(scale for scale in SCALES if highest <= scale)
    lines = tuple(
        DrawnCurve(" ".join(f"{place(point.x):g},{_y(one.value(point), top):g}" for point in points), one.name, one.css)
        for one in series
    )
    y_ticks = tuple(Tick(_y(top * part // 4, top), f"{top * part / 40:g}%") for part in range(5))
    rows = [(str(point.x), *(f"{one.value(point) / 10:g}%" for one in series)) for point in points]
    return Plot(title, x_title, lines, ticks, y_ticks, tuple(rows))


def _y(value: int, top: int) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top, 1)


def _x(share: float) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * share, 1)


def _bonus_at(bonus: int) -> float:
    return _x((bonus + MOST_BONUS) / (2 * MOST_BONUS))


def _ratio_at(ratio: int) -> float:
    """Twice and half as large are equally far from equal."""
    return _x(log(ratio / SMALLEST) / log(LARGEST / SMALLEST))


def _bonus_ticks() -> tuple[Tick, ...]:
    return tuple(Tick(_bonus_at(bonus), f"{abs(bonus)}") for bonus in range(-MOST_BONUS, MOST_BONUS + 1, 5))


def _ratio_ticks() -> tuple[Tick, ...]:
    return tuple(Tick(_ratio_at(ratio), f"{ratio}%") for ratio in SHOWN_RATIOS)
