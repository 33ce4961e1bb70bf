"""T10.6: what people are called at whose seat somebody else plays on."""

from __future__ import annotations

from judging.tables.models import Seat


def called(seat: Seat) -> str:
    """T10.6: what he is called who plays at a seat now; the log keeps the name of who sat down there."""
    taken = [row for row in seat.substitutions.all() if row.user_id == seat.user_id]
    return taken[-1].name if taken else seat.name
