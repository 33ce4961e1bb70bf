"""The public log of a table. Every event cites its cause."""

from dataclasses import dataclass

from tables.core.state import Thing


@dataclass(frozen=True, slots=True)
class Event:
    """T6: something that happened, with its citations.

    `thing` is the thing as it was when it happened (for one that leaves, as it last was); `others`: the other things
    involved. `only`: the seats that may know which card it is; None: all.
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
    """T8: an event that only the seats of `only` see: the others don't even know that it happened."""


@dataclass(frozen=True, slots=True)
class SilentEvent(Event):
    """9.3: an event that only triggers and orders notice; it is not shown to anybody."""
