"""2.5.1: bases, portals and towns as they may be seen."""

from __future__ import annotations

from dataclasses import dataclass

from wargame.models import Base, Round, Town
from wargame.models.choices import SiteKind
from wargame.rules.core.sides import Side


@dataclass(frozen=True)
class SeenSite:
    """2.5.1: a site as somebody may see it; `at` is empty where it has none or may not be seen."""

    name: str
    kind: str
    color: str
    at: str
    is_win: bool
    description: str
    is_destroyed: bool = False


def places_of(round: Round) -> list[SeenSite]:
    """2.5.1.2, 2.5.1.3: what is built on the map with its description; nothing before the reveal, as it has no rows."""
    bases = sorted(Base.objects.filter(round=round), key=lambda base: (base.side, base.pk))
    found = [
        SeenSite(
            name=base.name,
            kind=(SiteKind.BASE if base.side == Side.COALITION else SiteKind.PORTAL).value,
            color=base.color,
            at=base.at,
            is_win=base.win,
            description=base.description,
            is_destroyed=base.destroyed_in is not None,
        )
        for base in bases
    ]
    towns = Town.objects.filter(round=round).order_by("pk")
    return found + [SeenSite(town.name, SiteKind.TOWN.value, "", town.at, False, town.description) for town in towns]
