"""1.2, R2: a map's terrain as text: 14 lines of 38 letters."""

from wargame.rules.core.board import COLUMNS, ROWS, TERRAINS
from wargame.rules.core.faults import Fault, LineFinding

EMPTY = ("o" * COLUMNS,) * len(ROWS)
"""R2: a map of ocean alone, before anything is drawn."""

MOST_FAULTS = 12

_BETWEEN = ";,\ufeff"
"""The separators between the cells of a spreadsheet, and the byte order mark of a file."""

_LETTERS = ", ".join(f"{letter} {name}" for letter, name in TERRAINS.items())


class TerrainFault(Fault):
    """1.2, R2: the faults of a map's text."""

    TOO_FEW_LINES = "R2", "There are {lines} lines; a map has {rows}, one for each of A to N."
    TOO_MANY_LINES = "R2", "Line {line} is one too many: a map has {rows} lines."
    NO_TERRAIN = (
        "R2",
        ("Line {line} (row {row}), column {column}: “{sign}” is not a terrain. The letters are {letters}."),
    )
    TOO_FEW_LETTERS = (
        "R2",
        "Line {line} (row {row}) has {count} letters, {off} too few; it is wrong from column {column} on.",
    )
    TOO_MANY_LETTERS = (
        "R2",
        "Line {line} (row {row}) has {count} letters, {off} too many; it is wrong from column {column} on.",
    )


def read_terrain(text: str) -> tuple[tuple[str, ...], tuple[LineFinding, ...]]:
    """1.2, R2: the 14 rows of a map, and the faults of the text; with faults the rows can't be used.

    Capitals are read as small letters. Whitespace within and around lines, empty lines, and the separators and byte
    order marks of spreadsheets are left out.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    rows: list[str] = []
    faults: list[LineFinding] = []
    for number, line in lines[: len(ROWS)]:
        row, wrong = _read_line(number, line, ROWS[len(rows)])
        rows.append(row)
        faults += wrong
    if len(lines) < len(ROWS):
        faults.append(LineFinding(TerrainFault.TOO_FEW_LINES, {"lines": len(lines), "rows": len(ROWS)}))
    if len(lines) > len(ROWS):
        number = lines[len(ROWS)][0]
        facts = {"line": number, "rows": len(ROWS)}
        faults.append(LineFinding(TerrainFault.TOO_MANY_LINES, facts, number))
    return tuple(rows), tuple(faults[:MOST_FAULTS])


def _read_line(number: int, line: str, letter: str) -> tuple[str, list[LineFinding]]:
    row = ""
    faults: list[LineFinding] = []
    for column, sign in enumerate(line, 1):
        if _is_between(sign):
            continue
        # A sign of another script may be two in small letters, and a row counts its signs.
        small = sign.lower() if sign.isascii() else sign
        row += small
        if small not in TERRAINS and len(faults) < 2:
            facts = {"line": number, "row": letter, "column": column, "sign": sign, "letters": _LETTERS}
            faults.append(LineFinding(TerrainFault.NO_TERRAIN, facts, number, column))
    if len(row) != COLUMNS:
        is_short = len(row) < COLUMNS
        column = min(len(line.rstrip()), len(line)) + 1 if is_short else _column_of(line, COLUMNS)
        facts = {"line": number, "row": letter, "count": len(row), "off": abs(COLUMNS - len(row)), "column": column}
        fault = TerrainFault.TOO_FEW_LETTERS if is_short else TerrainFault.TOO_MANY_LETTERS
        faults.append(LineFinding(fault, facts, number, column))
    return row, faults


def _is_between(sign: str) -> bool:
    return sign.isspace() or sign in _BETWEEN


def _column_of(line: str, place: int) -> int:
    """The column, from 1, of the letter at that place among the characters that are not blank."""
    columns = [column for column, sign in enumerate(line, 1) if not _is_between(sign)]
    return columns[place]
