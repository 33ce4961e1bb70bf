"""R4, R5, R46: reminders of deadlines, and news of what waits for a judge, in a separate job that looks at the clock
and at the rows. A reminder has its deadline in its key: a moved deadline gives another reminder, and an outdated
one, because the strat came, the order was posted or the deadline was moved, is taken back. Players whose word the
dice wait for are notified, too (R38)."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db import OperationalError
from django.db.models import Prefetch, Q, QuerySet

from judging.appeals.models import Appeal
from judging.battles.assignments.queries import away_in_rounds
from judging.battles.models import Battle, BattleArmy
from judging.battles.seed_contributions import awaited
from judging.battles.strats.queries import are_sent, counting_as_read_of, counting_strats, deadline_of, last_deadline
from judging.common import locking
from judging.common.notify import News
from judging.notifications.kinds import KINDS
from judging.notifications.models import Notification
from judging.notifications.recipients import Cast, of_battle, present_controllers
from judging.notifications.services import end_notifications, tell
from judging.turns.states import is_open
from judging.turns.turn_input import InputOfTurn
from judging.votes.models import Vote
from judging.votes.queries import HELD_IN, LAST_CALL, open_at, seats_of
from judging.votes.queries import is_open as is_vote_open
from wargame.models import Judge, Round, Turn
from wargame.models.choices import DiceMix, Role, RoundState, TurnState
from wargame.rules.core import clock
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Side

STRAT_HOURS, LOCK_HOURS = (48, 24, 4), (24, 4)
"""The hours before a deadline at which people are reminded of it."""

APPEAL_HOURS = (24, 4)
"""The hours before a judge loses an appeal at which they are reminded of it (R57)."""

KINDS_THAT_LAPSE = [code for code, kind in KINDS.items() if kind.lapses]
"""The kinds that are taken back when they are outdated."""


logger = logging.getLogger(__name__)


def remind(now: datetime) -> int:
    """Remind of deadlines and notify of what waits, for all rounds that are played; returns the number of new ones.

    All rounds are read at once, so that one without a near deadline costs no statement of its own. A round whose rows
    or map are damaged has a line in the service's log, and its reminders stay unchanged.
    """
    running = _Running(now)
    work: list[tuple[Round, Callable[[], Iterable[News]]]] = []
    work += [(vote.round, partial(_closing_news, vote, now)) for vote in _closing(now)]
    work += [(turn.round, partial(_of_turn, turn, running)) for turn in running.turns]
    work += [(appeal.round, partial(_of_appeal, appeal, now)) for appeal in _due_appeals(now)]
    all_news: list[News] = []
    damaged = []
    for round_, news in work:
        try:
            all_news += list(news())
        except (locking.Busy, OperationalError):
            raise
        except Exception:
            logger.exception("Sending reminders for round %s failed.", round_.slug)
            damaged.append(round_.pk)
    count = tell(all_news, now)
    _take_back({each.about for each in all_news}, damaged, now)
    return count


class _Running:
    """The data of all running rounds, read at once: their turns, and the battles of these that wait for something."""

    def __init__(self, now: datetime) -> None:
        turns = Turn.objects.filter(round__state=RoundState.RUNNING).exclude(state=TurnState.SETTLED)
        entries = BattleArmy.objects.select_related("army").prefetch_related("strats")
        self.now = now
        self.turns = list(turns.select_related("round").defer("events", "sky", "position"))
        self.away = away_in_rounds(now)
        self.battles: dict[int, list[Battle]] = {}
        self.mixed: dict[int, list[Battle]] = {}
        by_pk = {turn.pk: turn for turn in self.turns}
        waiting_battles = list(
            Battle.objects.filter(turn__in=by_pk, state=Battle.State.WAITING).prefetch_related(
                Prefetch("entries", entries)
            )
        )
        mixed = Battle.objects.filter(turn__in=by_pk, state__in=(Battle.State.SCORED, Battle.State.ROLLED))
        mixed = mixed.exclude(dice_mix=DiceMix.COMMITTED).select_related("score__judge", "proposal").defer("weather")
        for rows, battles in ((self.battles, waiting_battles), (self.mixed, mixed)):
            for battle in battles:
                battle.turn = by_pk[battle.turn_id]
                rows.setdefault(battle.turn_id, []).append(battle)
        self.strats = counting_as_read_of(waiting_battles)
        self.controllers = present_controllers(
            entry.army_id for each in waiting_battles for entry in each.entries.all()
        )
        judges = Judge.objects.filter(role=Role.BATTLE, round__in={turn.round_id for turn in self.turns})
        self._judges: dict[int, list[int]] = {}
        for round_, user in judges.values_list("round", "user"):
            self._judges.setdefault(round_, []).append(user)

    def judges(self, round_: int) -> list[int]:
        return [user for user in self._judges.get(round_, ()) if (round_, user) not in self.away]


def _due_appeals(now: datetime) -> QuerySet[Appeal]:
    """R57: open appeals that must be answered within a day by a drawn judge."""
    rows = Appeal.objects.filter(round__state=RoundState.RUNNING, state=Appeal.State.OPEN, judge__isnull=False)
    rows = rows.filter(due_at__lte=now + timedelta(hours=max(APPEAL_HOURS))).select_related("round", "judge", "turn")
    return rows.defer("turn__position", "turn__events", "turn__sky")


def _of_appeal(row: Appeal, now: datetime) -> Iterator[News]:
    since = datetime.fromisoformat(row.draws[-1]["at"]) if row.draws else row.lodged_at
    hours = hours_left(APPEAL_HOURS, row.due_at, since, now)
    if hours is not None and row.judge is not None:
        key = f"appeal-{row.pk}-{hours}-{row.due_at:%Y%m%d%H%M}"
        data = {"number": row.number, "due": row.due_at.isoformat()}
        user, turn = row.judge.user_id, row.turn.number
        yield News(user, "judge.appeal_due", key, now, row.round_id, turn, data, row.due_at)


def _take_back(holding: set[tuple[int, str, str]], damaged: Sequence[int], now: datetime) -> None:
    """Mark outdated reminders as read, and don't send them, except for those of damaged rounds."""
    waits = Q(read_at__isnull=True) | Q(mail_due__isnull=False) | Q(push_due__isnull=False)
    rows = Notification.objects.filter(waits, kind__in=KINDS_THAT_LAPSE).exclude(round__in=damaged)
    keys = [pk for pk, *about in rows.values_list("pk", "user_id", "kind", "key") if tuple(about) not in holding]
    if keys:
        end_notifications(keys, now)


def hours_left(hours: Iterable[int], due: datetime, since: datetime, now: datetime) -> int | None:
    """The due reminder of a deadline: its hours, the fewest that apply. None before the first, once the deadline has
    passed, and if there were never that many hours since it was set."""
    if not clock.is_in_time(now, due):
        return None
    reached = [each for each in hours if now >= due - timedelta(hours=each) > since]
    return min(reached, default=None)


def _of_turn(turn: Turn, running: _Running) -> Iterator[News]:
    for battle in running.battles.get(turn.pk, ()):
        yield from _of_battle(battle, running)
    for battle in running.mixed.get(turn.pk, ()):
        yield from _of_mixed(battle, running)
    hours = hours_left(LOCK_HOURS, turn.lock_at, turn.opened_at, running.now)
    if hours is not None and is_open(turn, running.now):
        yield from _of_lock(turn, Cast(turn.round), hours)


def _of_battle(battle: Battle, running: _Running) -> Iterator[News]:
    """4.1.1: missing strats, to those who must send them; a battle that can be scored, to its judges."""
    now, counting = running.now, running.strats[battle.pk]
    entries = [entry for entry in battle.entries.all() if entry.army.side != Side.MERCENARY]
    for entry in entries:
        if entry.name in counting:
            continue
        due = deadline_of(entry, battle)
        data = of_battle(battle) | {"army": entry.name, "due": due.isoformat()}
        hours = hours_left(STRAT_HOURS, due, battle.announced_at, now)
        for user in running.controllers.get(entry.army_id, ()):
            if hours is not None:
                key = f"entry-{entry.pk}-{hours}-{due:%Y%m%d%H%M}"
                yield _news(user, "strat.due", key, now, battle, data | {"hours": hours}, clock.closes(due))
            elif not clock.is_in_time(now, due):
                key = f"entry-{entry.pk}-{due:%Y%m%d%H%M}"
                yield _news(user, "strat.missed", key, clock.closes(due), battle, data)
    is_closed = not clock.is_in_time(now, last_deadline(battle))
    if is_closed or are_sent([entry.name for entry in entries], counting):
        for user in running.judges(battle.turn.round_id):
            yield _news(user, "judge.score", f"battle-{battle.pk}", now, battle, of_battle(battle))


def _news(
    user: int,
    kind: str,
    key: str,
    at: datetime,
    battle: Battle,
    data: Mapping[str, object],
    due: datetime | None = None,
) -> News:
    return News(user, kind, key, at, battle.turn.round_id, battle.turn.number, data, due)


def _of_lock(turn: Turn, cast: Cast, hours: int) -> Iterator[News]:
    """3.1: armies that could move, to those of their players who have posted no order for them and are not done."""
    turn_input = InputOfTurn(turn)
    ordered = {(line.by, line.army) for line in turn_input.lines}
    missing: dict[str, list[str]] = {}
    for army in turn_input.position.armies:
        for player in turn_input.control.get(army.name, ()):
            if _could_move(army, turn_input) and (player, army.name) not in ordered:
                missing.setdefault(player, []).append(army.name)
    done_users = set(turn.done_marks.values_list("player__user_id", flat=True))
    for player, armies in missing.items():
        for user in cast.named(player):
            if user not in done_users:
                key = f"turn-{turn.pk}-{hours}-{turn.lock_at:%Y%m%d%H%M}"
                due = clock.closes(turn.lock_at)
                data = {"turn": turn.number, "armies": sorted(armies), "hours": hours, "due": turn.lock_at.isoformat()}
                at = turn.lock_at - timedelta(hours=hours)
                yield News(user, "lock.near", key, at, turn.round_id, turn.number, data, due)


def _could_move(army: Army, turn_input: InputOfTurn) -> bool:
    """Whether it waits for an order: it is in no battle, and on no long move."""
    return army.plan is None and army.name not in turn_input.position.battle_of


def remind_missing(now: datetime) -> int:
    """R46: notify the missing voters of votes that close within 24 h, once a vote; returns the number of votes.
    Their pages remind them in any case."""
    rows = Vote.objects.filter(open_at(now), reminded_at__isnull=True, round__state__in=HELD_IN)
    rows = rows.filter(closes_at__lte=now + LAST_CALL)
    return sum(_remind(pk, now) for pk in rows.values_list("pk", flat=True))


@locking.writes
def _remind(vote_id: int, now: datetime) -> bool:
    if not Vote.objects.filter(pk=vote_id, reminded_at__isnull=True).update(reminded_at=now):
        return False
    vote = Vote.objects.select_related("round").prefetch_related("ballots__player").get(pk=vote_id)
    tell(_closing_news(vote, now), now)
    return True


def _closing_news(vote: Vote, now: datetime) -> list[News]:
    """R46: the news for the missing voters of a vote in its last day, by their preferences."""
    if not is_vote_open(vote, now):
        return []
    data = {"vote": vote.pk, "side": vote.side, "question": vote.question, "closes": vote.closes_at.isoformat()}
    due, key = clock.closes(vote.closes_at), f"vote-{vote.pk}"
    users = [seat.ballot.player.user_id for seat in seats_of(vote, now) if seat.points and not seat.has_voted]
    return [News(user, "vote.closing", key, now, vote.round_id, None, data, due) for user in users]


def _closing(now: datetime) -> QuerySet[Vote]:
    """R46: votes that close within a day, whose missing voters are reminded: notified by `remind_missing`, and taken
    back from here as soon as they have voted."""
    rows = Vote.objects.filter(open_at(now), closes_at__lte=now + LAST_CALL, round__state__in=HELD_IN)
    return rows.filter(reminded_at__isnull=False).select_related("round").prefetch_related("ballots__player")


def _of_mixed(battle: Battle, running: _Running) -> Iterator[News]:
    """R38: reminders of a battle whose dice include a contribution. A word is handed over by the player who sealed
    it, or who controls the army; dice that the service rolled wait to be published by the judge who scored, or by
    all while they are away."""
    now, turn = running.now, battle.turn
    data, about = of_battle(battle), (turn.round_id, turn.number)
    if battle.state == Battle.State.ROLLED:
        is_held = turn.round.results_after_lock and clock.is_in_time(now, turn.lock_at)
        if battle.proposal.judge_id is None and not is_held:
            judges, scorer = running.judges(turn.round_id), battle.score.judge.user_id
            for user in [scorer] if scorer in judges else judges:
                yield News(user, "judge.publish", f"battle-{battle.pk}", now, *about, data)
        return
    counting = counting_strats(battle)
    waits = awaited(battle, counting, battle.score, now)
    if waits is None:
        return
    sealed = {name: counting[name] for name in waits.armies}
    control = present_controllers(strat.entry.army_id for strat in sealed.values())
    for name, strat in sealed.items():
        users = {*control.get(strat.entry.army_id, ()), *([strat.player.user_id] if strat.player else [])}
        payload = data | {"army": name, "until": waits.until.isoformat()}
        for user in sorted(users):
            yield News(user, "word.due", f"strat-{strat.pk}", now, *about, payload, waits.until)
