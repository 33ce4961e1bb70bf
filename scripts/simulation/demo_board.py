"""The board of the demo round (1.2, 2.5.1), for rehearsals without a database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from wargame.rules.core.board import Base, Board, Town, read_square
from wargame.rules.core.sides import Side

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "demo"


def demo_board() -> Board:
    """The full map of `fixtures/demo`: its terrain, the seven bases, the five portals and the three towns."""
    data = yaml.safe_load((FOLDER / "round.yaml").read_text(encoding="utf-8"))
    terrain = (FOLDER / "terrain.txt").read_text(encoding="ascii").split()
    bases = tuple(_base(row) for row in (*data["bases"], *data["portals"]))
    return Board(tuple(terrain), bases, tuple(Town(row["name"], read_square(row["at"])) for row in data["towns"]))


def _base(row: dict[str, Any]) -> Base:
    return Base(row["name"], read_square(row["at"]), Side(row["team"]), row.get("color"), bool(row.get("win")))
