"""T5: zones as data: their owners, who sees the cards in them, and whether these have public numbers."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ZoneKind:
    """T5: one kind of zone. `whose`: one for each seat (`A.hand`), or one shared by all (`pile`)."""

    name: str
    cites: str
    whose: Literal["seat", "shared"]
    sees: Literal["all", "owner", "nobody"]
    ordered: bool = False
    play: bool = False
    """Things are in play here: they have states and a controller."""
    numbered: bool = False
    """Things here have public numbers and states though not everybody sees their faces (3.2.9, 3.1.3.c)."""
    shown: bool = True
    """Whether a view includes it at all; not for a zone of the set-up (4.1.f)."""

    @property
    def public(self) -> bool:
        return self.sees == "all" or self.numbered


def zone_of(seat: str, kind: str) -> str:
    """A seat's zone: `A.hand`."""
    return f"{seat}.{kind}"


def kind_of(zone: str) -> str:
    """The kind of a zone: `hand` of `A.hand`."""
    return zone.rpartition(".")[2]


def seat_of(zone: str) -> str:
    """The seat that owns a zone; empty for a shared one."""
    return zone.rpartition(".")[0]
