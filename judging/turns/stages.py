"""3.1, R18: the stages of a turn, `open → locked → moved → fought → settled`, each claimed by one update.

The database alone says what is due. A stage works out what it needs first and writes it in one transaction,
which begins with the update that claims it: whoever changes no row has come too late and writes nothing. So a
stage that is run twice, late, by two workers at once, or anew after a crash, is done once.

A locked turn that has nothing to wait for, neither results nor the publication of its moves, is settled without a draft
of them: half the statements, one commit for three, and the moves are worked out once.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from judging.battles.models import Battle, Draft
from judging.game.errors import Refused
from judging.game.log_entry import entry_of, record
from judging.mercenaries.windows import waits_for_edit, window_at_lock, with_mercenary_judge
from judging.turns.given import GivenTurn
from judging.turns.rulings.draft_writes import work_out
from judging.turns.settling import settle
from wargame import world
from wargame.models import Judge, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core import clock

AT_ONCE = timedelta(0)
"""R18: how long the draft of a turn waits whose round publishes its moves without looking at them."""


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
    turns = with_mercenary_judge(world.with_maps_as_text(Turn.objects.select_related("round").defer("events")))
    turn = turns.filter(pk=turn_id).first()
    if turn is None:
        return ""
    given = GivenTurn(turn)
    while turn.round.state == RoundState.RUNNING and turn.state in STAGES:
        reached = STAGES[TurnState(turn.state)][1](given, now)
        if reached is None:
            break
        turn.state = reached
    return turn.state


@transaction.atomic
def publish_draft(*, turn: Turn, judge: Judge, now: datetime, digest: str = "") -> Draft:
    """R18: the movement judge publishes the draft of the moves before its time; once more changes nothing.

    `digest` is the draft that he saw: Refused if a ruling has changed it since.
    """
    if judge.role != Role.MOVEMENT or judge.round_id != turn.round_id:
        raise Refused("Only a movement judge of this round publishes its moves.", "1.3")
    draft = Draft.objects.select_for_update().filter(turn=turn).first()
    if draft is None:
        raise Refused(f"The moves of turn {turn.number} are not worked out yet.", "3.1")
    if digest and digest != draft.digest:
        raise Refused("A ruling changed the draft after you opened this page. Look at it once more.", "3.3.3")
    if draft.publish_at is None or draft.publish_at > now:
        draft.publish_at = now
        draft.save(update_fields=["publish_at"])
        record(turn.round, judge.user, "draft.published", {"turn": turn.number}, now)
    return draft


@transaction.atomic
def _lock(given: GivenTurn, now: datetime) -> TurnState | None:
    """R4: locks the thread, once the clock has. A map that was corrected since it was read is read anew (3.3.3)."""
    turn = given.turn
    if clock.is_in_time(now, turn.lock_at):
        return None
    claim = _claim(turn, lock_at=turn.lock_at, position_hash=turn.position_hash)
    until = window_at_lock(turn, world.position_of_turn(turn))
    if not claim.update(state=TurnState.LOCKED, locked_at=now, after_lock_until=until):
        return None
    turn.locked_at, turn.after_lock_until = now, until
    return TurnState.LOCKED


def _move(given: GivenTurn, now: datetime) -> TurnState | None:
    """R18, steps 1 to 6: works out the draft of the moves; and the settlement, if there is nothing to wait for.

    Not while the mercenary judge may still change a raider's movement (6.3.2).
    """
    turn = given.turn
    if waits_for_edit(turn, now):
        return None
    after = turn.round.publish_after
    locked = entry_of(turn.round, None, "turn.locked", {"turn": turn.number}, turn.locked_at or now)
    if after == AT_ONCE:
        everything = given.everything()
        if len(everything.results) == len(given.position.battles):
            passing = _claim(turn).filter(~Exists(_unfought(turn.pk)))
            return TurnState.SETTLED if settle(given, everything, passing, now, locked) else None
    draft = Draft(turn=turn, **work_out(given), computed_at=now, publish_at=None if after is None else now + after)
    with transaction.atomic():
        if not _claim(turn).update(state=TurnState.MOVED):
            return None
        draft.save(force_insert=True)
        locked.save()
    return TurnState.MOVED


@transaction.atomic
def _fight(given: GivenTurn, now: datetime) -> TurnState | None:
    """4.1.1: lets the turn pass once its moves and the results of all its battles are published.

    A turn that was ruled on since it was read is read anew (3.3.3).
    """
    turn = given.turn
    claim = _claim(turn, is_ruled=turn.is_ruled)
    ready = claim.filter(Exists(_published_draft(turn.pk, now)), ~Exists(_unfought(turn.pk)))
    return TurnState.FOUGHT if ready.update(state=TurnState.FOUGHT) else None


def _settle(given: GivenTurn, now: datetime) -> TurnState | None:
    """R18, steps 7 to 11: settles the turn and opens the next one."""
    return TurnState.SETTLED if settle(given, given.everything(), _claim(given.turn), now) else None


def _claim(turn: Turn, **conditions: object) -> QuerySet[Turn]:
    """The turn's row, if it is still in the state in which it was read, with no change of troops (2.3.2), no penalty
    (5.4.1) and no act of the mercenary judge (R48) more."""
    given = {"changes": turn.changes, "penalties": turn.penalties, "mercenary_orders": turn.mercenary_orders}
    return Turn.objects.filter(pk=turn.pk, state=turn.state, **given, **conditions)


def _published_draft(turn: int | OuterRef, now: datetime) -> QuerySet[Draft]:
    return Draft.objects.filter(turn=turn, publish_at__lte=now)


def _unfought(turn: int | OuterRef) -> QuerySet[Battle]:
    return Battle.objects.filter(turn=turn).exclude(state__in=[Battle.State.PUBLISHED, Battle.State.CANCELLED])


def _may_be_due(now: datetime) -> Q:
    turn = OuterRef("pk")
    passes = Exists(_published_draft(turn, now)) & ~Exists(_unfought(turn))
    edited = Q(after_lock_until=None) | Q(after_lock_until__lte=now) | Q(after_lock_done=True)
    return (
        Q(state=TurnState.OPEN, lock_at__lte=now)
        | Q(edited, state=TurnState.LOCKED)
        | Q(state=TurnState.FOUGHT)
        | Q(passes, state=TurnState.MOVED)
    )


STAGES: dict[TurnState, tuple[TurnState, Callable[[GivenTurn, datetime], TurnState | None]]] = {
    TurnState.OPEN: (TurnState.LOCKED, _lock),
    TurnState.LOCKED: (TurnState.MOVED, _move),
    TurnState.MOVED: (TurnState.FOUGHT, _fight),
    TurnState.FOUGHT: (TurnState.SETTLED, _settle),
}
"""For each state of a turn the state that follows, and what leads there: the state reached, if this call did it."""
