"""1.2: writing and reading notifications, and choosing preferences. Code that writes a fact can notify people of it
in the same transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core import signing
from django.db.models import Model, Q, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.notify import News
from judging.notifications.kinds import GROUPS, KINDS
from judging.notifications.models import MutedRound, Notification, Preference, PushSubscription
from judging.notifications.preferences import MAILS, NEVER, channels_of, is_zone, mail_at, push_at
from judging.notifications.queries import may_be_told, preference_of, rounds_of

KEPT, UNREAD_KEPT = timedelta(days=90), timedelta(days=400)
"""How long a notification is stored after it was read, and one that is never read."""

MOST_AT_ONCE = 500
"""Rows that one statement stores."""

NAMES = ("by", "name", "player")
"""Fields of `data` that hold the name of a person."""

SALT = "judging.notifications.unsubscribe"
Preset = Preference.Preset


@locking.writes
def tell(news: Iterable[News], now: datetime, *, is_late: bool = False) -> int:
    """Store people's notifications, each once; returns the number of new ones.

    Barred people and people without an account get none. In a muted round it arrives as a line that is already read;
    `is_late`: it is old, and arrives only as a line. Six statements, however many there are.
    """
    by_about = {each.about: each for each in news}
    if unknown := {each.kind for each in by_about.values()} - KINDS.keys():
        raise ValueError(f"no entry in KINDS: {', '.join(sorted(unknown))}")
    previous = Notification.objects.filter(key__in={each.key for each in by_about.values()})
    for about in previous.values_list("user_id", "kind", "key") if by_about else ():
        by_about.pop(about, None)
    if not by_about:
        return 0
    users = may_be_told(each.user_id for each in by_about.values())
    new_items = [each for each in by_about.values() if each.user_id in users]
    preferences = {row.user_id: row for row in Preference.objects.filter(user__in=users)}
    muted = set(MutedRound.objects.filter(user__in=users).values_list("user_id", "round_id"))
    rows = []
    for each in new_items:
        row = Notification(
            user_id=each.user_id,
            round_id=each.round_id,
            turn=each.turn,
            kind=str(each.kind),
            key=each.key,
            data=dict(each.data),
            at=each.at,
            due_at=each.due_at,
        )
        if (each.user_id, each.round_id) in muted:
            row.read_at = now
        elif not is_late:
            _plan(row, preferences.get(each.user_id) or Preference(user_id=each.user_id), now)
        rows.append(row)
    Notification.objects.bulk_create(rows, batch_size=MOST_AT_ONCE, ignore_conflicts=True)
    return len(rows)


def _plan(row: Notification, preference: Preference, now: datetime) -> None:
    kind = KINDS.get(row.kind)
    if kind is None:
        row.mail_due = row.push_due = None
        return
    channel = channels_of(preference)[kind.group.code]
    row.mail_due = mail_at(kind, channel, preference, row.due_at, now)
    row.push_due = push_at(kind, channel, preference, row.due_at, now)


@locking.writes
def mark_notifications_read(*, user: User, ids: Iterable[int] | None, now: datetime) -> int:
    """Mark a user's own notifications as read, or all of them with None; returns how many were unread. They are no
    longer mailed or pushed."""
    rows = Notification.objects.filter(user=user)
    rows = rows if ids is None else rows.filter(pk__in=list(ids))
    return end_notifications([row.pk for row in rows.filter(read_at__isnull=True).only("pk").order_by()], now)


@locking.writes
def end_notifications(ids: Iterable[int], now: datetime) -> int:
    """Mark these notifications as read, and don't send them; returns their number. They are locked by key first, as
    in all functions that change many of them, so that no two wait for each other."""
    rows = locking.hold_all(Notification.objects.filter(pk__in=list(ids)).defer("data"))
    return Notification.objects.filter(pk__in=[row.pk for row in rows]).update(
        read_at=Coalesce("read_at", Value(now)), mail_due=None, push_due=None
    )


@locking.writes
def lapse(*, kind: str, keys: Iterable[str], now: datetime, users: Iterable[int] | None = None) -> None:
    """Mark the notifications of these keys as read, for all or for these `users`, and don't send them. One
    statement."""
    rows = Notification.objects.filter(kind=kind, key__in=list(keys), read_at__isnull=True)
    rows = rows if users is None else rows.filter(user__in=list(users))
    rows.update(read_at=now, mail_due=None, push_due=None)


def lapse_of_table(*, slug: str, kinds: Iterable[str], users: Iterable[int], now: datetime) -> int:
    """T10: mark these users' notifications of a card table as read, and don't send them; returns their number. One
    statement, which needs no transaction of its own."""
    rows = Notification.objects.filter(user__in=list(users), kind__in=list(kinds), data__slug=slug)
    return rows.filter(read_at__isnull=True).update(read_at=now, mail_due=None, push_due=None)


@dataclass(frozen=True)
class ChosenWays:
    """A person's choice of preferences, as typed. `channels` count with the preset OWN alone. Empty quiet hours:
    none."""

    preset: str
    channels: Mapping[str, Mapping[str, object]]
    time_zone: str
    digest_hour: str
    quiet_from: str = ""
    quiet_until: str = ""
    muted: frozenset[str] = frozenset()


@locking.writes
def choose(*, user: User, chosen: ChosenWays, now: datetime) -> Preference:
    """Store a person's preferences, which also apply to notifications that still wait. Refused, with the field, for
    an unknown preset, time zone or hour."""
    if chosen.preset not in Preset.values:
        raise Refused(gettext("Choose a preset or “Custom”."), "", "preset")
    if chosen.time_zone and not is_zone(chosen.time_zone):
        raise Refused(
            gettext("There is no time zone “%(name)s”. Try a name like Europe/Berlin, or leave it empty for UTC.")
            % {"name": chosen.time_zone[:40]},
            "",
            "time_zone",
        )
    digest = _hour(chosen.digest_hour, "digest_hour")
    if digest is None:
        raise Refused(gettext("Choose the hour of your daily email, from 0 to 23."), "", "digest_hour")
    begin, end = _hour(chosen.quiet_from, "quiet_from"), _hour(chosen.quiet_until, "quiet_until")
    if (begin is None) != (end is None):
        raise Refused(gettext("Choose both a start and an end for your quiet hours, or neither."), "", "quiet_from")
    if begin is not None and begin == end:
        raise Refused(gettext("Quiet hours can't end when they begin. Choose another end."), "", "quiet_until")
    locking.hold(User.objects, pk=user.pk)  # two forms at once: the later one counts as a whole
    preference = preference_of(user.pk)
    preference.preset, preference.time_zone = chosen.preset, chosen.time_zone
    preference.digest_hour, preference.quiet_from, preference.quiet_until = digest, begin, end
    if chosen.preset == Preset.OWN:
        preference.channels = _checked_channels(chosen.channels)
    preference.save()
    _mute(user, chosen.muted)
    _plan_anew(preference, now)
    return preference


def _hour(text: str, name: str) -> int | None:
    """An hour of a day; None if empty."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 3 and int(text) < 24):
        message = gettext("“%(typed)s” is not an hour of the day. Choose an hour from 0 to 23.")
        raise Refused(message % {"typed": text[:10]}, "", name)
    return int(text)


def _checked_channels(values: Mapping[str, Mapping[str, object]]) -> dict[str, dict[str, object]]:
    channels = {}
    for code in GROUPS:
        choice = values.get(code) or {}
        mail = choice.get("mail") or NEVER
        if mail not in dict(MAILS):
            raise Refused(
                gettext("Choose when you want emails: right away, in the daily email, or never."), "", "channels"
            )
        channels[code] = {"mail": mail, "push": bool(choice.get("push"))}
    return channels


def _mute(user: User, slugs: frozenset[str]) -> None:
    """Mute exactly these of the user's rounds."""
    rounds = rounds_of(user)
    muted_rounds = [round_ for round_ in rounds if round_.slug in slugs]
    MutedRound.objects.filter(user=user, round__in=rounds).exclude(round__in=muted_rounds).delete()
    MutedRound.objects.bulk_create([MutedRound(user=user, round=each) for each in muted_rounds], ignore_conflicts=True)


def _plan_anew(preference: Preference, now: datetime) -> None:
    """Waiting notifications follow the new preferences; sent ones are not sent again."""
    condition = Q(mail_due__isnull=False) | Q(push_due__isnull=False)
    rows = locking.hold_all(Notification.objects.filter(condition, user_id=preference.user_id))
    muted = set(MutedRound.objects.filter(user_id=preference.user_id).values_list("round_id", flat=True))
    for row in rows:
        had_mail, had_push = row.mail_due is not None, row.push_due is not None
        _plan(row, preference, now)
        is_muted = row.round_id in muted
        row.mail_due = row.mail_due if had_mail and not is_muted else None
        row.push_due = row.push_due if had_push and not is_muted else None
    Notification.objects.bulk_update(rows, ["mail_due", "push_due"], batch_size=MOST_AT_ONCE)


@locking.writes
def set_zone(*, user: User, name: str) -> bool:
    """Set the time zone of a person's browser, if they have chosen none; returns whether it is theirs now."""
    if not is_zone(name):
        return False
    locking.hold(User.objects, pk=user.pk)
    preference = preference_of(user.pk)
    if preference.time_zone:
        return False
    preference.time_zone = name
    preference.save()
    return True


def unsubscribe_token(user_id: int) -> str:
    """The token of a mail's link: the user whose mails it ends, signed, so that it can't be forged."""
    return signing.dumps(user_id, salt=SALT)


def user_of_token(token: str) -> User | None:
    """The user whose mails a link ends; None for an invalid one."""
    try:
        pk = signing.loads(token[:300], salt=SALT)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=pk, is_active=True).first()


@locking.writes
def unsubscribe(*, user: User, group: str, now: datetime) -> None:
    """End the mails to a person, about one group or, if it is empty, about any. Push and the lines on the site stay
    unchanged. Refused for an unknown group."""
    if group and group not in GROUPS:
        raise Refused(gettext("There is no such group of notifications."), "", "group")
    locking.hold(User.objects, pk=user.pk)
    preference = preference_of(user.pk)
    channels = {code: {"mail": each.mail, "push": each.push} for code, each in channels_of(preference).items()}
    for code in [group] if group else list(channels):
        channels[code]["mail"] = NEVER
    preference.preset, preference.channels = Preset.OWN, channels
    preference.save()
    _plan_anew(preference, now)


FORGOTTEN: tuple[type[Model], ...] = (Notification, Preference, MutedRound, PushSubscription)
"""Rows that are deleted with their account."""


def forget(user: User) -> None:
    """Delete a deleted account's notifications and preferences. For its deletion's transaction."""
    for rows in FORGOTTEN:
        rows._default_manager.filter(user=user).delete()


def rename_in_notifications(called: Iterable[tuple[int, str]], name: str) -> None:
    """1.6: rename a person in other people's notifications, by their names in these rounds, by key. For the
    transaction of the account's deletion."""
    for round_id, old in sorted(called):
        about = Q(data__by=old) | Q(data__name=old) | Q(data__player=old)
        for row in Notification.objects.filter(about, round=round_id).order_by("pk"):
            data = {key: name if key in NAMES and value == old else value for key, value in row.data.items()}
            Notification.objects.filter(pk=row.pk).update(data=data)


def prune_notifications(now: datetime) -> None:
    """Delete notifications that were read long ago, and those that nobody read in a year; MOST_AT_ONCE at a time."""
    old = Q(read_at__lt=now - KEPT) | Q(at__lt=now - UNREAD_KEPT, read_at__isnull=True)
    ids = list(Notification.objects.filter(old).order_by("pk").values_list("pk", flat=True)[:MOST_AT_ONCE])
    if ids:
        _drop(ids)


@locking.writes
def _drop(ids: Sequence[int]) -> None:
    rows = locking.hold_all(Notification.objects.filter(pk__in=ids).defer("data"))
    Notification.objects.filter(pk__in=[row.pk for row in rows]).delete()
