"""1.2: the delivery of notifications: one letter for all that is due to a person, and one push for their browsers.

Here rows are only claimed and put into the outboxes, in one transaction a person; `judging.email` and `pushing` send.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.contrib.auth.models import User
from django.db import OperationalError
from django.urls import reverse
from django.utils.translation import gettext

from judging.accounts.models import Account
from judging.accounts.queries import speaking_to
from judging.chain.queries import head_of
from judging.common import locking
from judging.email.models import Letter
from judging.email.services import write_letter
from judging.notifications.kinds import Group
from judging.notifications.models import Notification, Preference, Push, PushSubscription
from judging.notifications.preferences import in_words, zone_of
from judging.notifications.queries import NotificationView, preference_of, told_of, views_for
from judging.notifications.services import unsubscribe_token
from wargame.web.languages import tag

MOST_PEOPLE = 100
"""The maximum number of people in one run of the job."""

MOST_LINES = 60
"""Lines of one mail; the page has them all."""

SOON = timedelta(minutes=5)
"""Notifications that are due this soon go out with those that are due now."""


logger = logging.getLogger(__name__)


def deliver(now: datetime) -> int:
    """Put due notifications into the outboxes; returns the number of people. Idempotent and safe to run
    concurrently."""
    mails = Notification.objects.filter(mail_due__lte=now).order_by("user_id").values_list("user_id", flat=True)
    pushes = Notification.objects.filter(push_due__lte=now).order_by("user_id").values_list("user_id", flat=True)
    count = sum(_written(mail_to, user, now) for user in mails.distinct()[:MOST_PEOPLE])
    return count + sum(_written(push_to, user, now) for user in pushes.distinct()[:MOST_PEOPLE])


def _written(write: Callable[[int, datetime], bool], user_id: int, now: datetime) -> bool:
    """Write to one person. Errors are logged, and retried at the next run: nobody else waits for it."""
    try:
        return write(user_id, now)
    except OperationalError:
        raise
    except Exception:
        logger.exception("The notifications due to account %d could not be sent.", user_id)
        return False


@locking.writes
def mail_to(user_id: int, now: datetime) -> bool:
    """One letter with all that is due to a person, now or soon; returns whether there was any. The locked rows are
    claimed: of two jobs the later one finds none."""
    due = Notification.objects.filter(user_id=user_id, mail_due__lte=now)
    if not due.exists():
        return False
    rows = locking.hold_all(Notification.objects.filter(user_id=user_id, mail_due__lte=now + SOON))
    if not rows:
        return False
    Notification.objects.filter(pk__in=[row.pk for row in rows]).update(mail_due=None)
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or not user.email or Account.objects.filter(user=user, bounced_at__isnull=False).exists():
        return False
    preference = preference_of(user_id)
    rows = _with_rounds(rows)
    with speaking_to(user_id):
        _write(user, views_for(user_id, rows, preference), preference, _heads(rows, now), now)
    return True


def _with_rounds(rows: Sequence[Notification]) -> list[Notification]:
    notifications = Notification.objects.filter(pk__in=[row.pk for row in rows]).select_related("round")
    return sorted(notifications, key=lambda row: (row.round_id or 0, row.due_at is None, row.due_at or row.at, row.pk))


def _heads(rows: Sequence[Notification], now: datetime) -> str:
    """R38: the latest hashes of the chains of the rounds that a letter is about, for readers who store it."""
    rounds = {row.round_id: row.round for row in rows if row.round}
    heads = [(round_, head_of(round_, now)) for round_ in rounds.values()]
    return "".join(
        gettext("Latest hash of %(round)s: %(head)s") % {"round": round_, "head": head} + "\n"
        for round_, head in heads
        if head
    )


def _write(user: User, views: Sequence[NotificationView], preference: Preference, heads: str, now: datetime) -> None:
    base, link = settings.PUBLIC_URL.rstrip("/"), reverse("unsubscribe", args=[unsubscribe_token(user.pk)])
    moment = partial(in_words, zone=zone_of(preference))
    lines: list[str] = []
    where = ""
    for view in views[:MOST_LINES]:
        turn = gettext("turn %(number)s") % {"number": view.turn} if view.turn else ""
        here = ", ".join(filter(None, (view.round, turn)))
        if here != where:
            lines += ["", here, ""]
            where = here
        lines.append(f"- {view.sentence}" + (f" ({view.cites})" if view.cites else ""))
        lines += [f"  {base}{view.link}"] if view.link else []
    if len(views) > MOST_LINES:
        more = gettext("… and %(number)s more: %(link)s")
        lines += ["", more % {"number": len(views) - MOST_LINES, "link": f"{base}{reverse('notifications')}"}]
    stamp = gettext("Written %(time)s. Notification settings: %(link)s")
    stamp %= {"time": moment(now), "link": f"{base}{reverse('notification-settings')}"}
    none = gettext("Unsubscribe: %(link)s") % {"link": f"{base}{link}"}
    foot = f"\n\n-- \n{stamp}\n{none}\n{heads}"
    body = "\n".join(lines).strip() + foot
    write_letter(
        to=user.email, kind=Letter.Kind.NEWS, now=now, subject=_subject(views), body=body, unsubscribe=f"{base}{link}"
    )


def _subject(views: Sequence[NotificationView]) -> str:
    """`Trial, turn 5: Ana is killed on 3F by Gaz.`, or the number of notifications by group."""
    if len(views) == 1:
        return f"{told_of(views)}: {views[0].sentence}"
    in_a_list = str.lower if tag().startswith("en") else str  # nouns of other languages keep their capitals
    titles = {group.code: in_a_list(group.title) for group in Group}
    groups = list(dict.fromkeys(titles.get(view.group, gettext("other")) for view in views))
    text = gettext("%(of)s: %(number)s notifications (%(groups)s)")
    return text % {"of": told_of(views), "number": len(views), "groups": ", ".join(groups)}


@locking.writes
def push_to(user_id: int, now: datetime) -> bool:
    """A push to each of a person's browsers for all that is due to them; returns whether there was any."""
    rows = locking.hold_all(Notification.objects.filter(user_id=user_id, push_due__lte=now))
    if not rows:
        return False
    ids = [row.pk for row in rows]
    Notification.objects.filter(pk__in=ids).update(push_due=None)
    unread = [row.pk for row in rows if row.read_at is None]
    devices = PushSubscription.objects.filter(user_id=user_id, user__is_active=True, gone_at=None) if unread else ()
    Push.objects.bulk_create(
        Push(subscription=device, notifications=unread[:MOST_LINES], created=now, due=now) for device in devices
    )
    return bool(devices)
