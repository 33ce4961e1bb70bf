"""R38: Latest hashes recorded outside the service: in a git repository, or stamped by an authority (RFC 3161)."""

import http.client
import logging
import os
import subprocess
import urllib.error
import urllib.request
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db.models import F, QuerySet

from judging.chain.models import ChainAnchor, ChainHead
from judging.chain.queries import find_head, head_of
from wargame.models import Round
from wargame.models.choices import RoundState

logger = logging.getLogger(__name__)

BRANCH = "chain"
SECONDS = 60
"""Timeout of a git command, in seconds."""

LEASE, LONGEST_PAUSE = timedelta(minutes=10), timedelta(hours=6)
SHOWN = 20

Push = Callable[[str, str, str], str]
"""From the remote, the name of the file and the new line, to the commit that has it. Raises NotPushed."""


class NotPushed(Exception):
    """Why a latest hash was not recorded, in words for the operator of the service."""


Stamp = Callable[[str], bytes]
"""From a latest hash to an authority's stamp for it. Raises NotPushed."""

Write = Callable[[ChainAnchor], tuple[str, str]]
"""Records a latest hash: returns where, and its stamp in base64, if it has one. Raises NotPushed."""


def anchors_of(round: Round) -> QuerySet[ChainAnchor]:
    """R38: The recent latest hashes of a round that are or will be recorded outside, newest first. The reason of a
    failed try is only in the service's own log, as it may name hosts and paths."""
    return ChainAnchor.objects.filter(round=round).order_by("-pk")[:SHOWN]


def stamp_of(round: Round, key: int) -> bytes | None:
    """R38: The authority's stamp for a latest hash; None if there is none."""
    row = ChainAnchor.objects.filter(round=round, pk=key).exclude(stamp="").first()
    return b64decode(row.stamp) if row else None


def note_heads(now: datetime) -> bool:
    """R38: Store new latest hashes of this hour, for each way that the host has configured; returns whether some are
    to be recorded. Only uses the database."""
    ways = _ways()
    for round in Round.objects.filter(chain__number__gt=0).exclude(state=RoundState.ARCHIVE) if ways else ():
        for way in ways:
            _note(round, way, now)
    return bool(ways) and _due(ways, now).exists()


def anchor(now: datetime, push: Push, stamp: Stamp) -> int:
    """R38: Record the stored latest hashes that are due; returns how many. A remote that does not answer takes
    minutes."""
    writes: dict[str, Write] = {ChainAnchor.Way.GIT: partial(_pushed, push)}
    writes[ChainAnchor.Way.STAMP] = partial(_stamped, stamp)
    return sum(_write(row, writes, now) for row in _due(_ways(), now).select_related("round"))


def _ways() -> list[str]:
    targets = {ChainAnchor.Way.GIT: settings.CHAIN_REMOTE, ChainAnchor.Way.STAMP: settings.CHAIN_STAMPER}
    return [way.value for way, where in targets.items() if where]


def _due(ways: list[str], now: datetime) -> QuerySet[ChainAnchor]:
    return ChainAnchor.objects.filter(next_at__lte=now, way__in=ways).order_by("pk")


def _pushed(push: Push, row: ChainAnchor) -> tuple[str, str]:
    return push(settings.CHAIN_REMOTE, f"{row.round.slug}.txt", f"{row.head} link {row.link}"), ""


def _stamped(stamp: Stamp, row: ChainAnchor) -> tuple[str, str]:
    data = stamp(row.head)
    return sha256(data).hexdigest(), b64encode(data).decode()


def _note(round: Round, way: str, now: datetime) -> None:
    hour = now.replace(minute=0, second=0, microsecond=0)
    last = ChainAnchor.objects.filter(round=round, way=way).order_by("-pk").first()
    if last is not None and (last.made_at >= hour or last.link >= ChainHead.objects.get(round=round).number):
        return
    head = head_of(round, hour)
    link = find_head(round, str(head)) if head else None
    if head is None or link is None or link.number is None or (last is not None and last.link >= link.number):
        return
    defaults = {"link": link.number, "made_at": now, "next_at": now}
    ChainAnchor.objects.get_or_create(round=round, way=way, head=str(head), defaults=defaults)


def _write(row: ChainAnchor, ways: Mapping[str, Write], now: datetime) -> bool:
    # Whoever dies over it has it for LEASE; a line that is pushed twice says the same twice.
    claim = ChainAnchor.objects.filter(pk=row.pk, next_at=row.next_at)
    if not claim.update(next_at=now + LEASE, tries=F("tries") + 1):
        return False
    try:
        where, stamp = ways[row.way](row)
    except NotPushed as error:
        pause = min(timedelta(minutes=2**row.tries), LONGEST_PAUSE)
        ChainAnchor.objects.filter(pk=row.pk).update(next_at=now + pause, trouble=str(error)[:200])
        logger.warning("The latest hash of %s could not be published outside: %s", row.round.slug, error)
        return False
    ChainAnchor.objects.filter(pk=row.pk).update(next_at=None, where=where, stamp=stamp, done_at=now, trouble="")
    logger.info("The latest hash of %s, link %s, was published outside as %s", row.round.slug, row.link, where)
    return True


def push_line(remote: str, name: str, line: str) -> str:
    """R38: Append a line to a file on the branch `chain` of a remote repository; returns the commit. Never a forced
    push: if somebody else pushed in between, it is rejected, and tried again later. Raises NotPushed."""
    with TemporaryDirectory(prefix="wargame-chain-") as folder:
        _git(folder, "init", "--quiet", "--initial-branch", BRANCH)
        if _git(folder, "ls-remote", "--heads", "--", remote, f"refs/heads/{BRANCH}"):
            _git(folder, "fetch", "--quiet", "--depth", "1", "--", remote, BRANCH)
            _git(folder, "reset", "--quiet", "--hard", "FETCH_HEAD")
        file = Path(folder) / name
        before = file.read_text(encoding="utf-8") if file.exists() else ""
        if line not in before.splitlines():
            file.write_text(f"{before}{line}\n", encoding="utf-8")
            _git(folder, "add", "--", name)
            _git(folder, "commit", "--quiet", "--message", f"{name.removesuffix('.txt')}: {line}")
            _git(folder, "push", "--quiet", "--", remote, f"HEAD:refs/heads/{BRANCH}")
        return _git(folder, "rev-parse", "HEAD")


def _git(folder: str, *arguments: str) -> str:
    author = {f"GIT_{role}_{field}": value for role in ("AUTHOR", "COMMITTER") for field, value in AUTHOR.items()}
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_SSH_COMMAND": "ssh -o BatchMode=yes", "GIT_ALLOW_PROTOCOL": PROTOCOLS}
    command = ["git", "-c", "commit.gpgsign=false", "-c", "core.hooksPath=/dev/null", *arguments]
    try:
        result = subprocess.run(
            command, cwd=folder, env={**os.environ, **author, **quiet}, capture_output=True, text=True, timeout=SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotPushed(f"git {arguments[0]}: {type(error).__name__}") from None
    if result.returncode:
        raise NotPushed(f"git {arguments[0]}: {' '.join(result.stderr.split())[-150:]}")
    return result.stdout.strip()


AUTHOR = {"NAME": "The Coalition Wargame", "EMAIL": "wargame@localhost"}
PROTOCOLS = "https:ssh:git:file"


STAMPING_SECONDS = 20
LONGEST_ANSWER = 64 * 1024

Ask = Callable[[bytes], bytes]
"""From a request to the authority, to its answer. Raises OSError."""


def ask_authority(question: bytes) -> bytes:
    """The answer of the authority at CHAIN_STAMPER."""
    headers = {"Content-Type": "application/timestamp-query", "Accept": "application/timestamp-reply"}
    request = urllib.request.Request(settings.CHAIN_STAMPER, data=question, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=STAMPING_SECONDS) as answer:
            reply: bytes = answer.read(LONGEST_ANSWER)
            return reply
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(type(error).__name__) from None


def stamped(head: str, ask: Ask = ask_authority) -> bytes:
    """R38: The authority's stamp for a latest hash, with its signature verified. Raises NotPushed."""
    with TemporaryDirectory(prefix="wargame-stamp-") as name:
        folder = Path(name)
        (folder / "head").write_text(head, encoding="utf-8")
        _openssl(folder, "-query", "-data", "head", "-sha256", "-cert", "-out", "question")
        try:
            answer = ask((folder / "question").read_bytes())
        except OSError as error:
            raise NotPushed(f"the authority: {type(error).__name__}") from None
        (folder / "answer").write_bytes(answer)
        roots = str(settings.CHAIN_STAMPER_ROOTS)
        _openssl(folder, "-verify", "-queryfile", "question", "-in", "answer", "-CAfile", roots)
        return answer


def _openssl(folder: Path, *arguments: str) -> None:
    try:
        result = subprocess.run(
            ["openssl", "ts", *arguments], cwd=folder, capture_output=True, text=True, timeout=STAMPING_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotPushed(f"openssl ts: {type(error).__name__}") from None
    if result.returncode:
        raise NotPushed(f"openssl ts {arguments[0]}: {' '.join(result.stderr.split())[-150:]}")
