"""2.5.1.1: what the teams' leaders ask of the judge about the places of their bases."""

from __future__ import annotations

from judging.setup.models import SideWish
from wargame.models import Round
from wargame.rules.core.sides import Side


def wish_of(round: Round, side: Side) -> SideWish | None:
    """2.5.1.1: what the leaders of a side wrote last; for them and for the battle judges."""
    return SideWish.objects.filter(round=round, side=side.value).first()


def wishes_of(round: Round) -> list[SideWish]:
    """2.5.1.1: what both sides' leaders wrote, for the battle judges."""
    return list(SideWish.objects.filter(round=round).exclude(text="").order_by("side"))
