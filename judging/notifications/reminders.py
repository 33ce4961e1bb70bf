"""R4, R5, R46: what runs out is reminded of, and what waits for a judge is told, by a job of its own that looks at the
clock and at the rows. A reminder names its deadline in its key: one that was moved gives another reminder, and what
holds no more, for the strat came, the order was posted or the deadline was moved, is taken back. Whose word the dice
wait for is told, too (R38).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db import OperationalError
from django.db.models import Q, QuerySet

from judging.appeals.models import Appeal
from judging.battles.bench.reads import away_users
from judging.battles.mixing import awaited
from judging.battles.models import Battle
from judging.battles.strats.deadlines import deadline_of, last_deadline
from judging.battles.strats.reads import are_sent, counting_strats, counting_strats_of
from judging.game import locking
from judging.game.telling import News, NewsKind
from judging.notifications.cast import Cast, of_battle, present_controllers
from judging.notifications.models import Notification
from judging.notifications.writes import end_notifications, tell
from judging.turns.states import is_open
from judging.turns.turn_input import InputOfTurn
from judging.votes.ends import closing_news
from judging.votes.models import Vote
from judging.votes.reads import HELD_IN, LAST_CALL, open_at
from wargame.models import Round, Turn
from wargame.models.choices import DiceMix, Role, RoundState, TurnState
from wargame.rules.core import clock
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Side

STRAT_HOURS, LOCK_HOURS = (48, 24, 4), (24, 4)
"""How many hours before a deadline somebody is reminded of it."""

APPEAL_HOURS = (24, 4)
"""How many hours before he loses it a judge is reminded of an appeal (R57)."""

KINDS_THAT_LAPSE = (
    NewsKind.STRAT_DUE,
    NewsKind.LOCK_NEAR,
    NewsKind.VOTE_CLOSING,
    NewsKind.JUDGE_SCORE,
    NewsKind.JUDGE_APPEAL_DUE,
    NewsKind.WORD_DUE,
    NewsKind.JUDGE_ROLL,
    NewsKind.JUDGE_PUBLISH,
)
"""What is taken back when it holds no more."""


logger = logging.getLogger(__name__)


def remind(now: datetime) -> int:
    """Reminds of what runs out and tells what waits, of all rounds that are played; how much of it was new.

    A round whose rows or map are damaged has a line in the service's log, and its reminders stay as they are."""
    work: list[tuple[Round, Callable[[], Iterable[News]]]] = []
    work += [(vote.round, partial(closing_news, vote, now)) for vote in _closing(now)]
    work += [(each, partial(_of_round, each, now)) for each in Round.objects.filter(state=RoundState.RUNNING)]
    found: list[News] = []
    damaged = []
    for round_, news in work:
        try:
            found += list(news())
        except (locking.Busy, OperationalError):
            raise
        except Exception:
            logger.exception("Nobody can be reminded in the round %s.", round_.slug)
            damaged.append(round_.pk)
    told = tell(found, now)
    _take_back({each.about for each in found}, damaged, now)
    return told


def _of_round(round_: Round, now: datetime) -> Iterator[News]:
    turns = Turn.objects.filter(round=round_).select_related("round").order_by("-number")
    turn = turns.defer("events", "sky").first()
    if turn is not None and turn.state != TurnState.SETTLED:
        yield from _of_turn(turn, now)
    yield from _of_appeals(round_, now)


def _of_appeals(round_: Round, now: datetime) -> Iterator[News]:
    """R57: appeals that are to be answered within a day, to the judge who was drawn."""
    rows = Appeal.objects.filter(round=round_, state=Appeal.State.OPEN, judge__isnull=False)
    for row in rows.filter(due_at__lte=now + timedelta(hours=max(APPEAL_HOURS))).select_related("judge", "turn"):
        since = datetime.fromisoformat(row.draws[-1]["at"]) if row.draws else row.lodged_at
        hours = hours_left(APPEAL_HOURS, row.due_at, since, now)
        if hours is not None and row.judge is not None:
            key = f"appeal-{row.pk}-{hours}-{row.due_at:%Y%m%d%H%M}"
            data = {"number": row.number, "due": row.due_at.isoformat()}
            user, turn = row.judge.user_id, row.turn.number
            yield News(user, NewsKind.JUDGE_APPEAL_DUE, key, now, round_.pk, turn, data, row.due_at)


def _take_back(holding: set[tuple[int, str, str]], damaged: Sequence[int], now: datetime) -> None:
    """Reminders that hold no more are read, and go out no more, but for those of rounds of which that is not known."""
    waits = Q(read_at__isnull=True) | Q(mail_due__isnull=False) | Q(push_due__isnull=False)
    rows = Notification.objects.filter(waits, kind__in=KINDS_THAT_LAPSE).exclude(round__in=damaged)
    gone = [pk for pk, *about in rows.values_list("pk", "user_id", "kind", "key") if tuple(about) not in holding]
    if gone:
        end_notifications(gone, now)


def hours_left(hours: Iterable[int], due: datetime, since: datetime, now: datetime) -> int | None:
    """Which reminder of a deadline is due: by its hours, the least that are left. None before the first, once the
    deadline has passed, and where there were never so many hours since it was set."""
    if not clock.is_in_time(now, due):
        return None
    reached = [each for each in hours if now >= due - timedelta(hours=each) > since]
    return min(reached, default=None)


def _of_turn(turn: Turn, now: datetime) -> Iterator[News]:
    cast = Cast(turn.round)
    battles = Battle.objects.filter(turn=turn, state=Battle.State.WAITING)
    rows = list(battles.select_related("turn").defer("turn__events", "turn__sky", "turn__position"))
    if rows:
        for battle in rows:
            battle.turn = turn
        yield from _of_battles(rows, cast, now)
    yield from mix_news(turn, cast, now)
    hours = hours_left(LOCK_HOURS, turn.lock_at, turn.opened_at, now)
    if hours is not None and is_open(turn, now):
        yield from _of_lock(turn, cast, hours)


def _of_battles(battles: list[Battle], cast: Cast, now: datetime) -> Iterator[News]:
    """4.1.1: strats that are missing, to those who are to send them; battles that can be scored, to their judges."""
    counting = counting_strats_of(battles)
    entries = {battle.pk: list(battle.entries.select_related("army")) for battle in battles}
    control = present_controllers([entry.army_id for rows in entries.values() for entry in rows])
    away = away_users(cast.round, now)
    judges = [user for user in cast.judges(Role.BATTLE) if user not in away]
    for battle in battles:
        own = [entry for entry in entries[battle.pk] if entry.army.side != Side.MERCENARY]
        for entry in own:
            if entry.name in counting[battle.pk]:
                continue
            due = deadline_of(entry, battle)
            data = of_battle(battle) | {"army": entry.name, "due": due.isoformat()}
            hours = hours_left(STRAT_HOURS, due, battle.announced_at, now)
            for user in control.get(entry.army_id, ()):
                if hours is not None:
                    key = f"entry-{entry.pk}-{hours}-{due:%Y%m%d%H%M}"
                    told = data | {"hours": hours}
                    yield _news(user, NewsKind.STRAT_DUE, key, now, battle, told, clock.closes(due))
                elif not clock.is_in_time(now, due):
                    key = f"entry-{entry.pk}-{due:%Y%m%d%H%M}"
                    yield _news(user, NewsKind.STRAT_MISSED, key, clock.closes(due), battle, data)
        is_closed = not clock.is_in_time(now, last_deadline(battle))
        if is_closed or are_sent([entry.name for entry in own], counting[battle.pk]):
            for user in judges:
                yield _news(user, NewsKind.JUDGE_SCORE, f"battle-{battle.pk}", now, battle, of_battle(battle))


def _news(
    user: int,
    kind: NewsKind,
    key: str,
    at: datetime,
    battle: Battle,
    data: Mapping[str, object],
    due: datetime | None = None,
) -> News:
    return News(user, kind, key, at, battle.turn.round_id, battle.turn.number, data, due)


def _of_lock(turn: Turn, cast: Cast, hours: int) -> Iterator[News]:
    """3.1: armies that could move, to those of their players who have posted no order for them and are not done."""
    given = InputOfTurn(turn)
    ordered = {(line.by, line.army) for line in given.lines}
    without: dict[str, list[str]] = {}
    for army in given.position.armies:
        for player in given.control.get(army.name, ()):
            if _could_move(army, given) and (player, army.name) not in ordered:
                without.setdefault(player, []).append(army.name)
    done = set(turn.done_marks.values_list("player__user_id", flat=True))
    for player, armies in without.items():
        for user in cast.named(player):
            if user not in done:
                key = f"turn-{turn.pk}-{hours}-{turn.lock_at:%Y%m%d%H%M}"
                due = clock.closes(turn.lock_at)
                data = {"turn": turn.number, "armies": sorted(armies), "hours": hours, "due": turn.lock_at.isoformat()}
                at = turn.lock_at - timedelta(hours=hours)
                yield News(user, NewsKind.LOCK_NEAR, key, at, turn.round_id, turn.number, data, due)


def _could_move(army: Army, given: InputOfTurn) -> bool:
    """Whether it waits for an order: it is in no battle, and on no long way."""
    return army.plan is None and army.name not in given.position.battle_of


def _closing(now: datetime) -> QuerySet[Vote]:
    """R46: votes that close within a day, whose missing ones are reminded: told by `judging.votes.ends`, and taken back
    from here as soon as they have voted."""
    rows = Vote.objects.filter(open_at(now), closes_at__lte=now + LAST_CALL, round__state__in=HELD_IN)
    return rows.filter(reminded_at__isnull=False).select_related("round").prefetch_related("ballots__player")


def mix_news(turn: Turn, cast: Cast, now: datetime) -> Iterator[News]:
    """R38: of battles into whose dice something is mixed. A word is handed over by who sealed it, or controls the army;
    dice that the service rolled wait to be published by the judge who scored, or by all while that judge is away."""
    states = (Battle.State.SCORED, Battle.State.ROLLED)
    rows = Battle.objects.filter(turn=turn, state__in=states).exclude(dice_mix=DiceMix.COMMITTED)
    for battle in rows.select_related("score__judge", "proposal").defer("weather"):
        battle.turn = turn
        data, about = of_battle(battle), (turn.round_id, turn.number)
        if battle.state == Battle.State.ROLLED:
            is_held = turn.round.results_after_lock and clock.is_in_time(now, turn.lock_at)
            if battle.proposal.judge_id is None and not is_held:
                for user in _publishers(battle, cast, now):
                    yield News(user, NewsKind.JUDGE_PUBLISH, f"battle-{battle.pk}", now, *about, data)
            continue
        counting = counting_strats(battle)
        waits = awaited(battle, counting, battle.score, now)
        if waits is None:
            continue
        sealed = {name: counting[name] for name in waits.armies}
        control = present_controllers(strat.entry.army_id for strat in sealed.values())
        for name, strat in sealed.items():
            users = {*control.get(strat.entry.army_id, ()), *([strat.player.user_id] if strat.player else [])}
            told = data | {"army": name, "until": waits.until.isoformat()}
            for user in sorted(users):
                yield News(user, NewsKind.WORD_DUE, f"strat-{strat.pk}", now, *about, told, waits.until)


def _publishers(battle: Battle, cast: Cast, now: datetime) -> list[int]:
    """4.2.5: who is told that a result is ready."""
    away = away_users(cast.round, now)
    judges = [user for user in cast.judges(Role.BATTLE) if user not in away]
    scorer = battle.score.judge.user_id
    return [scorer] if scorer in judges else judges
