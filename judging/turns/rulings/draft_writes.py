"""R18, steps 1 to 6: the draft of a turn's moves, worked out first and anew after each ruling."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from judging.battles.models import Draft
from judging.turns.given import GivenTurn
from wargame.models import Turn
from wargame.rules.core import codec
from wargame.rules.settlement import carry_out
from wargame.rules.telling.telling import event_to_json


def work_out(given: GivenTurn) -> dict[str, Any]:
    """The fields of a draft that follow from what the turn was given."""
    moves = carry_out(given.position, given.moves(), given.dice())
    events = [event_to_json(event) for event in moves.events]
    places = {name: str(square) for name, square in moves.places.items()}
    return {"events": events, "places": places, "digest": codec.digest({"events": events, "places": places})}


def work_out_anew(turn: Turn, now: datetime) -> Draft:
    """3.3.3: the draft after a ruling; the one before is kept beside it, to be compared."""
    draft = Draft.objects.select_for_update().get(turn=turn)
    draft.former = {"digest": draft.digest, "events": draft.events, "places": draft.places}
    for name, value in work_out(GivenTurn(turn)).items():
        setattr(draft, name, value)
    draft.computed_at = now
    draft.save()
    return draft
