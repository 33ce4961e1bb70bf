"""5.4.1, R47: the sentence for a penalty."""

from __future__ import annotations

from collections.abc import Sequence

from .events_of_penalties import Penalised
from .penalties import draw_name


def penalised(event: Penalised) -> str:
    if event.why_not:
        return f"Penalty {event.number} for {event.player} takes nothing from {event.army}: {event.why_not}."
    lost = f"{event.army} loses {loss_words(event.lost)}" if any(event.lost) else f"{event.army} has nothing to lose"
    return f"{lost} by penalty {event.number} for {event.player}{_drawn(event)}. {event.reason}"


def loss_words(lost: Sequence[int]) -> str:
    """Losses by slot: “600, 300, 150 and 60 of slots 1 to 4”, “600 of slot 1 and 60 of slot 4”, “no troops”."""
    if all(lost):
        *first, last = (f"{number:,}" for number in lost)
        return f"{', '.join(first)} and {last} of slots 1 to {len(lost)}"
    parts = [f"{number:,} of slot {slot}" for slot, number in enumerate(lost, 1) if number]
    if len(parts) < 2:
        return "".join(parts) or "no troops"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _drawn(event: Penalised) -> str:
    """R47: the factors, and the name of the draw by which everybody can recompute the die."""
    if not event.severity:
        return ""
    return f": severity {event.severity} times {event.roll}, drawn as {draw_name(event.number)}"
