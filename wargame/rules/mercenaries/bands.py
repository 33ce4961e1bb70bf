"""6.3: the raiders that appear during a round: what they are called and whom they lead.

Old turns are recomputed from these tables: nothing in them is ever changed, and what is added goes to the end.
"""

from __future__ import annotations

from ..troops import SLOT_MAXIMUM, Troop

NAMES = (
    "Ditchwater Company", "Sons of the Empty Granary", "Coin and Cudgel", "Weasel Hill Free Lances",
    "Burnt Mill Riders", "Fellowship of the Hook", "Lantern Thieves", "Nine Day Knights", "Oxbow Cutthroats",
    "Penny Dreadful Band", "Sawtooth Highwaymen", "Sparrowhawk Irregulars", "Tinker's Damnation",
    "Two Crowns a Day", "Vulture Mile Company", "Widow Lane Reavers", "Blackthorn Bandits", "Cold Hearth Gang",
    "Dead Letter Couriers", "Foul Weather Friends", "Gravel Pit Boys", "Hollow Barrel Crew", "Idle Hands",
    "Mud River Pirates", "Old Debt Collectors", "Rag and Bone Company", "Salt Road Wreckers", "Turncoat Regiment",
)  # fmt: skip

Kind = tuple[str, str, tuple[str, ...]]
"""A creature: name, size, colours."""

Band = tuple[tuple[Kind, ...], ...]
"""The creatures of the slots 1 to 4; two in one slot share it."""

_GOBLINS: Band = (
    (("Raging Goblin", "1/1", ("red",)), ("Festering Goblin", "1/1", ("black",))),
    (("Goblin Raider", "2/2", ("red",)),),
    (("Hill Giant", "3/3", ("red",)),),
    (("Two-Headed Giant of Foriys", "4/4", ("red",)),),
)
_GRAVE_ROBBERS: Band = (
    (("Drudge Skeletons", "1/1", ("black",)), ("Bog Rats", "1/1", ("black",))),
    (("Scathe Zombies", "2/2", ("black",)), ("Black Knight", "2/2", ("black",))),
    (("Gluttonous Zombie", "3/3", ("black",)),),
    (("Sengir Vampire", "4/4", ("black",)),),
)
_PIRATES: Band = (
    (("Merfolk of the Pearl Trident", "1/1", ("blue",)), ("Cloud Sprite", "1/1", ("blue",))),
    (("Phantom Warrior", "2/2", ("blue",)),),
    (("Giant Octopus", "3/3", ("blue",)), ("Aven Windreader", "3/3", ("blue",))),
    (("Air Elemental", "4/4", ("blue",)),),
)
_POACHERS: Band = (
    (("Elvish Herder", "1/1", ("green",)), ("Mogg Fanatic", "1/1", ("red",))),
    (("Wild Mongrel", "2/2", ("green",)), ("Rip-Clan Crasher", "2/2", ("red", "green"))),
    (("Gorilla Chieftain", "3/3", ("green",)),),
    (("Durkwood Boars", "4/4", ("green",)),),
)
_OGRES: Band = (
    (("Gray Ogre", "2/2", ("red",)), ("Ironclaw Orcs", "2/2", ("red",))),
    (("Talruum Minotaur", "3/3", ("red",)), ("Hill Giant", "3/3", ("red",))),
    (("Volcanic Dragon", "4/4", ("red",)),),
    (("Balduvian Horde", "5/5", ("red",)),),
)
_NIGHT_RIDERS: Band = (
    (("Black Knight", "2/2", ("black",)), ("Hypnotic Specter", "2/2", ("black",))),
    (("Fallen Angel", "3/3", ("black",)), ("Bog Wraith", "3/3", ("black",))),
    (("Sengir Vampire", "4/4", ("black",)),),
    (("Juzam Djinn", "5/5", ("black",)),),
)
_CORSAIRS: Band = (
    (("Wind Drake", "2/2", ("blue",)), ("Phantom Warrior", "2/2", ("blue",))),
    (("Phantom Monster", "3/3", ("blue",)),),
    (("Air Elemental", "4/4", ("blue",)),),
    (("Quicksilver Dragon", "5/5", ("blue",)), ("Sea Serpent", "5/5", ("blue",))),
)

BANDS: dict[int, tuple[Band, ...]] = {
    6: (_GOBLINS, _GRAVE_ROBBERS, _PIRATES, _POACHERS),
    5: (_OGRES, _NIGHT_RIDERS, _CORSAIRS),
}
"""6.3: by tier: 6 is 1/1 to 4/4, 5 is 2/2 to 5/5."""


def troops_of(band: Band) -> tuple[Troop, ...]:
    """2.1: a band at full strength; of two creatures in a slot each has half of it."""
    return tuple(
        Troop(slot, name, most // len(kinds), most // len(kinds), colors, size)
        for slot, (kinds, most) in enumerate(zip(band, SLOT_MAXIMUM, strict=True), 1)
        for name, size, colors in kinds
    )
