"""1.3: the log of a round: every act of a judge or leader and every stage of a turn, as whoever looks may read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import overload

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from judging.game.models import LogEntry
from judging.game.viewer import Viewer, viewer_of
from judging.log.acts import ACTS, By, Data
from judging.log.lines import SERVICE, LogLine, NamedInLog, Place
from judging.log.secrecy import visible
from wargame.models import Round


@dataclass(frozen=True)
class LogFilter:
    """What of a log is asked for. Empty or None: all of it."""

    who: str = ""
    kind: str = ""
    army: str = ""
    turn: int | None = None
    words: str = ""

    @property
    def is_narrow(self) -> bool:
        """Whether anything is left out."""
        return bool(self.who or self.kind or self.army or self.words) or self.turn is not None


class Log(Sequence[LogLine]):
    """1.3: what a viewer may read of a log, the newest first. Lines are worked out when they are looked at."""

    def __init__(self, viewer: Viewer, now: datetime, asked: LogFilter | None = None) -> None:
        self._cast, asked = NamedInLog(viewer, now), asked or LogFilter()
        rows = LogEntry.objects.filter(visible(viewer, now), round=viewer.round).order_by("-at", "-pk")
        self._rows: QuerySet[LogEntry] | list[LogEntry] = _chosen(rows, asked, self._cast)

    def __len__(self) -> int:
        return self._number

    @cached_property
    def _number(self) -> int:
        return len(self._rows) if isinstance(self._rows, list) else self._rows.count()

    @overload
    def __getitem__(self, place: int) -> LogLine: ...
    @overload
    def __getitem__(self, place: slice) -> list[LogLine]: ...
    def __getitem__(self, place: int | slice) -> LogLine | list[LogLine]:
        if isinstance(place, int):
            return self._cast.lines([self._rows[place]])[0]
        return self._cast.lines(self._rows[place])

    def actors(self) -> list[str]:
        """1.3: whose acts the viewer may read, by name."""
        return self._cast.actors()


def readable(rows: QuerySet[LogEntry], user: AbstractBaseUser | AnonymousUser, now: datetime) -> QuerySet[LogEntry]:
    """1.3: of the entries of all rounds those that somebody may read."""
    found = Q(pk__in=())
    for round_ in Round.objects.all():
        found |= Q(round=round_) & visible(viewer_of(user, round_), now)
    return rows.filter(found)


def line_of(viewer: Viewer, key: str, now: datetime) -> LogLine | None:
    """1.3: one entry by the key in its address; None if there is none that the viewer may read."""
    rows = LogEntry.objects.filter(visible(viewer, now), round=viewer.round, key=key)
    found = NamedInLog(viewer, now).lines(rows)
    return found[0] if found else None


def _chosen(rows: QuerySet[LogEntry], asked: LogFilter, cast: NamedInLog) -> QuerySet[LogEntry] | list[LogEntry]:
    """What is asked for. Armies and words stand in what is told, so that they are looked for in the entries."""
    if asked.kind:
        rows = rows.filter(action__in=[name for name, act in ACTS.items() if act.kind.key == asked.kind])
    if asked.turn is not None:
        since, until = cast.span(asked.turn)
        rows = rows.filter(at__gt=since) if since else rows
        rows = rows.filter(at__lte=until) if until else rows
    if asked.who:
        people = cast.called(asked.who)
        is_service = asked.who in (SERVICE, gettext(SERVICE))
        rows = rows.filter(actor=None) if is_service else rows.filter(actor__in=people)
        # Who of the players or judges is the administrator is nobody's business, and the filter must not tell it.
        rows = rows.exclude(action__in=[name for name, act in ACTS.items() if act.by is By.ADMINISTRATOR])
    if not asked.army and not asked.words.strip():
        return rows
    found = list(rows)
    if asked.army:
        battles, rulings = cast.battles_with(asked.army), cast.rulings_on(asked.army)
        found = [row for row in found if _concerns(row.data, asked.army, battles, rulings)]
    words = asked.words.casefold().split()
    if not words:
        return found
    told = zip(found, cast.texts(found), strict=True)
    return [row for row, text in told if all(word in text.casefold() for word in words)]


def _concerns(data: Data, army: str, battles: set[Place], rulings: set[Place]) -> bool:
    """Whether an act was about an army: it is named in it, fights in its battle, or was ruled on."""
    if army in (data.get("army"), *(data.get("armies") or ()), *(data.get("freed") or ())):
        return True
    changes = data.get("changes") or ()
    control = data.get("control") or {}
    is_changed = any(isinstance(change, dict) and change.get("army") == army for change in changes)
    if is_changed or army in control or (data.get("turn"), data.get("battle")) in battles:
        return True
    return isinstance(data.get("ruling"), int) and (data.get("turn"), data.get("ruling")) in rulings
