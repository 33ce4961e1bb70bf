"""4.2.3: the colour bonus."""

from __future__ import annotations

from collections.abc import Iterable

from .troops import Troop


def share_a_color(troops: Iterable[Troop]) -> bool:
    """4.2.3, R36: all living creatures share a colour, or all are artifacts.

    A creature of several colours has each of them. Colourless creatures share no colour unless they are
    artifacts, nor do troops that are numbers alone. Where nobody lives, nothing is shared. For a side of two
    armies (4.4) the troops of both are asked together.
    """
    living = [troop for troop in troops if troop.alive]
    if not living or any(troop.anonymous for troop in living):
        return False
    if all(troop.is_artifact for troop in living):
        return True
    return any(all(color in troop.colors for troop in living) for color in living[0].colors)
