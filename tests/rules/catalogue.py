"""The creatures of the project's own list as the rules draw from them."""

from functools import cache
from pathlib import Path

import yaml

from wargame.rules.armies.creatures import Creature
from wargame.rules.armies.recruiting import Barracks, Recruit
from wargame.rules.core.board import Base, Board, Town, read_square
from wargame.rules.core.sides import Side

FIXTURES = Path(__file__).parents[2] / "fixtures"


@cache
def barracks() -> Barracks:
    """2.2.1: all creatures and legends of the list."""
    data = yaml.safe_load((FIXTURES / "creatures.yaml").read_text(encoding="utf-8"))
    return Barracks.of(_recruit(row) for row in (*data["creatures"], *data["legends"]))


@cache
def demo_board() -> Board:
    """The demo round's map with its bases and towns."""
    data = yaml.safe_load((FIXTURES / "demo" / "round.yaml").read_text(encoding="utf-8"))
    terrain = tuple((FIXTURES / "demo" / "terrain.txt").read_text(encoding="utf-8").split())
    bases = (
        Base(row["name"], read_square(row["at"]), Side(row["team"]), row.get("color"))
        for row in (*data["bases"], *data["portals"])
    )
    return Board(terrain, tuple(bases), tuple(Town(row["name"], read_square(row["at"])) for row in data["towns"]))


def _recruit(row: dict[str, object]) -> Recruit:
    creature = Creature(
        name=str(row["name"]),
        colors=tuple(row["color"]),  # type: ignore[arg-type]
        size=str(row["size"]),
        types=tuple(row["types"]),  # type: ignore[arg-type]
        uses=tuple(row.get("uses", ())),  # type: ignore[arg-type]
        cites=str(row.get("cites", "")),
    )
    return Recruit(creature, tuple(row.get("subtypes", ())))  # type: ignore[arg-type]
