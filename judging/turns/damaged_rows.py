"""Damaged rows of turns: the desk reports them before anybody misses them."""

from datetime import datetime
from typing import NamedTuple

from django.core.cache import cache
from django.utils.translation import gettext

from judging.common.judges import User, rounds_of
from judging.turns.models import Draft
from wargame.models import Turn
from wargame.models.choices import TurnState
from wargame.rules.core import codec
from wargame.world import UNREADABLE, stored_position

MOST_TURNS, LOOKED_AT = 1_000, 30
"""The number of newest turns to watch, and the number of them that one check reads."""

KNOWN_WHOLE = 24 * 3600
"""Seconds after which a settled turn that was intact is checked again."""


class DamagedTurn(NamedTuple):
    """A turn with stored data that can't be read, or does not match its hash; `what` names the data."""

    turn: Turn
    what: str


def damaged_turns(user: User, now: datetime) -> tuple[DamagedTurn, ...]:
    """The turns of the user's rounds with a damaged map or draft of moves. An intact one is not checked again for a
    day; LOOKED_AT turns at a time, the newest first, some 3 ms each."""
    turns = Turn.objects.filter(round__in=rounds_of(user)).select_related("round").order_by("-pk")
    newest = list(turns.defer("position", "events", "sky")[:MOST_TURNS])
    keys = {f"whole:{turn.pk}:{turn.position_hash}": turn for turn in newest}
    whole = cache.get_many(keys)
    unseen = [turn.pk for key, turn in keys.items() if key not in whole][:LOOKED_AT]
    damaged = []
    for turn in turns.filter(pk__in=unseen).defer("events").select_related("round", "draft"):
        if part := _damaged_part(turn):
            damaged.append(DamagedTurn(turn, part))
        elif turn.state == TurnState.SETTLED:
            cache.set(f"whole:{turn.pk}:{turn.position_hash}", True, KNOWN_WHOLE)
    return tuple(damaged)


def _damaged_part(turn: Turn) -> str:
    """The damaged part of a turn, in words; empty if it is intact."""
    try:
        stored_position(turn)
        is_whole = codec.digest(turn.position) == turn.position_hash
    except UNREADABLE:
        is_whole = False
    if not is_whole:
        return gettext("the map")
    draft: Draft | None = getattr(turn, "draft", None)
    if draft is None or not draft.digest:
        return ""
    is_same = codec.digest({"events": draft.events, "places": draft.places}) == draft.digest
    return "" if is_same else gettext("the draft of its moves")
