"""4.3.2, 4.5: the troops that are risked for a kill or a capture, and the armies that may risk them."""

from collections.abc import Iterable
from enum import StrEnum

from wargame.rules.core.faults import Fault
from wargame.rules.core.position import Army
from wargame.rules.core.troops import alive_by_slot

Slots = tuple[int, int, int, int]
"""Troops of the slots 1 to 4."""

NO_TROOPS: Slots = (0, 0, 0, 0)


class Risk(StrEnum):
    """R35: the possible requests of a strat; not both."""

    KILL = "kill"
    CAPTURE = "capture"


RISKED: dict[Risk, Slots] = {Risk.KILL: (0, 0, 0, 500), Risk.CAPTURE: (2000, 0, 0, 0)}
"""4.3.2: 500 of the top slot for a kill. 4.5: 2000 of the lowest slot for a capture."""


class NoRisk(Fault):
    """4.3.2, 4.5: why a kill or capture can't be tried."""

    TOO_FEW_TOP = "4.3.2", "A kill risks 500 troops from slot 4, but fewer are left."
    TOO_FEW_LOW = "4.5", "A capture risks 2000 troops from slot 1, but fewer are left."
    TOO_HIGH = "4.5", "Only armies of a team's lowest two ranks can be captured."
    NOT_ANEW = "4.5", "A partially converted army can't be captured again; it is freed when it loses."


def why_no_risk(army: Army, risk: Risk, enemies: Iterable[Army]) -> NoRisk | None:
    """4.3.2, 4.5, R39, R40: why the army can't go for a kill or a capture of these enemies; None: it can."""
    alive = alive_by_slot(army.troops)
    if risk is Risk.KILL:
        return None if alive[3] >= RISKED[risk][3] else NoRisk.TOO_FEW_TOP
    if not any(enemy.is_low for enemy in enemies):
        return NoRisk.TOO_HIGH
    return None if alive[0] >= RISKED[risk][0] else NoRisk.TOO_FEW_LOW


def risked_troops(army: Army, risk: Risk | None, enemies: Iterable[Army]) -> Slots:
    """R39, R40: the troops that don't fight; none where the kill or the capture can't be tried."""
    if risk is None or why_no_risk(army, risk, enemies):
        return NO_TROOPS
    return RISKED[risk]
