"""Who answers what the rooms below ask: each question with the function above that answers it."""

from __future__ import annotations

from judging.game import positions
from judging.penalties import turn_input as penalties


def give() -> None:
    """Gives every question its answer."""
    positions.penalties_for.is_answered_by(penalties.penalties_for)
