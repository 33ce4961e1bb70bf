"""T9: what a line of Altered names, looked for on the table, with the number that says why it can't be meant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tables.core.lines import naming
from tables.core.lines.actions import Action, Ref
from tables.core.reasons import Refused
from tables.core.state import Aim, State


@contextmanager
def citing(*cites: str) -> Iterator[None]:
    """Whatever is refused within cites these numbers; what can't be read stays so."""
    try:
        yield
    except Refused as refused:
        if refused.reason.cites[0] in ("unreadable", "ambiguous"):
            raise
        raise Refused(cites, refused.reason.told, refused.reason.column) from None


def chosen(state: State, seat: str, action: Action, among: Sequence[Aim], cites: str) -> tuple[Aim, ...]:
    """1.4.5: what a line chooses of what is offered, each once."""
    with citing(cites):
        return naming.chosen(state, seat, action, among)


def listed(
    state: State, seat: str, action: Action, words: Sequence[Ref], among: Sequence[Aim], cites: str
) -> tuple[Aim, ...]:
    """T9: several things by their names, each once."""
    with citing(cites):
        return naming.listed(state, seat, action, words, among)


def one(state: State, seat: str, action: Action, word: Ref, among: Sequence[Aim], cites: str) -> Aim:
    """T9: the one thing that is meant."""
    with citing(cites):
        return naming.find(state, seat, action, word, among)
