"""3.1, R4, 6.3.2: the state of a turn: whether it is open for posts, the mercenary judge's time after the lock, and
its words."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext, gettext_noop, ngettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.texts import utc
from judging.turns.drafts import is_published
from judging.turns.models import Draft
from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core import clock
from wargame.rules.core.board import RANGE
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Faction

A_TENTH = 10

HELD = Turn.objects.select_related("round").only(
    *("round_id", "number", "state", "opened_at", "deadline", "lock_at", "position_hash", "penalties", "held_until"),
    *("mercenary_orders", "changes", "after_lock_until", "after_lock_done"),
    *("round__name", "round__slug", "round__state", "round__turn_length", "round__deadline_before_lock"),
    *("round__sealed_before_lock", "round__after_lock_window", "round__may_lock_early"),
)
"""A turn with what a post asks of it and of its round; whatever else is asked for is read then."""


def with_mercenary_judge(turns: QuerySet[Turn]) -> QuerySet[Turn]:
    """6: turns annotated with whether anybody commands the mercenaries of their round, for `window_at_lock`."""
    judges = Judge.objects.filter(round=OuterRef("round_id"), role=Role.MERCENARY)
    return turns.annotate(has_mercenary_judge=Exists(judges))


def window_at_lock(turn: Turn, position: Position) -> datetime | None:
    """R48: the last minute of the window of a locked turn; None if there is nothing to wait for: no mercenary judge,
    no raider that could engage anybody, or no such window in this round."""
    if not getattr(turn, "has_mercenary_judge", False) or not editable_raiders(turn.round, position):
        return None
    return turn.lock_at + window_of(turn.round)


def window_of(round: Round) -> timedelta:
    """R48: the length of the window; whatever was set, at most a tenth of the next turn."""
    return min(round.after_lock_window, round.turn_length / A_TENTH)


def window_closes(turn: Turn) -> datetime:
    """R48: the last minute of a turn's window, as of its lock, or in the future."""
    return turn.after_lock_until or turn.lock_at + window_of(turn.round)


def editable_raiders(round: Round, position: Position) -> tuple[Army, ...]:
    """6.3.2, R61: the raiders that could still be sent against an army after the lock: those within a move of one
    that can be engaged, and not fighting."""
    if round.after_lock_window <= timedelta(0):
        return ()
    raiders = (army for army in position.armies if army.faction is Faction.RAIDER)
    return tuple(raider for raider in raiders if raider.name not in position.battle_of and _is_near(raider, position))


def waits_for_edit(turn: Turn, now: datetime) -> bool:
    """6.3.2: whether a locked turn waits for the mercenary judge."""
    if turn.after_lock_until is None or turn.after_lock_done:
        return False
    return clock.is_in_time(now, turn.after_lock_until)


def _is_near(raider: Army, position: Position) -> bool:
    return any(
        other.side.is_team and other.name not in position.battle_of and other.at.distance(raider.at) <= RANGE
        for other in position.armies
    )


WORDS = {
    TurnState.OPEN: gettext_noop("open for orders"),
    TurnState.LOCKED: gettext_noop("locked"),
    TurnState.MOVED: gettext_noop("moves worked out, waiting for the battle judge"),
    TurnState.FOUGHT: gettext_noop("being settled"),
    TurnState.SETTLED: gettext_noop("settled"),
}


def is_open(turn: Turn, now: datetime) -> bool:
    """3.1, R4: whether the thread takes posts: the clock decides, even if the jobs are late."""
    in_play = turn.round.state != RoundState.ARCHIVE
    return in_play and turn.state == TurnState.OPEN and clock.is_in_time(now, turn.lock_at)


def state_words(turn: Turn, now: datetime) -> str:
    """3.1: the state of a turn in words. Moves that are not published yet count as locked."""
    state = TurnState(turn.state)
    if turn.round.state == RoundState.ARCHIVE and state != TurnState.SETTLED:
        return gettext("archived, not played here")
    if state == TurnState.OPEN and not is_open(turn, now):
        state = TurnState.LOCKED
    if state == TurnState.FOUGHT and turn.held_until is not None and now < turn.held_until:
        pattern = gettext("waiting for an appeal to be answered, until %(time)s at the latest")
        return pattern % {"time": utc(turn.held_until)}
    if state == TurnState.MOVED and not Draft.objects.filter(turn=turn, publish_at__lte=now).exists():
        state = TurnState.LOCKED
    return gettext(WORDS[state])


def what_it_waits_for(turn: Turn, draft: Draft | None, unpublished: int, now: datetime) -> str:
    """3.1: what keeps a locked turn from its settlement, as a sentence for its judges; empty if nothing does.

    `unpublished` is the number of its results that are not published yet.
    """
    if is_open(turn, now) or turn.state == TurnState.SETTLED:
        return ""
    if draft is None and waits_for_edit(turn, now):
        pattern = gettext(
            "Its moves will be worked out after %(time)s, or as soon as the mercenary judge is done (6.3.2)."
        )
        return pattern % {"time": utc(turn.after_lock_until or turn.lock_at)}
    if draft is None:
        return gettext("Its moves are being worked out.")
    fields = {"number": unpublished}
    if is_published(draft, now):
        pattern = ngettext(
            "It can't be settled until one more result is published (3.1).",
            "It can't be settled until %(number)s more results are published (3.1).",
            unpublished,
        )
        return pattern % fields if unpublished else ""
    if not unpublished:
        return gettext("It can't be settled until its moves are published (3.1).")
    pattern = ngettext(
        "It can't be settled until its moves and one more result are published (3.1).",
        "It can't be settled until its moves and %(number)s more results are published (3.1).",
        unpublished,
    )
    return pattern % fields


def held_turn(turn_id: int) -> Turn:
    """The turn, its row locked until the transaction ends (against its lock and posts). Raises Turn.DoesNotExist."""
    return locking.hold(HELD, pk=turn_id)


def check_open(turn: Turn, now: datetime, *, withdraws: bool = False) -> None:
    """3.1, R4: the clock closes the thread; the job that locks it only comes later. An archive takes nothing.
    `withdraws` chooses the sentence for a withdrawal that is too late."""
    if turn.round.state == RoundState.ARCHIVE:
        raise Refused(
            gettext("%(round)s is the archive of a round played elsewhere. You can't post here.")
            % {"round": turn.round}
        )
    is_late = not clock.is_in_time(now, turn.lock_at)
    if withdraws and (is_late or turn.state != TurnState.OPEN):
        raise Refused(
            gettext(
                "The Orders thread of turn %(number)s locked on %(lock_at)s, so you can't withdraw this post any more."
            )
            % {"number": turn.number, "lock_at": utc(turn.lock_at)},
            "3.1",
        )
    if is_late:
        raise Refused(
            gettext(
                "The Orders thread of turn %(number)s locked on %(lock_at)s. Your text arrived on %(now)s, so we "
                "couldn't accept it. You can post it again when the next turn opens."
            )
            % {"number": turn.number, "lock_at": utc(turn.lock_at), "now": utc(now)},
            "3.1",
        )
    if turn.state != TurnState.OPEN:
        raise Refused(
            gettext("Turn %(number)s is being settled. You can post your text again when the next turn opens.")
            % {"number": turn.number},
            "3.1",
        )
