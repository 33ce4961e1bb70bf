"""Backup, restore and upgrade: what a host does with a whole installation."""

import json
import os
import re
import secrets
import shutil
import sqlite3
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import psycopg
import pyrage
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from tests.launching import MAKE_TABLES, PROJECT, environment, free_port
from wargame.running import data_folder
from wargame.version import VERSION, full_version

RELEASED = sorted(Path(__file__).with_name("upgrades").glob("*.backup"))
"""A backup of the demo round by each version that was released, made when it was."""

WAITING = """
insert into judging_letter ("to", subject, body, kind, created, due, tries, state, error, unsubscribe)
values ('ana@example.org', 'Hello', 'You are called up.', 'account', '2026-03-04', '2026-03-04', 0, 'waiting', '', '')
"""
"""A letter that was not sent when the backup was made."""

SET_UP = """
import django; django.setup()
from datetime import UTC, datetime; from pathlib import Path
from django.core.management import call_command
from django.db import connection, transaction; from wargame.upkeep import restore, upgrade
"""
UNMIGRATED = """
with restore._opened(Path({backup!r}), None) as packed:
    manifest = restore._manifest(packed)
    restore._tables_of(manifest.migrations)
    with transaction.atomic(): restore._load(packed, manifest, datetime.now(UTC))
"""
"""Makes an older data folder."""

UPGRADE = f"""{SET_UP}{UNMIGRATED}
upgrade.bring_up_to_date(print)
call_command("verify")
"""
"""Makes an older data folder, does with it what the start of this version does, and verifies it."""

JUDGING = """
from datetime import timedelta
from judging.appeals.subjects import find_subject; from judging.appeals.services import answer, lodge
from judging.battles.desk.publishing import publish_result
from judging.battles.desk.scoring import ScoreReason, lock_score
from judging.battles.resolution import bounds_of, criteria_of; from judging.battles.models import Battle, Score
from wargame.models import Judge, Player, Round
round, hour = Round.objects.get(), timedelta(hours=1)
judge = Judge.objects.get(round=round, role="battle")
told = [*bounds_of(round), round.appeal_within, round.most_appeals, round.strats_after]
print("criteria", len(criteria_of(round)), *told)
print("old scores without reasons", all(score.reasons == [] for score in Score.objects.all()))
open = Battle.objects.filter(turn__round=round, state="waiting").order_by("pk")
battle = next(one for one in open if not one.entries.filter(strats__isnull=True).exists())
now = battle.deadline + hour
reasons = {one.name: ScoreReason(2, "It was so.") for one in criteria_of(round)}
lock_score(battle=battle, judge=judge, favours=0, bonus=2, reasons=reasons, now=now)
publish_result(battle=battle, judge=judge, narrative="They held.", now=now)
subject = find_subject(round, "result", str(battle.pk), "", now)
player = Player.objects.get(pk=min(subject.concerned))
made = lodge(round=round, player=player, subject=subject, cites="4.2.1", reason="We held.", token="t", now=now + hour)
done = answer(appeal=made, judge=made.judge, how="upheld", cites="4.2.1", text="No.", now=now + 2 * hour)
print("dice mixed with", battle.dice_mix, "appeal", done.state)
call_command("verify")
"""
"""What judges and players do in a round that was begun by an older version, and whether it verifies then."""


def manage(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    chosen = environment({"DEMO": "off", "DJANGO_SETTINGS_MODULE": "wargame.settings", **variables})
    return subprocess.run([sys.executable, *arguments], cwd=PROJECT, env=chosen, capture_output=True, text=True)


def rows_in(backup: Path) -> dict[str, list[object]]:
    with zipfile.ZipFile(backup) as packed:
        names = [name for name in packed.namelist() if name.startswith("rows/")]
        return {name: [json.loads(line) for line in packed.read(name).splitlines()] for name in names}


def says(error: pytest.ExceptionInfo[CommandError], *parts: str) -> None:
    text = str(error.value)
    assert all(part in text for part in parts), text
    assert text.endswith("Nothing was restored.")


@pytest.fixture(autouse=True)
def _migrations_there(settings: Settings) -> None:
    """The suite makes its tables without them (scripts/run_tests.py)."""
    settings.MIGRATION_MODULES = {}


@pytest.fixture
def migrated(transactional_db: None) -> None:
    """The tables are there, and the migrations are said to have made them."""
    call_command("migrate", fake=True, verbosity=0)


@pytest.fixture(
    scope="module",
    params=RELEASED,
    ids=lambda path: path.stem,
)
def upgraded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    """A data folder of a released version after the start of this one, and what that said. It is for reading."""
    folder = tmp_path_factory.mktemp("upgraded")
    return folder, manage("-c", UPGRADE.format(backup=str(request.param)), WARGAME_DATA=str(folder))


@pytest.fixture
def upgraded_copy(upgraded: tuple[Path, object], tmp_path: Path) -> Path:
    """The same folder, for writing."""
    return Path(shutil.copytree(upgraded[0], tmp_path / "data"))


def test_a_data_folder_of_each_released_version_is_brought_up_to_date_and_says_which_rules_settled_it(upgraded):
    folder, done = upgraded

    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 turns recomputed, 0 differ, 3 were settled by another version of the rules" in done.stdout, done.stdout
    assert done.stdout.count("  other rules: its ") == 3
    assert done.stdout.count("of the rules settled it; this is 1.2") == 3
    (held,) = re.findall(r"(\d+) links, \d+ rows compared with them, 0 wrong", done.stdout)
    assert int(held) > 300, "the chain of a round that had none begins with what is there (R38)"
    if "Updating the database" in done.stdout:
        copies = list(folder.glob(f"db-before-{full_version()}-*.sqlite3"))
        assert len(copies) == 1
        assert str(copies[0]) in done.stdout
        with closing(sqlite3.connect(copies[0])) as copy:
            assert copy.execute("SELECT count(*) FROM wargame_turn").fetchone() == (4,)


def test_a_round_of_each_released_version_is_judged_on_with_reasons_bounds_and_appeals(upgraded_copy):
    """R38, R53, R54, R57: it gets the usual criteria, bounds and times, and its dice stay those that it promised."""
    done = manage("-c", SET_UP + JUDGING, WARGAME_DATA=str(upgraded_copy))

    assert done.returncode == 0, done.stdout + done.stderr
    assert "criteria 4 1 0 300 3 days, 0:00:00 2 None" in done.stdout, done.stdout
    assert "old scores without reasons True" in done.stdout
    assert "dice mixed with seed appeal upheld" in done.stdout
    assert "3 turns recomputed, 0 differ" in done.stdout
    assert re.search(r"links, \d+ rows compared with them, 0 wrong", done.stdout), done.stdout


@pytest.mark.parametrize("backup", RELEASED[:-1], ids=lambda path: path.stem)
def test_a_backup_of_each_earlier_version_is_restored_and_recomputes_to_the_same(backup, tmp_path):
    done = manage("manage.py", "restore", str(backup), WARGAME_DATA=str(tmp_path))

    assert done.returncode == 0, done.stderr
    assert "3 turns recomputed, 0 differ" in done.stdout


@pytest.fixture
def other_database() -> Iterator[str]:
    """The address of an empty database beside that of the tests, on PostgreSQL."""
    yield from database_made("ENCODING 'UTF8' TEMPLATE template0")


@pytest.fixture
def database_in_ascii() -> Iterator[str]:
    """One as a server makes it that was set up where no language is."""
    yield from database_made("ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")


def database_made(how: str) -> Iterator[str]:
    """The address of a database; it goes in the end."""
    name = f"test_upkeep_{os.getpid()}_{secrets.token_hex(3)}"
    with closing(psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)) as server:
        server.execute(f'CREATE DATABASE "{name}" {how}')
        yield os.environ["DATABASE_URL"].rsplit("/", 1)[0] + f"/{name}"
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.mark.postgres
def test_a_database_that_cannot_keep_all_signs_is_refused_before_anything_is_kept_in_it(database_in_ascii, tmp_path):
    server = {"WARGAME_DATA": str(tmp_path), "DATABASE_URL": database_in_ascii}
    start = "from wargame.running.prepare import prepare; prepare()"
    for done in (manage("manage.py", "migrate", **server), manage("-c", start, **server)):
        assert done.returncode != 0
        assert "stores text as SQL_ASCII, but people write characters that need UTF8" in done.stderr
    with closing(psycopg.connect(database_in_ascii)) as there:
        assert there.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


@pytest.mark.postgres
def test_a_backup_goes_from_sqlite_to_postgresql_and_back_with_every_row(other_database, tmp_path):
    here, there = tmp_path / "1.backup", tmp_path / "2.backup"
    sqlite = {"WARGAME_DATA": str(tmp_path / "sqlite")}
    postgres = {"WARGAME_DATA": str(tmp_path / "postgres"), "DATABASE_URL": other_database}
    given = "call_command('restore', {!r}); connection.cursor().execute({!r}); call_command('backup', {!r})"
    begun = manage("-c", SET_UP + given.format(str(RELEASED[-1]), WAITING, str(here)), **sqlite)
    assert begun.returncode == 0, begun.stderr
    assert "3 turns recomputed, 0 differ" in begun.stdout

    taken = "call_command('restore', {!r}); call_command('backup', {!r})"
    restored = manage("-c", SET_UP + taken.format(str(here), str(there)), **postgres)

    assert restored.returncode == 0, restored.stderr
    assert "3 turns recomputed, 0 differ" in restored.stdout, restored.stderr
    assert "Emails that were waiting at that time: 1. They are held" in restored.stdout
    sent, held = rows_in(here), rows_in(there)
    letters = "rows/judging.Letter.jsonl"
    state = held[letters][0].index("state")
    assert [rows.pop(letters)[1][state] for rows in (sent, held)] == ["waiting", "given up"]
    assert held == sent
    again = manage("manage.py", "restore", str(here), **postgres)
    assert "The database already has users" in again.stderr


def test_a_backup_is_of_one_moment_while_others_write(tmp_path, migrated):
    """Each writer's transaction adds a pair of users; no backup ever holds one without the other."""
    stop = threading.Event()

    def write() -> None:
        name = connection.settings_dict["NAME"]
        with closing(_connected(str(name))) as database:
            number = 0
            while not stop.is_set():
                number += 1
                for side in ("a", "b"):
                    database.execute(INSERT.format(name=f"{side}{number}"))
                database.commit()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for attempt in range(3):
            call_command("backup", str(tmp_path / f"{attempt}.backup"), verbosity=0)
            users = len(rows_in(tmp_path / f"{attempt}.backup")["rows/auth.User.jsonl"]) - 1
            assert users % 2 == 0
    finally:
        stop.set()
        writer.join()


INSERT = (
    "INSERT INTO auth_user (username, password, is_superuser, first_name, last_name, email, is_staff, is_active, "
    "date_joined) VALUES ('{name}', '', false, '', '', '', false, true, '2026-11-22')"
)


def _connected(name: str) -> sqlite3.Connection | psycopg.Connection[tuple[object, ...]]:
    if connection.vendor == "sqlite":
        return sqlite3.connect(name, timeout=20)
    return psycopg.connect(os.environ["DATABASE_URL"].rsplit("/", 1)[0] + f"/{name}")


def test_an_encrypted_backup_is_read_with_its_key_alone(tmp_path, migrated):
    User.objects.create_user("somebody-in-it")
    keys = [pyrage.x25519.Identity.generate() for _ in range(2)]
    for number, key in enumerate(keys):
        (tmp_path / f"{number}.key").write_text(f"# created today\n{key}\n")
    path = tmp_path / "sealed.backup"

    call_command("backup", str(path), "--for", str(keys[0].to_public()), verbosity=0)

    assert b"somebody" not in path.read_bytes()
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(CommandError) as no_key:
        call_command("restore", str(path))
    says(no_key, "is encrypted", "--identity")
    with pytest.raises(CommandError) as other_key:
        call_command("restore", str(path), "--identity", str(tmp_path / "1.key"))
    says(other_key, "for another key")
    whole, flipped = path.read_bytes(), bytearray(path.read_bytes())
    flipped[len(whole) // 2] ^= 1
    for spoiled in (whole[: len(whole) * 2 // 3], bytes(flipped)):
        path.write_bytes(spoiled)
        with pytest.raises(CommandError) as damaged:
            call_command("restore", str(path), "--identity", str(tmp_path / "0.key"))
        says(damaged, "it is incomplete")
    path.write_bytes(whole)
    with pytest.raises(CommandError) as occupied:
        call_command("restore", str(path), "--identity", str(tmp_path / "0.key"))
    says(occupied, "already has users")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _other_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("hello.txt", "hello")


def _from_the_future(path: Path) -> None:
    _changed(path, lambda said: said | {"version": "9.0.0", "migrations": [*said["migrations"], ["judging", "0999_x"]]})


def _a_row_short(path: Path) -> None:
    _changed(path, lambda said: said | {"rows": {**said["rows"], "no.Table": 3}})


def _changed(path: Path, change: Callable[[dict[str, object]], object]) -> None:
    with zipfile.ZipFile(RELEASED[0]) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, json.dumps(change(json.loads(data))) if name == "manifest.json" else data)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (_cut, "is not a complete backup"),
        (_other_zip, "not a backup of this service"),
        (_from_the_future, "was written by version 9.0.0"),
        (_a_row_short, "is damaged"),
        (Path.unlink, "can't be read (No such file or directory)"),
    ],
)
def test_what_can_not_be_restored_is_one_sentence(spoil, sentence, tmp_path, db):
    path = tmp_path / "spoiled.backup"
    path.write_bytes(RELEASED[0].read_bytes())
    spoil(path)

    with pytest.raises(CommandError) as refused:
        call_command("restore", str(path))

    says(refused, sentence)


@pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="the folder's lock is that of SQLite")
def test_a_restore_waits_for_nobody_who_is_at_the_same_data_folder(db, settings, tmp_path):
    settings.DATA_FOLDER = tmp_path
    with data_folder.lock(tmp_path), pytest.raises(CommandError) as refused:
        call_command("restore", str(RELEASED[0]))

    says(refused, "The service or another restore is using the data folder")


def test_backups_in_a_folder_are_named_by_time_and_the_oldest_go(tmp_path, migrated):
    for day in (1, 2, 3):
        (tmp_path / f"wargame-2026010{day}T000000Z.backup").write_text("old")
    (tmp_path / "notes.txt").write_text("not a backup")

    call_command("backup", str(tmp_path), "--keep", "2", verbosity=0)

    left = sorted(path.name for path in tmp_path.iterdir())
    assert left[:2] == ["notes.txt", "wargame-20260103T000000Z.backup"]
    assert len(left) == 3


def test_a_backup_writes_over_nothing(tmp_path, db):
    path = tmp_path / "there.backup"
    path.write_text("mine")

    with pytest.raises(CommandError, match="already exists"):
        call_command("backup", str(path))

    assert path.read_text() == "mine"


KEY, OTHER_KEY = "k" * 30, "o" * 30


@pytest.mark.parametrize(
    ("variables", "sentence", "file"),
    [
        ({}, "Its secret key is now in {folder}/secret_key.", "secret_key"),
        pytest.param(
            {"SECRET_KEY": KEY}, "Its secret key is the same as this installation's.", None, marks=pytest.mark.slow
        ),
        pytest.param(
            {"SECRET_KEY": OTHER_KEY},
            "Its secret key is in {folder}/secret_key.restored.",
            "secret_key.restored",
            marks=pytest.mark.slow,
        ),
    ],
    ids=["kept in the data folder", "the same", "another in the environment"],
)
def test_a_backup_has_the_secret_key_wherever_it_comes_from_and_a_restore_says_where_it_went(
    variables, sentence, file, tmp_path
):
    path, old, new = tmp_path / "all.backup", tmp_path / "old", tmp_path / "new"
    assert manage("-c", MAKE_TABLES, WARGAME_DATA=str(old)).returncode == 0
    made = manage("manage.py", "backup", str(path), WARGAME_DATA=str(old), SECRET_KEY=KEY)
    assert "It contains the database and the secret key, but not the settings" in made.stdout, made.stderr

    done = manage("manage.py", "restore", str(path), WARGAME_DATA=str(new), **variables)

    assert sentence.format(folder=new) in done.stdout, done.stderr
    if file:
        assert (new / file).read_text() == KEY
        assert (new / file).stat().st_mode & 0o777 == 0o600


@pytest.mark.slow
def test_a_database_of_an_earlier_version_can_be_kept_before_its_upgrade(tmp_path):
    """Whoever has put the new version in place first still gets a backup, and it can be restored."""
    old, kept, new = tmp_path / "old", tmp_path / "kept.backup", tmp_path / "new"
    make = SET_UP + UNMIGRATED.format(backup=str(RELEASED[-1]))
    assert manage("-c", make, WARGAME_DATA=str(old)).returncode == 0

    made = manage("manage.py", "backup", str(kept), WARGAME_DATA=str(old))
    done = manage("manage.py", "restore", str(kept), WARGAME_DATA=str(new))

    assert made.returncode == 0, made.stderr
    assert "3 turns recomputed, 0 differ" in done.stdout, done.stderr


def test_a_key_that_is_none_is_one_sentence_and_leaves_no_file(tmp_path, migrated):
    with pytest.raises(CommandError, match="begin with “age1”"):
        call_command("backup", str(tmp_path / "new.backup"), "--for", "my-password")

    assert list(tmp_path.iterdir()) == []


def test_a_database_of_a_later_version_is_left_alone(tmp_path):
    assert manage("-c", MAKE_TABLES, WARGAME_DATA=str(tmp_path)).returncode == 0
    change(tmp_path, MIGRATE_LATER)

    done = manage("-m", "wargame.running.launcher", WARGAME_DATA=str(tmp_path), PORT=str(free_port()))

    assert f"is from a later version than this one, {full_version()}" in done.stderr


MIGRATE_LATER = "INSERT INTO django_migrations (app, name, applied) VALUES ('judging', '0999_x', '2030-01-01')"
FORGET = "DELETE FROM django_migrations WHERE id = (SELECT max(id) FROM django_migrations WHERE app = 'judging')"


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A data folder of this version."""
    done = manage("-c", MAKE_TABLES, WARGAME_DATA=str(tmp_path))
    assert done.returncode == 0, done.stderr
    return tmp_path


def change(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "db.sqlite3")) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


START = "from wargame.running.prepare import prepare; prepare()"


@pytest.mark.parametrize(
    "arguments",
    [("-c", START), pytest.param(("manage.py", "migrate"), marks=pytest.mark.slow)],
    ids=["start", "migrate"],
)
def test_a_database_from_before_the_first_release_is_refused_before_anything_touches_it(arguments, made):
    """Its migrations have names of ours and made other tables, so that later ones could be applied to it."""
    change(made, FORGET, "ALTER TABLE judging_account RENAME COLUMN user_id TO owner_id")
    before = (made / "db.sqlite3").read_bytes()

    done = manage(*arguments, WARGAME_DATA=str(made))

    assert f"The data folder {made} is from a version before 0.1.0. Nothing was changed" in done.stderr
    assert (made / "db.sqlite3").read_bytes() == before
    assert not list(made.glob("db-before-*"))


EARLIER = "is from an earlier version. Make a copy of it"
PROCESSES = {
    "site": ("-m", "gunicorn", "-c", "python:wargame.running.gunicorn_conf", "wargame.wsgi"),
    "worker": ("-m", "celery", "-A", "wargame.celery_app", "worker", "-P", "threads"),
    "beat": ("-m", "celery", "-A", "wargame.celery_app", "beat"),
}


@pytest.mark.parametrize(
    ("name", "statement", "sentence"),
    [
        ("site", FORGET, EARLIER),
        pytest.param("worker", FORGET, EARLIER, marks=pytest.mark.slow),
        pytest.param("beat", FORGET, EARLIER, marks=pytest.mark.slow),
        (
            "site",
            "INSERT INTO django_migrations (app, name, applied) VALUES ('judging', '0999_x', '2030')",
            "from a later",
        ),
    ],
)
def test_every_process_refuses_tables_of_another_version(name, statement, sentence, made):
    change(made, statement)

    done = manage(*PROCESSES[name], WARGAME_DATA=str(made), PORT=str(free_port()))

    assert done.returncode != 0
    assert f"The data folder {made} is " in done.stderr
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_the_version_is_the_same_everywhere():
    changelog = (PROJECT / "CHANGELOG.md").read_text()
    assert f'version = "{VERSION}"' in (PROJECT / "pyproject.toml").read_text()
    assert (f"## [{VERSION}]" in changelog) != ("## [Unreleased]" in changelog), "a release has its own heading"
    assert VERSION.endswith("-dev") == ("## [Unreleased]" in changelog)


@pytest.mark.slow
@pytest.mark.skipif(not (PROJECT / ".git").exists(), reason="releases are made from the repository")
def test_a_release_is_the_same_bytes_each_time_and_names_its_commit(tmp_path):
    run = partial(subprocess.run, capture_output=True, text=True, check=True)
    clone = tmp_path / "clone"
    run(["git", "clone", "--quiet", "--shared", str(PROJECT), str(clone)])
    commit = run(["git", "-C", str(clone), "rev-parse", "HEAD"]).stdout.strip()
    for name in ("first", "second"):
        run(["sh", str(clone / "scripts/release.sh"), str(tmp_path / name)])
        os.utime(clone / "README.md", (0, 0))

    first, second = ({path.name: path.read_bytes() for path in (tmp_path / n).iterdir()} for n in ("first", "second"))
    assert first == second
    assert len(first) == 3, "the source, the image's context and their hashes"
    unpacked = tmp_path / "unpacked"
    for archive in (tmp_path / "first").glob("*.tar.gz"):
        shutil.unpack_archive(archive, unpacked / archive.name, filter="data")
        (file,) = (unpacked / archive.name).rglob("wargame/version.py")
        told = run([sys.executable, "-c", "import version; print(version.full_version())"], cwd=file.parent)
        assert told.stdout == f"{VERSION}+{commit[:10]}\n"
    (clone / "README.md").write_text("changed")
    refused = subprocess.run(["sh", str(clone / "scripts/release.sh")], capture_output=True, text=True)
    assert (refused.returncode, "not committed" in refused.stderr) == (1, True)
