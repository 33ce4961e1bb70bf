"""T9.1: lines and actions at a certain table, with its cards' names and its seats."""

from dataclasses import replace

from tables.core.entries import Entry
from tables.core.lines.actions import Action, Ambiguous, Unreadable, to_plain
from tables.core.lines.notation import read_line, read_sentences
from tables.core.lines.writing import write
from tables.core.reasons import AmbiguousName, Refused
from tables.core.state import State
from wargame.rules.core.saying import said


def read(state: State, line: str) -> Action:
    """T9.1: a line as an action. Refused (`unreadable` or `ambiguous`, with its column)."""
    result = read_line(line, state.game, state.cards, _seats(state))  # type: ignore[arg-type]
    if isinstance(result, Unreadable):
        raise Refused("unreadable", result.told, result.column)
    if isinstance(result, Ambiguous):
        raise AmbiguousName(result.told, result.column)
    return result


def action_of(state: State, entry: Entry) -> Action:
    """T6: what the one line of an entry says: as a button sent it, else as it is read."""
    return entry.action if entry.action is not None else read(state, entry.lines[0])


def line_of(state: State, action: Action) -> tuple[str, Action]:
    """T6: the line that stands in the log for a button's action, and what a replay reads from it, which is carried out.
    Refused (`unreadable`) if that is anything else.

    The `!` of a card's name is read as a confirmation, too, and its `(..)` as a reason; S47: a seat `A1` as `a1`.
    """
    try:
        line = write(action, state.game)  # type: ignore[arg-type]
    except (ValueError, LookupError):
        line = ""
    if line:
        found = replace(read(state, line), columns=())
        bare = replace(found, confirmed=action.confirmed, text=found.text if action.text else "")
        if str(to_plain(bare)).casefold() == str(to_plain(action)).casefold():
            return line, found
    raise Refused("unreadable", said("you can't do that right now"))


def read_ruling(state: State, text: str) -> Action:
    """T11.1: a ruling's sentences, in the form of a proposal."""
    result = read_sentences(text, state.game, state.cards, _seats(state))  # type: ignore[arg-type]
    if isinstance(result, (Unreadable, Ambiguous)):
        raise Refused("unreadable", result.told, result.column)
    return Action("propose", changes=tuple(result))


def _seats(state: State) -> list[str]:
    return [name for seat in state.seats for name in (seat.letter, seat.name) if name]
