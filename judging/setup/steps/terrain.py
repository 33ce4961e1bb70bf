"""1.2, R2: the step of the terrain."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from judging.setup.models import RoundSetup
from judging.setup.step import Problem, StepKind, advice, missing, wrong
from wargame.rules.armies.terrain_text import read_terrain
from wargame.rules.core.board import TERRAINS


def demo_terrain() -> tuple[str, ...]:
    """R2: the map of the demo round, to start from."""
    text = (settings.BASE_DIR / "fixtures" / "demo" / "terrain.txt").read_text(encoding="utf-8")
    return tuple(text.split())


def find(setup: RoundSetup) -> Iterator[Problem]:
    """1.2, R2: that no terrain was saved yet, or what is wrong with it."""
    if not setup.version("terrain"):
        yield missing("Paint the map, or take the demo's.", "1.2")
        return
    rows, faults = read_terrain(setup.round.terrain)
    for fault in faults:
        yield wrong(fault.sentence, "R2")
    letters = "".join(rows)
    if "o" not in letters:
        yield advice("There is no ocean, so the ocean theme army has no territory.", "6.2")
    if lacking := [name for letter, name in TERRAINS.items() if letter not in letters and letter != "o"]:
        yield advice(f"The map has no {' and no '.join(lacking)}.", "R2")


STEP = StepKind("terrain", "Terrain", "1.2", "The battle judge draws the map.", find)
