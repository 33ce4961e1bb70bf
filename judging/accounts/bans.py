"""1.6: Bans, deleted accounts, and the log of what administrators do about people."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.accounts.models import AdminEntry, Bar, Deletion
from judging.common.texts import utc

Action = AdminEntry.Action

BARRED = "barred"
"""Session key, kept for a barred person: the key of their bar."""


def open_bar(user: User) -> Bar | None:
    """1.6: The bar that is in force for a user."""
    return Bar.objects.filter(user=user, ended_at__isnull=True).first()


def bar_of_name(name: str) -> Bar | None:
    """1.6: The bar that is in force for the owner of a username."""
    if not name or "\0" in name:
        return None
    return Bar.objects.select_related("user").filter(user__username=name, ended_at__isnull=True).first()


def barred_sentence(bar: Bar) -> str:
    """1.6: The message for a barred person."""
    reason = " ".join(bar.reason.split())
    if bar.until:
        message = gettext("This account is banned until %(time)s. Reason: %(reason)s")
        return message % {"time": utc(bar.until), "reason": reason}
    return gettext("This account is permanently banned. Reason: %(reason)s") % {"reason": reason}


def deletion_of(user: User) -> Deletion | None:
    """1.6: The owner's pending request to delete their account."""
    return Deletion.objects.filter(user=user, done_at__isnull=True).first()


def is_deleted(user: User) -> bool:
    """1.6: Whether the account is deleted, so that its names are no longer shown."""
    return Deletion.objects.filter(user=user, done_at__isnull=False).exists()


def deleted_among(users: Iterable[int]) -> set[int]:
    """1.6: The keys of those users whose accounts are deleted. No query if there are no users."""
    keys = list(users)
    rows = Deletion.objects.filter(user__in=keys, done_at__isnull=False)
    return set(rows.values_list("user_id", flat=True)) if keys else set()


def enter(actor: User | None, action: Action, user: User | None, data: Mapping[str, object], now: datetime) -> None:
    """1.6: Add an entry to the administrators' log."""
    AdminEntry.objects.create(at=now, actor=actor, user=user, action=action, data=dict(data))
