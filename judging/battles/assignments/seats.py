"""R55, R56, R59: Which judge gets a battle: assignment, passing on, and the job that replaces silent or absent
judges."""

import logging
from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import OperationalError
from django.db.models import Prefetch
from django.utils.translation import gettext

from judging.battles.assignments import queries
from judging.battles.assignments.models import BattleSeat, OwnNarrative
from judging.battles.assignments.queries import (
    all_have_a_conflict,
    barred_from,
    battle_judges,
    deputy_of,
    judges_of,
    seats_in,
)
from judging.battles.assignments.services import mind_head
from judging.battles.models import Battle, BattleArmy, NarrativeDraft, Note, Opinion
from judging.battles.strats.queries import counting_as_read_of
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import is_supreme
from judging.common.log_entry import record
from judging.common.models import LogEntry
from judging.common.texts import checked_text
from wargame.models import Judge, Round
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.command.bench import JUDGE_SILENT, is_silent, next_judge
from wargame.rules.core.sides import Side

Kind, Cause = BattleSeat.Kind, BattleSeat.Cause
MAX_REASON = 2_000


@locking.writes
def give_first(*, battle: Battle, now: datetime) -> BattleSeat | None:
    """R59: Give a battle that can be judged to the next judge in the round's order, after the judge of the last one.

    None if it has a judge already, nobody may judge it, or it no longer waits for a score.
    """
    battle = _held_battle(battle)
    if battle.state != Battle.State.WAITING or Kind.FIRST in seats_in([battle]).get(battle.pk, {}):
        return None
    last = BattleSeat.objects.filter(battle__turn__round=battle.turn.round_id, kind=Kind.FIRST).order_by("-pk").first()
    judge = _next(battle, last.judge if last else None, now, _others(battle))
    return _seat(battle, judge, Kind.FIRST, Cause.ORDER, now) if judge else None


@locking.writes
def give_third(*, battle: Battle, now: datetime) -> BattleSeat | None:
    """R55: For two scores that are far apart: a third battle judge, who was neither, decides. None if there is
    nobody: then the head does."""
    battle = _held_battle(battle)
    judge = _next(battle, battle.second_judge, now, _scored(battle))
    return _seat(battle, judge, Kind.THIRD, Cause.ORDER, now) if judge else None


@locking.writes
def name_second(*, battle: Battle, second: Judge | None, by: Judge, now: datetime) -> None:
    """4.2.1: Give the seat of the second judge to them; to nobody, if nobody is asked."""
    _held_battle(battle)
    BattleSeat.objects.filter(battle=battle, kind=Kind.SECOND, until__isnull=True).update(until=now)
    if second is not None:
        seat = BattleSeat(battle=battle, judge=second, kind=Kind.SECOND, cause=Cause.ASKED, by=by, since=now)
        seat.save()


@locking.writes
def pass_on(*, seat: BattleSeat, cause: str, now: datetime) -> BattleSeat | None:
    """R59: A judge loses a battle to the next in the round's order, or to their deputy if they are on leave. Returns
    the new seat.

    Where nobody else may judge it, a silent judge keeps it; a second judge's seat becomes free then, and a third
    judge's decision falls to the head. Claimed by one update: None if another process did, or it is not lost.
    """
    battle = _held_battle(seat.battle)
    barred = {seat.judge_id} | (_others(battle) if seat.kind != Kind.THIRD else _scored(battle))
    judge = _deputy(battle, seat.judge, barred, now) if cause == Cause.LEAVE else None
    judge = judge or _next(battle, seat.judge, now, barred)
    if judge is None and seat.kind == Kind.FIRST and cause != Cause.CONFLICT:
        return None
    if not BattleSeat.objects.filter(pk=seat.pk, until__isnull=True).update(until=now):
        return None
    if seat.kind == Kind.SECOND:
        battle.second_judge = judge
        battle.save(update_fields=["second_judge"])
    if judge is None:
        _record(battle, None, seat.kind, cause, seat.judge, now)
        return None
    return _seat(battle, judge, seat.kind, cause, now, of=seat.judge)


@locking.writes
def decide_who_judges(*, battle: Battle, head: Judge, chosen: Judge, reason: str, now: datetime) -> BattleSeat:
    """R56: Where all battle judges have a conflict with a battle, the head decides in public which of them judges it.

    Raises Refused for anybody else, without a reason, while a judge without a conflict is left, and once it is scored.
    """
    battle = _held_battle(battle)
    head = Judge.objects.select_related("user").get(pk=head.pk)
    if not is_supreme(head) or head.round_id != battle.turn.round_id:
        raise Refused(gettext("Only the head battle judge can decide who judges a battle."), "R56")
    if battle.state != Battle.State.WAITING:
        raise Refused(gettext("A score for this battle is already locked."), "R38")
    if chosen.role != Role.BATTLE or chosen.round_id != head.round_id or chosen.dismissed_at is not None:
        raise Refused(gettext("Choose a battle judge of this round."), "R56", "judge")
    if not all_have_a_conflict(battle):
        raise Refused(
            gettext("There is still a battle judge without a conflict, who must judge this battle."), "R56", "judge"
        )
    scored = _scored(battle)
    kind = Kind.THIRD if len(scored) > 1 else Kind.FIRST
    if chosen.pk in scored:
        raise Refused(gettext("%(judge)s has already scored this battle.") % {"judge": chosen.name}, "R55", "judge")
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="R56", field="reason").strip()
    before = BattleSeat.objects.filter(battle=battle, kind=kind, until__isnull=True).first()
    if before and (before.judge_id, before.cause) == (chosen.pk, Cause.HEAD):
        return before
    BattleSeat.objects.filter(battle=battle, kind=kind, until__isnull=True).update(until=now)
    seat = BattleSeat(battle=battle, judge=chosen, kind=kind, cause=Cause.HEAD, by=head, reason=reason, since=now)
    seat.save()
    data = {"turn": battle.turn.number, "battle": battle.number, "name": chosen.name, "reason": reason}
    record(battle.turn.round, head.user, "battle.judge_decided", data, now)
    return seat


def _held_battle(battle: Battle) -> Battle:
    return locking.hold(Battle.objects.select_related("turn__round", "second_judge"), pk=battle.pk)


def _next(battle: Battle, after: Judge | None, now: datetime, barred: set[int]) -> Judge | None:
    judges = {judge.pk: judge for judge in battle_judges(battle.turn.round)}
    free = barred | barred_from(battle, judges.values(), now)
    judge_id = next_judge(tuple(judges), after.pk if after else None, free)
    return judges[judge_id] if judge_id else None


def _deputy(battle: Battle, judge: Judge, barred: set[int], now: datetime) -> Judge | None:
    deputy = deputy_of(judge)
    read = judges_of(battle.turn.round).filter(pk=deputy.pk).first() if deputy else None
    if read is None or read.pk in barred | barred_from(battle, [read], now):
        return None
    return read


def _others(battle: Battle) -> set[int]:
    """Those who already have a part in the battle: those who scored, its judges, and the second judge."""
    sitting = {seat.judge_id for seat in seats_in([battle]).get(battle.pk, {}).values()}
    return _scored(battle) | sitting | ({battle.second_judge_id} if battle.second_judge_id else set())


def _scored(battle: Battle) -> set[int]:
    return set(Opinion.objects.filter(battle=battle).values_list("judge_id", flat=True))


def _seat(battle: Battle, judge: Judge, kind: str, cause: str, now: datetime, of: Judge | None = None) -> BattleSeat:
    seat = BattleSeat(battle=battle, judge=judge, kind=kind, cause=cause, since=now)
    seat.save()
    _record(battle, judge, kind, cause, of, now)
    return seat


def _record(battle: Battle, judge: Judge | None, kind: str, cause: str, of: Judge | None, now: datetime) -> None:
    data = {"turn": battle.turn.number, "battle": battle.number, "name": judge.name if judge else None}
    data |= {"kind": kind, "cause": cause, "of": of.name if of else None}
    record(battle.turn.round, None, "battle.seat", data, now)


logger = logging.getLogger(__name__)


def mind_benches(now: datetime) -> int:
    """R59: Give battles that can be judged to judges, pass on those of silent ones, and find a stand-in for a silent
    head; returns the number of changes. Harmless at any time, and twice at once; a damaged round does not block others.

    Reads all rounds at once, so that a round without changes costs no query of its own.
    """
    changed, benches, heads = 0, _Benches(now), queries.rounds_in_need_of_a_head(now)
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
    """R59: The battles of all running rounds that wait for a score, by the round's key, with their judges."""

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
        self.seats = queries.seats_in(battles)
        self.away = queries.away_in_rounds(now)
        self.suspects = queries.suspects_among(seat.judge_id for each in self.seats.values() for seat in each.values())


def _mind(battle: Battle, benches: _Benches) -> int:
    now, seats = benches.now, benches.seats.get(battle.pk, {})
    teams = [entry.name for entry in battle.entries.all() if entry.army.side != Side.MERCENARY]
    since = queries.ready_at(battle, benches.strats[battle.pk], teams)
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
    """The seats of the judges whose turn it is."""
    if len(scored) == 2:
        return [seats[Kind.THIRD]] if Kind.THIRD in seats else []
    due_seats = []
    if Kind.FIRST in seats and not scored - {battle.second_judge_id}:
        due_seats.append(seats[Kind.FIRST])
    if Kind.SECOND in seats and battle.second_judge_id not in scored:
        due_seats.append(seats[Kind.SECOND])
    return due_seats


def _cause(battle: Battle, seat: BattleSeat, since: datetime, benches: _Benches) -> str:
    """R56, R59: why a judge loses a battle now; empty if they keep it."""
    judge = seat.judge
    if seat.cause != Cause.HEAD and judge.pk in benches.suspects and queries.conflict_of(battle, judge):
        return Cause.CONFLICT
    if judge.dismissed_at is not None or (judge.round_id, judge.user_id) in benches.away:
        return Cause.LEAVE
    heard = max(since, seat.since)
    if is_silent(heard, benches.now, JUDGE_SILENT):
        heard = max([heard, *_acts(battle, judge)])
    return Cause.SILENCE if is_silent(heard, benches.now, JUDGE_SILENT) else ""


def _acts(battle: Battle, judge: Judge) -> list[datetime]:
    """The times when a judge did or wrote something about the battle."""
    about = {"data__turn": battle.turn.number, "data__battle": battle.number}
    rows = (
        LogEntry.objects.filter(round=battle.turn.round, actor=judge.user_id, **about).values_list("at", flat=True),
        OwnNarrative.objects.filter(battle=battle, judge=judge).values_list("saved_at", flat=True),
        NarrativeDraft.objects.filter(battle=battle, judge=judge).values_list("saved_at", flat=True),
        Note.objects.filter(battle=battle, criterion__judge=judge).values_list("saved_at", flat=True),
    )
    return [at for each in rows for at in each]
