"""3.3.3: what the demo's movement judge rules on the moves of a turn, and what he mends of the next one afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from judging.turns.models import Correction, Draft, Ruling
from judging.turns.rulings.corrections import apply_correction, propose_correction
from judging.turns.rulings.writes import NewRuling, add_ruling
from wargame.models import Judge, Turn
from wargame.rules.telling.telling import tell_all

RULED, CORRECTED = 2, 3
"""The turn on whose moves he rules while its last battle is still to be judged, and the one that he corrects."""

CITES = "3.2.2.4"
"""What he finds too hard on somebody: a route that cuts a corner, though start and end are plain."""

FIRST = """\
The route cuts a corner, so the line was refused. But start, end and distance are plain and within the rules, and \
nobody could have read another destination into it. The slip is the route's: the army goes there by a drawn one."""

AGAIN = """\
I decided the same case in ruling {number} of turn {turn} and missed this one before the moves were published: a route \
that cuts a corner between two plain squares. The army goes there by a drawn route, as then."""


def rule(turn: Turn, judge: Judge, now: datetime) -> Ruling | None:
    """3.3.3: lifts the refusal of a broken route, if there is one in the moves of a locked turn."""
    lifted = _lifted(Draft.objects.get(turn=turn).events, FIRST)
    return add_ruling(turn=turn, judge=judge, ruling=lifted, token=f"demo-{turn.pk}", now=now) if lifted else None


def correct(turn: Turn, judge: Judge, proposed: datetime, applied: datetime) -> Correction | None:
    """3.3.3: lifts such a refusal in a settled turn too, by the precedent of the turn before, if there is one."""
    before = Ruling.objects.filter(turn__round=turn.round_id, turn__number=RULED).select_related("turn").first()
    if before is None:
        return None
    lifted = _lifted(turn.events, AGAIN.format(number=before.number, turn=before.turn.number))
    if lifted is None:
        return None
    token = f"demo-{turn.pk}-again"
    correction = propose_correction(turn=turn, judge=judge, rulings=[lifted], token=token, now=proposed)
    return apply_correction(correction=correction, judge=judge, now=applied)


def _lifted(events: Iterable[dict[str, Any]], reason: str) -> NewRuling | None:
    refused = [event for event in tell_all(events) if event["kind"] == "refused" and event["cites"] == CITES]
    return NewRuling(Ruling.Kind.LIFTED, refused[0]["army"], CITES, reason) if refused else None
