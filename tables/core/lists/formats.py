"""T12.5: formats as data: deck size, copies, and cards limited or banned since when."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from tables.core.lists.cards import Game
from wargame.rules.core.saying import marked


@dataclass(frozen=True, slots=True)
class Restriction:
    """11.1: the number of copies of a card allowed (0: banned), from a day on, until the day before another."""

    card: str
    copies: int
    rule: str
    since: date
    until: date | None = None

    def holds(self, on: date) -> bool:
        """K37: whether it is in force on that day."""
        return self.since <= on and (self.until is None or on < self.until)


@dataclass(frozen=True, slots=True)
class Format:
    """T12.5, K36: the rules for a deck of one format; a side deck stays beside the table until the next game of a
    match. Each limit comes with the rule to cite for a breach.

    `least` and `most` cards in the main deck, `side` at most in the side deck (None: no side deck); `copies` of a card
    in both together (None: any number). `extra` names the cards beside the deck (`champion`).
    """

    game: Game
    key: str
    name: str
    least: int
    most: int | None
    size_rule: str
    side: int | None = None
    side_rule: str = ""
    copies: int | None = None
    copies_rule: str = ""
    restricted: tuple[Restriction, ...] = ()
    legends: int | None = None
    """4: the most copies of each card of 4 stars."""
    extra: str = ""
    extra_stars: int = 0
    one_class: bool = False
    heroes: int | None = None
    vault: int = 0


PRINTED = date.min
"""11.1: in force as long as the card exists: it says so itself."""

_RESTRICTED = (
    # 11.1, 11.3: the only two cards that the document of 20 June 2023 names; 11.2 (two copies) names nobody
    Restriction("Brassman's Will", 1, "11.1", PRINTED),
    Restriction("Hecatomb", 0, "11.3", date(2023, 6, 30)),
)


def _kryptik(key: str, name: str, restricted: tuple[Restriction, ...]) -> Format:
    return Format("kryptik", key, name, 50, 50, "1.1.1", 15, "1.1.2", 3, "1.2.1", restricted)


def _seize(key: str, name: str, size: int, rule: str, vault: int) -> Format:
    return Format("seize", key, name, size, size, rule, legends=1, vault=vault)


_ALL = (
    _kryptik("constructed", "Constructed", _RESTRICTED),
    _kryptik("krucible", "Krucible", _RESTRICTED),
    # K35: the restrictions of chapter 11 are for constructed formats
    _kryptik("limited", "Limited", ()),
    _seize("standard", "Standard", 40, "5.1", 30),
    _seize("draft", "Draft", 30, "5.2", 20),
    Format("seize", "arena", "Arena", 30, 30, "5.3", legends=1, extra="champion", one_class=True),
    Format("seize", "guild master", "Guild Master", 60, 60, "5.4", legends=1, extra="guild master", extra_stars=3,
           vault=40),
    # A16: the document says nothing of decks: any list of the table's cards, at most one Hero
    Format("altered", "default", marked("Any deck"), 0, None, "A16", heroes=1),
    Format("free", "default", marked("Any deck"), 0, None, ""),
)  # fmt: skip

FORMATS: Mapping[tuple[str, str], Format] = MappingProxyType({(each.game, each.key): each for each in _ALL})
"""T12.5: all formats by game and key."""


def default_format(game: Game) -> Format:
    """T12.5: the format of a table that names none."""
    return next(each for each in _ALL if each.game == game)
