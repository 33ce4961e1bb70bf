"""5.1, R43: When each player last posted in public, leave of absence, and players declared inactive."""

from datetime import datetime, timedelta

from django.db import IntegrityError
from django.db.models import Max, Q
from django.db.models.functions import Coalesce, Greatest
from django.utils.translation import gettext

from judging.battles.models import Strat
from judging.boards.models import Message
from judging.boards.queries.boards import PUBLIC
from judging.command.models import Declaration, Leave
from judging.common import locking
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.request_cache import request_cached
from judging.common.rounds import current_turn
from judging.common.texts import check_storable, checked_text, utc
from judging.turns.models import Post
from wargame.models import Judge, Player, Round
from wargame.models.choices import Role, TurnState
from wargame.rules.command.ranks import is_leading
from wargame.rules.core import clock
from wargame.rules.core.sides import Rank

LONGEST_NOTE = 200
LONGEST_LEAVE = timedelta(days=366)
MAX_REASON = 2_000

LastPosts = dict[int, datetime]
"""When each player last posted, by the player's key; players who never did are missing."""


@request_cached
def last_posts(round: Round, now: datetime) -> LastPosts:
    """5.1: Posts and their edits, messages on public boards, strats (their receipts are public), and joining.

    A sealed order before its lock does not count, nor does a message on a private board: nobody else may learn that it
    was written (R6, 1.1).
    """
    posts = Post.objects.filter(turn__round=round).exclude(sealed=True, turn__in=_unlocked(round, now))
    public = [board.key for board in PUBLIC]
    messages = Message.objects.filter(thread__round=round, thread__key__in=public, player__isnull=False)
    strats = Strat.objects.filter(player__round=round)
    edited = Greatest(Max("at"), Coalesce(Max("edited_at"), Max("at")))
    rows = Player.objects.filter(round=round).order_by().values_list("pk", "joined_at")
    latest: LastPosts = {}
    for player, last in rows.union(
        posts.order_by().values_list("player").annotate(last=Max("versions__at")),
        messages.order_by().values_list("player").annotate(last=edited),
        strats.order_by().values_list("player").annotate(last=Max("sent_at")),
        all=True,
    ):
        latest[player] = max(latest.get(player, last), last)
    return latest


@request_cached
def open_declarations(round: Round) -> list[Declaration]:
    """5.1: The declarations that are neither withdrawn nor rejected, oldest first."""
    rows = Declaration.objects.filter(player__round=round, withdrawn_at__isnull=True, rejected_at__isnull=True)
    return list(rows.select_related("player", "by").order_by("pk"))


@request_cached
def present_leaves(round: Round, now: datetime) -> dict[int, Leave]:
    """5.1: Current leaves, by the player's key."""
    leaves = Leave.objects.filter(player__round=round, since__lte=now).order_by("since")
    return {leave.player_id: leave for leave in leaves if leave.until is None or leave.until > now}


def _unlocked(round: Round, now: datetime) -> list[int]:
    """R4, R6: The turns whose sealed orders are still hidden: only the last one can be open."""
    turn = current_turn(round)
    is_unlocked = turn is not None and turn.state == TurnState.OPEN and clock.is_in_time(now, turn.lock_at)
    return [turn.pk] if turn is not None and is_unlocked else []


@locking.writes
def state_leave(*, player: Player, since: datetime, until: datetime | None, note: str, now: datetime) -> Leave:
    """5.1: State that a player will be inactive: from `since` (not before now) until `until`; None: until they end
    it. Raises Refused if it ends before it starts, for longer than a year, and beside another leave."""
    note = " ".join(note.split())
    check_storable(note, what="note", cites="5.1")
    if len(note) > LONGEST_NOTE:
        raise Refused(
            gettext("The note has %(note)s characters; the limit is %(longest_note)s.")
            % {"note": len(note), "longest_note": LONGEST_NOTE},
            "5.1",
            "note",
        )
    since = max(since, now)
    if until is not None and until <= since:
        raise Refused(gettext("Your absence would end before it begins. Choose a later end date."), "5.1", "until")
    if since > now + LONGEST_LEAVE or (until and until > since + LONGEST_LEAVE):
        raise Refused(gettext("Absences must begin and end within the next year."), "5.1", "until")
    # A leave that is not there yet can't be held, so the player's row stands for all of his.
    locking.hold(Player.objects, pk=player.pk)
    for other in Leave.objects.filter(Q(until__isnull=True) | Q(until__gt=since), player=player):
        if until is None or other.since < until:
            raise Refused(
                gettext("You have already reported an absence from %(utc)s. End that one first.")
                % {"utc": utc(other.since)},
                "5.1",
                "since",
            )
    leave = Leave.objects.create(player=player, since=since, until=until, note=note, stated_at=now)
    data = {"player": player.name, "since": since.isoformat(), "until": until.isoformat() if until else None}
    record(player.round, player.user, "player.leave", data, now)
    return leave


@locking.writes
def end_leave(*, leave: Leave, player: Player, now: datetime) -> None:
    """5.1: A player is back, or does not go. A leave that has not begun is deleted."""
    row = locking.hold_first(Leave.objects.filter(pk=leave.pk, player=player))
    if row is None or (row.until is not None and row.until <= now):
        raise Refused(gettext("This absence is already over."), "5.1")
    data = {"player": player.name, "since": row.since.isoformat()}
    if row.since >= now:
        row.delete()
    else:
        row.until = now
        row.save(update_fields=["until"])
    record(player.round, player.user, "player.back", data, now)


@locking.writes
def declare_inactive(*, player: Player, by: Player | None, reason: str, now: datetime) -> Declaration:
    """5.1: A leader declares a player of their team inactive, with a reason. It counts until the player posts again.

    Raises Refused for anybody but a leader, for oneself, and beside another declaration.
    """
    leader = _checked_leader(player, by)
    if leader.pk == player.pk:
        raise Refused(gettext("Report an absence instead of declaring yourself inactive."), "5.1")
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="5.1")
    open_ones = Declaration.objects.filter(player=player, withdrawn_at__isnull=True, rejected_at__isnull=True)
    if last_post := last_posts(player.round, now).get(player.pk):
        open_ones.filter(at__lt=last_post).update(withdrawn_at=now)
    try:
        with locking.transaction():
            declaration = Declaration.objects.create(player=player, by=leader, reason=reason, at=now)
    except IntegrityError:
        raise Refused(gettext("%(name)s is already declared inactive.") % {"name": player.name}, "5.1") from None
    record(player.round, leader.user, "player.inactive", {"player": player.name, "reason": reason}, now)
    return declaration


@locking.writes
def withdraw_declaration(*, declaration: Declaration, by: Player | None, now: datetime) -> None:
    """5.1: A leader of the team withdraws a declaration."""
    row = _held_declaration(declaration)
    leader = _checked_leader(row.player, by)
    row.withdrawn_at = now
    row.save(update_fields=["withdrawn_at"])
    record(row.player.round, leader.user, "player.active", {"player": row.player.name}, now)


@locking.writes
def reject_declaration(*, declaration: Declaration, judge: Judge | None, reason: str, now: datetime) -> None:
    """5.1: The battle judge rejects a declaration that only gets around an active player's protection."""
    row = _held_declaration(declaration)
    if judge is None or judge.round_id != row.player.round_id or judge.role != Role.BATTLE:
        raise Refused(gettext("Only battle judges of this round can reject a declaration."), "5.1")
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="5.1")
    row.rejected_by, row.rejected_at, row.rejected_because = judge, now, reason
    row.save(update_fields=["rejected_by", "rejected_at", "rejected_because"])
    data = {"player": row.player.name, "reason": reason}
    record(row.player.round, judge.user, "player.inactive_rejected", data, now)


def _checked_leader(player: Player, by: Player | None) -> Player:
    same_team = by is not None and (by.round_id, by.side) == (player.round_id, player.side)
    if by is None or not same_team or not is_leading(Rank(by.rank) if by.rank else None):
        raise Refused(gettext("Only a team's leaders can declare its players inactive."), "5.1")
    return by


def _held_declaration(declaration: Declaration) -> Declaration:
    row = locking.hold(Declaration.objects.select_related("player__round"), pk=declaration.pk)
    if row.withdrawn_at or row.rejected_at:
        raise Refused(gettext("This declaration no longer counts."), "5.1")
    return row
