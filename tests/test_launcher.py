"""`python -m wargame.running.launcher`: what it refuses, and that its children live and die with it."""

import os
import re
import shlex
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread

import pytest

from tests.launching import (
    COMMAND,
    PROJECT,
    Launched,
    alive,
    children,
    descendants,
    environment,
    free_port,
    wait_for,
)
from wargame.running import supervisor

Launch = Callable[..., Launched]
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's /proc and PR_SET_PDEATHSIG")


def refusal(data: Path, **variables: str) -> str:
    """The one sentence that the launcher refuses to start with."""
    chosen = {"WARGAME_DATA": str(data), "PORT": str(free_port()), "DEMO": "off", **variables}
    done = subprocess.run(COMMAND, cwd=PROJECT, env=environment(chosen), capture_output=True, text=True)
    assert done.returncode == 1, done
    assert re.fullmatch(r"[^\n]+\.\n", done.stderr), done.stderr
    return done.stderr


def get(address: str) -> int:
    """The status that the site answers with."""
    with urllib.request.urlopen(address) as answer:
        status: int = answer.status
        return status


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "abc"),
        ("PORT", "0"),
        ("PORT", "70000"),
        ("HOST", "not a host"),
        ("HOST", "no-such-host.invalid"),
        ("SWEEP_SECONDS", "0"),
        ("DATABASE_URL", "nonsense"),
        ("DATABASE_URL", "mysql://root@localhost/wargame"),
        ("DATABASE_URL", "postgres://wargame@localhost:port/wargame"),
        ("REDIS_URL", "localhost"),
        ("EMAIL_URL", "mailbox"),
        ("DEMO_TURN_LENGTH", "soon"),
        ("PUBLIC_URL", "play.example.org"),
        ("ALLOWED_HOSTS", "https://play.example.org/"),
        ("HTTPS", "maybe"),
        ("API_RATE", "many"),
        ("EMAIL_URL", "smtp://"),
        ("EMAIL_FROM", "nobody"),
        ("MAIL_ORDERS", "Orders <orders@wargame.example>"),
        ("MAIL_IMAP", "https://mail.example.org/INBOX"),
        ("DISCORD_PUBLIC_KEY", "my-application"),
        ("DATABSE_URL", "postgres://wargame@localhost/wargame"),
        ("REDSI_URL", "redis://localhost"),
        ("Allowed_Host", "play.example.org"),
    ],
)
def test_a_bad_variable_is_one_sentence_that_names_it(tmp_path: Path, name: str, value: str) -> None:
    assert refusal(tmp_path, **{name: value}).startswith(f"{name} ")


def test_a_password_in_a_bad_variable_is_not_shown(tmp_path: Path) -> None:
    sentence = refusal(tmp_path, DATABASE_URL="mysql://root:my-password@localhost/wargame")
    assert "my-password" not in sentence


def test_a_taken_port_is_one_sentence_with_a_free_proposal(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert f"Port {port} on 127.0.0.1 can't be used" in refusal(tmp_path, PORT=str(port))


def test_a_data_folder_that_can_not_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "WARGAME_DATA" in refusal(tmp_path / "file" / "data")


@pytest.mark.slow
def test_a_data_folder_of_another_version_is_one_sentence(launch: Launch) -> None:
    """With and without the demo: nothing need be asked of the database to find out."""
    launched = launch().wait_until_ready()
    launched.stop()
    with sqlite3.connect(launched.data / "db.sqlite3") as database:
        database.execute("ALTER TABLE wargame_round RENAME COLUMN winner TO victor")
    for demo in ("off", "on"):
        sentence = refusal(launched.data, DEMO=demo)
        assert sentence.startswith(
            f"The data folder {launched.data} is from a version before 0.1.0. Nothing was changed. Choose another"
        )


def test_a_secret_key_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    assert "secret key" in refusal(tmp_path, SECRET_KEY_FILE=str(tmp_path / "nothing"))


@pytest.mark.parametrize(
    ("name", "form"),
    [("DATABASE_URL", "postgres://nobody@127.0.0.1:{}/none"), ("REDIS_URL", "redis://127.0.0.1:{}/0")],
)
def test_a_named_server_that_does_not_answer_is_one_sentence(tmp_path: Path, name: str, form: str) -> None:
    assert name in refusal(tmp_path, **{name: form.format(free_port())})


@linux_only
def test_a_launcher_keeps_its_data_folder_to_itself(launch_anew: Launch) -> None:
    launched = launch_anew().wait_until_ready()
    assert str(launched.process.pid) in refusal(launched.data), "a second launcher on the same folder"
    assert launched.data.stat().st_mode & 0o077 == 0
    assert (launched.data / "secret_key").stat().st_mode & 0o777 == 0o600


@linux_only
def test_the_site_answers_and_a_stop_ends_all_processes(launch_anew: Launch) -> None:
    launched = launch_anew().wait_until_ready()
    processes = descendants(launched.process.pid)
    assert get(f"{launched.address}/static/admin/css/base.css") == 200
    assert len(processes) == 6, "site, jobs, those that wait for other machines, each with its own process; beat"
    assert launched.stop() == 0
    assert not alive(processes)


@pytest.mark.slow
@linux_only
def test_webhooks_and_push_have_their_worker_without_a_mail_server_too(launch: Launch) -> None:
    """R38, 1.2: what goes to other machines is no matter of mails alone, and none of it piles up."""
    launched = launch(LOG_LEVEL="INFO", SWEEP_SECONDS="0.5").wait_until_ready()
    wait_for(lambda: "ready" in (launched.data / "logs" / "mail.log").read_text(), launched.said)
    assert not list((launched.data / "jobs").glob("*.mail.msg"))


@linux_only
def test_kill_9_leaves_no_process_behind(launch: Launch) -> None:
    launched = launch().wait_until_ready()
    processes = descendants(launched.process.pid)
    launched.kill()
    wait_for(lambda: not alive(processes))


@pytest.mark.slow
@linux_only
def test_a_killed_child_is_started_again(launch: Launch) -> None:
    launched = launch().wait_until_ready()
    before = children(launched.process.pid)
    for child in before:
        os.kill(child, signal.SIGKILL)
    wait_for(lambda: len(set(children(launched.process.pid)) - set(before)) == len(before), launched.said)
    wait_for(lambda: len(descendants(launched.process.pid)) == 6, launched.said)
    assert get(f"{launched.address}/static/admin/css/base.css") == 200
    assert "It restarts in" in launched.said()


@pytest.mark.slow
@linux_only
def test_the_launcher_stops_when_the_process_that_it_belongs_to_is_killed(tmp_path: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m wargame.running.launcher --with-parent; true"
    console = tmp_path / "console.txt"
    chosen = {"WARGAME_DATA": str(tmp_path / "data"), "PORT": str(free_port()), "DEMO": "off"}
    with console.open("w") as output:
        shell = subprocess.Popen(
            ["sh", "-c", command], cwd=PROJECT, env=environment(chosen), stdout=output, stderr=output
        )
    wait_for(lambda: "Ctrl-C stops" in console.read_text(), console.read_text)
    processes = descendants(shell.pid)
    shell.kill()
    shell.wait()
    wait_for(lambda: not alive(processes), console.read_text)


class MailServer(Thread):
    """Says nothing on its first connection, and takes what comes on the next ones."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.held: list[socket.socket] = []
        self.letters: list[bytes] = []

    def run(self) -> None:
        self.held.append(self.socket.accept()[0])
        while True:
            self.serve(self.socket.accept()[0])

    def serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rwb") as file:

            def say(line: bytes) -> None:
                file.write(line + b"\r\n")
                file.flush()

            say(b"220 ready")
            for line in file:
                word = line[:4].upper().strip()
                say({b"DATA": b"354 go on", b"QUIT": b"221 bye"}.get(word, b"250 well"))
                if word == b"DATA":
                    self.letters.append(b"".join(iter(file.readline, b".\r\n")))
                    say(b"250 taken")


@pytest.mark.slow
@linux_only
def test_a_mail_server_that_says_nothing_holds_letters_and_nothing_else(launch: Launch) -> None:
    server = MailServer()
    server.start()
    port = server.socket.getsockname()[1]
    launched = launch(EMAIL_URL=f"smtp://127.0.0.1:{port}", SWEEP_SECONDS="0.5").wait_until_ready()
    columns = '("to", subject, body, kind, created, due, tries, state, error, unsubscribe)'
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
    with sqlite3.connect(launched.data / "db.sqlite3", timeout=20) as database:
        for name in ("ana", "ben"):
            row = (
                f"{name}@example.org",
                name,
                "Hello.",
                "vote",
                now,
                now,
                0,
                "waiting",
                "",
                "",
            )
            database.execute(f"INSERT INTO judging_letter {columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
    wait_for(lambda: server.held, launched.said)

    def beat() -> str:
        with sqlite3.connect(launched.data / "db.sqlite3", timeout=20) as database:
            return str(database.execute("SELECT at FROM judging_heartbeat WHERE name = 'sweep'").fetchone()[0])

    for _ in range(3):
        last = beat()
        wait_for(lambda last=last: beat() > last, launched.said)  # type: ignore[misc]
    assert get(f"{launched.address}/healthz") == 200
    assert not server.letters
    wait_for(lambda: server.letters, launched.said)
    assert b"To: ben@example.org" in server.letters[0]
    processes = descendants(launched.process.pid)
    assert launched.stop() == 0
    wait_for(lambda: not alive(processes), launched.said)


def test_a_log_that_grows_while_the_service_runs_is_put_aside_and_written_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "site.log"
    monkeypatch.setattr(supervisor, "LOG_LIMIT", 10)
    keeper = supervisor.Supervisor(print, [supervisor.Child("site", print, log)])
    keeper._care_for_logs()
    with log.open("ab", buffering=0) as child:
        for line in (b"the first lines\n", b"the second ones\n", b"third\n"):
            child.write(line)
            keeper.logs_due = 0.0
            keeper._care_for_logs()
    assert (log.read_text(), (tmp_path / "site.old.log").read_text()) == ("third\n", "the second ones\n")
