"""R59: the job that looks whose battles wait, who is silent or away, and who is head meanwhile."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db import OperationalError
from django.db.models import Prefetch

from judging.battles.bench import reads
from judging.battles.bench.models import BattleSeat, OwnNarrative
from judging.battles.bench.seats import Cause, Kind, give_first, pass_on
from judging.battles.bench.writes import mind_head
from judging.battles.models import Battle, BattleArmy, NarrativeDraft, Note, Opinion
from judging.battles.strats.reads import counting_as_read
from judging.game import locking
from judging.game.models import LogEntry
from wargame.models import Judge, Round
from wargame.models.choices import RoundState, TurnState
from wargame.rules.command.bench import JUDGE_SILENT, is_silent
from wargame.rules.core.sides import Side

logger = logging.getLogger(__name__)


def mind_benches(now: datetime) -> int:
    """R59: gives battles that can be judged to judges, passes on those of silent ones, and finds a head for a silent
    head; how much changed. Harmless at any time, and twice at once; a damaged round keeps no other from its turn."""
    changed = 0
    for round in Round.objects.filter(state=RoundState.RUNNING):
        try:
            changed += mind_head(round=round, now=now)
            changed += sum(_mind(each, now) for each in _ready(round, now))
        except (locking.Busy, OperationalError):
            raise
        except Exception:
            logger.exception("Nobody can look after the judges of the round %s.", round.slug)
    return changed


class Ready(NamedTuple):
    """A battle that waits for a score and could be judged `since` then, with whose it is."""

    battle: Battle
    since: datetime
    seats: Mapping[str, BattleSeat]


def _ready(round: Round, now: datetime) -> list[Ready]:
    entries = BattleArmy.objects.select_related("army").prefetch_related("strats")
    waiting = Battle.objects.filter(turn__round=round, state=Battle.State.WAITING)
    rows = waiting.exclude(turn__state=TurnState.SETTLED).select_related("turn__round", "second_judge")
    by_turn: dict[int, list[Battle]] = {}
    for battle in rows.defer("turn__position", "turn__events", "turn__sky").prefetch_related(
        Prefetch("entries", entries)
    ):
        by_turn.setdefault(battle.turn_id, []).append(battle)
    found = []
    for battles in by_turn.values():
        counting, seats = counting_as_read(battles), reads.seats_in(battles)
        for battle in battles:
            teams = [entry.name for entry in battle.entries.all() if entry.army.side != Side.MERCENARY]
            ready = reads.ready_at(battle, counting[battle.pk], teams)
            if ready <= now:
                found.append(Ready(battle, ready, seats.get(battle.pk, {})))
    return found


def _mind(ready: Ready, now: datetime) -> int:
    battle, since, seats = ready
    scored = set(Opinion.objects.filter(battle=battle).values_list("judge_id", flat=True))
    if Kind.FIRST not in seats and not scored:
        return give_first(battle=battle, now=now) is not None
    return sum(
        pass_on(seat=seat, cause=cause, now=now) is not None
        for seat in _waited_for(seats, battle, scored)
        if (cause := _cause(battle, seat, since, now))
    )


def _waited_for(seats: Mapping[str, BattleSeat], battle: Battle, scored: set[int]) -> Iterable[BattleSeat]:
    """The seats of those whose turn it is."""
    if len(scored) == 2:
        return [seats[Kind.THIRD]] if Kind.THIRD in seats else []
    found = []
    if Kind.FIRST in seats and not scored - {battle.second_judge_id}:
        found.append(seats[Kind.FIRST])
    if Kind.SECOND in seats and battle.second_judge_id not in scored:
        found.append(seats[Kind.SECOND])
    return found


def _cause(battle: Battle, seat: BattleSeat, since: datetime, now: datetime) -> str:
    """R56, R59: why a judge loses a battle now; empty while he does not."""
    judge = seat.judge
    if seat.cause != Cause.HEAD and reads.conflict_of(battle, judge):
        return Cause.CONFLICT
    if judge.dismissed_at is not None or judge.user_id in reads.away_users(battle.turn.round, now):
        return Cause.LEAVE
    heard = max(since, seat.since, *_acts(battle, judge))
    return Cause.SILENCE if is_silent(heard, now, JUDGE_SILENT) else ""


def _acts(battle: Battle, judge: Judge) -> list[datetime]:
    """When he last did or wrote something about the battle."""
    about = {"data__turn": battle.turn.number, "data__battle": battle.number}
    rows = (
        LogEntry.objects.filter(round=battle.turn.round, actor=judge.user_id, **about).values_list("at", flat=True),
        OwnNarrative.objects.filter(battle=battle, judge=judge).values_list("saved_at", flat=True),
        NarrativeDraft.objects.filter(battle=battle, judge=judge).values_list("saved_at", flat=True),
        Note.objects.filter(battle=battle, criterion__judge=judge).values_list("saved_at", flat=True),
    )
    return [at for each in rows for at in each]
