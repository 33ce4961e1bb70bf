"""2.5.3: names for the mercenaries with which a round begins: bands and hosts, never persons."""

from __future__ import annotations

from .army_names import name_faults

_DEFENDERS = "Gatekeepers Militia Rampart Walls Wardens Watch"
_TOWNSFOLK = (
    "Bell Tower Militia", "Bridge Wardens", "Ferry Watch", "Granary Guard", "Market Watch", "Mill Street Militia",
    "Night Bell Watch", "Old Wall Wardens", "Palisade Guard", "Toll House Guard",
)  # fmt: skip

THEME_NAMES = {
    "ocean": (
        "Court of the Long Tide", "Deep That Listens", "Drowned Procession", "Host of the Sunken Bell",
        "Leviathan Choir", "Salt Sovereigns", "Throng of the Trench", "Wrack and Undertow",
    ),
    "islands": (
        "Gulls of the Outer Skerries", "Keepers of the Low Water", "Moot of the Sandbars", "Reef Kingdom",
        "Storm Petrel Court", "Tide Pool Parliament",
    ),
    "plains": (
        "Griffin Pastures", "Herd of the Open Grass", "Kites over the Downs", "Lords of the Long Grass",
        "Muster of the Wide Field", "Wind-Walker Clans",
    ),
    "mountain": (
        "Crag Tyrants", "Council of the High Caves", "Giants of the Broken Range", "Kin of the Landslide",
        "Thunder Ledge Clans", "Wyrms of the Scree",
    ),
    "forest": (
        "Court of the Hollow Oak", "Grove That Walks", "Moss Crown Circle", "Old Wood Awake", "People of the Canopy",
        "Thorn Hedge Kingdom",
    ),
    "swamp": (
        "Bog Candle Court", "Feast of the Low Mire", "Lanterns under the Reeds", "Peat Cutters Unquiet",
        "Rot Garden Parliament", "Wake of the Black Pools",
    ),
}  # fmt: skip
"""6.2: by the terrain of an army's territory."""

RAIDER_NAMES = (
    "Ash Road Company", "Broken Wheel Gang", "Crows of the Milestone", "Empty Purse Reavers", "Gallows Cheaters",
    "Half Pay Free Company", "Knives of the Back Road", "Last Coin Riders", "Loose Saddle Band", "Magpie Company",
    "Quick Ladder Reavers", "Red Rag Riders", "Rust and Plunder", "Three Thumb Crew", "Torn Sail Pirates",
    "Wolfshead Stragglers",
)  # fmt: skip
"""6.3: no two of a round have the same, and there are more than will ever ride at once."""


def defender_names(town: str) -> tuple[str, ...]:
    """6.1, 3.2.2.5: names with the town's in them, if every order can name such an army."""
    named = tuple(f"{town} {word}" for word in _DEFENDERS.split()) if town else ()
    return tuple(name for name in named if not name_faults(name, ())) or _TOWNSFOLK
