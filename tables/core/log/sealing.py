"""T6.3, T8: the posts that the chain hides: those that name something not everybody may know."""

import re
from collections.abc import Sequence

from tables.core.entries import SEALED, Entry, LoggedKind
from tables.core.events import Event
from tables.core.lines.actions import Action
from tables.core.lines.understanding import action_of
from tables.core.play import Rules
from tables.core.reasons import Refused
from tables.core.state import State
from tables.core.views import SPECTATOR, told

_PLACE = re.compile(r"(?:11y|soul|orb) [0-9]")

OPEN_ANSWERS = frozenset({
    *("attack", "block", "order", "yes", "no", "pass", "triggers", "abolish", "done", "eleven", "enough", "acquire"),
    *("exit", "pillar", "champion", "move", "plunder", "resupply", "quick", "react", "starter"),
})  # fmt: skip
"""Answers to a decision that name only what all can see. Others (such as the object of a search) are opened at the
end."""
TOLD_ANSWERS = frozenset({"play"})
"""Answers to a decision that name a card which they reveal: open if an event shows everything they name."""


def hides(rules: Rules, before: State, entry: Entry, events: Sequence[Event]) -> bool:
    """T6.3: whether an entry's lines are only a hash in the chain, until the end of the table.

    Hidden are plans and standing orders, which reveal intentions; what others may not know yet (sealed choices); and
    each line that names a card which its events do not show to everybody.
    """
    if entry.kind in SEALED or len(entry.lines) > 1:
        return entry.kind != "stops"
    if entry.kind != "act":
        return False
    try:
        action = action_of(before, entry)
    except Refused:
        return True
    if (action.kind in rules.anytime and action.kind != "do") or action.kind in ("take back", "agree"):
        return False
    answers = OPEN_ANSWERS | TOLD_ANSWERS
    if before.decision is not None and (before.decision.sealed(before) or action.kind not in answers):
        return True
    return action.do == "face down" or not _names_called(before, action) <= _cards_shown(rules, events)


def kind_of(entry: Entry, *, is_hidden: bool) -> LoggedKind:
    """T6.3: the kind of an entry in the log: a hidden line is a choice; proposals and acceptances keep theirs."""
    if entry.kind != "act":
        return entry.kind
    verb = entry.lines[0].split(":", 1)[0].split(" ", 1)[0].casefold()
    if verb == "propose" or verb == "accept":
        return verb  # type: ignore[return-value]
    return "choose" if is_hidden else "act"


def _names_called(state: State, action: Action) -> set[str]:
    """Everything that a line names, except places that all can count, such as `11y 3`, and players."""
    aims = (aim for _, some in (*action.effects, *action.choices) for aim in some)
    refs = (
        *(action.card, *action.cards, action.thing, *action.things, *action.order, *(action.targets or ())),
        *(action.equip, *action.pay, *aims),
    )
    of_changes = {name for change in action.changes for name in _names_called(state, change)}
    players = {name.casefold() for seat in state.seats for name in (seat.letter, seat.name)}
    names = {name.casefold() for name in refs if isinstance(name, str) and name and name != "none"}
    return of_changes | {name for name in names - players if not _PLACE.match(name)}


def _cards_shown(rules: Rules, events: Sequence[Event]) -> set[str]:
    return {card.casefold() for event in told(rules, events, SPECTATOR) if isinstance(card := event["card"], str)}
