"""3.1: a mail as a program reads it: for which address, whether a person wrote it, and what he wrote.

A mail is somebody else's: its parts are bounded before they are looked at, and of its head only what the receiving
server adds is believed.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from email.parser import BytesHeaderParser, BytesParser
from email.utils import getaddresses

import nh3
from mailparser_reply import EmailReplyParser

LARGEST = 1_000_000
"""Bytes of a mail that are read; of a larger one the head alone."""

LONGEST_READ = 8_000
"""Letters in which quotes are looked for: the search grows with the square of the text."""

LONGEST_TEXT = 20_000
LOOP_HEAD = "X-Wargame-Letter"
"""Every letter of the service carries it, so that one that comes back is known."""

LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl"]
TOKEN = re.compile(r"\+([a-z0-9]{24,40})@")
DISPATCH = re.compile(r"^\s*(?:(?:re|aw|fwd?|wg|sv|antw)\s*:\s*)+", re.IGNORECASE)
SIGNED = re.compile(
    r"^(?:-- ?|_{5,}|-{5,}|sent from my .*|get outlook for .*|von meinem .* gesendet.*|envoyé de mon .*)$",
    re.IGNORECASE,
)
HEAD = re.compile(r"\b[0-9a-f]{12,64}\b")
MOST_HEADS = 20
BLANK = re.compile(r"\n\s*\n\s*(?:\n\s*)+")


@dataclass(frozen=True)
class WrittenMail:
    """What a person wrote: `what` is `post`, `sealed`, `strat` or `order`, for a strat with the army. `attachments`
    counts what came with it and was not read; `heads` are the ends of chains that it names or quotes, each once."""

    what: str
    army: str
    text: str
    attachments: int
    heads: tuple[str, ...] = ()


def head_of(raw: bytes) -> EmailMessage:
    """The head of a mail alone, which costs nothing however large the mail is."""
    found = BytesHeaderParser(policy=policy.default).parsebytes(raw[:LARGEST])
    assert isinstance(found, EmailMessage)
    return found


def said(head: EmailMessage, name: str) -> str:
    """A line of the head as text; empty if there is none, or it can't be read."""
    try:
        return str(head.get(name, "") or "")[:2_000]
    except (ValueError, LookupError, IndexError, AttributeError, TypeError):
        return ""


def all_said(head: EmailMessage, name: str) -> list[str]:
    """All lines of that name, the topmost first: servers add theirs on top."""
    try:
        return [str(each)[:4_000] for each in (head.get_all(name) or [])[:20]]
    except (ValueError, LookupError, IndexError, AttributeError, TypeError):
        return []


def tokens_of(head: EmailMessage) -> list[str]:
    """The secret parts of the addresses that a mail is for, each once."""
    lines = [line for name in ("Delivered-To", "X-Original-To", "To", "Cc") for line in all_said(head, name)]
    addresses = [address.lower() for _, address in getaddresses(lines[:20])]
    return list(dict.fromkeys(found[1] for address in addresses[:50] if (found := TOKEN.search(address))))


def digest_of(head: EmailMessage, raw: bytes) -> str:
    """By which a mail is known when it comes again: its own name and for whom it is; without a name, all of it."""
    name = said(head, "Message-ID").strip()
    named = f"{name} {' '.join(tokens_of(head))}".encode(errors="replace") if name else raw[:LARGEST]
    return hashlib.sha256(named).hexdigest()


def is_ours(head: EmailMessage) -> bool:
    """Whether it is a letter of the service that came back."""
    return LOOP_HEAD in head


def is_automatic(head: EmailMessage) -> bool:
    """RFC 3834: whether a program wrote it: a bounce, a vacation's answer, a list."""
    marked = said(head, "Auto-Submitted").strip().lower()
    kind = said(head, "Content-Type").lower()
    sender = said(head, "From").lower()
    return (
        (bool(marked) and not marked.startswith("no"))
        or said(head, "Precedence").strip().lower() in ("bulk", "junk", "list", "auto_reply")
        or said(head, "Return-Path").strip() == "<>"
        or kind.startswith(("multipart/report", "message/delivery-status"))
        or any(name in head for name in ("X-Autoreply", "X-Autorespond", "List-Id", "X-Failed-Recipients"))
        or any(name in sender for name in ("mailer-daemon@", "postmaster@", "noreply@", "no-reply@"))
    )


def is_forged(head: EmailMessage, server: str) -> bool:
    """RFC 8601: whether the receiving `server` found that a mail is not from whom it says. Results that anybody else
    wrote are not looked at; those of a forwarder count if the server could check them (ARC, RFC 8617)."""
    if not server:
        return False
    for line in all_said(head, "Authentication-Results"):
        name, _, results = line.partition(";")
        if name.strip().split(" ")[0].lower() != server.lower():
            continue
        found = dict(re.findall(r"\b(dmarc|dkim|spf|arc)\s*=\s*(\w+)", results.lower()))
        if found.get("dmarc") == "pass" or found.get("arc") == "pass":
            return False
        if found.get("dmarc") == "fail":
            return True
        return found.get("dkim") != "pass" and found.get("spf") in ("fail", "softfail")
    return True  # the server writes its results into every mail: one without them did not come through it


def written_in(raw: bytes) -> WrittenMail:
    """What a person wrote. Raises ValueError for what can't be read."""
    try:
        mail = BytesParser(policy=policy.default).parsebytes(raw)
        assert isinstance(mail, EmailMessage)
        part = mail.get_body(preferencelist=("plain", "html"))
        text = part.get_content() if part is not None else ""
        if part is not None and part.get_content_type() == "text/html":
            text = html.unescape(nh3.clean(re.sub(r"(?i)<(br|/p|/div|/li)[^>]*>", "\n", text[:200_000]), tags=set()))
        attachments = sum(1 for _ in mail.iter_attachments())
    except (LookupError, ValueError, AttributeError, TypeError, KeyError, RecursionError) as error:
        raise ValueError("no mail that can be read") from error
    subject = said(mail, "Subject")
    what, army = asked_in(subject)
    heads = dict.fromkeys(HEAD.findall(f"{subject} {text[:LONGEST_TEXT]}".lower()))
    return WrittenMail(what, army, own_words(text), attachments, tuple(heads)[:MOST_HEADS])


def asked_in(subject: str) -> tuple[str, str]:
    """What a subject asks for: `Strat Sai Rei` is a strat of that army, `Sealed` a sealed post, `Order` a standing
    order at a card table; else it is a post."""
    words = DISPATCH.sub("", " ".join(subject.split())).strip()
    first, _, rest = words.partition(" ")
    kind = first.lower().rstrip(":,")
    if kind == "strat":
        return "strat", rest.strip()
    return (kind, "") if kind in ("sealed", "order") else ("post", "")


def own_words(text: str) -> str:
    """A text without what it quotes and without its signature."""
    plain = BLANK.sub("\n\n", text.replace("\r\n", "\n").replace("\0", "")[:LONGEST_TEXT]).strip()
    read = plain[:LONGEST_READ]
    answer = EmailReplyParser(languages=LANGUAGES).parse_reply(text=read) or ""
    if len(plain) > LONGEST_READ and answer == read:
        answer = plain
    return _unsigned(answer.splitlines())


def _unsigned(lines: Sequence[str]) -> str:
    """The lines before the first one that begins a signature; a line that quotes is nobody's own."""
    kept: list[str] = []
    for line in lines:
        if SIGNED.match(line.strip()) and kept:
            break
        if not line.startswith(">"):
            kept.append(line.rstrip())
    return "\n".join(kept).strip()
