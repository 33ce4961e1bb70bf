"""R59: the job that looks whose battles wait, who is silent or away, and who is head meanwhile."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import OperationalError
from django.db.models import Prefetch

from judging.battles.bench import reads
from judging.battles.bench.models import BattleSeat, OwnNarrative
from judging.battles.bench.seats import Cause, Kind, give_first, pass_on
from judging.battles.bench.writes import mind_head
from judging.battles.models import Battle, BattleArmy, NarrativeDraft, Note
from judging.battles.strats.reads import counting_as_read_of
from judging.game import locking
from judging.game.models import LogEntry
from wargame.models import Judge, Round
from wargame.models.choices import RoundState, TurnState
from wargame.rules.command.bench import JUDGE_SILENT, is_silent
from wargame.rules.core.sides import Side

logger = logging.getLogger(__name__)


def mind_benches(now: datetime) -> int:
    """R59: gives battles that can be judged to judges, passes on those of silent ones, and finds a head for a silent
    head; how much changed. Harmless at any time, and twice at once; a damaged round keeps no other from its turn.

    All rounds are read at once, so that a round in which nothing is to be done costs no statement of its own.
    """
    changed, benches, heads = 0, _Benches(now), reads.rounds_in_need_of_a_head(now)
    for round in Round.objects.filter(pk__in={*benches.waiting, *heads}):
        try:
            if round.pk in heads:
                changed += mind_head(round=round, now=now)
            changed += sum(_mind(battle, benches) for battle in benches.waiting.get(round.pk, ()))
        except (locking.Busy, OperationalError):
            raise
        except Exception:
            logger.exception("Checking the judges of round %s failed.", round.slug)
    return changed


class _Benches:
    """R59: the battles of all running rounds that wait for a score, by the round's key, with whose they are."""

    def __init__(self, now: datetime) -> None:
        rows = Battle.objects.filter(turn__round__state=RoundState.RUNNING, state=Battle.State.WAITING)
        rows = rows.exclude(turn__state=TurnState.SETTLED).select_related("turn__round", "second_judge")
        entries = BattleArmy.objects.select_related("army").prefetch_related("strats")
        battles = list(
            rows.defer("turn__position", "turn__events", "turn__sky").prefetch_related(
                Prefetch("entries", entries), "opinions"
            )
        )
        self.now = now
        self.waiting: dict[int, list[Battle]] = {}
        for battle in battles:
            self.waiting.setdefault(battle.turn.round_id, []).append(battle)
        self.strats = counting_as_read_of(battles)
        self.seats = reads.seats_in(battles)
        self.away = reads.away_in_rounds(now)
        self.suspects = reads.suspects_among(seat.judge_id for each in self.seats.values() for seat in each.values())


def _mind(battle: Battle, benches: _Benches) -> int:
    now, seats = benches.now, benches.seats.get(battle.pk, {})
    teams = [entry.name for entry in battle.entries.all() if entry.army.side != Side.MERCENARY]
    since = reads.ready_at(battle, benches.strats[battle.pk], teams)
    if since > now:
        return 0
    scored = {opinion.judge_id for opinion in battle.opinions.all()}
    if Kind.FIRST not in seats and not scored:
        return give_first(battle=battle, now=now) is not None
    return sum(
        pass_on(seat=seat, cause=cause, now=now) is not None
        for seat in _waited_for(seats, battle, scored)
        if (cause := _cause(battle, seat, since, benches))
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


def _cause(battle: Battle, seat: BattleSeat, since: datetime, benches: _Benches) -> str:
    """R56, R59: why a judge loses a battle now; empty if they keep it."""
    judge = seat.judge
    if seat.cause != Cause.HEAD and judge.pk in benches.suspects and reads.conflict_of(battle, judge):
        return Cause.CONFLICT
    if judge.dismissed_at is not None or (judge.round_id, judge.user_id) in benches.away:
        return Cause.LEAVE
    heard = max(since, seat.since)
    if is_silent(heard, benches.now, JUDGE_SILENT):
        heard = max([heard, *_acts(battle, judge)])
    return Cause.SILENCE if is_silent(heard, benches.now, JUDGE_SILENT) else ""


def _acts(battle: Battle, judge: Judge) -> list[datetime]:
    """When a judge did or wrote something about the battle."""
    about = {"data__turn": battle.turn.number, "data__battle": battle.number}
    rows = (
        LogEntry.objects.filter(round=battle.turn.round, actor=judge.user_id, **about).values_list("at", flat=True),
        OwnNarrative.objects.filter(battle=battle, judge=judge).values_list("saved_at", flat=True),
        NarrativeDraft.objects.filter(battle=battle, judge=judge).values_list("saved_at", flat=True),
        Note.objects.filter(battle=battle, criterion__judge=judge).values_list("saved_at", flat=True),
    )
    return [at for each in rows for at in each]
