"""1.2, R2: the terrain of a round in its set-up."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from judging.game.errors import Refused
from judging.setup.writes import held_setup, save_step
from wargame.models import Judge, Round
from wargame.rules.armies.terrain_text import TerrainFault, read_terrain


class TerrainRefused(Refused):
    """R2: a text that is no map; `faults` has what is wrong, with line and column."""

    def __init__(self, faults: Sequence[TerrainFault]) -> None:
        super().__init__("This is no map yet; what you typed is kept below.", "R2")
        self.faults = tuple(faults)


@transaction.atomic
def save_terrain(*, round: Round, judge: Judge, text: str, base_version: int, now: datetime) -> None:
    """1.2, R2: 14 lines of 38 letters. Refused (TerrainRefused) with line and column of what is wrong."""
    setup = held_setup(round, judge, "terrain", base_version)
    rows, faults = read_terrain(text)
    if faults:
        raise TerrainRefused(faults)
    setup.round.terrain = "\n".join(rows)
    setup.round.save(update_fields=["terrain"])
    save_step(setup, "terrain", judge, now)
