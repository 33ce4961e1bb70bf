"""R18, steps 1 to 6: the draft of a turn's moves: who may see it, how it is computed, and its publishing."""

from datetime import datetime
from typing import TypedDict

from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.request_cache import request_cached
from judging.common.viewer import Viewer
from judging.turns.models import Draft
from judging.turns.turn_input import InputOfTurn
from wargame.models import Judge, Turn
from wargame.models.choices import Role, TurnState
from wargame.rules.core import codec
from wargame.rules.settlement import carry_out
from wargame.rules.telling.telling import event_to_json


class DraftFields(TypedDict):
    """The fields of a draft that follow from the turn's input: the events of the moves, the square of each army after
    them, and the SHA-256 of both."""

    events: list[codec.Json]
    places: dict[str, str]
    digest: str


@request_cached
def draft_of(turn: Turn) -> Draft | None:
    """R18: the draft of a turn's moves, whoever may see it yet; None before they are computed. An open turn has
    none, so it makes no query."""
    return None if turn.state == TurnState.OPEN else Draft.objects.filter(turn=turn).first()


def is_published(draft: Draft, now: datetime) -> bool:
    """Whether everybody may see it."""
    return draft.publish_at is not None and draft.publish_at <= now


def moves_now(turn: Turn, now: datetime) -> Draft | None:
    """R18: the moves of a turn that is being settled, once everybody may see them."""
    if turn.state in (TurnState.OPEN, TurnState.SETTLED):
        return None
    draft = draft_of(turn)
    return draft if draft and is_published(draft, now) else None


def may_see_draft(draft: Draft, viewer: Viewer, now: datetime) -> bool:
    """R18: before it is published, the moves are for movement and battle judges."""
    return may_rule(viewer) or is_published(draft, now)


def may_rule(viewer: Viewer) -> bool:
    """1.3, 3.3.3: movement and battle judges of the round."""
    return viewer.is_judge(Role.MOVEMENT) or viewer.is_judge(Role.BATTLE)


def work_out(turn_input: InputOfTurn) -> DraftFields:
    """R18, steps 1 to 6: compute the draft of a turn's moves. Nothing is stored."""
    moves = carry_out(turn_input.position, turn_input.for_moves(), turn_input.dice())
    events = [event_to_json(event) for event in moves.events]
    places = {name: str(square) for name, square in moves.places.items()}
    return {"events": events, "places": places, "digest": codec.digest({"events": events, "places": places})}


def work_out_anew(turn: Turn, now: datetime) -> Draft:
    """3.3.3, R44: the draft after a ruling or an exception of control; the former one is stored beside it, for
    comparison. The turn's row must be locked: no ruling, penalty or exception may come in between."""
    draft = locking.hold(Draft.objects, turn=turn)
    draft.former = {"digest": draft.digest, "events": draft.events, "places": draft.places}
    fields = work_out(InputOfTurn(turn))
    draft.events, draft.places, draft.digest = fields["events"], fields["places"], fields["digest"]
    draft.computed_at = now
    draft.save()
    return draft


@locking.writes
def publish_draft(*, turn: Turn, judge: Judge, now: datetime, digest: str = "") -> Draft:
    """R18: the movement judge publishes the draft of the moves early; a second call changes nothing.

    `digest` is the draft that they saw: Refused if a ruling has changed it since.
    """
    if judge.role != Role.MOVEMENT or judge.round_id != turn.round_id:
        raise Refused(gettext("Only a movement judge of this round can publish its moves."), "1.3")
    # `work_out_anew` holds it too: a ruling of this moment is in this draft, or has changed its digest by now.
    draft = locking.hold_first(Draft.objects.filter(turn=turn))
    if draft is None:
        raise Refused(
            gettext("The moves of turn %(number)s haven't been worked out yet.") % {"number": turn.number}, "3.1"
        )
    if digest and digest != draft.digest:
        raise Refused(gettext("A ruling changed the draft after you opened this page. Check it again."), "3.3.3")
    if draft.publish_at is None or draft.publish_at > now:
        draft.publish_at = now
        draft.save(update_fields=["publish_at"])
        record(turn.round, judge.user, "draft.published", {"turn": turn.number}, now)
    return draft
