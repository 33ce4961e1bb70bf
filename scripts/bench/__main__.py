"""Run the benchmark: all rows, or those whose name contains a given word. Exit status 1 on a missed aim."""

import platform
import sys

from scripts.bench import battle_rows, lock_rows, mercenary_rows, order_rows, page_rows, table_rows
from scripts.bench.measuring import TURNS, line, measure, table

ROWS = (*order_rows.ROWS, *battle_rows.ROWS, *lock_rows.ROWS, *mercenary_rows.ROWS, *table_rows.ROWS, *page_rows.ROWS)
"""Functions that make one row each. A new row is a new function here."""


def main(words: list[str]) -> int:
    print(f"Python {platform.python_version()}, {TURNS} pairs a row, A and B in turns; each is a median of one unit.")
    makers = [make for make in ROWS if not words or any(term in make.__name__ for term in words)]
    measured = [measure(make()) for make in makers]
    print(table([line(one) for one in measured]))
    for one in measured:
        if one.row.note:
            print(one.row.note(one))
    return 0 if all(one.is_met for one in measured) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
