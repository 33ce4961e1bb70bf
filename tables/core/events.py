"""What happened: the public log of a table. Every event cites what made it happen."""

from dataclasses import dataclass

from tables.core.state import Thing


@dataclass(frozen=True, slots=True)
class Event:
    """T6: something that happened, with its citations.

    `thing` is the thing as it was when it happened (as it last was, for what leaves); `others` what it happened
    with. `only`: the seats that may know which card it is; None: all.
    """

    kind: str
    cites: tuple[str, ...] = ()
    seat: str = ""
    thing: Thing | None = None
    other: Thing | None = None
    amount: int = 0
    zone: str = ""
    from_zone: str = ""
    told: str = ""
    only: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class PrivateEvent(Event):
    """T8: something that the seats of `only` are told, and nobody else: not even that it happened."""


@dataclass(frozen=True, slots=True)
class SilentEvent(Event):
    """9.3: something that only triggers and orders hear; nobody is told of it by itself."""
