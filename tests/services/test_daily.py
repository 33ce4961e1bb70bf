"""Once a day: backups are made, kept and watched over, and rows go that nobody needs any more."""

import subprocess
import sys
from datetime import timedelta
from itertools import product
from pathlib import Path

import pytest
from axes.models import AccessAttempt, AccessLog
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session

from judging.accounts.sessions.models import BrowserSession
from judging.common.models import Heartbeat
from judging.email.models import Letter
from judging.health import maintenance
from judging.health.checks import backup_state, beat, seconds_since
from tests.launching import MAKE_TABLES, PROJECT, environment
from tests.services.world_of_tests import HOUR, UNLOCK
from wargame.upkeep import backup
from wargame.upkeep.errors import Unusable

DAY = timedelta(days=1)
pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of daily backups, of which two are kept; what is written into it is empty."""
    settings.BACKUP_FOLDER, settings.BACKUP_KEEP = tmp_path / "backups", 2

    def write(path: Path, *rest: object) -> backup.Made:
        path.write_bytes(b"")
        return backup.Made(path, 0, 0, 0)

    monkeypatch.setattr(backup, "write", write)
    return tmp_path / "backups"


def test_a_backup_is_made_each_day_and_the_oldest_go(folder):
    for day in range(4):
        now = UNLOCK + day * DAY
        assert maintenance.claim_backup(now)
        assert not maintenance.claim_backup(now), "nobody else makes it, too"
        maintenance.make_backup(now)
        assert not maintenance.claim_backup(now + 23 * HOUR)

    assert len(list(folder.glob("wargame-*Z.backup"))) == 2


def test_a_backup_that_fails_is_tried_again_each_hour_and_is_late_after_two_days(folder, monkeypatch, caplog):
    def fail(*arguments: object) -> None:
        raise Unusable("No room.")

    monkeypatch.setattr(backup, "write", fail)
    for hour in range(50):
        now = UNLOCK + hour * HOUR
        assert maintenance.claim_backup(now)
        maintenance.make_backup(now)
        assert backup_state(now) == ("ok" if hour < 48 else "late")
    assert "No room." in caplog.text


def test_a_backup_made_by_hand_counts(folder):
    assert backup_state(UNLOCK) == "ok"
    beat(name="backup", now=UNLOCK)
    assert not maintenance.claim_backup(UNLOCK + HOUR)
    assert (backup_state(UNLOCK + DAY), seconds_since("backup", UNLOCK + DAY)) == ("ok", 86400)
    assert backup_state(UNLOCK + 3 * DAY) == "late"


def test_without_a_folder_there_are_no_daily_backups_and_nothing_is_late():
    assert not maintenance.claim_backup(UNLOCK)
    assert backup_state(UNLOCK) == "off"
    assert not Heartbeat.objects.exists()


def test_sessions_log_ins_and_emails_of_long_ago_are_deleted():
    for model, days in product((AccessLog, AccessAttempt), (89, 91)):
        more = {} if model is AccessLog else {"failures_since_start": 1}
        model.objects.create(username=f"{days}", **more)
        model.objects.filter(username=f"{days}").update(attempt_time=UNLOCK - days * DAY)
    for days in (6, 8):
        when = UNLOCK - days * DAY
        Letter.objects.create(
            to="a@example.org", subject=f"{days}", kind="vote", created=when, due=when, state="sent", ended=when
        )
    Session.objects.create(session_key="over", session_data="", expire_date=UNLOCK - 9000 * DAY)
    BrowserSession.objects.create(
        user=User.objects.create_user("ana"), key="over", browser="Firefox", first_seen=UNLOCK, last_seen=UNLOCK
    )

    maintenance.delete_old_rows(UNLOCK)

    assert [row.username for model in (AccessLog, AccessAttempt) for row in model.objects.all()] == ["89", "89"]
    assert [letter.subject for letter in Letter.objects.all()] == ["6"]
    assert not Session.objects.exists()
    assert not BrowserSession.objects.exists()


def test_figures_leave_no_files_of_commands_and_of_processes_that_have_ended(tmp_path):
    """Each process that counts has a file, and a scrape reads all."""
    chosen = {"WARGAME_DATA": str(tmp_path), "METRICS_FROM": "127.0.0.1", "DJANGO_SETTINGS_MODULE": "wargame.settings"}

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, *command], cwd=PROJECT, env=environment(chosen), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run("-c", MAKE_TABLES)
    run("manage.py", "check_names")
    assert list(tmp_path.glob("metrics/**/*.db")) == []
    count = "import django; django.setup(); from wargame.web import metrics; metrics.logins_refused().inc()"
    run("-c", count)
    assert len(list(tmp_path.glob("metrics/*/counter_*.db"))) == 1
    other = tmp_path / "metrics" / "other-machine"
    other.mkdir()
    (other / "counter_1.db").touch()
    clear = "; from datetime import *; metrics.remove_old_files(datetime.now(UTC){})"
    run("-c", count + clear.format(""))
    assert (other / "counter_1.db").exists()
    assert len(list(tmp_path.glob("metrics/*/counter_*.db"))) == 2, "its own, and the other machine's"
    run("-c", count + clear.format(" + timedelta(days=8)"))
    assert not other.exists()
