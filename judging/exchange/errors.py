"""What is wrong with a file of a round, and where."""

from __future__ import annotations

from judging.game.errors import Refused


class BadFile(Refused):
    """A file that can't be taken in. `place` says where: a line, or a row of a table."""

    def __init__(self, sentence: str, place: str = "") -> None:
        told = f"{place}: {sentence}" if place else sentence
        super().__init__(told[0].upper() + told[1:] + ("" if told.endswith(".") else "."))
        self.place = place


def row_place(table: str, number: int, field: str = "") -> str:
    """A row, and a field of it, as an error names it."""
    return f"row {number} of “{table}”" + (f", {field}" if field else "")
