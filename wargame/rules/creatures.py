"""2.1, 2.2: which creature may stand where."""

from __future__ import annotations

import re

from .position import Army
from .sides import Side
from .troops import SLOTS, Troop, slot_size

_SIZE = re.compile(r"(\d+)/(\d+)")


def fits_slot(troop: Troop, tier: int) -> tuple[int, ...]:
    """2.1, R28: the slots of an army of that tier which a troop's size fits, lowest first.

    A troop whose size is not known, or varies (2.2.2), keeps its slot.
    """
    match = _SIZE.fullmatch(troop.size)
    if match is None:
        return (troop.slot,)
    largest = max(int(part) for part in match.groups())
    return tuple(slot for slot in SLOTS if largest <= slot_size(tier, slot))


def fits_colors(troop: Troop, army: Army) -> bool:
    """2.2.1: whether an army may have a creature of those colours."""
    if troop.anonymous or army.side is Side.MERCENARY:
        return True
    if army.side is Side.PHYREXIA:
        return "white" not in troop.colors and "green" not in troop.colors
    if not troop.colors:
        return "colorless" in army.colors
    if len(troop.colors) > 1:
        return "multicolor" in army.colors
    return troop.colors[0] in army.colors
