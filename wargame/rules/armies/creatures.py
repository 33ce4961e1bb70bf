"""2.1, 2.2: creatures: the rulebook's rulings on some by name, and the slots and armies that fit them."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from wargame.rules.armies.sizes import Size, read_size
from wargame.rules.core.position import Army
from wargame.rules.core.saying import marked
from wargame.rules.core.sides import Side
from wargame.rules.core.troops import SLOTS, Troop, slot_size
from wargame.rules.core.typography import plain


@dataclass(frozen=True, slots=True)
class Ruled:
    """The rulebook's ruling on one creature.

    `uses` are the sizes that it may be used at, as `sizes.py` writes them; none: as printed. `asks` is the judge's
    question about an army that has it.
    """

    cites: str
    uses: tuple[str, ...] = ()
    is_banned: bool = False
    note: str = ""
    asks: str = ""


RULED: dict[str, Ruled] = {
    "Greater Morphling": Ruled("2.2.1", is_banned=True, note=marked("It is banned for being stupid.")),
    "Summoner's Egg": Ruled("2.2.3.1.4", is_banned=True, note=marked("It is banned.")),
    "Death-Mask Duplicant": Ruled(
        "2.2.3.1.4",
        note=marked(
            "It imprints up to 1 recently killed creature per battle and loses the imprinted abilities when the "
            "battle ends."
        ),
    ),
    "Duplicant": Ruled("2.2.3.1.4", asks=marked("It imprints 1 other creature of the army: say which.")),
    "Mirror Golem": Ruled("2.2.3.1.4", note=marked("It imprints all other creatures of the army.")),
    "Flowstone Sculpture": Ruled("2.2.3.2", uses=("4/4+",), note=marked("It can have any number of +1/+1 counters.")),
    "Frozen Shade": Ruled("2.2.3.2", uses=("0/1",), note=marked("Activated abilities do not change its size.")),
    "Elvish Herder": Ruled("2.2.3.2", note=marked("It has trample but can't give it to others.")),
    "Werebear": Ruled("2.2.3.3", uses=("1/1", "4/4"), note=marked("4/4 with threshold.")),
    "Fledgling Osprey": Ruled("2.2.3.4", note=marked("It never has flying.")),
    "Tribal Golem": Ruled("2.2.3.4", note=marked("It has no abilities.")),
    "Clone": Ruled("2.2.4", uses=("*/*",), note=marked("It copies no abilities.")),
    "Vesuvan Doppelganger": Ruled("2.2.4", uses=("*/*",), note=marked("It copies no abilities.")),
    "Winged Sliver": Ruled("2.2.5", uses=("1/1",), note=marked("It doesn't share its flying with other slivers.")),
    "Mnemonic Sliver": Ruled("2.2.5", uses=("2/2",), note=marked("It doesn't share its ability with other slivers.")),
    "Suntouched Myr": Ruled("2.2.6", uses=("1/1", "2/2", "3/3"), note=marked("Sunburst, for 3 mana.")),
    "Skarrgan Firebird": Ruled("2.2.6", uses=("3/3", "6/6"), note=marked("6/6 with bloodthirst.")),
}
"""The creatures that chapter 2 names for a special property."""

SPELLINGS = {
    "DeathMask Duplicant": "Death-Mask Duplicant",
    "Vesuvian Doppleganger": "Vesuvan Doppelganger",
}
"""The rulebook's spellings, with the printed ones."""


CREATURE_COLORS = ("white", "blue", "black", "red", "green")
"""1.1.2: the colours that a creature can have, in the order in which they are written."""

LEGEND = "Legend"
"""2.2.1: the type of legends."""

_SIZE = re.compile(r"(\d+)/(\d+)", re.ASCII)
_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ß": "ss", "ð": "d", "þ": "th", "ł": "l"})


@dataclass(frozen=True)
class Creature:
    """2.2: a creature as the catalogue has it; `size` as printed, `colors` empty for colourless ones.

    `uses` are additional sizes that it may be used at, with the rule that says so in `cites` (2.2.3 to 2.2.6). `asks`:
    the question that only a judge can decide. `is_listed` is false for one that a player described.
    """

    name: str
    colors: tuple[str, ...] = ()
    size: str = ""
    types: tuple[str, ...] = ("Creature",)
    uses: tuple[str, ...] = ()
    cites: str = ""
    banned: str = ""
    note: str = ""
    asks: str = ""
    is_listed: bool = True

    @property
    def is_legend(self) -> bool:
        """2.2.1: whether the creature is legendary."""
        return LEGEND in self.types

    @property
    def is_artifact(self) -> bool:
        """2.2.1: whether the creature is an artifact."""
        return "Artifact" in self.types

    @cached_property
    def sizes(self) -> tuple[Size, ...]:
        """2.2.2 to 2.2.6: every size that it may be used at; none if its size is unknown."""
        texts = self.uses or (self.size,)
        return tuple(size for text in texts if (size := read_size(text)) is not None)

    @property
    def varies(self) -> bool:
        """2.2.2, 2.2.4: whether it can be used for a slot of any size."""
        return any(size.varies for size in self.sizes)

    @property
    def least(self) -> int | None:
        """2.1: the smallest slot that it fits, as the 3 of 3/3; None if its size is unknown."""
        return min((size.least for size in self.sizes), default=None)


def name_key(name: str) -> str:
    """2.2: the common form of all spellings of a creature's name: no case, no accents, plain characters, single
    spaces."""
    folded = plain(name).casefold().translate(_LETTERS)
    bare = "".join(sign for sign in unicodedata.normalize("NFKD", folded) if _is_plain(sign))
    return " ".join(bare.split())


def _is_plain(sign: str) -> bool:
    return sign.isprintable() and not unicodedata.combining(sign)


def printed_name(name: str) -> str:
    """2.2.3.1.4, 2.2.4: the printed name, where the rulebook spells it differently."""
    return _PRINTED.get(name_key(name), name)


def ruled(name: str) -> Ruled | None:
    """2.2: the rulebook's ruling on the creature of that name; None for all but a few."""
    return _RULED.get(name_key(name))


def with_ruling(creature: Creature) -> Creature:
    """2.2: the creature with the rulebook's ruling on its name, which overrides the catalogue."""
    ruling = ruled(creature.name)
    if ruling is None:
        return creature
    return replace(
        creature,
        uses=ruling.uses or creature.uses,
        cites=ruling.cites,
        banned=ruling.cites if ruling.is_banned else creature.banned,
        note=ruling.note or creature.note,
        asks=ruling.asks or creature.asks,
    )


def fits_slot(troop: Troop, tier: int) -> tuple[int, ...]:
    """2.1, R28: the slots of an army of that tier which a troop's size fits, lowest first.

    A troop whose size is unknown, or varies (2.2.2), keeps its slot.
    """
    match = _SIZE.fullmatch(troop.size)
    if match is None:
        return (troop.slot,)
    largest = max(int(part) for part in match.groups())
    return tuple(slot for slot in SLOTS if largest <= slot_size(tier, slot))


def fits_colors(troop: Troop, army: Army) -> bool:
    """2.3.3: whether an army may receive a creature of those colours; the rule binds only Coalition armies."""
    if troop.anonymous or army.side is not Side.COALITION:
        return True
    return allows_colors(army.side, army.colors, troop.colors)


def allows_colors(side: Side, own: Sequence[str], colors: Sequence[str]) -> bool:
    """2.2.1: whether a team's army of its `own` colours may have creatures of those colours."""
    if side is Side.PHYREXIA:
        return "white" not in colors and "green" not in colors
    if not colors:
        return "colorless" in own
    if len(colors) > 1:
        return "multicolor" in own
    return colors[0] in own


_RULED = {name_key(name): entry for name, entry in RULED.items()}
_PRINTED = {name_key(spelling): name for spelling, name in SPELLINGS.items()}
_RULED |= {name_key(spelling): RULED[name] for spelling, name in SPELLINGS.items()}
