"""Compare two measurements, taken in turn in one run, so that a noisy machine is equally noisy for both."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter

Measure = Callable[[], float]
"""Does its work once and returns the seconds per unit (an order, a battle, a line)."""

TURNS = 15


@dataclass(frozen=True)
class Row:
    """A row of the table: A is compared with B, and A / B should be at most `aim`, if there is one.

    `b` is None where the peer is not installed. Weights rather than times have the `unit` B. `note` explains the
    figures, below the table.
    """

    what: str
    a_is: str
    a: Measure
    b_is: str
    b: Measure | None
    aim: float | None = None
    unit: str = "µs"
    note: Callable[[Measured], str] | None = None


@dataclass(frozen=True)
class Measured:
    """The result of a row: the median of A and B in seconds per unit, and the ratios of the pairs, sorted."""

    row: Row
    a: float
    b: float | None
    ratios: tuple[float, ...]

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    @property
    def is_met(self) -> bool:
        return self.row.aim is None or not self.ratios or self.ratio <= self.row.aim


def timed(work: Callable[[], object], units: int) -> float:
    """Seconds per unit."""
    start = perf_counter()
    work()
    return (perf_counter() - start) / units


def measure(row: Row, turns: int = TURNS) -> Measured:
    """A B A B …, after one round to warm up."""
    a, b = row.a, row.b
    if b is None:
        a()
        return Measured(row, median(_undisturbed(a) for _ in range(turns)), None, ())
    a(), b()
    pairs = [(_undisturbed(a), _undisturbed(b)) for _ in range(turns)]
    ratios = tuple(sorted(one / other for one, other in pairs))
    return Measured(row, median(a for a, _ in pairs), median(b for _, b in pairs), ratios)


def _undisturbed(work: Measure) -> float:
    """Run it without the garbage collector, as `timeit` does."""
    gc.collect()
    gc.disable()
    try:
        return work()
    finally:
        gc.enable()


HEAD = ("what", "A", "each", "B", "each", "A/B min", "median", "max", "aim", "")


def line(measured: Measured) -> tuple[str, ...]:
    row = measured.row
    begins = (row.what, row.a_is, _figure(measured.a, row.unit), row.b_is)
    aim = "" if row.aim is None else f"≤ {row.aim:.3g}"
    if measured.b is None:
        return (*begins, "absent", "", "", "", aim, "")
    low, high = measured.ratios[0], measured.ratios[-1]
    ratios = tuple(f"{ratio:.2f}" for ratio in (low, measured.ratio, high))
    verdict = "" if row.aim is None else "ok" if measured.is_met else "MISSED"
    return (*begins, _figure(measured.b, row.unit), *ratios, aim, verdict)


def table(lines: list[tuple[str, ...]]) -> str:
    """Rows of words in columns, the numbers aligned to the right."""
    rows = [HEAD, *lines]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    numbers = {2, 4, 5, 6, 7, 8}
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column in numbers else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _figure(value: float, unit: str) -> str:
    return f"{value * 1e6:.1f} µs" if unit == "µs" else f"{value:,.0f} {unit}"
