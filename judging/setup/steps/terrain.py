"""1.2, R2: the terrain step: the judge paints the map or pastes it as text."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.setup.preparation import Preparation
from judging.setup.sites import draw_land
from judging.setup.step import Problem, StepForm, advice, missing, wrong
from wargame.rules.armies.terrain_text import EMPTY, read_terrain
from wargame.rules.core.board import PLAINS, TERRAINS
from wargame.rules.core.faults import LineFinding

STARTS = {"ocean": EMPTY, "plains": PLAINS}
LONGEST_TEXT = 5_000
"""The most characters of a text that are read; a map has 545."""


def demo_terrain() -> tuple[str, ...]:
    """R2: the map of the demo round, to start from."""
    text = (settings.BASE_DIR / "fixtures" / "demo" / "terrain.txt").read_text(encoding="utf-8")
    return tuple(text.split())


def problems(prepared: Preparation) -> Iterator[Problem]:
    """1.2, R2: that no terrain was saved yet, or what is wrong with it."""
    if not prepared.setup.version("terrain"):
        yield missing(gettext("Paint the map, or use the demo map."), "1.2")
        return
    rows, faults = read_terrain(prepared.round.terrain)
    for fault in faults:
        yield wrong(fault.sentence, "R2")
    letters = "".join(rows)
    if "o" not in letters:
        yield advice(gettext("There is no ocean, so the ocean theme army has no territory."), "6.2")
    if lacking := [name for letter, name in TERRAINS.items() if letter not in letters and letter != "o"]:
        yield advice(gettext("The map has none of these terrains: %(lacking)s."), "R2", lacking=", ".join(lacking))


class TerrainRefused(Refused):
    """R2: a text that is not a map; `faults` lists the errors with line and column."""

    def __init__(self, faults: Sequence[LineFinding]) -> None:
        super().__init__(gettext("This isn't a complete map yet. Your text is still below."), "R2")
        self.faults = tuple(faults)


class TerrainForm(StepForm):
    """1.2, R2: the map as text, 14 lines of 38 letters, and as a picture that can be painted on."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.text = self.values.get("terrain", "")[:LONGEST_TEXT] if self.is_bound else self.round.terrain
        if self.only_looks:
            name = self.pressed()[0]
            self.text = "\n".join(STARTS[name] if name in STARTS else demo_terrain())

    @property
    def only_looks(self) -> bool:
        return self.pressed()[0] in ("demo", *STARTS)

    def context(self) -> dict[str, object]:
        if self.only_looks:
            messages.info(self.request, gettext("The map below is not saved yet."))
        rows, faults = read_terrain(self.text)
        counts = Counter("".join(rows))
        return {
            "text": self.text.replace("\r\n", "\n"),
            "faults": self.refused.faults if isinstance(self.refused, TerrainRefused) else (),
            "terrains": [(letter, name, counts[letter]) for letter, name in TERRAINS.items()],
            "land": draw_land(tuple(self.round.terrain.split()) if faults else rows),
            "is_unsaved": self.is_bound,
        }

    @locking.writes
    def save(self) -> str:
        """Refused (TerrainRefused) with line and column of what is wrong."""
        setup, (rows, faults) = self.held(), read_terrain(self.text)
        if faults:
            raise TerrainRefused(faults)
        setup.round.terrain = "\n".join(rows)
        setup.round.save(update_fields=["terrain"])
        self.store(setup)
        return gettext("The map is saved.")
