"""1, 2, 5, 11: the phases, zones and formats of Seize as data."""

from collections.abc import Mapping
from dataclasses import dataclass

from tables.core.play import Step
from tables.core.zones import ZoneKind

STEPS = (
    Step("setup", "3", "beginning", priority=False),
    Step("beginning", "11.1", "draw", main=True, words=("beginning phase",)),
    Step("draw", "11.2", "acquire", words=("draw phase",)),
    Step("acquire", "11.3", "rally", priority=False, words=("acquire phase",)),
    Step("rally", "11.4", "move1", main=True, words=("rally phase",)),
    Step("move1", "11.5", "attack", main=True, words=("first movement phase", "first movement")),
    Step("attack", "11.6", "move2", main=True, words=("attack phase",)),
    Step("move2", "11.7", "end", main=True, words=("second movement phase", "second movement")),
    Step("end", "11.8", "beginning", words=("end phase", "end of turn")),
)
"""11, S51: eight phases; S12, S15: in every one but Acquire there is a window."""

MOVES = ("move1", "move2")
"""11.5, 11.7: the Movement Phases."""

ZONES = (
    ZoneKind("hand", "2", "seat", "owner"),
    ZoneKind("deck", "2", "seat", "nobody", ordered=True),
    ZoneKind("warchest", "2", "seat", "all"),
    ZoneKind("battlefield", "2", "seat", "all", play=True),
    ZoneKind("discard", "2", "seat", "all", ordered=True),
    ZoneKind("events", "S59", "seat", "all"),
    ZoneKind("quarters", "5.4", "seat", "all"),
    ZoneKind("left", "S47", "seat", "all"),
    ZoneKind("pile", "12", "shared", "all", ordered=True),
)
"""2: the owners of the zones, and who sees the cards in them."""

HAND = 7
"""3: the number of cards drawn at the start."""
HAND_LIMIT = 9
"""11.8: the hand size to which the turn player discards."""
DRAWN = 1
"""11.2: the number of cards drawn in the Draw Phase."""
ACQUIRED = 4
"""11.3: the most additional cards acquired."""
TREASURES = 1
"""8, 11.4: the number of treasures put in the Warchest per turn."""
MERCENARIES = 3
"""S8: the most mercenaries of a player on the battlefield."""
PILLARS = 4
"""5.3: the number of pillars placed in the Arena."""

NUMBERS = {
    ("8.3",): ("S15",), ("8.3.2",): ("S15",), ("8.4",): ("12",), ("9.3", "8.4"): ("12",), ("8",): ("2",),
    ("8.5",): ("12",), ("10.4",): ("12",), ("10",): ("9.F",), ("10.2",): ("9.F",), ("3",): ("5",), ("3.1",): ("5",),
    ("3.2",): ("5",), ("5.3.1",): ("S26",), ("7.2", "5.6"): ("12",), ("G: Counter",): ("12",), ("6.2",): ("9.F",),
    ("G: Shuffle",): ("3",), ("G: Search",): ("9.F",), ("G: Put/Place/Move",): ("9.F",), ("G: Return",): ("9.F",),
    ("G: Attach",): ("11.4.3",), ("G: Detach",): ("11.4.4",), ("10.3",): ("9.F",), ("9.3",): ("9.F",),
    ("10.1",): ("9.F",), ("6.3",): ("9.F",), ("K42",): ("T11.1",), ("K42", "T8.4"): ("T11.1", "T8.4"),
}  # fmt: skip
"""Seize's names for the numbers that the core cites."""

PARTNERS = ("A1", "B1", "A2", "B2")
"""S47: the seats of two against two, in turn order."""


@dataclass(frozen=True, slots=True)
class Playing:
    """5: one format: its possible seats, the games of a match, and whether partners share a turn (5.3)."""

    cites: str
    seats: tuple[tuple[str, ...], ...]
    best_of: int
    shared: bool = False


TWO = ("A", "B")
FORMATS: Mapping[str, Playing] = {
    "standard": Playing("5.1", (TWO, PARTNERS), 1),
    "draft": Playing("5.2", (TWO,), 1),
    "arena": Playing("5.3", (TWO, PARTNERS), 3, shared=True),
    "guild master": Playing("5.4", (TWO, ("A", "B", "C"), ("A", "B", "C", "D")), 1),
}
"""5.1 to 5.4: by the format's key. Deck sizes and Vaults are in the core's formats of decks (S49, S79); minutes are
the table's clock's, and no rule of the game (S53)."""
