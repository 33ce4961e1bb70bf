"""The small war on which a visitor tries a turn: a corner of a map with four armies, two a side. None of it is stored,
and no round knows of it; its creatures are made up."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext_noop

from wargame.rules.core.board import COLUMNS, ROWS, Base, Board, Town, read_square
from wargame.rules.core.dice import commitment
from wargame.rules.core.orders import Hold, Move, Order, Step
from wargame.rules.core.position import Army, Position, sorted_armies
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import Troop

NAME = "sandbox"
"""What stands in the place of a round's slug where dice are drawn."""

SEED = bytes.fromhex("8f3c1b7a52e94d06b1c7a9e8d4f25063907be1aa4c6d38f2155e0c9b7d42a6f1")
"""The one seed of all turns that are tried here (R38)."""

COMMITMENT = commitment(SEED)

OWN, ENEMY, FRIEND, STRANGER = "Lantern Guard", "Rust Choir", "Mill Company", "Grave Ferry"
VISITOR = "You"

WIDE, HIGH = 10, 7
"""How many columns and rows of the map the war is fought on."""

_CORNER = (
    "pppffmmmoo",
    "ppfffpmmpo",
    "pppfppppps",
    "oppppppsss",
    "oopppfpsps",
    "opppfffppp",
    "ppppffpppm",
)


class Card(NamedTuple):
    """2.2: a creature of the sandbox, with what it can do."""

    name: str
    size: str
    colors: tuple[str, ...]
    text: str


CARDS = {
    card.name: card
    for card in (
        Card(
            "Lantern Pike",
            "1/1",
            ("white",),
            gettext_noop("When it stands its ground, it strikes first at anything that charges it."),
        ),
        Card("Marsh Runner", "2/2", ("green",), gettext_noop("Swamps don't slow it; it crosses water on foot.")),
        Card("Bridge Griffin", "3/3", ("white",), gettext_noop("It flies. It sees in the dark.")),
        Card("Old Stone Ox", "4/4", ("green",), gettext_noop("It can't be moved by anything smaller than itself.")),
        Card(
            "Rust Thrall", "1/1", ("black",), gettext_noop("It doesn't feel fear, and can't see farther than its arm.")
        ),
        Card("Ember Hound", "2/2", ("red",), gettext_noop("It is the first to bite. It hates the rain.")),
        Card(
            "Iron Digger",
            "3/3",
            (),
            gettext_noop("It digs, and can come up behind a line that has stood still for an hour."),
        ),
        Card(
            "Choir Bell", "4/4", (), gettext_noop("While it rings, thralls don't run away. It can be heard for miles.")
        ),
    )
}
"""2.2.3: what their rules say is what they can do."""


def _troops(*counts: tuple[str, int, int]) -> tuple[Troop, ...]:
    """Slots 1 to 4: the creature, the living, and the strength."""
    return tuple(
        Troop(slot, name, alive, of, CARDS[name].colors, CARDS[name].size, _types(CARDS[name]))
        for slot, (name, alive, of) in enumerate(counts, 1)
    )


def _types(card: Card) -> tuple[str, ...]:
    """4.2.3: what has no colour here is an artifact."""
    return ("Creature",) if card.colors else ("Artifact", "Creature")


_GUARD = (("Lantern Pike", 4800, 5000), ("Marsh Runner", 2500, 2500), ("Bridge Griffin", 1450, 1500))
_CHOIR = (("Rust Thrall", 5000, 5000), ("Ember Hound", 1900, 2500), ("Iron Digger", 1300, 1500))

BOARD = Board(
    terrain=tuple(row + "o" * (COLUMNS - WIDE) for row in _CORNER) + ("o" * COLUMNS,) * (len(ROWS) - HIGH),
    bases=(
        Base("White Base", read_square("1B"), Side.COALITION, "white"),
        Base("Portal", read_square("10F"), Side.PHYREXIA),
    ),
    towns=(Town("Millford", read_square("6F")),),
)

POSITION = Position(
    board=BOARD,
    armies=sorted_armies(
        [
            Army(
                OWN,
                Side.COALITION,
                read_square("4D"),
                Rank.LIEUTENANT,
                colors=("white", "green"),
                troops=_troops(*_GUARD, ("Old Stone Ox", 1000, 1000)),
            ),
            Army(
                FRIEND,
                Side.COALITION,
                read_square("2F"),
                Rank.LIEUTENANT,
                colors=("white",),
                troops=_troops(*_GUARD, ("Old Stone Ox", 400, 1000)),
            ),
            Army(
                ENEMY,
                Side.PHYREXIA,
                read_square("6C"),
                Rank.CENTURION,
                troops=_troops(*_CHOIR, ("Choir Bell", 900, 1000)),
            ),
            Army(
                STRANGER,
                Side.PHYREXIA,
                read_square("9B"),
                Rank.CENTURION,
                troops=_troops(*_CHOIR, ("Choir Bell", 700, 1000)),
            ),
        ]
    ),
)

OTHERS: tuple[tuple[str, Order], ...] = (
    (FRIEND, Move((Step(read_square("2F"), read_square("4F")),))),
    (STRANGER, Move((Step(read_square("9B"), read_square("8C")),))),
    (ENEMY, Hold()),
)
"""3.3.4: what the others have ordered for the same turn."""

WRONG = f"{OWN}: 4D > 9D"
RIGHT = f"{OWN}: 4D > 6C; engage {ENEMY}"
STRAT = gettext_noop(
    "My Griffins fly at dawn and look for dug earth: where the Diggers come up, the Oxen stand already. The Pikes hold "
    "the tree line and let the Thralls, who can't see, run into them. The Runners go round through the swamp and "
    "silence the Bell; without it the Thralls run."
)
THEIR_STRAT = "Dig under the trees, ring the bell, and go straight at them."
SALT = NAME
"""R35: hashed with a strat into its receipt. There is nothing to hide here, so it is no secret."""
