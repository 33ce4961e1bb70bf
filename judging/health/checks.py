"""The service's health: jobs run, turns and tables are on time, emails and messages go out, the database accepts
rows."""

from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection

from judging.common import locking
from judging.common.models import Heartbeat
from judging.email.models import Letter
from judging.notifications.models import Push
from judging.tables import late_tables as tables
from judging.turns.models import StageFailure
from judging.turns.stages import number_late
from judging.webhooks.models import HookMessage
from wargame.rules.core.codec import Json
from wargame.upkeep.schema import read_schema
from wargame.version import full_version


def waiting() -> dict[str, int]:
    """The number of outgoing items by kind, including those that wait for a retry."""
    return {
        "letters": Letter.on_their_way().count(),
        "pushes": Push.on_their_way().count(),
        "hooks": HookMessage.on_their_way().count(),
    }


def given_up() -> dict[str, int]:
    """The number of items that were given up and not deleted yet. Messages to browsers are not counted."""
    return {
        "letters": Letter.objects.filter(state=Letter.State.GIVEN_UP).count(),
        "hooks": HookMessage.objects.filter(state=HookMessage.State.GIVEN_UP).count(),
    }


def messages_stuck(moment: datetime) -> int:
    """Number of messages to browsers and webhooks that were due at that moment and still are: nobody sends them."""
    return Push.due_at(moment).count() + HookMessage.due_at(moment).count()


LONGEST_PAUSE = 60
"""Seconds without a sweep after which the jobs count as late."""

LATE, CHORE_LATE, LETTERS_LATE = timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=10)

CHORES = (
    *("overdue", "beacon", "dice", "anchors", "exceptions", "excesses", "votes", "reminders", "appeals", "bars"),
    *("deletions", "notifications", "deadlines", "deliveries", "benches", "tables", "hooks", "daily"),
)
"""The jobs that handle what expires, by the names of their heartbeats."""

BACKUP_LATE = timedelta(days=2)
"""A day for the next backup, and one for people to fix what prevented it."""

FAILING = 3
"""The number of consecutive failures of a stage that is no longer a temporary problem."""

WRITE_SECONDS, WRITE_KEY = 5, "health:writable"
"""The maximum age of the answer whether the database accepts rows: checking costs a row, and anybody can ask."""


@dataclass(frozen=True)
class Health:
    """The content of `/healthz`. `sweep_age`: seconds since the last sweep; None: there was none."""

    database: str
    jobs: str
    sweep_age: float | None
    chores_late: tuple[str, ...] = ()
    turns_late: int = 0
    stages_failing: int = 0
    letters_stuck: int = 0
    messages_stuck: int = 0
    tables_late: int = 0
    migrations: str = "ok"
    backup: str = "off"
    backup_age: float | None = None
    version: str = field(default_factory=full_version)

    @property
    def is_well(self) -> bool:
        is_running = (self.database, self.jobs, self.migrations) == ("ok", "ok", "ok")
        late = (self.turns_late, self.stages_failing, self.tables_late, self.backup == "late")
        return is_running and not (self.chores_late or any(late) or self.letters_stuck or self.messages_stuck)

    def as_json(self) -> Json:
        return {"status": "well" if self.is_well else "unwell", **asdict(self)}


def health_at(now: datetime) -> Health:
    """The health of the service. Costs a dozen small statements."""
    migrations = "unknown"
    try:
        migrations = str(read_schema())
        age = seconds_since("sweep", now)
        return Health(
            database="ok" if is_writable(now) else "takes no rows",
            jobs="late" if age is None or age > LONGEST_PAUSE else "ok",
            sweep_age=age,
            chores_late=tuple(chores_late(now)),
            turns_late=number_late(now - LATE),
            stages_failing=number_failing(),
            letters_stuck=Letter.due_at(now - LETTERS_LATE).count(),
            messages_stuck=messages_stuck(now - LETTERS_LATE),
            tables_late=tables.number_late(now),
            migrations=migrations,
            backup=backup_state(now),
            backup_age=seconds_since("backup", now),
        )
    except DatabaseError:
        connection.close()
        # Tables of another version answer, though not to all that this one asks.
        database = "away" if migrations in ("unknown", "ok") else "ok"
        return Health(database, "unknown", None, migrations=migrations)


def chores_late(now: datetime) -> list[str]:
    """The jobs that ran once, and not for CHORE_LATE, although the service has been running for that long."""
    if Heartbeat.objects.filter(name="resumed", at__gt=now - CHORE_LATE).exists():
        return []
    return silent_since(now - CHORE_LATE, CHORES)


def beat_sweep(now: datetime) -> None:
    """Store `now` as the time of the last sweep, and after a pause as the time from which jobs can be late."""
    age = seconds_since("sweep", now)
    if age is None or age > LONGEST_PAUSE:
        beat(name="resumed", now=now)
    beat(name="sweep", now=now)


def backup_state(now: datetime) -> str:
    """The state of the daily backups: `off` without BACKUP_FOLDER, `late` if there was none for BACKUP_LATE."""
    if not settings.BACKUP_FOLDER:
        return "off"
    names = ("backup", "backup wanted")
    recent = Heartbeat.objects.filter(name__in=names, at__gt=now - BACKUP_LATE)
    return "ok" if recent.exists() or not Heartbeat.objects.filter(name__in=names).exists() else "late"


def number_failing() -> int:
    """The number of turns with a stage that failed FAILING times in a row."""
    return StageFailure.objects.filter(failures__gte=FAILING).count()


def is_writable(now: datetime) -> bool:
    """Whether the database accepts a row within two seconds: not on a full disk, nor while it is locked as a whole."""
    if cache.get(WRITE_KEY):
        return True
    try:
        _write(now)
    except (DatabaseError, locking.Busy):
        connection.close()
        return False
    cache.set(WRITE_KEY, True, WRITE_SECONDS)
    return True


def _write(now: datetime) -> None:
    if connection.vendor == "postgresql":
        with locking.transaction():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '2s'; SET LOCAL statement_timeout = '2s'")
            beat(name="healthz", now=now)
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (usual,) = cursor.fetchone()
        cursor.execute("PRAGMA busy_timeout = 2000")
        try:
            beat(name="healthz", now=now)
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(usual)}")


def beat(*, name: str, now: datetime) -> None:
    """Store `now` as the last run of the job."""
    beats = [Heartbeat(name=name, at=now)]
    Heartbeat.objects.bulk_create(beats, update_conflicts=True, unique_fields=["name"], update_fields=["at"])


def seconds_since(name: str, now: datetime) -> float | None:
    """Seconds since the job last ran; None if it never did. Raises the database's error if it is unavailable."""
    last = Heartbeat.objects.filter(name=name).values_list("at", flat=True).first()
    return None if last is None else max(0.0, round((now - last).total_seconds(), 1))


def silent_since(moment: datetime, names: tuple[str, ...]) -> list[str]:
    """The jobs of these names that ran once, but not since that moment."""
    return list(Heartbeat.objects.filter(name__in=names, at__lt=moment).order_by("name").values_list("name", flat=True))
