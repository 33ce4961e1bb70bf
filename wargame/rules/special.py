"""2.2: the creatures that the rulebook itself rules on, by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ruled:
    """What the rulebook says of one creature.

    `uses` are the sizes that it may be used at, as `sizes.py` writes them; none: as printed. `asks` is what the
    judge wants to know of an army that has it.
    """

    cites: str
    uses: tuple[str, ...] = ()
    is_banned: bool = False
    note: str = ""
    asks: str = ""


RULED: dict[str, Ruled] = {
    "Greater Morphling": Ruled("2.2.1", is_banned=True, note="It is banned for being stupid."),
    "Summoner's Egg": Ruled("2.2.3.1.4", is_banned=True, note="It is banned."),
    "Death-Mask Duplicant": Ruled(
        "2.2.3.1.4", note="It imprints up to 1 recently killed creature a battle and loses the abilities at its end."
    ),
    "Duplicant": Ruled("2.2.3.1.4", asks="It imprints 1 other creature of the army: say which."),
    "Mirror Golem": Ruled("2.2.3.1.4", note="It imprints all other creatures of the army."),
    "Flowstone Sculpture": Ruled("2.2.3.2", uses=("4/4+",), note="It may have any number of +1/+1 counters."),
    "Frozen Shade": Ruled("2.2.3.2", uses=("0/1",), note="Activated abilities do not change its size."),
    "Elvish Herder": Ruled("2.2.3.2", note="It has trample itself and can't give it to others."),
    "Werebear": Ruled("2.2.3.3", uses=("1/1", "4/4"), note="4/4 with threshold."),
    "Fledgling Osprey": Ruled("2.2.3.4", note="It never has flying."),
    "Tribal Golem": Ruled("2.2.3.4", note="It has no abilities."),
    "Clone": Ruled("2.2.4", uses=("*/*",), note="It copies no abilities."),
    "Vesuvan Doppelganger": Ruled("2.2.4", uses=("*/*",), note="It copies no abilities."),
    "Winged Sliver": Ruled("2.2.5", uses=("1/1",), note="It shares its flying with no other sliver."),
    "Mnemonic Sliver": Ruled("2.2.5", uses=("2/2",), note="It shares its ability with no other sliver."),
    "Suntouched Myr": Ruled("2.2.6", uses=("1/1", "2/2", "3/3"), note="Sunburst, for 3 mana."),
    "Skarrgan Firebird": Ruled("2.2.6", uses=("3/3", "6/6"), note="6/6 with bloodthirst."),
}
"""The creatures that chapter 2 names for what is special about them."""

SPELLINGS = {
    "DeathMask Duplicant": "Death-Mask Duplicant",
    "Vesuvian Doppleganger": "Vesuvan Doppelganger",
}
"""As the rulebook writes them, and as they are printed."""
