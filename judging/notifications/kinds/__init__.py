"""1.2: every kind of thing that somebody is told of.

A new kind is one entry, in `rounds`, `judging` or `tables`. What tells it stores the fields that its sentence names,
and nothing that is secret: the sentence goes into mails and onto locked screens.
"""

from judging.notifications.kinds.base import Group, Kind, Reader, Urgency
from judging.notifications.kinds.judging import OF_JUDGES
from judging.notifications.kinds.rounds import OF_ROUNDS
from judging.notifications.kinds.tables import OF_TABLES

__all__ = ["ARMY_EVENTS", "GROUPS", "KINDS", "Group", "Kind", "Reader", "Urgency"]

KINDS: dict[str, Kind] = {**OF_ROUNDS, **OF_JUDGES, **OF_TABLES}
"""The kinds by their codes, which are in the rows."""

ARMY_EVENTS = {event: (code, fields) for code, kind in KINDS.items() for event, fields in kind.events.items()}
"""R18: the events of a settlement that somebody is told of: as what, and the fields that name the armies."""

GROUPS = {group.code: group for group in Group}
