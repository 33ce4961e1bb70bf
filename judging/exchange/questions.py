"""T12: what the taking in of files asks of card tables, whose files come by the same form."""

from __future__ import annotations

from typing import NamedTuple

from judging.game.questions import Question


class TableTakenIn(NamedTuple):
    """T12: a card table that was taken in: its name and address, and how many accounts were made."""

    name: str
    slug: str
    made: int


@Question
def table_taken_in(data: bytes, *, play: bool, link: bool) -> TableTakenIn | None:
    """T12: takes in a card table; None, and nothing is done, for what is no file of one. BadFile says what is wrong
    with one and where."""
    raise NotImplementedError
