"""The table of `make bench`."""

from __future__ import annotations

from .measuring import Measured

HEAD = ("what", "A", "each", "B", "each", "A/B min", "median", "max", "aim", "")


def line(measured: Measured) -> tuple[str, ...]:
    """One row, as words."""
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
    """Rows of words in columns, the numbers to the right."""
    rows = [HEAD, *lines]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    numbers = {2, 4, 5, 6, 7, 8}
    return "\n".join(
        "  ".join(
            word.rjust(width) if column in numbers else word.ljust(width)
            for column, (word, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def _figure(value: float, unit: str) -> str:
    return f"{value * 1e6:.1f} µs" if unit == "µs" else f"{value:,.0f} {unit}"
