"""The public part of a round as a file that is of one moment."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterable
from datetime import datetime
from typing import IO, Any

from django.core.cache import cache
from django.db.models import Count, Max, QuerySet

from judging.battles.models import Battle, Draft, Strat
from judging.exchange.public import Public
from judging.exchange.writing import round_file
from judging.game.models import LogEntry
from judging.game.rounds import current_turn
from judging.notices.models import Notice
from judging.turns.models import Post, PostVersion
from wargame.models import Control, Player, Round
from wargame.rules.core import clock

BUSY, BUSY_FOR = "export:busy", 60
"""One file is made at a time, and seconds after which another may be should that one never end."""

IN_MEMORY = 2_000_000
"""Bytes of a file above which it lies on the disk."""

TRIES = 3


def public_stamp(round: Round, now: datetime) -> str:
    """What changes when the public file does: its ETag."""
    turn = current_turn(round)
    parts: list[object] = [round.pk, round.state, round.name, round.slug]
    if turn:
        versions = PostVersion.objects.filter(post__turn=turn).aggregate(last=Max("pk"))["last"]
        withdrawn = Post.objects.filter(turn=turn, withdrawn_at__isnull=False).count()
        drafts = Draft.objects.filter(turn=turn, publish_at__lte=now).values_list("digest", flat=True).first()
        battles = Battle.objects.filter(turn=turn).order_by("state").values_list("state").annotate(Count("pk"))
        strats = Strat.objects.filter(entry__battle__turn=turn).aggregate(last=Max("pk"))["last"]
        in_time = clock.is_in_time(now, turn.lock_at)
        parts += [turn.number, turn.state, turn.position_hash, turn.deadline, turn.lock_at, in_time, drafts]
        parts += [versions, withdrawn, [*battles], strats]
    parts += [_last(LogEntry.objects.filter(round=round)), _last(Notice.objects.filter(turn__round=round))]
    parts += [_last(Control.objects.filter(round=round)), _last(Player.objects.filter(round=round))]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def public_file(round: Round, now: datetime) -> IO[bytes] | None:
    """The file, open at its start and gone when it is closed; None while another one is being made.

    Nothing is locked meanwhile: if something changes, it is made anew.
    """
    if not cache.add(BUSY, True, BUSY_FOR):
        return None
    try:
        for _ in range(TRIES):
            before = public_stamp(round, now)
            made = _written(round_file(Public(round, now)))
            if public_stamp(round, now) == before:
                break
        return made
    finally:
        cache.delete(BUSY)


def _written(parts: Iterable[bytes]) -> IO[bytes]:
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  whoever reads it closes it
    for part in parts:
        file.write(part)
    file.seek(0)
    return file


def _last(rows: QuerySet[Any]) -> int | None:
    return rows.aggregate(last=Max("pk"))["last"]
