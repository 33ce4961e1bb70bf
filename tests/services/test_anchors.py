"""R38: heads of a chain are written down outside of the service, in a git repository or by an authority that stamps."""

import subprocess
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from judging.chain import anchors
from judging.chain.anchors import NotPushed, Push, Stamp, anchors_of, push_line, stamp_of, stamped
from judging.chain.models import ChainAnchor
from judging.chain.queries import find_head
from tests.services.world_of_tests import UNLOCK, World

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def text_of(remote: Path, file: str) -> str:
    return subprocess.run(
        ["git", "show", f"chain:{file}"], cwd=remote, capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture
def remote(tmp_path: Path, settings: Settings) -> Path:
    path = tmp_path / "outside.git"
    subprocess.run(["git", "init", "--quiet", "--bare", str(path)], check=True)
    settings.CHAIN_REMOTE = str(path)
    return path


def anchor(now: datetime, push: Push, stamp: Stamp) -> int:
    """What the chore and its job do; there is nothing to do where the chore says so."""
    is_due = anchors.note_heads(now)
    done = anchors.anchor(now, push, stamp)
    assert is_due or not done
    return done


def push_only(now: datetime, push: Push = push_line) -> int:
    """Nobody stamps."""
    return anchor(now, push, stamped)


def test_a_head_an_hour_goes_outside_and_belongs_to_the_chain(world: World, remote: Path) -> None:
    now = timezone.now().replace(minute=5) + 2 * HOUR
    assert push_only(now) == 1
    assert push_only(now + timedelta(minutes=10)) == 0, "nothing is new"
    (first,) = text_of(remote, "trial.txt").splitlines()
    kept = find_head(world.round, first)
    assert kept.number is not None
    assert first.endswith(f"link {kept.number}")
    with time_machine.travel(now + HOUR, tick=False):
        world.post("Ana", "3D > 4D", at=UNLOCK + HOUR)
    assert push_only(now + 3 * HOUR) == 1
    assert text_of(remote, "trial.txt").splitlines()[0] == first, "lines are added, none is changed"
    assert [bool(each.where) for each in anchors_of(world.round)] == [True, True]


def test_a_repository_that_is_away_is_tried_again_later_and_later(world: World, remote: Path) -> None:
    tried: list[str] = []

    def push(remote: str, name: str, line: str) -> str:
        tried.append(line)
        raise NotPushed("no route")

    now = timezone.now().replace(minute=5) + 2 * HOUR
    for minutes in range(30):
        assert push_only(now + timedelta(minutes=minutes), push) == 0
    assert 4 <= len(tried) <= 6
    (row,) = ChainAnchor.objects.all()
    assert (row.where, row.trouble) == ("", "no route")
    assert push_only(now + HOUR) == 1
    assert ChainAnchor.objects.get().trouble == ""


def test_nothing_goes_outside_unless_the_host_names_a_place(world: World, settings: Settings) -> None:
    settings.CHAIN_REMOTE = ""
    assert push_only(timezone.now() + HOUR) == 0
    assert not ChainAnchor.objects.exists()


def test_git_says_why_it_could_not(tmp_path: Path) -> None:
    with pytest.raises(NotPushed, match="git ls-remote"):
        push_line(str(tmp_path / "nowhere"), "trial.txt", "a line")


AUTHORITY = """
[tsa]
default_tsa = made_up
[made_up]
serial = {folder}/serial
signer_cert = {folder}/authority.pem
signer_key = {folder}/key.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
[req]
distinguished_name = name
[name]
[stamps]
extendedKeyUsage = critical,timeStamping
"""


def openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which somebody made himself an authority that stamps."""
    folder = tmp_path_factory.mktemp("authority")
    (folder / "openssl.cnf").write_text(AUTHORITY.format(folder=folder))
    (folder / "serial").write_text("01")
    made = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "key.pem")
    openssl(
        *(folder, "req", "-x509", *made, "-out", "authority.pem", "-days", "9", "-subj", "/CN=Made up"),
        *("-config", "openssl.cnf", "-extensions", "stamps"),
    )
    return folder


def answer_of(authority: Path, question: bytes) -> bytes:
    (authority / "question").write_bytes(question)
    openssl(authority, "ts", "-reply", "-config", "openssl.cnf", "-queryfile", "question", "-out", "answer")
    return (authority / "answer").read_bytes()


@pytest.fixture
def stamper(authority: Path, settings: Settings) -> Path:
    settings.CHAIN_REMOTE, settings.CHAIN_STAMPER = "", "https://tsa.invalid/"
    settings.CHAIN_STAMPER_ROOTS = authority / "authority.pem"
    return authority


def stamp_by(authority: Path) -> Stamp:
    return partial(stamped, ask=partial(answer_of, authority))


def test_a_head_is_stamped_once_an_hour_and_a_stranger_checks_it(world: World, stamper: Path, tmp_path: Path) -> None:
    now = timezone.now().replace(minute=5) + 2 * HOUR
    assert anchor(now, push_line, stamp_by(stamper)) == 1
    assert anchor(now + timedelta(minutes=10), push_line, stamp_by(stamper)) == 0, "nothing is new"
    (made,) = anchors_of(world.round)
    assert made.way == "stamp"
    assert find_head(world.round, made.head).number == made.link
    address = reverse("verify-stamp", args=[world.round.slug, made.pk])
    client = Client()
    assert address in client.get(reverse("verify-chain", args=[world.round.slug])).content.decode()
    (tmp_path / "head").write_text(made.head)
    (tmp_path / "stamp").write_bytes(client.get(address).content)
    openssl(tmp_path, "ts", "-verify", "-data", "head", "-in", "stamp", "-CAfile", str(stamper / "authority.pem"))
    (tmp_path / "head").write_text(made.head.replace("Z", "z"))
    with pytest.raises(subprocess.CalledProcessError):
        openssl(tmp_path, "ts", "-verify", "-data", "head", "-in", "stamp", "-CAfile", str(stamper / "authority.pem"))
    assert client.get(address.replace(f"/{made.pk}/", "/999/")).status_code == 404


def test_a_stamp_of_somebody_else_is_not_kept_and_asked_for_again(
    world: World, stamper: Path, settings: Settings, tmp_path: Path
) -> None:
    """Neither one of another authority, nor one for another head, nor what is no stamp at all."""
    now = timezone.now().replace(minute=5) + 2 * HOUR
    old = stamp_by(stamper)("another head")
    for minutes, ask in enumerate((lambda question: b"no stamp", lambda question: old, lambda question: b"")):
        assert anchor(now + timedelta(minutes=20 * minutes), push_line, partial(stamped, ask=ask)) == 0
    (row,) = ChainAnchor.objects.all()
    assert (row.stamp, row.where) == ("", "")
    assert "openssl ts -verify" in row.trouble
    assert stamp_of(world.round, row.pk) is None
    assert anchor(now + 9 * HOUR, push_line, stamp_by(stamper)) >= 1


def test_an_authority_that_is_away_stops_nothing(
    world: World, remote: Path, authority: Path, settings: Settings
) -> None:
    settings.CHAIN_STAMPER, settings.CHAIN_STAMPER_ROOTS = "http://127.0.0.1:9/", authority / "authority.pem"
    now = timezone.now().replace(minute=5) + 2 * HOUR
    assert anchor(now, push_line, stamped) == 1, "the repository has its line"
    assert {row.way: bool(row.where) for row in ChainAnchor.objects.all()} == {"git": True, "stamp": False}
