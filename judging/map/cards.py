"""1.2: a turn's map as a picture that stands alone: small, one in a strip of all turns, and on the card of a round."""

from __future__ import annotations

from textwrap import shorten

from django.core.cache import cache
from django.template.loader import render_to_string
from django.utils.translation import gettext

from judging.drawing.small import small
from judging.game.positions import position_of
from wargame.models import Turn
from wargame.models.choices import RoundState

KEPT_SECONDS = 24 * 3600
TITLE, LONGEST_TITLE = 30, 60
"""How many letters of a round's name have room in large type, and at all."""


def small_map(turn: Turn) -> str:
    """The map as the turn opened, as SVG; drawn once for as long as its hash stays."""
    key = f"small:{turn.position_hash}:{turn.penalties}"
    svg: str | None = cache.get(key)
    if svg is None:
        svg = render_to_string("map/small.svg", {"map": small(position_of(turn))})
        cache.set(key, svg, KEPT_SECONDS)
    return svg


def card_of(turn: Turn, *, told: str = "") -> str:
    """The picture of a round at a turn as SVG, 1200 by 630; `told` is said of it, else how the round stands."""
    name = shorten(turn.round.name, LONGEST_TITLE, placeholder="…")
    context = {
        "map": small(position_of(turn)),
        "title": name,
        "size": 56 if len(name) <= TITLE else 30,
        "told": told or told_of(turn),
    }
    return render_to_string("map/card.svg", context)


def told_of(turn: Turn) -> str:
    """Where a round stands, in a few words."""
    if turn.round.state == RoundState.OVER and turn.round.winner:
        won = {"winner": turn.round.get_winner_display(), "turn": turn.number}
        return gettext("Won by %(winner)s in turn %(turn)s") % won
    return gettext("Turn %(number)s") % {"number": turn.number}
