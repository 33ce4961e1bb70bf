"""3.1, R18: the stages of a turn, `open → locked → moved → fought → settled`, each claimed by one update.

The database alone says what is due. A stage works out what it needs first and writes it in one transaction,
which begins with the update that claims it: whoever changes no row has come too late and writes nothing. So a
stage that is run twice, late, by two workers at once, or anew after a crash, is done once.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from judging.models import Battle, Draft
from judging.selectors.orders import GivenTurn
from judging.services.errors import Refused
from judging.services.log import record
from judging.services.settling import settle
from wargame.models import Judge, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules import clock
from wargame.rules.settlement import carry_out
from wargame.rules.telling import event_to_json


def due_turns(now: datetime) -> list[tuple[int, str]]:
    """The turns of running rounds that have a stage due: their keys, and the state it leads to. Oldest lock first."""
    rows = Turn.objects.filter(_may_be_due(now), round__state=RoundState.RUNNING).order_by("lock_at", "pk")
    return [
        (pk, STAGES[TurnState(state)][0].value)
        for pk, state, lock_at in rows.values_list("pk", "state", "lock_at")
        if state != TurnState.OPEN or not clock.is_in_time(now, lock_at)
    ]


def advance(turn_id: int, now: datetime) -> str:
    """3.1: carries out every stage of a turn that is due, and gives the state in which it leaves the turn.

    Harmless when nothing is due, another worker is at it, or the turn is gone (then the state is empty).
    """
    turn = Turn.objects.select_related("round").defer("events").filter(pk=turn_id).first()
    if turn is None:
        return ""
    given = GivenTurn(turn)
    while turn.round.state == RoundState.RUNNING and turn.state in STAGES:
        reached, carry_out_stage = STAGES[TurnState(turn.state)]
        if not carry_out_stage(given, now):
            break
        turn.state = reached
    return turn.state


@transaction.atomic
def publish_draft(*, turn: Turn, judge: Judge, now: datetime) -> Draft:
    """R18: the movement judge publishes the draft of the moves before its time; once more changes nothing."""
    if judge.role != Role.MOVEMENT or judge.round_id != turn.round_id:
        raise Refused("Only a movement judge of this round publishes its moves.", "1.3")
    draft = Draft.objects.select_for_update().filter(turn=turn).first()
    if draft is None:
        raise Refused(f"The moves of turn {turn.number} are not worked out yet.", "3.1")
    if draft.publish_at is None or draft.publish_at > now:
        draft.publish_at = now
        draft.save(update_fields=["publish_at"])
        record(turn.round, judge.user, "draft.published", {"turn": turn.number}, now)
    return draft


@transaction.atomic
def _lock(given: GivenTurn, now: datetime) -> bool:
    """R4: locks the thread, once the clock has."""
    turn = given.turn
    if clock.is_in_time(now, turn.lock_at):
        return False
    if not _claim(turn, lock_at=turn.lock_at).update(state=TurnState.LOCKED, locked_at=now):
        return False
    record(turn.round, None, "turn.locked", {"turn": turn.number}, now)
    return True


def _move(given: GivenTurn, now: datetime) -> bool:
    """R18, steps 1 to 6: works out the draft of the moves."""
    turn = given.turn
    moves = carry_out(given.position, given.moves(), given.dice())
    events = [event_to_json(event) for event in moves.events]
    places = {name: str(square) for name, square in moves.places.items()}
    after = turn.round.publish_after
    publish_at = None if after is None else now + after
    with transaction.atomic():
        if not _claim(turn).update(state=TurnState.MOVED):
            return False
        Draft.objects.create(turn=turn, events=events, places=places, computed_at=now, publish_at=publish_at)
    return True


@transaction.atomic
def _fight(given: GivenTurn, now: datetime) -> bool:
    """4.1.1: lets the turn pass once its moves and the results of all its battles are published."""
    turn = given.turn
    ready = _claim(turn).filter(Exists(_published_draft(turn.pk, now)), ~Exists(_unfought(turn.pk)))
    return bool(ready.update(state=TurnState.FOUGHT))


def _claim(turn: Turn, **conditions: object) -> QuerySet[Turn]:
    """The turn's row, if it is still in the state in which it was read."""
    return Turn.objects.filter(pk=turn.pk, state=turn.state, **conditions)


def _published_draft(turn: int | OuterRef, now: datetime) -> QuerySet[Draft]:
    return Draft.objects.filter(turn=turn, publish_at__lte=now)


def _unfought(turn: int | OuterRef) -> QuerySet[Battle]:
    return Battle.objects.filter(turn=turn).exclude(state=Battle.State.PUBLISHED)


def _may_be_due(now: datetime) -> Q:
    turn = OuterRef("pk")
    passes = Exists(_published_draft(turn, now)) & ~Exists(_unfought(turn))
    return (
        Q(state=TurnState.OPEN, lock_at__lte=now)
        | Q(state__in=[TurnState.LOCKED, TurnState.FOUGHT])
        | Q(passes, state=TurnState.MOVED)
    )


STAGES: dict[TurnState, tuple[TurnState, Callable[[GivenTurn, datetime], bool]]] = {
    TurnState.OPEN: (TurnState.LOCKED, _lock),
    TurnState.LOCKED: (TurnState.MOVED, _move),
    TurnState.MOVED: (TurnState.FOUGHT, _fight),
    TurnState.FOUGHT: (TurnState.SETTLED, settle),
}
"""For each state of a turn the state that follows, and what leads there: whether this call did it."""
