"""The daily jobs: a backup, and the deletion of rows that nobody needs any more."""

import logging
from datetime import datetime, timedelta

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command

from judging.accounts.sessions.models import BrowserSession
from judging.common.models import Heartbeat
from judging.email import services
from judging.health.checks import beat
from wargame.upkeep import backup
from wargame.upkeep.errors import Unusable
from wargame.web import metrics

logger = logging.getLogger(__name__)

DAY, HOUR = timedelta(days=1), timedelta(hours=1)

LOGINS_KEPT = timedelta(days=90)
"""How long the times and addresses of log-ins are stored."""


def claim(*, name: str, every: timedelta, now: datetime) -> bool:
    """Whether the job is due and no other process has claimed it. It is due again after `every`."""
    if Heartbeat.objects.filter(name=name, at__lte=now - every).update(at=now):
        return True
    return Heartbeat.objects.get_or_create(name=name, defaults={"at": now})[1]


def claim_backup(now: datetime) -> bool:
    """Whether a backup is due. A failed one is retried each hour."""
    if not settings.BACKUP_FOLDER:
        return False
    Heartbeat.objects.get_or_create(name="backup wanted", defaults={"at": now})
    is_fresh = Heartbeat.objects.filter(name="backup", at__gt=now - DAY).exists()
    return not is_fresh and claim(name="backup tried", every=HOUR, now=now)


def make_backup(now: datetime) -> None:
    """Write a backup into BACKUP_FOLDER and remove the oldest ones."""
    folder = settings.BACKUP_FOLDER
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        result = backup.write(folder / backup.NAME.format(at=now), now, settings.BACKUP_FOR)
    except (Unusable, OSError) as error:
        logger.error("The daily backup failed: %s", error)
        return
    beat(name="backup", now=now)
    backup.rotate(folder, settings.BACKUP_KEEP)
    logger.info("Backup %s: %d rows.", result.path.name, result.rows)


def delete_old_rows(now: datetime) -> None:
    """Delete expired sessions, old log-ins and emails, and metrics of processes that have ended."""
    call_command("clearsessions")
    BrowserSession.objects.exclude(key__in=Session.objects.values("session_key")).delete()
    for model in (AccessLog, AccessFailureLog, AccessAttempt):
        model.objects.filter(attempt_time__lte=now - LOGINS_KEPT).delete()
    services.prune(now)
    metrics.remove_old_files(now)
