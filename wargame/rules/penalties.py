"""5.4.1, R47: troops that a judge takes from an army as a penalty. A penalty is an input of the turn it is handed down
in."""

from __future__ import annotations

from dataclasses import dataclass

DIE = 6
SEVERITIES = (1, 2, 3, 4, 5)
PER_SLOT = (100, 50, 25, 10)
"""5.4.1: what severity and die are multiplied by, for slots 1 to 4."""

NOTHING = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Penalty:
    """5.4.1: a penalty that takes troops. `number` counts those of a turn, `by` is the player who acted.

    With a `severity` the loss follows from it and the `roll`; without, it is the judge's own word (`stated`, slots 1 to
    4). `after_battle`: the army's battle was over already, so that it is taken from what that left.
    """

    number: int
    army: str
    by: str
    cites: str
    reason: str
    severity: int = 0
    roll: int = 0
    stated: tuple[int, ...] = NOTHING
    after_battle: bool = False

    @property
    def takes(self) -> tuple[int, ...]:
        """What it takes from slots 1 to 4 of an army that has so many."""
        return losses_of(self.severity, self.roll) if self.severity else self.stated


def losses_of(severity: int, roll: int) -> tuple[int, ...]:
    """R47: severity times die times 100, 50, 25 and 10 troops."""
    return tuple(severity * roll * each for each in PER_SLOT)


def draw_name(number: int) -> str:
    """R38: the name under which the die of a penalty is drawn with its turn's seed."""
    return f"penalty/{number}"
