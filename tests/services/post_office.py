"""A mail server and a mailbox on this machine, spoken to in their own languages: SMTP and IMAP."""

import asyncio
import imaplib
import smtplib
import socket
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from email.message import EmailMessage
from threading import Event, Thread
from typing import Any

from aiosmtpd.controller import Controller
from pymap.backend.dict import DictBackend
from pymap.imap import IMAPService

USER, PASSWORD = "orders", "a word"


class PostOffice:
    """What comes by SMTP for the service lies in its mailbox, with what the receiving server says of it; what is for
    others is kept by their addresses."""

    def __init__(self, smtp: int, imap: int, home: str) -> None:
        self.smtp, self.imap, self.home = smtp, imap, home
        self.delivered: dict[str, list[str]] = {}
        self.finds = ""

    @property
    def address(self) -> str:
        """As `MAIL_IMAP` has it."""
        return f"imap://{USER}:a%20word@127.0.0.1:{self.imap}/INBOX"

    def send(self, mail: EmailMessage, sender: str) -> None:
        """Somebody's mail program."""
        with smtplib.SMTP("127.0.0.1", self.smtp, timeout=5) as server:
            server.send_message(mail, sender)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        """One mail: ours goes into the mailbox, below what this server found of its sender."""
        results = f"Authentication-Results: {self.home}; {self.finds}\r\n".encode() if self.finds else b""
        for to in envelope.rcpt_tos:
            if to.endswith(f"@{self.home}"):
                await asyncio.to_thread(self._lay, results + envelope.content)
            else:
                self.delivered.setdefault(to, []).append(envelope.content.decode())
        return "250 taken"

    def _lay(self, raw: bytes) -> None:
        with imaplib.IMAP4("127.0.0.1", self.imap, timeout=5) as box:
            box.login(USER, PASSWORD)
            box.append("INBOX", "", "", raw)


@contextmanager
def post_office(home: str) -> Iterator[PostOffice]:
    """Both servers, on ports that are free."""
    with _mailbox() as imap:
        office = PostOffice(free_port(), imap, home)
        controller = Controller(office, hostname="127.0.0.1", port=office.smtp, data_size_limit=40_000_000)
        controller.start()
        try:
            yield office
        finally:
            controller.stop()


@contextmanager
def _mailbox() -> Iterator[int]:
    port, ready, loop = free_port(), Event(), asyncio.new_event_loop()
    over = asyncio.Event()

    async def serve() -> None:
        parser = ArgumentParser()
        IMAPService.add_arguments(parser)
        parser.set_defaults(debug=False, passlib_cfg=None, skip_services=[], demo_data=False)
        parser.set_defaults(demo_user=USER, demo_password=PASSWORD)
        args = parser.parse_args(["--host", "127.0.0.1", "--port", str(port), "--no-tls"])
        backend, config = await DictBackend.init(args, secure_auth=False)
        config.apply_context()
        async with AsyncExitStack() as stack:
            await IMAPService(backend, config).start(stack)
            ready.set()
            await over.wait()

    thread = Thread(target=loop.run_until_complete, args=(serve(),), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield port
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(10)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
