"""1.2: many open maps that ask for news.

Each asks at its own moment of every few seconds, whether or not its last question was answered in time. Their requests
come over a few connections that stay open, as a proxy sends them on. Apart from `trials`, because it asks by an event
loop, and knows neither rows nor rounds.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from random import Random

POLL_SECONDS = 5.0
CONNECTIONS = 16
"""How many connections the proxy keeps open to the site."""

ROUNDS_OF_POLLS = 6
WARMING = 1
"""Of those, how many are not timed: processes of the site that have just begun load the pages first."""


@dataclass
class Polled:
    """Seconds from the moment at which a map would ask until it was answered, and how many answers had which status."""

    seconds: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)

    def at(self, part: float) -> float:
        """The time within which this part of all was answered, in milliseconds."""
        ordered = sorted(self.seconds)
        return round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1)


def poll(port: int, address: str, number: int, random: Random) -> Polled:
    """So many maps ask for this address in `ROUNDS_OF_POLLS` rounds."""
    return asyncio.run(_poll(port, address, number, random))


async def _poll(port: int, address: str, number: int, random: Random) -> Polled:
    moments = sorted(random.uniform(0, POLL_SECONDS) for _ in range(number))
    waiting: asyncio.Queue[tuple[float, bool] | None] = asyncio.Queue()
    polled = Polled()
    callers = [asyncio.create_task(_ask(port, address, waiting, polled)) for _ in range(CONNECTIONS)]
    begin = time.monotonic() + 0.5
    for turn in range(ROUNDS_OF_POLLS):
        for moment in moments:
            due = begin + turn * POLL_SECONDS + moment
            if (pause := due - time.monotonic()) > 0:
                await asyncio.sleep(pause)
            waiting.put_nowait((due, turn >= WARMING))
    for _ in callers:
        waiting.put_nowait(None)
    await asyncio.gather(*callers)
    return polled


async def _ask(port: int, address: str, waiting: asyncio.Queue[tuple[float, bool] | None], polled: Polled) -> None:
    """Over one connection, which is opened again when the site closes it."""
    request = f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nHX-Request: true\r\n\r\n".encode()
    reader = writer = None
    while (asked := await waiting.get()) is not None:
        due, is_timed = asked
        while True:
            if writer is None or writer.is_closing():
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
            assert reader is not None
            try:
                writer.write(request)
                head = await reader.readuntil(b"\r\n\r\n")
                length = _length(head)
                if length:
                    await reader.readexactly(length)
                break
            except (asyncio.IncompleteReadError, ConnectionError):
                writer.close()
        if is_timed:
            polled.seconds.append(time.monotonic() - due)
        status = int(head[9:12])
        polled.statuses[status] = polled.statuses.get(status, 0) + 1
        if b"connection: close" in head.lower():
            writer.close()
    if writer is not None:
        writer.close()


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0
