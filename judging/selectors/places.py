"""2.5.1.2: the public bases, portals and towns of a round."""

from __future__ import annotations

from judging.models import PlannedSite
from judging.selectors.setup_sites import SeenSite
from wargame.models import Base, Round, Town
from wargame.rules.core.sides import Side

KINDS = PlannedSite.Kind


def places_of(round: Round) -> list[SeenSite]:
    """2.5.1.2, 2.5.1.3: what is built on the map with its description; nothing before the reveal, as it has no rows."""
    bases = sorted(Base.objects.filter(round=round), key=lambda base: (base.side, base.pk))
    found = [
        SeenSite(
            name=base.name,
            kind=(KINDS.BASE if base.side == Side.COALITION else KINDS.PORTAL).value,
            color=base.color,
            at=base.at,
            is_win=base.win,
            description=base.description,
            is_destroyed=base.destroyed_in is not None,
        )
        for base in bases
    ]
    towns = Town.objects.filter(round=round).order_by("pk")
    return found + [SeenSite(town.name, KINDS.TOWN.value, "", town.at, False, town.description) for town in towns]
