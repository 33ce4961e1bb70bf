"""T9.1: a line as an action at a certain table: read with its cards' names and its seats, or refused with its
column."""

from tables.core.lines.actions import Action, Ambiguous, Unreadable
from tables.core.lines.notation import read_line, read_sentences
from tables.core.reasons import Refused
from tables.core.state import State


def read(state: State, line: str) -> Action:
    """T9.1: a line as an action. Refused (`unreadable` or `ambiguous`, with its column)."""
    found = read_line(line, state.game, state.cards, _seats(state))  # type: ignore[arg-type]
    if isinstance(found, Unreadable):
        raise Refused("unreadable", str(found), found.column)
    if isinstance(found, Ambiguous):
        raise Refused("ambiguous", str(found), found.column)
    return found


def read_ruling(state: State, text: str) -> Action:
    """T11.1: a ruling's sentences, as a proposal has them."""
    found = read_sentences(text, state.game, state.cards, _seats(state))  # type: ignore[arg-type]
    if isinstance(found, (Unreadable, Ambiguous)):
        raise Refused("unreadable", str(found), found.column)
    return Action("propose", changes=tuple(found))


def _seats(state: State) -> list[str]:
    return [word for seat in state.seats for word in (seat.letter, seat.name) if word]
