"""T11.8: the hidden cards that a judge asked to see, in the order in which they lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, gettext_noop

from judging.tables import world
from judging.tables.models import Table
from tables.core.zones import zone_of

TITLES = {"deck": gettext_noop("deck, top card first"), "eleven": gettext_noop("11 year row")}
"""What a zone is called whose key doesn't read by itself."""


@dataclass(frozen=True)
class Looked:
    """T11.8: a hidden zone of a seat: the names of its cards, the top first."""

    seat: str
    zone: str
    cards: tuple[str, ...]


def looked_at(table: Table, view: Mapping[str, Any], names: Mapping[str, str]) -> tuple[Looked, ...]:
    """T11.8: what a judge's view shows beyond what all see; `names`: what the seats are called."""
    kinds = [kind.name for kind in world.rules_of(table).zones.values() if kind.sees != "all" and kind.whose == "seat"]
    seats = dict.fromkeys(look["seat"] for look in view["looks"])
    return tuple(
        Looked(
            names.get(seat, seat),
            gettext(TITLES[kind]) if kind in TITLES else kind,
            tuple(card["card"] for card in cards),
        )
        for seat in seats
        for kind in kinds
        if (cards := [card for card in view["zones"].get(zone_of(seat, kind), ()) if card and "card" in card])
    )
