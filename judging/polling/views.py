"""1.2, 3.1: Polling by open pages every few seconds: the version of a round's public state."""

import hashlib
from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, Max, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judging.announcements.models import Notice
from judging.common.shortcuts import round_for, turn_for, version_now
from judging.turns.drafts import moves_now
from judging.turns.models import Post
from judging.turns.states import is_open
from wargame.models import Turn
from wargame.rules.core import clock


def live_version(turn: Turn, now: datetime) -> str:
    """A short version of the public state of the present turn; it changes whenever any of it does.

    It is the same for all viewers, and does not depend on sealed posts before the lock (R6), on results before they are
    published, or on moves that are still drafts (R18).
    """
    return hashlib.sha256("|".join(map(str, _parts(turn, now))).encode()).hexdigest()[:16]


def live_now(turn: Turn, now: datetime) -> str:
    """`live_version` as a page has it, at most `FRESH_SECONDS` old."""
    return version_now("live", turn.round.slug, lambda: live_version(turn, now))


def map_version(turn: Turn, now: datetime) -> str:
    """A short version of everything that the map page shows; it changes with the turn, its stage, its times, its
    penalties or the public moves."""
    moves = moves_now(turn, now)
    hashes = (turn.position_hash, turn.penalties, turn.next_hash)
    parts = [turn.pk, turn.number, turn.state, *hashes, turn.deadline.isoformat(), turn.lock_at.isoformat()]
    parts += [moves.digest] if moves else []
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:16]


def _parts(turn: Turn, now: datetime) -> Iterator[object]:
    yield turn.round.state
    yield map_version(turn, now)
    yield is_open(turn, now)
    yield clock.is_in_time(now, turn.deadline)
    yield _rows(turn, now)


def _rows(turn: Turn, now: datetime) -> list[tuple[object, ...]]:
    """Counts of the turn's posts and notices, with the armies in each of its battles, in one statement.

    4.1.1, R35: of a battle its deadlines, its result, and that strats came, which everybody is told.
    """
    posts = Post.objects.filter(turn=turn, **({"sealed": False} if clock.is_in_time(now, turn.lock_at) else {}))
    by_turn, notices = posts.order_by().values("turn"), Notice.objects.filter(turn=turn).order_by().values("turn")
    counts = (
        Subquery(by_turn.values_list(Count("versions"))),
        Subquery(by_turn.values_list(Max("versions__at"))),
        Subquery(by_turn.values_list(Count("withdrawn_at"))),
        Subquery(notices.values_list(Count("pk"))),
        Subquery(notices.values_list(Max("pk"))),
    )
    battle = ("pk", "deadline", "result__published_at", "cancelled_by")
    army = ("pk", "deadline", "strats__pk", "strats__accepted_at")
    columns = [*(f"battles__{name}" for name in battle), *(f"battles__entries__{name}" for name in army)]
    rows = Turn.objects.filter(pk=turn.pk).order_by("battles", "battles__entries", "battles__entries__strats")
    return list(rows.values_list(*counts, *columns))


@require_safe
@never_cache
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """The page's head if the round's version is no longer `?v=`; else 204, which changes nothing on the page."""
    version = version_now("live", slug, lambda: live_version(turn_for(round_for(slug)), timezone.now()))
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    turn = turn_for(round_for(slug))
    return render(request, "live/news.html", {"round": turn.round, "turn": turn, "live": version})
