"""1.2, 3.1: What open pages poll every few seconds: the version of what everyone may see of a round."""

import hashlib
from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judging.announcements.models import Notice
from judging.battles.models import Battle
from judging.common.shortcuts import round_for, turn_for, version_now
from judging.turns.drafts import moves_now
from judging.turns.models import Post
from judging.turns.states import is_open
from wargame.models import Turn
from wargame.rules.core import clock


def live_version(turn: Turn, now: datetime) -> str:
    """A short name of what everybody may see of the present turn; a new one when any of it changes.

    It is the same for all viewers, and knows nothing of sealed posts before the lock (R6), of results before they are
    published, or of moves that are still drafts (R18).
    """
    return hashlib.sha256("|".join(map(str, _parts(turn, now))).encode()).hexdigest()[:16]


def live_now(turn: Turn, now: datetime) -> str:
    """`live_version` as a page has it, at most `FRESH_SECONDS` old."""
    return version_now("live", turn.round.slug, lambda: live_version(turn, now))


def map_version(turn: Turn, now: datetime) -> str:
    """A short name of everything that the map page shows; a new one when the turn, its stage, its times, its
    penalties or the moves that everybody may see change."""
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
    """Counts of the turn's posts and notices, and a line for each of its battles.

    4.1.1, R35: of a battle its deadlines, its result, and that strats came, which everybody is told.
    """
    posts = Post.objects.filter(turn=turn, **({"sealed": False} if clock.is_in_time(now, turn.lock_at) else {}))
    counts = posts.aggregate(Count("versions"), Max("versions__at"), Count("withdrawn_at"))
    notices = Notice.objects.filter(turn=turn).aggregate(Count("pk"), Max("pk"))
    battles = Battle.objects.filter(turn=turn).order_by("pk")
    # Each count is one of pairs of an army and a strat: what matters is that it changes.
    of_armies = (Count("entries__deadline"), Max("entries__deadline"))
    strats = (Count("entries__strats"), Count("entries__strats__accepted_at"))
    columns = ("pk", "deadline", "result__published_at", "cancelled_by")
    return [tuple(counts.values()), tuple(notices.values()), *battles.values_list(*columns, *of_armies, *strats)]


@require_safe
@never_cache
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """The page's head if the round's version is no longer `?v=`; else 204, which changes nothing on the page."""
    version = version_now("live", slug, lambda: live_version(turn_for(round_for(slug)), timezone.now()))
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    turn = turn_for(round_for(slug))
    return render(request, "live/news.html", {"round": turn.round, "turn": turn, "live": version})
