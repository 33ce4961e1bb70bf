"""1.2: every kind of thing that somebody is told of.

A new kind is a `NewsKind` and one entry, in `of_rounds` or `of_tables`. What gives notifications of it (`gathering`,
`reminders`, a writer) stores the fields that its sentence names, and nothing that is secret: the sentence goes into
mails and onto locked screens.
"""

from django.core.exceptions import ImproperlyConfigured

from judging.common.notify import NewsKind
from judging.notifications.kinds.base import Group, Kind, Reader, Urgency
from judging.notifications.kinds.rounds import ARMY_KINDS, OF_ROUNDS
from judging.notifications.kinds.tables import OF_TABLES

__all__ = ["ARMY_KINDS", "GROUPS", "KINDS", "Group", "Kind", "Reader", "Urgency"]

KINDS: dict[str, Kind] = {**OF_ROUNDS, **OF_TABLES}
"""By their codes, which stand in the rows."""

if strange := set(NewsKind) ^ set(KINDS):
    raise ImproperlyConfigured(
        f"Notification kinds without a sentence, or sentences without a kind: {', '.join(sorted(strange))}"
    )

GROUPS = {group.code: group for group in Group}
