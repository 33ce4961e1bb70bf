"""1.3: which entries of a log whoever looks may read. What each act is kept secret for stands with the act."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from judging.battles.models import Battle
from judging.game.control import is_leader
from judging.game.once import once
from judging.game.viewer import Viewer
from judging.log.acts import ACTS, LEADERS, When
from judging.turns.models import Draft
from wargame.models import Round, Turn
from wargame.models.choices import Role, RoundState, TurnState

ROLES = tuple(role.value for role in (Role.BATTLE, Role.MOVEMENT, Role.MERCENARY))


def visible(viewer: Viewer, now: datetime) -> Q:
    """1.3: which entries a viewer may read: those that are public now, his own, and what his part lets him know."""
    round_ = viewer.round
    if round_.state == RoundState.OVER:
        return Q(action__in=ACTS)
    found = _public(round_, now)
    if viewer.user_id is not None:
        found |= Q(actor=viewer.user_id, action__in=ACTS)
    roles = [role for role in ROLES if viewer.is_judge(role)]
    found |= Q(action__in=[name for name, act in ACTS.items() if set(act.early) & set(roles)])
    player = viewer.player
    if player is not None and (is_leader(player) or player.may_change_control):
        own = [name for name, act in ACTS.items() if LEADERS in act.early]
        found |= Q(action__in=own, data__side=player.side)
    return found


@once
def _public(round_: Round, now: datetime) -> Q:
    """What everybody reads. An act whose turn or battle is not told is not shown before the end."""
    turns = Turn.objects.filter(round=round_).order_by("number")
    settled = turns.filter(state=TurnState.SETTLED).values_list("number", flat=True).last() or 0
    drafted = Draft.objects.filter(turn__round=round_, publish_at__lte=now, turn__number__gt=settled)
    open_battles = Battle.objects.filter(
        turn__round=round_, turn__number__gt=settled, state=Battle.State.PUBLISHED
    ).values_list("turn__number", "number")
    found = _acts_secret_until(When.AT_ONCE) | _acts_secret_until(When.AFTER_SETTLEMENT) & Q(data__turn__lte=settled)
    found |= _acts_secret_until(When.AFTER_NEXT) & Q(data__turn__lt=settled)
    moves = Q(data__turn__lte=settled)
    for turn in drafted.values_list("turn__number", flat=True):
        moves |= Q(data__turn=turn)
    found |= _acts_secret_until(When.AFTER_MOVES) & moves
    results = Q(data__turn__lte=settled)
    by_turn: dict[int, list[int]] = {}
    for turn, number in open_battles:
        by_turn.setdefault(turn, []).append(number)
    for turn, numbers in by_turn.items():
        results |= Q(data__turn=turn, data__battle__in=numbers)
    found |= _acts_secret_until(When.AFTER_RESULT) & results
    return found if round_.state == RoundState.SETUP else found | _acts_secret_until(When.AFTER_START)


def _acts_secret_until(when: When) -> Q:
    return Q(action__in=[name for name, act in ACTS.items() if act.when is when])
