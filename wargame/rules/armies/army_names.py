"""3.2.2.5: valid names of armies, so that every order can name them, and names for proxies (2.5.2.2)."""

import unicodedata
from collections.abc import Iterable
from functools import cache

from wargame.rules.armies.findings import MusterFault, MusterFinding
from wargame.rules.core.board import read_square
from wargame.rules.core.dice import Dice
from wargame.rules.core.names import key
from wargame.rules.core.orders import HOLD_WORDS, IN_BATTLE_WORDS
from wargame.rules.core.typography import plain

LONGEST_NAME = 40
"""The maximum number of characters of an army's name, so that a line of orders stays short."""

ORDER_SIGNS = ":>;,()"
"""3.2.2.5: the characters that separate the parts of an order."""

_ORDER_WORDS = (*HOLD_WORDS, *IN_BATTLE_WORDS, "engage", "replace", "intercept", "transfer", "joint engage")


def name_faults(name: str, taken: Iterable[str]) -> list[MusterFinding]:
    """3.2.2.5, R10: the faults of an army's name. `taken` are the names of all other armies of the round.

    Names that differ only in case or whitespace are one name. This is stricter than the rulebook, which lets armies be
    called anything: a name that is very long, or contains characters or words of orders, could not be distinguished
    from the rest of an order.
    """
    if not name.strip():
        return [MusterFinding(MusterFault.NAME_MISSING)]
    faults = []
    if sign := next((sign for sign in name if plain(sign) in ORDER_SIGNS or not _is_text(sign)), ""):
        faults.append(
            MusterFinding(MusterFault.NAME_SIGN, {"name": name, "sign": sign if sign.isprintable() else repr(sign)})
        )
    if len(name) > LONGEST_NAME:
        faults.append(MusterFinding(MusterFault.NAME_LONG, {"name": name, "length": len(name), "most": LONGEST_NAME}))
    if _is_square(name) or key(name) in _ORDER_WORDS:
        faults.append(MusterFinding(MusterFault.NAME_ORDER, {"name": name}))
    if other := next((other for other in taken if key(other) == key(name)), ""):
        faults.append(MusterFinding(MusterFault.NAME_TAKEN, {"name": name, "other": other}))
    return faults


def _is_text(sign: str) -> bool:
    """Whether a character can be seen, and stored: no control characters, no halves of surrogate pairs."""
    return unicodedata.category(sign)[0] != "C"


def _is_square(name: str) -> bool:
    try:
        read_square(name)
    except ValueError:
        return False
    return True


NUMERALS = (" II", " III", " IV", " V", " VI", " VII", " VIII", " IX", " X")
"""R10: the suffixes of the names when all of them are taken."""

_FIRSTS = {
    "white": "Chalk Bright Dawn Hallowed Ivory Lantern Oathbound Pale Silver Steadfast Sunlit Vigil White Winged",
    "blue": "Azure Brine Cold Deepwater Drifting Foam Glass Mist Moonlit Salt Still Sunken Tidal Veiled",
    "black": "Ashen Barrow Bleak Carrion Crow Dusk Gallows Grave Hollow Marsh Midnight Mourning Nettle Unburied",
    "red": "Anvil Blazing Brand Cinder Crag Ember Flint Furnace Kiln Red Scorched Slag Thunder Wildfire",
    "green": "Antler Bramble Briar Deepwood Elder Fern Heartwood Ivy Moss Oaken Root Thorn Tusked Wild",
    "multicolor": "Banded Chequered Crossroad Five-Banner Gathered Hundred-Hued Many-Coloured Motley Patchwork Prism "
    "Rainbow Sworn Tangled United",
    "colorless": "Brass Bronze Clockwork Copper Cogwheel Grey Hammered Iron Lead Pewter Riveted Rusting Steel Tin",
}
_LASTS = {
    "white": "Banner Company Crusade Guard Lancers Legion Phalanx Procession Shields Standard Vanguard Wardens",
    "blue": "Currents Divers Drift Fleet Flotilla Harbour Navigators Reef Shoal Spires Swell Watch",
    "black": "Army Bells Chorus Covenant Crypt Hunger Lanterns Murder Mourners Pact Procession Spades",
    "red": "Brigade Charge Drums Fists Hammers Horde Host Raid Rampage Torches Uproar Warband",
    "green": "Circle Foresters Grove Herd Hunt Kin Pack Pathfinders Stampede Thicket Wanderers Wolves",
    "multicolor": "Accord Alliance Assembly Caravan Compact Concord Fellowship League March Muster Union",
    "colorless": "Battery Bellows Column Engine Garrison Levers Machines Pistons Press Ramparts Ward Works",
}
_PHYREXIAN_FIRSTS = (
    "Blackoil Bleeding Bonewright Broken Chained Distilled Fevered Flayed Glistening Gnawing Grafted Hooked Ichor "
    "Lesser Nameless Ninth Oiled Plated Rendered Retching Rotting Seeping Serrated Sixth Skinless Sutured Thousandth "
    "Tithed Vatborn Welded"
)
_PHYREXIAN_LASTS = (
    "Assemblage Blight Brood Carrion Cohort Contagion Coven Delving Engine Furnace Gallery Gauntlet Harrow Harvest "
    "Hive Legion Levy Liturgy Maw Mill Murrain Pestilence Procession Scourge Strain Talon Tithe Vat Wound Yoke"
)


@cache
def names_of_color(color: str) -> tuple[str, ...]:
    """1.1.2, 2.5.2.2: the names that suit armies of a colour of the Coalition."""
    return _pairs(_FIRSTS[color], _LASTS[color])


def free_name(made: tuple[str, ...], names: Iterable[str], dice: Dice, lot: str, number: int = 1) -> str:
    """3.2.2.5, R10: one of the made-up names, the next free one after the drawn one; when all are taken, with a
    numeral behind."""
    used_keys = {key(name) for name in names}
    first = dice.roll(f"{lot}: name", len(made), number) - 1
    in_order = made[first:] + made[:first]
    for numeral in ("", *NUMERALS):
        for name in (f"{name}{numeral}" for name in in_order):
            if key(name) not in used_keys and not name_faults(name, ()):
                return name
    raise ValueError("every name that can be made up is taken")


def _pairs(firsts: str, lasts: str) -> tuple[str, ...]:
    """Neighbours have different first words: the next free name does not look like the taken one."""
    return tuple(f"{first} {last}" for last in lasts.split() for first in firsts.split())


PHYREXIAN_NAMES = _pairs(_PHYREXIAN_FIRSTS, _PHYREXIAN_LASTS)
"""2.5.2.2: the names that suit Phyrexia's armies."""
