"""What `fixtures/demo/` holds: the board, the armies, the people, and what they wrote."""

from __future__ import annotations

from functools import cache

import yaml
from django.conf import settings

from wargame.importing.bounded_yaml import LOADER
from wargame.rules.core.codec import Json

Row = Json

FOLDER = settings.BASE_DIR / "fixtures" / "demo"


@cache
def read(name: str) -> Row:
    """The content of `fixtures/demo/<name>.yaml`; shared, so nobody changes it."""
    with (FOLDER / f"{name}.yaml").open(encoding="utf-8") as file:
        content: Row = yaml.load(file, LOADER)
    return content


def terrain() -> str:
    """R2: 14 lines of 38 letters."""
    return (FOLDER / "terrain.txt").read_text(encoding="ascii").strip()


def people() -> list[Row]:
    """Everybody who has a log-in: players, judges and onlookers."""
    rows = read("people")
    return [*rows["players"], *rows["judges"], *rows["onlookers"]]


def password() -> str:
    """What everybody of the demo logs in with."""
    return str(read("people")["password"])
