"""R60: being done with a turn: saying so, who has, and locking early when all are."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext, ngettext

from judging.announcements.models import Notice
from judging.command.control.services import present_players
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import User, judge_of
from judging.common.log_entry import record
from judging.common.texts import utc
from judging.common.viewer import Viewer
from judging.turns.battles import bring_deadlines_forward, held_battles, put_deadlines_back, strats_due
from judging.turns.done.models import DoneMark, EarlyLock
from judging.turns.states import check_open, held_turn, is_open
from wargame.models import Judge, Player, Round, Turn
from wargame.models.choices import Role
from wargame.rules.command.ranks import is_leading
from wargame.rules.core.sides import Rank
from wargame.rules.core.wording import listed

JUDGES = (Role.MOVEMENT, Role.BATTLE)
"""R60, R5: the roles whose judges can bring a lock forward, and read who is done."""

HOURS = (1, 2, 3, 6, 12, 24)
"""The choices in hours after which a judge may let a turn lock that all are done with."""


@dataclass(frozen=True)
class DoneView:
    """R60: the done marks of a turn, as the viewer may see them.

    `done` of the `of` players who control an army on the map have one. `is_mine`: the viewer has one; `may_mark`: they
    may set one. `names` and `missing` are the players whom they may read by name; `is_by_name`: these include others
    than themselves. `locks_from`: the lock was brought forward from then. `may_lock` and `may_put_back`: the viewer's
    rights as a judge.
    """

    done: int
    of: int
    is_mine: bool
    may_mark: bool
    is_by_name: bool
    names: tuple[str, ...]
    missing: tuple[str, ...]
    locks_from: datetime | None
    may_lock: bool
    may_put_back: bool
    hours: tuple[int, ...] = HOURS


def done_view(turn: Turn, viewer: Viewer, now: datetime) -> DoneView | None:
    """R60: None for a turn that is not open. Two queries."""
    if not is_open(turn, now):
        return None
    mark = DoneMark.objects.filter(turn=turn, player=OuterRef("pk"))
    players = sorted(_commanders(turn.round).annotate(is_done=Exists(mark)), key=_name)
    is_judge = judges_turns(viewer)
    done_ids = {player.pk for player in players if player.is_done}
    # Where no turn is locked early nobody need ask; but a judge finds one from before that was changed.
    early = standing_early_lock(turn) if turn.round.may_lock_early or is_judge else None
    visible = [player for player in players if is_judge or _leads(viewer, player)]
    own_id = viewer.player.pk if viewer.player else None
    return DoneView(
        done=sum(player.pk in done_ids for player in players),
        of=len(players),
        is_mine=own_id in done_ids,
        may_mark=any(player.pk == own_id for player in players),
        is_by_name=is_judge or any(player.pk != own_id for player in visible),
        names=tuple(player.name for player in visible if player.pk in done_ids),
        missing=tuple(player.name for player in visible if player.pk not in done_ids),
        locks_from=early.lock_before if early else None,
        may_lock=is_judge and turn.round.may_lock_early and early is None,
        may_put_back=is_judge and early is not None,
    )


def judges_turns(viewer: Viewer) -> bool:
    """R60: whether they may bring a lock forward, if the round allows it."""
    return any(viewer.is_judge(role) for role in JUDGES)


def commanders_of(round: Round) -> list[Player]:
    """5.2.1: the players who control an army on the map, by name."""
    return sorted(_commanders(round), key=_name)


def _commanders(round: Round) -> QuerySet[Player]:
    controlling = {"controls__until__isnull": True, "controls__army__died_in__isnull": True}
    rows = Player.objects.filter(round=round, left_at__isnull=True, controls__isnull=False, **controlling)
    return rows.distinct()


def _name(player: Player) -> str:
    return player.name.casefold()


def marked_in(turn: Turn) -> set[int]:
    """R60: the keys of the players who are done with a turn."""
    return set(DoneMark.objects.filter(turn=turn).values_list("player_id", flat=True))


def standing_early_lock(turn: Turn) -> EarlyLock | None:
    """R60: the active early lock."""
    return EarlyLock.objects.filter(turn=turn, ended_at__isnull=True).first()


def waited_for(turn: Turn, now: datetime) -> list[str]:
    """R60, R43: the names of the active players who control an army on the map and are not done."""
    done_ids, present = marked_in(turn), present_players(turn.round, now)
    players = commanders_of(turn.round)
    return [player.name for player in players if player.pk in present and player.pk not in done_ids]


def _leads(viewer: Viewer, player: Player) -> bool:
    """1.1: whether the viewer leads the player's team, or is that player."""
    leader = viewer.player
    if leader is None or leader.side != player.side:
        return False
    return leader.pk == player.pk or is_leading(Rank(leader.rank) if leader.rank else None)


THREADS = (Notice.Thread.MOVEMENT, Notice.Thread.ANNOUNCEMENTS)
MINUTE = timedelta(minutes=1)


@locking.writes
def mark_done(*, turn: Turn, player: Player | None, now: datetime) -> DoneMark:
    """R60: the player is done with the turn, until they say otherwise or write in its thread; a second call changes
    nothing.

    Refused after the lock (3.1), and for a player without an army on the map: nobody waits for them.
    """
    player = _checked_player(turn, player)
    turn = held_turn(turn.pk)
    check_open(turn, now)
    if player.pk not in {each.pk for each in commanders_of(turn.round)}:
        raise Refused(gettext("You don't control an army on the map, so no one is waiting for you."), "R60")
    return DoneMark.objects.get_or_create(turn=turn, player=player, defaults={"at": now})[0]


@locking.writes
def take_back(*, turn: Turn, player: Player | None, now: datetime) -> None:
    """R60: the player is not done after all; an early lock goes back. A second call changes nothing. Refused after
    the lock (3.1)."""
    player = _checked_player(turn, player)
    turn = held_turn(turn.pk)
    check_open(turn, now)
    lift_mark(turn, player, now)


def lift_mark(turn: Turn, player: Player, now: datetime) -> None:
    """R60: remove the player's mark, and put an early lock back. The turn's row must be locked and the turn open."""
    if DoneMark.objects.filter(turn=turn, player=player).delete()[0]:
        early = standing_early_lock(turn)
        if early is not None:
            _put_back(turn, early, None, now)


def begin_anew(turn: Turn, now: datetime) -> None:
    """3.3.3: the map of the turn is corrected, and is not the one that players were done with: remove all marks, and
    put an early lock back. The turn's row must be locked and the turn open."""
    DoneMark.objects.filter(turn=turn).delete()
    early = standing_early_lock(turn)
    if early is not None:
        _put_back(turn, early, None, now)


@locking.writes
def lock_early(*, turn: Turn, judge: Judge, hours: int, now: datetime) -> EarlyLock:
    """R60: bring the lock forward to the first full minute that is no sooner than that many of `HOURS` from now; the
    battle deadline is not later than it.

    Refused for anyone who is neither a movement nor a battle judge of the round, if the round does not allow it, unless
    all active players who control an army on the map are done and no strat is due, and if the turn locks earlier
    anyway.
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
    data = {"turn": turn.number, "lock_at": lock_at.isoformat(), "before": early.lock_before.isoformat()}
    record(turn.round, judge.user, "turn.early_lock", data, now)
    data |= {"deadline": deadline.isoformat(), "deadline_before": early.deadline_before.isoformat(), "by": judge.name}
    _tell(turn, "early_lock", data, now)
    return early


@locking.writes
def put_lock_back(*, turn: Turn, judge: Judge, now: datetime) -> None:
    """R60: a judge takes an early lock back: the turn locks at its former time. Refused if there is none."""
    _check_judge(turn, judge)
    turn = held_turn(turn.pk)
    check_open(turn, now)
    early = standing_early_lock(turn)
    if early is None:
        raise Refused(gettext("There is no early lock to undo."), "R60")
    _put_back(turn, early, judge, now)


def send_early_lock(user: User, turn: Turn, hours: int, now: datetime) -> str:
    """R60: the user, a judge of the round, brings the lock forward."""
    early = lock_early(turn=turn, judge=_judge(user, turn.round), hours=hours, now=now)
    return gettext("The turn now locks on %(lock_at)s. This has been announced.") % {"lock_at": utc(early.lock_at)}


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
    """Restore the lock and the deadline. It does not reveal whose mark it was: enemies read it (R60)."""
    held_battles(turn)
    early.ended_at = now
    early.save(update_fields=["ended_at"])
    turn.lock_at, turn.deadline = early.lock_before, early.deadline_before
    turn.save(update_fields=["lock_at", "deadline"])
    put_deadlines_back(turn, turn.deadline)
    data = {"turn": turn.number, "lock_at": turn.lock_at.isoformat()}
    record(turn.round, judge.user if judge else None, "turn.lock_restored", data, now)
    _tell(
        turn, "lock_restored", {**data, "deadline": turn.deadline.isoformat(), "by": judge.name if judge else ""}, now
    )


def _tell(turn: Turn, kind: str, data: dict[str, object], now: datetime) -> None:
    Notice.objects.bulk_create(Notice(turn=turn, thread=thread, kind=kind, at=now, data=data) for thread in THREADS)


def _full_minute(when: datetime) -> datetime:
    """The time, rounded up to a full minute."""
    minute = when.replace(second=0, microsecond=0)
    return minute if minute == when else minute + MINUTE


def _checked_player(turn: Turn, player: Player | None) -> Player:
    if player is None or player.round_id != turn.round_id:
        raise Refused(gettext("Only players in this round can mark themselves as done."), "R60")
    return player


def _check_judge(turn: Turn, judge: Judge) -> None:
    if judge.role not in JUDGES or judge.round_id != turn.round_id or judge.dismissed_at is not None:
        raise Refused(gettext("Only a movement or battle judge of this round can lock its turns early."), "R60")
