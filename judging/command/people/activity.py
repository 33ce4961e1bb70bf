"""5.1, R43: when each player last wrote something that everybody can see."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Max
from django.db.models.functions import Coalesce, Greatest

from judging.battles.models import Strat
from judging.boards.models import Message
from judging.boards.reads.boards import PUBLIC
from judging.command.models import Leave
from judging.turns.models import Post
from wargame.models import Player, Round, Turn
from wargame.models.choices import TurnState
from wargame.rules.core import clock

LastPosts = dict[int, datetime]
"""When each player last posted, by his key; who never did is missing."""


def last_posts(round: Round, now: datetime) -> LastPosts:
    """5.1: posts and their edits, messages on public boards, strats (their receipts are public), and having joined.

    A sealed order before its lock does not count, nor does what is said on a private board: nobody else may learn that
    it was written (R6, 1.1).
    """
    posts = Post.objects.filter(turn__round=round).exclude(sealed=True, turn__in=_unlocked(round, now))
    public = [board.key for board in PUBLIC]
    said = Message.objects.filter(thread__round=round, thread__key__in=public, player__isnull=False)
    strats = Strat.objects.filter(player__round=round)
    found = dict(Player.objects.filter(round=round).values_list("pk", "joined_at"))
    for rows in (
        posts.order_by().values_list("player").annotate(last=Max("versions__at")),
        said.order_by().values_list("player").annotate(last=Greatest(Max("at"), Coalesce(Max("edited_at"), Max("at")))),
        strats.order_by().values_list("player").annotate(last=Max("sent_at")),
    ):
        for player, last in rows:
            found[player] = max(found[player], last)
    return found


def present_leaves(round: Round, now: datetime) -> dict[int, Leave]:
    """5.1: who has stated that he is inactive now, by his key."""
    leaves = Leave.objects.filter(player__round=round, since__lte=now).order_by("since")
    return {leave.player_id: leave for leave in leaves if leave.until is None or leave.until > now}


def _unlocked(round: Round, now: datetime) -> list[int]:
    """R4, R6: the turns of which sealed orders are still hidden."""
    turns = Turn.objects.filter(round=round, state=TurnState.OPEN).values_list("pk", "lock_at")
    return [pk for pk, lock_at in turns if clock.is_in_time(now, lock_at)]
