"""The settings: what the environment chooses, and that production is safe."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.http import HttpRequest
from django.test import Client, RequestFactory, override_settings
from kombu import Connection

from tests.launching import PROJECT, environment
from wargame.running import data_folder, env
from wargame.web import client_ip
from wargame.web.static_files import is_collected

PRODUCTION = {
    "DATABASE_URL": "postgres://wargame:secret@127.0.0.1:5432/wargame",
    "REDIS_URL": "redis://127.0.0.1:6379/0",
    "SECRET_KEY": "k7Zp-3vQ9_tR2mXw8LcF5nYb1HsJd6GuEaKo4PiNzTqVrWxCyB",
    "ALLOWED_HOSTS": "play.example.org",
    "PUBLIC_URL": "https://play.example.org",
    "HTTPS": "on",
}


def manage(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run manage.py with exactly these variables of the service."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=PROJECT, env=environment(variables), capture_output=True, text=True)


def test_every_default_is_a_good_value(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in env.TABLE:
        monkeypatch.delenv(name, raising=False)
    assert env.get_all()["PORT"] == 8000


def test_an_empty_variable_counts_as_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "")
    assert env.get("PORT") == 8000


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"HTTPS": "on", "PUBLIC_URL": "http://play.example.org"}, "must begin with https"),
        ({"HTTPS": "on", "DEBUG": "on"}, "DEBUG and HTTPS are both on"),
        ({"SECRET_KEY": "hunter2"}, "SECRET_KEY has an invalid value: it must be a long random text"),
    ],
)
def test_what_contradicts_or_endangers_is_refused(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], told: str
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(env.BadVariable, match=told):
        env.get_all()


def test_what_others_have_in_their_environment_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOSTNAME", "HTTPS_PROXY", "DEBUGGER", "SECRET_KEY_BASE", "WARGAME_DATABASE", "STATIC_URL", "PORTS"):
        monkeypatch.setenv(name, "theirs")
    assert env.get_all()["PORT"] == 8000


@pytest.mark.parametrize("sender", ["wargame@example.org", "The Coalition Wargame <wargame@example.org>"])
def test_a_sender_may_have_a_name(monkeypatch: pytest.MonkeyPatch, sender: str) -> None:
    monkeypatch.setenv("EMAIL_FROM", sender)
    assert env.get("EMAIL_FROM") == sender


def test_the_documentation_has_the_table_of_all_variables() -> None:
    assert env.markdown() in (PROJECT / "docs" / "host" / "settings.md").read_text(), (
        "python -m wargame.running.env prints the table"
    )


def test_a_bad_variable_ends_manage_py_with_one_sentence() -> None:
    done = manage("check", SWEEP_SECONDS="often")
    assert done.returncode == 1
    assert re.fullmatch(r"SWEEP_SECONDS is “often”: [^\n]+\.\n", done.stderr)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"DATABASE_URL": "postgres://wargame:my-password@127.0.0.1:1/wargame"}, "The database can't be used"),
        ({}, "The database lacks a table"),
    ],
)
def test_a_command_without_its_database_is_one_sentence(tmp_path: Path, given: dict[str, str], told: str) -> None:
    done = manage("verify", WARGAME_DATA=str(tmp_path), **given)
    assert done.returncode == 1
    assert re.fullmatch(f"{told}[^\n]+\n", done.stderr), done.stderr
    assert "my-password" not in done.stderr


def test_production_passes_djangos_deployment_checks_and_needs_no_data_folder(tmp_path: Path) -> None:
    data, static = tmp_path / "data", tmp_path / "static"
    variables = {**PRODUCTION, "WARGAME_DATA": str(data), "STATIC_ROOT": str(static)}
    done = manage("check", "--deploy", "--fail-level", "WARNING", **variables)
    assert done.returncode == 0, done.stderr
    assert not data.exists()


def test_static_files_refer_only_to_files_that_are_there(tmp_path: Path) -> None:
    """What collecting would fail at, without the compression, which takes a minute."""
    storage = {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}
    storages = {**settings.STORAGES, "staticfiles": storage}
    with override_settings(STORAGES=storages, STATIC_ROOT=str(tmp_path)):
        call_command("collectstatic", interactive=False, verbosity=0)
        assert is_collected(tmp_path)


@pytest.mark.slow
def test_static_files_can_be_collected_for_production(tmp_path: Path) -> None:
    done = manage("collectstatic", "--no-input", **PRODUCTION, STATIC_ROOT=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert is_collected(tmp_path)
    (tmp_path / "judging/home.css").write_text("of another version")
    assert not is_collected(tmp_path)


def test_the_site_does_not_start_without_its_static_files(tmp_path: Path) -> None:
    variables = {"WARGAME_DATA": str(tmp_path), "STATIC_ROOT": str(tmp_path / "static")}
    start = "import wargame.web.static_files as files, django; django.setup(); files.require_static_files()"
    given = environment({**variables, "DJANGO_SETTINGS_MODULE": "wargame.settings"})
    done = subprocess.run([sys.executable, "-c", start], cwd=PROJECT, env=given, capture_output=True, text=True)
    assert done.returncode == 1
    assert re.fullmatch(r"The static files in \S+ are missing or from another version\. Run [^\n]+\n", done.stderr)


def test_the_embedded_service_makes_one_key_and_keeps_it(tmp_path: Path) -> None:
    first = data_folder.secret_key(tmp_path / "data")
    assert data_folder.secret_key(tmp_path / "data") == first
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["secret_key"]


def test_a_data_folder_made_beforehand_is_for_its_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "site.log").touch(0o644)
    for name in ("db.sqlite3", "db.sqlite3-wal", "holiday.jpg"):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o644)
    tmp_path.chmod(0o755)
    umask = os.umask(0o022)
    try:
        assert data_folder.keep_private(tmp_path) == ""
        (tmp_path / "new").touch()
    finally:
        os.umask(umask)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path, *tmp_path.rglob("*"))}
    assert modes == {
        tmp_path.name: 0o700,
        "logs": 0o700,
        "site.log": 0o600,
        "db.sqlite3": 0o600,
        "db.sqlite3-wal": 0o600,
        "holiday.jpg": 0o644,
        "new": 0o600,
    }


def test_a_data_folder_that_is_everybodys_stays_so_and_its_files_are_closed(tmp_path: Path) -> None:
    (tmp_path / "db.sqlite3").touch(0o644)
    tmp_path.chmod(0o1777)
    umask = os.umask(0o022)
    try:
        assert data_folder.keep_private(tmp_path) == ""
    finally:
        os.umask(umask)
    assert (tmp_path.stat().st_mode & 0o1777, (tmp_path / "db.sqlite3").stat().st_mode & 0o777) == (0o1777, 0o600)


def test_a_mode_that_cannot_be_changed_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o755)

    def refuse(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refuse)
    umask = os.umask(0o022)
    told = data_folder.keep_private(tmp_path)
    os.umask(umask)
    assert (
        told == f"Other users of this machine can read {tmp_path}, and its permissions "
        "can't be changed (Operation not permitted)."
    )


def test_an_empty_key_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("\n")
    with pytest.raises(env.BadVariable, match="empty"):
        data_folder.secret_key(tmp_path)
    (tmp_path / "secret_key").write_text("hunter2\n")
    with pytest.raises(env.BadVariable, match="too short"):
        data_folder.secret_key(tmp_path)


@pytest.mark.django_db
def test_sqlite_lets_readers_read_while_one_writes() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("is about SQLite, and DATABASE_URL names another database")
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert cursor.execute("PRAGMA synchronous").fetchone() == (1,)


@pytest.mark.django_db
def test_pages_allow_no_inline_script_or_style(client: Client) -> None:
    policy = client.get("/accounts/login/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy


def test_a_visitors_address_is_the_one_that_the_proxy_saw(rf: RequestFactory) -> None:
    request: HttpRequest = rf.get("/", REMOTE_ADDR="127.0.0.1", HTTP_X_FORWARDED_FOR="1.1.1.1, 203.0.113.7")
    with override_settings(HTTPS=True):
        assert client_ip.address(request) == "203.0.113.7"
    with override_settings(HTTPS=False):
        assert client_ip.address(request) == "127.0.0.1"


def jobs_in(folder: Path) -> Connection:
    """The embedded broker on `folder`."""
    options = {
        "data_folder_in": str(folder),
        "data_folder_out": str(folder),
        "control_folder": str(folder / "control"),
    }
    return Connection("filesystem://jobs", transport_options=options)


def test_a_job_message_arrives_once_and_leaves_no_file(tmp_path: Path) -> None:
    with jobs_in(tmp_path) as broker, broker.SimpleQueue("moves") as queue:
        queue.put({"turn": 3})
        message = queue.get(block=False)
        assert message.payload == {"turn": 3}
        message.ack()
        with pytest.raises(queue.Empty):
            queue.get(block=False)
    assert not list(tmp_path.glob("*.msg"))


def test_a_job_message_that_is_not_complete_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with jobs_in(tmp_path) as broker, broker.SimpleQueue("drafts") as queue:
        monkeypatch.setattr(Path, "rename", lambda draft, whole: None)
        queue.put({"turn": 3})
        assert list(tmp_path.glob("*.draft"))
        with pytest.raises(queue.Empty):
            queue.get(block=False)
