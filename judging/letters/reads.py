"""1.6: what an administrator may know of letters that could not be sent; and whether letters are stuck."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db.models import Q

from judging.game.judges import User, is_administrator
from judging.letters.models import Letter

ON_THEIR_WAY = (Letter.State.WAITING, Letter.State.SENDING)
MOST_SHOWN = 50


def has_mail() -> bool:
    """Whether this site sends mail."""
    return not settings.EMAIL_BACKEND.endswith("dummy.EmailBackend")


def due_at(now: datetime) -> Q:
    """Letters that may be tried: those that wait, and those whose sender has not come back in his time."""
    return Q(state__in=ON_THEIR_WAY, due__lte=now)


def are_due(now: datetime) -> bool:
    """Whether a letter may be tried; without a mail server it waits until there is one again."""
    return has_mail() and Letter.objects.filter(due_at(now)).exists()


def number_stuck(moment: datetime) -> int:
    """How many letters were due at that moment and still are: nobody sends them. One that is tried is due later."""
    return Letter.objects.filter(due_at(moment)).count()


class LostLetter(NamedTuple):
    """A letter that was given up, without what it says."""

    pk: int
    to: str
    kind: str
    created: datetime
    tries: int
    error: str


class LostLetters(NamedTuple):
    """The newest letters that were given up, and how many there are."""

    letters: tuple[LostLetter, ...]
    number: int


def lost_letters(user: User, now: datetime) -> LostLetters | None:
    """1.6: the letters that were given up, for administrators alone; None for anybody else, and if there are none."""
    if not is_administrator(user):
        return None
    return given_up()


def given_up() -> LostLetters | None:
    """The letters that were given up, the newest first; None if there are none."""
    rows = Letter.objects.filter(state=Letter.State.GIVEN_UP).defer("body", "subject").order_by("-pk")
    found = [LostLetter(r.pk, r.to, r.get_kind_display(), r.created, r.tries, r.error) for r in rows[:MOST_SHOWN]]
    return LostLetters(tuple(found), rows.count()) if found else None
