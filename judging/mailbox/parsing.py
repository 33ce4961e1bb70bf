"""3.1: a mail as a program reads it: for which address, whether a person wrote it, and what he wrote.

A mail is somebody else's: its parts are bounded before they are looked at, and of its head only what the receiving
server adds is believed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection
from dataclasses import dataclass
from email import policy
from email.header import Header
from email.message import Message
from email.parser import BytesHeaderParser, BytesParser
from email.utils import getaddresses

from django.utils.translation import gettext

from judging.game.errors import Refused
from judging.mailbox.bodies import MOST_PARTS, body_of
from judging.mailbox.quoting import SenderText, own_words, strat_words

LARGEST = 1_000_000
"""Bytes of a mail that are read; of a larger one the head alone."""

LONGEST_HEAD = 150_000
LOOP_HEAD = "X-Wargame-Letter"
"""Every letter of the service carries it, so that one that comes back is known."""

TOKEN = re.compile(r"\+([a-z0-9]{24,40})@")
HEAD = re.compile(r"\b[0-9a-f]{12,64}\b")
MOST_HEADS = 20
UNREADABLE = (ValueError, LookupError, AttributeError, TypeError, AssertionError, RecursionError)
"""What Python's mail parser raises for damaged or hostile mails."""
HEAD_ENDS = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True)
class WrittenMail:
    """What a person wrote: `own` for orders, `strat` for a strat. `dropped` are lines that were struck out or hidden,
    `attachments` counts what came with it and was not read; `heads` are the ends of chains that it names or quotes,
    each once."""

    subject: str
    own: SenderText
    strat: SenderText
    dropped: tuple[str, ...] = ()
    attachments: int = 0
    has_winmail: bool = False
    heads: tuple[str, ...] = ()


def head_of(raw: bytes) -> Message:
    """The head of a mail alone, which costs nothing however large the mail is. Its lines are looked at one by one."""
    end = HEAD_ENDS.search(raw, 0, LONGEST_HEAD)
    return BytesHeaderParser(policy=policy.compat32).parsebytes(raw[: end.end() if end else LONGEST_HEAD])


def said(head: Message, name: str) -> str:
    """A line of the head as text; empty if there is none, or it can't be read."""
    try:
        return _in_words(name, head.get(name, ""))
    except UNREADABLE:
        return ""


def all_said(head: Message, name: str) -> list[str]:
    """All lines of that name, the topmost first: servers add theirs on top."""
    try:
        return [_in_words(name, each) for each in (head.get_all(name) or [])[:20]]
    except UNREADABLE:
        return []


def _in_words(name: str, value: str | Header | None) -> str:
    """A line of the head without its encoding. It is cut before it is read: the reader is slow on long lines."""
    return str(policy.default.header_factory(name, " ".join(str(value or "")[:4_000].split())))


def tokens_of(head: Message) -> list[str]:
    """The secret parts of the addresses that a mail is for, each once."""
    lines = [line for name in ("Delivered-To", "X-Original-To", "To", "Cc") for line in all_said(head, name)]
    addresses = [address.lower() for _, address in getaddresses(lines[:20])]
    return list(dict.fromkeys(found[1] for address in addresses[:50] if (found := TOKEN.search(address))))


def digest_of(head: Message, raw: bytes) -> str:
    """By which a mail is known when it comes again: its own name and for whom it is; without a name, all of it."""
    name = said(head, "Message-ID").strip()
    named = f"{name} {' '.join(tokens_of(head))}".encode(errors="replace") if name else raw[:LARGEST]
    return hashlib.sha256(named).hexdigest()


def is_ours(head: Message) -> bool:
    """Whether it is a letter of the service that came back."""
    return LOOP_HEAD in head


def is_automatic(head: Message) -> bool:
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


def written_in(raw: bytes, ours: Collection[str] = ()) -> WrittenMail:
    """What a person wrote; `ours` are the addresses of this service, whose mails he may quote. Raises Refused for what
    can't be read, or has more parts than are looked at."""
    unreadable = Refused(gettext("We couldn't read your email. Send it as plain text."))
    if raw.lower().count(b"content-type") > MOST_PARTS:
        raise Refused(
            gettext("Your email has more than %(number)s parts. Send it as plain text.") % {"number": MOST_PARTS}
        )
    try:
        mail = BytesParser(policy=policy.compat32).parsebytes(raw)
        body = body_of(mail)
        text, whole = body.text(), body.whole()
        subject = said(mail, "Subject")
    except UNREADABLE as error:
        raise unreadable from error
    heads = dict.fromkeys(HEAD.findall(f"{subject} {whole}".lower()))
    return WrittenMail(
        subject=subject,
        own=own_words(text),
        strat=strat_words(whole, ours),
        dropped=tuple(body.dropped),
        attachments=body.attachments,
        has_winmail=body.has_winmail,
        heads=tuple(heads)[:MOST_HEADS],
    )
