"""R38: a head is stamped by an authority (RFC 3161) that the host has named: it signs that the head was there then.

The programs of OpenSSL write the question and check the answer against the certificates that the host trusts, so that
nothing is kept that a stranger could not check with the same program.
"""

from __future__ import annotations

import http.client
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings

from judging.chain.anchors import NotPushed

SECONDS = 20
LONGEST_ANSWER = 64 * 1024

Ask = Callable[[bytes], bytes]
"""A question to the authority, and its answer. Raises OSError."""


def ask_authority(question: bytes) -> bytes:
    """What the authority at CHAIN_STAMPER answers."""
    headers = {"Content-Type": "application/timestamp-query", "Accept": "application/timestamp-reply"}
    asked = urllib.request.Request(settings.CHAIN_STAMPER, data=question, headers=headers)
    try:
        with urllib.request.urlopen(asked, timeout=SECONDS) as answer:
            found: bytes = answer.read(LONGEST_ANSWER)
            return found
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(type(error).__name__) from None


def stamped(head: str, ask: Ask = ask_authority) -> bytes:
    """R38: the authority's stamp for a head, whose signature was checked. Raises NotPushed."""
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
        done = subprocess.run(
            ["openssl", "ts", *arguments], cwd=folder, capture_output=True, text=True, timeout=SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotPushed(f"openssl ts: {type(error).__name__}") from None
    if done.returncode:
        raise NotPushed(f"openssl ts {arguments[0]}: {' '.join(done.stderr.split())[-150:]}")
