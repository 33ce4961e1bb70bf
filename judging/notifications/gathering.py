"""1.2: events become notifications in a separate job, which reads what writers leave behind: the log, the messages, the
control lists, the late strats. So no writer, and least of all a settlement, does more for it.

Each source is read once, row by row. A row that got its key in another transaction and is stored later is found for as
long as OVERLAP; after a crash between notifying and noting, or with two jobs at once, nobody is notified twice: see
`Notification.key`.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import OperationalError
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from judging.battles.models import Battle, Strat
from judging.boards.models import Block, Mention, Message, Participant
from judging.boards.queries.boards import PRESS
from judging.command.models import Admission
from judging.common import locking
from judging.common.models import LogEntry, ReadMark
from judging.common.notify import News
from judging.feedback.models import BattleFeedback
from judging.notifications.from_log import TOLD, news_of_log, of_offences
from judging.notifications.models import Gathered, Notification
from judging.notifications.recipients import Cast, of_battle
from judging.notifications.services import end_notifications, tell
from judging.penalties.models import Penalty
from judging.turns.models import PostVersion
from judging.turns.posts.queries import thread_offences
from judging.turns.states import is_open
from judging.votes.models import Ballot
from wargame.models import Control
from wargame.models.choices import Role, RoundState

OVERLAP = timedelta(minutes=15)
"""How long after its moment a row can still appear in the database: a transaction is over in seconds."""

OLD = timedelta(days=2)
"""Rows that are older when they are first read are history, as in an imported round: nobody is notified of them."""

MOST_READ = 300
"""Rows of a source in one run of the job."""

PLAYED = (RoundState.SETUP, RoundState.RUNNING, RoundState.OVER)
"""The states of rounds that are played here."""

QUOTES = re.compile(r"\[wrote\]\([^)\s]*/boards/(?P<board>[a-z-]+)/(?P<number>\d{1,9})/\)")
"""3.1: the head of a quote, as `judging.boards.queries.messages` writes it."""

MOST_QUOTED = 20
"""The maximum number of quoted authors in one message who are notified."""


logger = logging.getLogger(__name__)


def gather(now: datetime) -> int:
    """Notify everybody of new events; returns their number. Idempotent and safe to run concurrently."""
    return sum(_read(name, source, now) for name, source in SOURCES.items())


def _read(name: str, source: Source, now: datetime) -> int:
    """Continue to read one source. At the first run, as after an upgrade, all existing rows are history."""
    mark = Gathered.objects.filter(source=name).first()
    if mark is None:
        last = source.rows.aggregate(last=Max("pk"))["last"] or 0
        Gathered.objects.get_or_create(source=name, defaults={"until": last})
        return 0
    rows = list(source.rows.filter(pk__gt=mark.until).exclude(pk__in=mark.seen).order_by("pk")[:MOST_READ])
    if not rows:
        return 0
    fresh = [row for row in rows if source.at(row) > now - OLD]
    count = _tell_rows(name, source, fresh, now)
    settled = [row.pk for row in rows if source.at(row) < now - OVERLAP]
    keys = sorted({*mark.seen, *(row.pk for row in rows)})
    _note(name, max([mark.until, *settled]), keys, now)
    return count


def _tell_rows(name: str, source: Source, rows: Sequence[Any], now: datetime) -> int:
    """Notify people of these rows; returns the number of new notifications. If one of them fails, the others are
    handled one by one, and it is skipped with a line in the service's log. An unavailable or busy database is no
    row's fault."""
    try:
        return tell(source.news(rows, now), now)
    except (locking.Busy, OperationalError):
        raise
    except Exception as error:
        if len(rows) > 1:
            return sum(_tell_rows(name, source, [row], now) for row in rows)
        logger.exception(
            "Notifying people of row %s of %s failed: %s.", rows[0].pk if rows else "", name, type(error).__name__
        )
        return 0


@locking.writes
def _note(name: str, until: int, seen: Iterable[int], now: datetime) -> None:
    """Mark rows up to `until` as read, and those that were `seen` beyond it."""
    mark = locking.hold(Gathered.objects, source=name)
    mark.until = max(mark.until, until)
    mark.seen = sorted({pk for pk in (*mark.seen, *seen) if pk > mark.until})
    if len(mark.seen) > MOST_READ:  # so many in so short a time: whatever was on its way before them is there
        mark.until, mark.seen = mark.seen[-MOST_READ], mark.seen[-MOST_READ + 1 :]
    mark.save()


class Source:
    """A source of the job: its rows, the moment of each, and their news."""

    def __init__(
        self,
        rows: Callable[[], QuerySet[Any]],
        at: Callable[[Any], datetime],
        news: Callable[[Sequence[Any], datetime], Iterable[News]],
    ) -> None:
        self._rows, self.at, self.news = rows, at, news

    @property
    def rows(self) -> QuerySet[Any]:
        return self._rows()


def _news_of_mentions(rows: Sequence[Mention], now: datetime) -> Iterator[News]:
    """3.1: to the people whom a message names, and who have not seen it."""
    blocks = _blocks([row.message for row in rows])
    for row in rows:
        is_seen = row.seen_at is not None or not _is_there(row.message)
        if not is_seen and (row.user_id, row.message.author_id) not in blocks:
            yield _talk(row.user_id, "talk.named", row.message)


def _news_of_messages(rows: Sequence[Message], now: datetime) -> Iterator[News]:
    """3.1, 1.6: to those whom a message quotes, on the same board, and to those who are in a conversation; people
    who are named in it are notified of that alone, and those who block its author of nothing."""
    blocks = _blocks(rows)
    for message in rows:
        if not _is_there(message):
            continue
        if message.thread.key.startswith(PRESS):
            yield from _news_of_press(message, blocks)
            continue
        places = {
            int(quote_match["number"])
            for quote_match in QUOTES.finditer(message.text)
            if quote_match["board"] == message.thread.key
        }
        if not places:
            continue
        quoted = Message.objects.filter(thread_id=message.thread_id, number__in=sorted(places)[:MOST_QUOTED])
        mentions = set(message.mentions.values_list("user_id", flat=True))
        users = set(quoted.values_list("author_id", flat=True)) - mentions - {message.author_id}
        for user in sorted(users):
            if (user, message.author_id) not in blocks:
                yield _talk(user, "talk.quoted", message)


def _news_of_press(message: Message, blocks: set[tuple[int, int]]) -> Iterator[News]:
    people = Participant.objects.filter(conversation__thread=message.thread_id, left_at__isnull=True)
    users = set(people.filter(player__left_at__isnull=True).values_list("player__user_id", flat=True))
    mentions = set(message.mentions.values_list("user_id", flat=True))
    for user in sorted(users - mentions - {message.author_id}):
        if (user, message.author_id) not in blocks:
            yield _talk(user, "talk.press", message)


def _is_there(message: Message) -> bool:
    """1.3: whether people can read it: it is neither taken back nor hidden."""
    return message.withdrawn_at is None and message.hidden_at is None


def _blocks(messages: Sequence[Message]) -> set[tuple[int, int]]:
    """1.6: people who block the author of these messages, except for what was said as a judge."""
    authors = {message.author_id for message in messages if not message.roles}
    return set(Block.objects.filter(blocked__in=authors).values_list("user_id", "blocked_id")) if authors else set()


def _talk(user: int, kind: str, message: Message) -> News:
    data = {"board": message.thread.key, "number": message.number, "by": message.name}
    round_, at = message.thread.round_id, message.edited_at or message.at
    return News(user, kind, f"message-{message.pk}", at, round_, None, data)


def _news_of_ballots(rows: Sequence[Ballot], now: datetime) -> Iterator[News]:
    """1.4: to the voters of a vote."""
    for row in rows:
        vote = row.vote
        if row.cast_at is None and vote.withdrawn_at is None and vote.closes_at > now:
            caller = vote.player.user_id if vote.player else vote.judge.user_id if vote.judge else None
            if row.player.user_id != caller:
                data = {
                    "vote": vote.pk,
                    "side": vote.side,
                    "question": vote.question,
                    "closes": vote.closes_at.isoformat(),
                }
                key, at = f"vote-{vote.pk}", vote.called_at
                yield News(row.player.user_id, "vote.opened", key, at, vote.round_id, None, data, vote.closes_at)


def _news_of_control(rows: Sequence[Control], now: datetime) -> Iterator[News]:
    """5.2: to the new controller of an army."""
    for row in rows:
        if row.until is None:
            data, key = {"army": row.army.name}, f"control-{row.pk}"
            yield News(row.player.user_id, "army.given", key, row.since, row.round_id, None, data)


def _news_of_strats(rows: Sequence[Strat], now: datetime) -> Iterator[News]:
    """R35: late strats, to the battle judges."""
    for row in rows:
        battle = row.entry.battle
        if row.late and row.accepted_at is None and battle.state == Battle.State.WAITING:
            data = of_battle(battle) | {"army": row.entry.name}
            for user in Cast(battle.turn.round).judges(Role.BATTLE):
                key, round_ = f"strat-{row.pk}", battle.turn.round_id
                yield News(user, "judge.late", key, row.sent_at, round_, battle.turn.number, data)


def _news_of_posts(rows: Sequence[PostVersion], now: datetime) -> Iterator[News]:
    """R13, 5.4.1: orders for another player's army, to the judges who give penalties. A sealed one they see in the
    report of its turn, and are notified of then (R6)."""
    turns = {row.post.turn_id: row.post.turn for row in rows}
    for turn in turns.values():
        if is_open(turn, now):
            yield from of_offences(turn, thread_offences(turn, now), Cast(turn.round))


def _news_of_feedback(rows: Sequence[BattleFeedback], now: datetime) -> Iterator[News]:
    """4.2: players' feedback on a battle's judging, to the head battle judge; without author and content."""
    for row in rows:
        turn = row.battle.turn
        for user in Cast(turn.round).judges(Role.BATTLE, head=True) if row.sentence else ():
            data = of_battle(row.battle)
            yield News(user, "judge.feedback", f"feedback-{row.pk}", row.given_at, turn.round_id, turn.number, data)


def _played(path: str) -> Q:
    return Q(**{f"{path}__state__in": PLAYED})


SOURCES: dict[str, Source] = {
    "log": Source(
        lambda: LogEntry.objects.filter(_played("round"), action__in=TOLD).select_related("round"),
        lambda row: row.at,
        news_of_log,
    ),
    "mentions": Source(
        lambda: Mention.objects.filter(_played("message__thread__round")).select_related("message__thread"),
        lambda row: row.message.edited_at or row.message.at,
        _news_of_mentions,
    ),
    "messages": Source(
        lambda: Message.objects.filter(_played("thread__round")).select_related("thread"),
        lambda row: row.at,
        _news_of_messages,
    ),
    "ballots": Source(
        lambda: Ballot.objects.filter(_played("vote__round")).select_related("player", "vote__player", "vote__judge"),
        lambda row: row.vote.called_at,
        _news_of_ballots,
    ),
    "control": Source(
        lambda: Control.objects.filter(_played("round")).select_related("player", "army"),
        lambda row: row.since,
        _news_of_control,
    ),
    "strats": Source(
        lambda: (
            Strat.objects.filter(_played("entry__battle__turn__round"))
            .select_related("entry__battle__turn__round")
            .defer("text", "entry__battle__turn__position", "entry__battle__turn__events", "entry__battle__turn__sky")
        ),
        lambda row: row.sent_at,
        _news_of_strats,
    ),
    "posts": Source(
        lambda: (
            PostVersion.objects.filter(_played("post__turn__round"), post__sealed=False)
            .select_related("post__turn__round")
            .defer("post__turn__position", "post__turn__events", "post__turn__sky")
        ),
        lambda row: row.at,
        _news_of_posts,
    ),
    "feedback": Source(
        lambda: (
            BattleFeedback.objects.filter(_played("battle__turn__round"))
            .select_related("battle__turn__round")
            .defer("battle__turn__position", "battle__turn__events", "battle__turn__sky")
        ),
        lambda row: row.given_at,
        _news_of_feedback,
    ),
}
"""The sources, by their names in `Gathered`."""


def take_notice(now: datetime) -> int:
    """Drop notifications of what a person has seen elsewhere, or what is outdated: messages with their name that
    were shown to them, conversations that they have read, requests for admission that are decided, and the opening
    of a turn when a later one is open."""
    open_rows = Notification.objects.filter(read_at__isnull=True)
    keys = [*_mentions_seen(open_rows, now), *_press_read(open_rows), *_admissions_decided(open_rows)]
    keys += _offences_penalised(open_rows)
    later = Notification.objects.filter(kind="turn.opened", user=OuterRef("user"), round=OuterRef("round"))
    opened = open_rows.filter(Exists(later.filter(turn__gt=OuterRef("turn"))), kind="turn.opened")
    keys += opened.values_list("pk", flat=True)
    return end_notifications(keys, now) if keys else 0


def _mentions_seen(open_rows: QuerySet[Notification], now: datetime) -> list[int]:
    rows = open_rows.filter(kind="talk.named", at__gt=now - OLD)
    keys = list(rows.values_list("pk", "user_id", "key"))
    messages = {int(key.removeprefix("message-")) for _, _, key in keys}
    mentions = Mention.objects.filter(message__in=messages, seen_at__isnull=False) if messages else ()
    pairs = {(row.user_id, f"message-{row.message_id}") for row in mentions}
    return [pk for pk, user, key in keys if (user, key) in pairs]


def _press_read(open_rows: QuerySet[Notification]) -> list[int]:
    """1.6: notifications of conversations that were read up to the message."""
    rows = {(row.user_id, row.key): row.pk for row in open_rows.filter(kind="talk.press")}
    if not rows:
        return []
    messages = Message.objects.filter(pk__in={int(key.removeprefix("message-")) for _, key in rows})
    by_key = {f"message-{row.pk}": row for row in messages.select_related("thread")}
    marks: dict[tuple[int, int, str], datetime] = {}
    for mark in ReadMark.objects.filter(user__in={user for user, _ in rows}, board__startswith=PRESS):
        place = (mark.user_id, mark.round_id, mark.board)
        marks[place] = max(mark.until, marks.get(place, mark.until))
    keys = []
    for (user, key), pk in rows.items():
        message = by_key.get(key)
        until = marks.get((user, message.thread.round_id, message.thread.key)) if message else None
        if message is not None and until is not None and until >= message.at:
            keys.append(pk)
    return keys


def _admissions_decided(open_rows: QuerySet[Notification]) -> list[int]:
    """1.1: notifications of requests that are decided, for all who could have decided."""
    rows = list(open_rows.filter(kind="admission.asked").values_list("pk", "round_id", "data"))
    admissions = Admission.objects.filter(state=Admission.State.ASKED, round__in={round_ for _, round_, _ in rows})
    open_keys = set(admissions.values_list("round_id", "side", "name")) if rows else set()
    return [pk for pk, round_, data in rows if (round_, data.get("side"), data.get("name")) not in open_keys]


def _offences_penalised(open_rows: QuerySet[Notification]) -> list[int]:
    """R13: notifications of offences with a penalty, for all who could have given it."""
    rows = list(open_rows.filter(kind="judge.penalty").values_list("pk", "round_id", "data"))
    penalties = Penalty.objects.filter(lifted_at__isnull=True, turn__round__in={round_ for _, round_, _ in rows})
    penalty_keys = set(penalties.values_list("turn__round_id", "player__name", "army__name")) if rows else set()
    return [pk for pk, round_, data in rows if (round_, data.get("player"), data.get("army")) in penalty_keys]
