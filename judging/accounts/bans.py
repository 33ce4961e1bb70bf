"""1.6: who may not log in, whose account is gone, and who looks after people and notes what he does about them."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.accounts.models import AdminEntry, Bar, Deletion
from judging.common.texts import utc

Action = AdminEntry.Action

BARRED = "barred"
"""In what is left of a barred person's session: the key of his bar."""


def open_bar(user: User) -> Bar | None:
    """1.6: the bar that holds for somebody."""
    return Bar.objects.filter(user=user, ended_at__isnull=True).first()


def bar_of_name(name: str) -> Bar | None:
    """1.6: the bar that holds for the owner of a log-in."""
    if not name or "\0" in name:
        return None
    return Bar.objects.select_related("user").filter(user__username=name, ended_at__isnull=True).first()


def barred_sentence(bar: Bar) -> str:
    """1.6: what a barred person is told."""
    reason = " ".join(bar.reason.split())
    if bar.until:
        told = gettext("This account is banned until %(time)s. Reason: %(reason)s")
        return told % {"time": utc(bar.until), "reason": reason}
    return gettext("This account is permanently banned. Reason: %(reason)s") % {"reason": reason}


def deletion_of(user: User) -> Deletion | None:
    """1.6: the owner's request that his account is deleted, while it is not."""
    return Deletion.objects.filter(user=user, done_at__isnull=True).first()


def is_deleted(user: User) -> bool:
    """1.6: whether the account is gone, and its names are shown no more."""
    return Deletion.objects.filter(user=user, done_at__isnull=False).exists()


def deleted_among(users: Iterable[int]) -> set[int]:
    """1.6: the keys of those of the users whose accounts are gone. Nobody is asked about without any."""
    keys = list(users)
    rows = Deletion.objects.filter(user__in=keys, done_at__isnull=False)
    return set(rows.values_list("user_id", flat=True)) if keys else set()


def enter(actor: User | None, action: Action, user: User | None, data: Mapping[str, object], now: datetime) -> None:
    """1.6: adds to the administrators' log."""
    AdminEntry.objects.create(at=now, actor=actor, user=user, action=action, data=dict(data))
