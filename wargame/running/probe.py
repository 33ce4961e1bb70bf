"""Find out when a site responds for the first time, without a thread and without waiting."""

import re
import select
import socket
from collections.abc import Callable
from typing import Any


class Probe:
    """Request `/` on the address `bound` until a response comes, and then call `found` once.

    The request waits in the listening socket's queue until the site accepts it. `found` gets "host:port" and the
    status.
    """

    def __init__(self, bound: tuple[Any, ...], found: Callable[[str, int], None]) -> None:
        host, port = bound[:2]
        self.host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
        self.port = port
        self.address = f"[{self.host}]:{port}" if ":" in self.host else f"{self.host}:{port}"
        self.found = found
        self.connection: socket.socket | None = None
        self.done = False

    def look(self) -> None:
        """Check whether the response has come; returns at once."""
        if self.done:
            return
        try:
            self._look()
        except OSError:
            self._hang_up()

    def _look(self) -> None:
        if self.connection is None:
            self.connection = socket.create_connection((self.host, self.port), timeout=1)
            self.connection.sendall(f"GET / HTTP/1.0\r\nHost: {self.address}\r\n\r\n".encode())
        if not select.select([self.connection], [], [], 0)[0]:
            return
        status = re.match(rb"HTTP/1\.\d (\d{3}) ", self.connection.recv(64))
        self._hang_up()
        if status:
            self.done = True
            self.found(self.address, int(status[1]))

    def _hang_up(self) -> None:
        if self.connection:
            self.connection.close()
        self.connection = None
