"""`manage.py receive_mail`: orders by mail, from a pipe of the mail server or fetched by IMAP."""

import imaplib
import logging
import sys
from argparse import ArgumentParser
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from django.utils import timezone
from imap_tools import ImapToolsError, MailBox, MailBoxUnencrypted, MailMessageFlags

from judging.common.locking import Busy
from judging.inbound_email.parsing import LARGEST
from judging.inbound_email.services import prune_mails, receive, set_aside

MOST_FETCHED = 100
"""Mails that one run fetches."""

TIMEOUT = 30
LATER = 75
"""The status (EX_TEMPFAIL) by which a mail server knows to try again."""

LEFT = "left unread"
logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Process an email from standard input. With --imap, process the unread emails in the mailbox MAIL_IMAP."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--imap", action="store_true", help="fetch emails from MAIL_IMAP instead of reading one")

    def handle(self, *args: object, imap: bool, **options: object) -> None:
        if imap:
            self._fetch()
        else:
            self._pipe(read_bounded(sys.stdin.buffer))
        prune_mails(timezone.now())

    def _pipe(self, raw: bytes) -> None:
        """Carries out one mail. Never a failure for good: a mail server would send that back to a sender who may be
        forged. After LATER it keeps the mail and tries again."""
        outcome = outcome_of(raw)
        if outcome is None:
            sys.exit(LATER)
        self.stdout.write(outcome)

    def _fetch(self) -> None:
        parts = urlsplit(settings.MAIL_IMAP)
        if parts.scheme not in ("imap", "imaps") or not parts.hostname:
            raise CommandError(
                "MAIL_IMAP must be the address of a mailbox, like imaps://name:password@mail.example.org/INBOX."
            )
        kind = MailBox if parts.scheme == "imaps" else MailBoxUnencrypted
        port = parts.port or (993 if parts.scheme == "imaps" else 143)
        name, password = unquote(parts.username or ""), unquote(parts.password or "")
        folder = parts.path.strip("/") or "INBOX"
        try:
            with kind(parts.hostname, port=port, timeout=TIMEOUT).login(name, password, folder) as box:
                for number in box.uids("UNSEEN")[:MOST_FETCHED]:
                    self.stdout.write(self._one(box, number))
        except (OSError, imaplib.IMAP4.error, ImapToolsError) as error:
            why = getattr(error, "strerror", None) or str(error)
            message = f"The mailbox in MAIL_IMAP can't be read ({why}). Unread emails will be fetched next time."
            raise CommandError(message) from None

    def _one(self, box: MailBox | MailBoxUnencrypted, number: str) -> str:
        """Reads one mail, and marks it as read when it was carried out or failed twice: a process that is killed before
        that gets it again, and a mail that comes again is known."""
        status, response = box.client.uid("fetch", number, f"(BODY.PEEK[]<0.{LARGEST + 1}>)")
        raw = next((bytes(part[1]) for part in response if isinstance(part, tuple)), b"")
        outcome = outcome_of(raw) if status == "OK" and raw else "unreadable"
        if outcome is None:
            return LEFT
        box.flag([number], [MailMessageFlags.SEEN], True)
        return outcome


def outcome_of(raw: bytes) -> str | None:
    """What became of a mail; None if it must be tried again. A mail that fails twice with an unexpected error is set
    aside, so that it can't keep others from being read. While the database is away, nothing counts."""
    try:
        return receive(raw, timezone.now()).outcome
    except (Busy, OperationalError):
        logger.exception("An email has to wait for the database. It will be tried again.")
        return None
    except Exception:
        if set_aside(raw, timezone.now()):
            logger.exception("Processing an email failed twice. It was set aside.")
            return "unreadable"
        logger.exception("Processing an email failed. It will be tried once more.")
        return None


def read_bounded(source: BinaryIO) -> bytes:
    """One byte more than a mail may have, at most; the rest is thrown away, so that no pipe breaks."""
    raw = source.read(LARGEST + 1)
    while source.read(65_536):
        pass
    return raw
