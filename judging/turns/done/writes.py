"""R60: a player says that he is done with a turn, or otherwise; a judge brings the lock forward when all are.

Whoever writes here holds the turn's row first, as those do who post, and as the lock does, which claims the turn by the
minute that it read. So a mark is taken back before the lock or refused, and a lock is either where it was or brought
forward with all that goes with it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils.translation import gettext, ngettext

from judging.game import locking
from judging.game.errors import Refused
from judging.game.judges import User, judge_of
from judging.game.log_entry import record
from judging.game.texts import utc
from judging.notices.models import Notice
from judging.turns.battles import bring_deadlines_forward, held_battles, put_deadlines_back, strats_due
from judging.turns.done.models import DoneMark, EarlyLock
from judging.turns.done.reads import HOURS, JUDGES, commanders_of, marked_in, standing_early_lock, waited_for
from judging.turns.threads import check_open, held_turn
from wargame.models import Judge, Player, Round, Turn
from wargame.rules.core.wording import listed

THREADS = (Notice.Thread.MOVEMENT, Notice.Thread.ANNOUNCEMENTS)
MINUTE = timedelta(minutes=1)


@locking.writes
def mark_done(*, turn: Turn, player: Player | None, now: datetime) -> DoneMark:
    """R60: the player is done with the turn, until he says otherwise or writes in its thread; again changes nothing.

    Refused after the lock (3.1), and for who controls no army on the map: nobody waits for him.
    """
    player = _checked_player(turn, player)
    turn = held_turn(turn.pk)
    check_open(turn, now)
    if player.pk not in {each.pk for each in commanders_of(turn.round)}:
        raise Refused(gettext("You don't control an army on the map, so no one is waiting for you."), "R60")
    return DoneMark.objects.get_or_create(turn=turn, player=player, defaults={"at": now})[0]


@locking.writes
def take_back(*, turn: Turn, player: Player | None, now: datetime) -> None:
    """R60: the player is not done after all; a lock that was brought forward goes back. Once more changes nothing.
    Refused after the lock (3.1)."""
    player = _checked_player(turn, player)
    turn = held_turn(turn.pk)
    check_open(turn, now)
    lift_mark(turn, player, now)


def lift_mark(turn: Turn, player: Player, now: datetime) -> None:
    """R60: takes the player's mark off, and puts an early lock back where it was. The turn is held and open."""
    if DoneMark.objects.filter(turn=turn, player=player).delete()[0]:
        early = standing_early_lock(turn)
        if early is not None:
            _put_back(turn, early, None, now)


def begin_anew(turn: Turn, now: datetime) -> None:
    """3.3.3: the map of the turn is corrected, and is not the one that players were done with: nobody is any more, and
    an early lock goes back. The turn is held and open."""
    DoneMark.objects.filter(turn=turn).delete()
    early = standing_early_lock(turn)
    if early is not None:
        _put_back(turn, early, None, now)


@locking.writes
def lock_early(*, turn: Turn, judge: Judge, hours: int, now: datetime) -> EarlyLock:
    """R60: brings the lock forward to the first full minute that is no sooner than that many of `HOURS` from now; the
    battle deadline is not later than it.

    Refused for who is neither a movement nor a battle judge of the round, if the round does not allow it, unless all
    active players who control an army on the map are done and no strat is due, and if the turn locks earlier anyway.
    """
    _check_judge(turn, judge)
    turn = held_turn(turn.pk)
    check_open(turn, now)
    if hours not in HOURS:
        raise Refused(gettext("Choose how many hours from now the turn locks."), "R60")
    if not turn.round.may_lock_early:
        raise Refused(
            gettext("Turns of this round can't be locked early unless its calendar allows early locks."), "R60"
        )
    if standing_early_lock(turn):
        raise Refused(
            gettext("The lock was already brought forward. The turn locks on %(lock_at)s.")
            % {"lock_at": utc(turn.lock_at)},
            "R60",
        )
    lock_at = _full_minute(now + timedelta(hours=hours))
    if lock_at >= turn.lock_at:
        raise Refused(
            gettext("The turn locks on %(lock_at)s anyway. Choose an earlier time.") % {"lock_at": utc(turn.lock_at)},
            "R60",
        )
    held_battles(turn)
    _check_all_are_done(turn, now)
    early = EarlyLock.objects.create(
        turn=turn,
        judge=judge,
        announced_at=now,
        lock_at=lock_at,
        lock_before=turn.lock_at,
        deadline_before=turn.deadline,
    )
    deadline = min(turn.deadline, lock_at)
    bring_deadlines_forward(turn, deadline)
    turn.lock_at, turn.deadline = lock_at, deadline
    turn.save(update_fields=["lock_at", "deadline"])
    told = {"turn": turn.number, "lock_at": lock_at.isoformat(), "before": early.lock_before.isoformat()}
    record(turn.round, judge.user, "turn.early_lock", told, now)
    told |= {"deadline": deadline.isoformat(), "deadline_before": early.deadline_before.isoformat(), "by": judge.name}
    _tell(turn, "early_lock", told, now)
    return early


@locking.writes
def put_lock_back(*, turn: Turn, judge: Judge, now: datetime) -> None:
    """R60: a judge takes an early lock back: the turn locks when it was to lock before. Refused if there is none."""
    _check_judge(turn, judge)
    turn = held_turn(turn.pk)
    check_open(turn, now)
    early = standing_early_lock(turn)
    if early is None:
        raise Refused(gettext("There is no early lock to undo."), "R60")
    _put_back(turn, early, judge, now)


def send_early_lock(user: User, turn: Turn, hours: int, now: datetime) -> str:
    """R60: the user, a judge of the round, brings the lock forward."""
    made = lock_early(turn=turn, judge=_judge(user, turn.round), hours=hours, now=now)
    return gettext("The turn now locks on %(lock_at)s. This has been announced.") % {"lock_at": utc(made.lock_at)}


def undo_early_lock(user: User, turn: Turn, now: datetime) -> str:
    """R60: the user, a judge of the round, puts the lock back."""
    put_lock_back(turn=turn, judge=_judge(user, turn.round), now=now)
    return gettext("The lock is back at its original time.")


def _judge(user: User, round_: Round) -> Judge:
    for role in JUDGES:
        if judge := judge_of(user, round_, role):
            return judge
    raise Refused(gettext("Only a movement or battle judge of this round can lock its turns early."), "R60")


def _check_all_are_done(turn: Turn, now: datetime) -> None:
    waits = waited_for(turn, now)
    if waits:
        raise Refused(
            ngettext(
                "Not all active players are done. Still waiting for %(names)s.",
                "Not all active players are done. Still waiting for %(names)s.",
                len(waits),
            )
            % {"names": listed(waits)},
            "R60",
        )
    if not marked_in(turn):
        raise Refused(gettext("No players have marked themselves as done."), "R60")
    due = strats_due(turn, now)
    if due:
        raise Refused(gettext("Strats are still due, in %(due)s.") % {"due": listed(due)}, "R60")


def _put_back(turn: Turn, early: EarlyLock, judge: Judge | None, now: datetime) -> None:
    """The lock and the deadline are what they were. Whose mark it was is not told: enemies read it (R60)."""
    held_battles(turn)
    early.ended_at = now
    early.save(update_fields=["ended_at"])
    turn.lock_at, turn.deadline = early.lock_before, early.deadline_before
    turn.save(update_fields=["lock_at", "deadline"])
    put_deadlines_back(turn, turn.deadline)
    told = {"turn": turn.number, "lock_at": turn.lock_at.isoformat()}
    record(turn.round, judge.user if judge else None, "turn.lock_restored", told, now)
    _tell(
        turn, "lock_restored", {**told, "deadline": turn.deadline.isoformat(), "by": judge.name if judge else ""}, now
    )


def _tell(turn: Turn, kind: str, data: dict[str, object], now: datetime) -> None:
    Notice.objects.bulk_create(Notice(turn=turn, thread=thread, kind=kind, at=now, data=data) for thread in THREADS)


def _full_minute(when: datetime) -> datetime:
    """The first full minute that is not before a moment."""
    minute = when.replace(second=0, microsecond=0)
    return minute if minute == when else minute + MINUTE


def _checked_player(turn: Turn, player: Player | None) -> Player:
    if player is None or player.round_id != turn.round_id:
        raise Refused(gettext("Only players in this round can mark themselves as done."), "R60")
    return player


def _check_judge(turn: Turn, judge: Judge) -> None:
    if judge.role not in JUDGES or judge.round_id != turn.round_id or judge.dismissed_at is not None:
        raise Refused(gettext("Only a movement or battle judge of this round can lock its turns early."), "R60")
