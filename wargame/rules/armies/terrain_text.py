"""1.2, R2: a map's terrain as text: 14 lines of 38 letters."""

from __future__ import annotations

from dataclasses import dataclass

from wargame.rules.core.board import COLUMNS, ROWS, TERRAINS

EMPTY = ("o" * COLUMNS,) * len(ROWS)
"""R2: a map of ocean alone, on which nothing is drawn yet."""

MOST_FAULTS = 12

_LETTERS = ", ".join(f"{letter} {name}" for letter, name in TERRAINS.items())


@dataclass(frozen=True, slots=True)
class TerrainFault:
    """1.2, R2: what is wrong with a text, in a sentence; `line` and `column` count from 1, 0 where there is none."""

    line: int
    column: int
    sentence: str


def read_terrain(text: str) -> tuple[tuple[str, ...], tuple[TerrainFault, ...]]:
    """1.2, R2: the 14 rows of a map, and what is wrong with the text; with faults the rows can't be used.

    Capitals are read as small letters. Blanks within and around lines, and empty lines, are left out.
    """
    given = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    rows: list[str] = []
    faults: list[TerrainFault] = []
    for number, line in given[: len(ROWS)]:
        row, wrong = _read_line(number, line, ROWS[len(rows)])
        rows.append(row)
        faults += wrong
    if len(given) < len(ROWS):
        faults.append(
            TerrainFault(0, 0, f"There are {len(given)} lines; a map has {len(ROWS)}, one for each of A to N.")
        )
    if len(given) > len(ROWS):
        number = given[len(ROWS)][0]
        faults.append(TerrainFault(number, 0, f"Line {number} is one too many: a map has {len(ROWS)} lines."))
    return tuple(rows), tuple(faults[:MOST_FAULTS])


def _read_line(number: int, line: str, letter: str) -> tuple[str, list[TerrainFault]]:
    row = ""
    faults: list[TerrainFault] = []
    for column, sign in enumerate(line, 1):
        if sign.isspace():
            continue
        # A sign of another script may be two in small letters, and a row counts its signs.
        small = sign.lower() if sign.isascii() else sign
        row += small
        if small not in TERRAINS and len(faults) < 2:
            said = f"Line {number} (row {letter}), column {column}: “{sign}” is no terrain. The letters are {_LETTERS}."
            faults.append(TerrainFault(number, column, said))
    if len(row) != COLUMNS:
        wrong = f"{COLUMNS - len(row)} too few" if len(row) < COLUMNS else f"{len(row) - COLUMNS} too many"
        column = min(len(line.rstrip()), len(line)) + 1 if len(row) < COLUMNS else _column_of(line, COLUMNS)
        said = f"Line {number} (row {letter}) has {len(row)} letters, {wrong}; from column {column} on it is wrong."
        faults.append(TerrainFault(number, column, said))
    return row, faults


def _column_of(line: str, place: int) -> int:
    """The column, from 1, of the letter at that place among those that are no blanks."""
    columns = [column for column, sign in enumerate(line, 1) if not sign.isspace()]
    return columns[place]
