"""1.2: a kind of notification: its group, its sentence, its link, and who can still read it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Any

from django.utils.translation import gettext, gettext_noop

from judging.common.stored_messages import Facts
from judging.notifications.recipients import Recipients
from wargame.models.choices import Role

Data = Mapping[str, Any]
Moment = Callable[[datetime], str]
"""A moment as text, in the reader's language."""
Words = str | Callable[[Data, Moment], str]
"""A sentence with fields, or a function that makes one."""


class Group(Enum):
    """The groups of notifications that can be chosen separately: the code, its title, and its content."""

    DEADLINES = (
        "deadlines",
        gettext_noop("Deadlines"),
        gettext_noop("A turn about to lock without your order, a strat or vote due, a moved deadline."),
    )
    ARMIES = (
        "armies",
        gettext_noop("Your armies"),
        gettext_noop("Stopped, healed, killed or captured, given to you or taken from you, or their order refused."),
    )
    BATTLES = "battles", gettext_noop("Your battles"), gettext_noop("Announcements and results.")
    TURNS = "turns", gettext_noop("Turns"), gettext_noop("A new turn opens, or the round is won.")
    TALK = "talk", gettext_noop("Talk"), gettext_noop("Someone mentions you or replies to your message.")
    TEAM = (
        "team",
        gettext_noop("Your team"),
        gettext_noop("Admissions, ranks, votes, control requests, contingencies."),
    )
    RULINGS = (
        "rulings",
        gettext_noop("Rulings"),
        gettext_noop("Penalties, rulings and corrections that affect you, and answers to your requests."),
    )
    JUDGING = "judging", gettext_noop("Judging"), gettext_noop("Tasks waiting for you as a judge.")

    def __init__(self, code: str, title: str, about: str) -> None:
        self.code, self._title, self._about = code, title, about

    @property
    def title(self) -> str:
        return gettext(self._title)

    @property
    def about(self) -> str:
        return gettext(self._about)


class Urgency(Enum):
    """URGENT goes out at once, QUIET in no mail of its own, whatever else is chosen: with the next one."""

    URGENT = "urgent"
    ORDINARY = "ordinary"
    QUIET = "quiet"


class Reader(Enum):
    """Who can still read a notification: its recipient in any case, or only as long as they have the role that they
    had then."""

    ANYBODY = "anybody"
    BOARD = "who reads the board"
    TEAM = "who is of the team"
    LEADER = "who leads the team, or judges battles"
    JUDGE = "who judges"


@dataclass(frozen=True)
class Kind:
    """A kind of notification. `words` is its sentence, from its data and a moment's words; `link` the name of an
    address with the data that stand in it; a name that begins with `judge:` has no round in it. A kind with
    `own_letter` is told by a letter of its own already, and goes into no mail. One that `lapses` is a reminder, and
    read as soon as nothing waits any more.

    What tells it: `acts` of the log, with those whom each concerns; `events` of a settlement, with the fields that name
    the armies (R18); otherwise `gathering`, `reminders` or a writer, by its code.
    """

    group: Group
    words: Words
    link: tuple[str, ...]
    cites: str = ""
    urgency: Urgency = Urgency.ORDINARY
    reader: Reader = Reader.ANYBODY
    roles: tuple[Role, ...] = ()
    own_letter: bool = False
    lapses: bool = False
    acts: Mapping[str, Recipients] = field(default_factory=dict)
    events: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def sentence(self, data: Data, moment: Moment) -> str:
        """The event, in one sentence. Fields that are missing, as in rows of another version, are left out."""
        try:
            text = self.words(data, moment) if callable(self.words) else gettext(self.words).format_map(Facts(data))
        except (AttributeError, KeyError, TypeError, ValueError):
            return gettext("%(group)s: this notification can't be read any more.") % {"group": self.group.title}
        return text[:1].upper() + text[1:]


def when(data: Data, key: str, moment: Moment) -> str:
    return moment(datetime.fromisoformat(str(data[key])))
