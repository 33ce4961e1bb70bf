"""1.2, R4, R5: The content of feeds and calendars, a round's due moments, and the address of a person's own feeds."""

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Prefetch
from django.urls import reverse
from django.utils.html import format_html, format_html_join, linebreaks
from django.utils.translation import gettext

from judging.announcements.queries import address_of, notices_of
from judging.armies.queries import army_card
from judging.battles.models import Battle, BattleArmy
from judging.battles.strats.queries import deadline_of
from judging.boards.queries.boards import Board, Readers, board_for, boards_for
from judging.boards.queries.messages import latest_on, message_views, messages_on
from judging.common import locking
from judging.common.control import armies_of
from judging.common.models import LogEntry
from judging.common.texts import NO_XML
from judging.common.viewer import Viewer, viewer_of
from judging.feeds.models import FeedAddress
from judging.log.queries import Log
from judging.notifications.models import Notification
from judging.notifications.queries import preference_of, views_for
from judging.tables.models import Table, TableState
from judging.tables.queries import Logged, log_of, table_called, table_view
from judging.turns.models import PostVersion
from judging.turns.posts.queries import posts_seen_by
from wargame.models import Player, Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.core import clock

MOST_TURNS = 12
"""The number of turns in a calendar."""


@dataclass(frozen=True, slots=True)
class Due:
    """R4, R5: a due moment. `key` is its permanent name, even when it is moved; `until` is when its minute ends,
    `since` when its turn opened. It was moved that many times, `changed_at` last."""

    key: str
    title: str
    at: datetime
    until: datetime
    since: datetime
    turn: int
    kind: str
    changes: int
    changed_at: datetime


MOVES = ("round.changed", "turn.early_lock", "turn.lock_restored", "battle.extended", "battle.extension_overruled")
"""The actions of the log that move a moment."""


class _Move(NamedTuple):
    """R5, R60: what an entry of the log moved: all of a turn, the strats of a battle or of one army in it; or, by a
    change of the round's calendar, when sealed orders are accepted in whatever turn was open."""

    at: datetime
    turn: int | None
    battle: int | None
    army: str | None

    def is_of(self, turn: Turn, kind: str, entry: BattleArmy | None) -> bool:
        if self.turn is None:
            return kind == "sealed" and turn.opened_at <= self.at
        if self.turn != turn.number or self.battle is None:
            return self.turn == turn.number
        return entry is not None and entry.battle.number == self.battle and self.army in (None, entry.name)


def due_in(round_: Round) -> list[Due]:
    """R5: the due moments of the last turns of a round, past and future, by time."""
    turns = Turn.objects.filter(round=round_).order_by("-number").defer("position", "events", "sky")[:MOST_TURNS]
    fighting: dict[int, list[BattleArmy]] = {}
    in_play = BattleArmy.objects.filter(battle__turn__in=[turn.pk for turn in turns])
    for entry in in_play.exclude(battle__state=Battle.State.CANCELLED).select_related("battle"):
        fighting.setdefault(entry.battle.turn_id, []).append(entry)
    log = LogEntry.objects.filter(round=round_, action__in=MOVES).order_by("pk").values_list("at", "action", "data")
    moves = [
        _Move(at, None if action == "round.changed" else data.get("turn"), data.get("battle"), data.get("army"))
        for at, action, data in log
    ]
    dues = [due for turn in turns for due in _of_turn(turn, round_, fighting.get(turn.pk, []), moves)]
    return sorted(dues, key=lambda due: (due.at, due.key))


def _of_turn(turn: Turn, round_: Round, fighting: list[BattleArmy], moves: list[_Move]) -> Iterator[Due]:
    label = gettext("Turn %(number)s") % {"number": turn.number}
    yield _due(turn, "lock", gettext("%(told)s locks: orders are due") % {"told": label}, turn.lock_at, moves)
    if turn.state != TurnState.SETTLED:
        opens = turn.lock_at - round_.sealed_before_lock
        yield _due(turn, "sealed", gettext("%(told)s: you can now send sealed orders") % {"told": label}, opens, moves)
    if fighting:
        yield _due(turn, "strats", gettext("%(told)s: strats are due") % {"told": label}, turn.deadline, moves)
    for entry in fighting:
        at = deadline_of(entry, entry.battle)
        if at != turn.deadline:
            yield _due(
                turn,
                "strats",
                gettext("%(told)s: the strat for %(name)s is due") % {"told": label, "name": entry.name},
                at,
                moves,
                entry,
            )


def _due(turn: Turn, kind: str, title: str, at: datetime, moves: list[_Move], entry: BattleArmy | None = None) -> Due:
    key = f"turn-{turn.number}-{kind}" + (f"-{entry.pk}" if entry else "")
    changed = [move.at for move in moves if move.is_of(turn, kind, entry)]
    last = changed[-1] if changed else turn.opened_at
    return Due(key, title, at, clock.closes(at), turn.opened_at, turn.number, kind, len(changed), last)


MOST = 50
TOKEN = re.compile(r"[0-9a-f]{32}")
_OF_AN_ARMY = re.compile(r"-(\d+)$")


@dataclass(frozen=True)
class FeedItem:
    """Something in a feed: `html` is safe, `link` a path of this site. An `author` is named where there are several."""

    key: str
    title: str
    html: str
    link: str
    at: datetime
    author: str | None = None
    edited_at: datetime | None = None


@dataclass(frozen=True)
class OwnDue:
    """R5: a due moment in one of a person's rounds; `rings` if it is theirs to act."""

    round: Round
    due: Due
    rings: bool


def user_of(token: str) -> User | None:
    """1.2: the user with that token; None if nobody has it, or it is no longer valid."""
    if not TOKEN.fullmatch(token):
        return None
    address = FeedAddress.objects.filter(token=token, user__is_active=True).select_related("user").first()
    return address.user if address else None


def own_dues(user: User, now: datetime) -> list[OwnDue]:
    """R5: the due moments in the rounds that a person plays; of the strats only their own."""
    players = Player.objects.filter(user=user, left_at__isnull=True, round__state=RoundState.RUNNING)
    dues = []
    for player in players.select_related("round").order_by("pk"):
        names = set(armies_of(player, now))
        entries = BattleArmy.objects.filter(battle__turn__round=player.round, name__in=names)
        fights = dict(entries.values_list("pk", "battle__turn__number"))
        for due in due_in(player.round):
            key_match = _OF_AN_ARMY.search(due.key) if due.kind == "strats" and due.key.count("-") > 2 else None
            if due.kind != "strats":
                dues.append(OwnDue(player.round, due, due.kind == "lock"))
            elif key_match and int(key_match[1]) in fights:
                dues.append(OwnDue(player.round, due, True))
            elif not key_match and due.turn in fights.values():
                dues.append(
                    OwnDue(
                        player.round,
                        replace(due, title=gettext("%(title)s, including yours") % {"title": due.title}),
                        True,
                    )
                )
    return dues


def own_news(user: User) -> list[FeedItem]:
    """1.2: a person's notifications, as they may read them, newest first."""
    rows = Notification.objects.filter(user=user).select_related("round").order_by("-at", "-pk")[:MOST]
    views = views_for(user.pk, list(rows), preference_of(user.pk))
    home = reverse("notifications")
    return [
        FeedItem(
            f"notification:{view.id}", NO_XML.sub("", view.sentence), _lines(view.sentence), view.link or home, view.at
        )
        for view in views
    ]


def _lines(text: str) -> str:
    return linebreaks(NO_XML.sub("", text), autoescape=True)


def thread_news(round_: Round, thread: str) -> list[FeedItem]:
    """3.1: what the service posted last in a thread."""
    return [
        FeedItem(f"{round_.slug}:notice:{view.id}", view.title, view.html, address_of(view), view.at)
        for view in notices_of(round_, thread)
    ]


def log_news(round_: Round, now: datetime) -> list[FeedItem]:
    """1.3: the newest of the log, as far as everybody may read it."""
    return [
        FeedItem(
            f"{line.slug}:log:{line.key}",
            NO_XML.sub("", f"{line.who} {line.what}"),
            _lines(line.why),
            reverse("log-entry", args=[line.slug, line.key]),
            line.at,
        )
        for line in Log(Viewer(None, round_), now)[:MOST]
    ]


def public_board_news(round_: Round, board: Board, topic: int | None) -> list[FeedItem]:
    """3.1: the newest messages of a public board or topic, without those that were withdrawn or hidden."""
    return [
        replace(
            _of_message(round_, board, row.number, row.name, html, row.at),
            author=NO_XML.sub("", row.name),
            edited_at=row.edited_at,
        )
        for row, html in latest_on(round_, board, topic)
    ]


def _of_message(round_: Round, board: Board, number: int, by: str, html: str, at: datetime) -> FeedItem:
    title = gettext("%(by)s on %(board)s") % {"by": by, "board": board.title}
    link = reverse("board-message", args=[round_.slug, board.key, number])
    key = f"{round_.slug}:board:{board.key}:{number}"
    return FeedItem(key, NO_XML.sub("", title), NO_XML.sub("", html), link, at)


def army_news(round_: Round, name: str, now: datetime) -> list[FeedItem] | None:
    """2.1: the results of the last settled turns for an army; None if there is no army of that name."""
    card = army_card(round_, name, Viewer(None, round_), now)
    if card is None:
        return None
    return [
        FeedItem(
            f"army:{card.army.pk}:{turn.number}",
            NO_XML.sub("", gettext("%(name)s in turn %(number)s") % {"name": name, "number": turn.number}),
            NO_XML.sub("", format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", _sentences(turn.events)))),
            reverse("turn", args=[round_.slug, turn.number]),
            turn.settled_at or now,
        )
        for turn in card.history
    ]


def _sentences(events: tuple[dict[str, object], ...]) -> list[tuple[object]]:
    return [(event["text"],) for event in events]


def table_news(slug: str, now: datetime, user: User | None = None) -> tuple[Table, list[FeedItem]] | None:
    """3.1: the events at a card table, as the user may know them, or the public; None if there is no table that they
    may see."""
    asking: Any = user or AnonymousUser()
    table = table_called(slug, asking)
    if table is None:
        return None
    return table, [_of_entry(table, entry) for entry in log_of(table_view(table, asking, now))]


def own_tables(user: User) -> list[Table]:
    """T10: the card tables at which a person sits and that are not over."""
    living = (TableState.OPEN, TableState.CUTTING, TableState.RUNNING)
    return list(Table.objects.filter(seats__user=user, state__in=living).distinct().order_by("name", "pk")[:MOST])


def own_boards(user: User) -> list[tuple[Round, Board]]:
    """3.1: the boards of a person's rounds that they, but not everybody, may read."""
    players = Player.objects.filter(user=user, left_at__isnull=True, round__state=RoundState.RUNNING)
    rounds = [player.round for player in players.select_related("round").order_by("pk")]
    return [
        (round_, board) for round_ in rounds for board in boards_for(viewer_of(user, round_)) if not board.is_public
    ]


def board_news(user: User, round_: Round, key: str) -> tuple[Board, list[FeedItem]] | None:
    """3.1: the latest messages on a board that a person reads, as they may read them; None for any other board."""
    viewer = viewer_of(user, round_)
    board = board_for(viewer, key)
    if board is None:
        return None
    numbers = messages_on(round_, board).order_by("-number").values_list("number", flat=True)[:MOST]
    messages = message_views(viewer, board, Readers(round_, board), list(numbers))
    return board, [
        _of_message(round_, board, message.number, message.by, message.html, message.at)
        for message in reversed(messages)
        if message.may_see and message.is_standing
    ]


def _of_entry(table: Table, entry: Logged) -> FeedItem:
    lines = [
        NO_XML.sub("", each) for each in (*entry.lines, *(event.text for event in entry.told), entry.reason) if each
    ]
    html = format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", ((each,) for each in lines)))
    title = NO_XML.sub("", f"{table.name}, {entry.n}: {entry.who}")
    return FeedItem(
        f"table:{table.slug}:{entry.n}", title, html, reverse("table-entry", args=[table.slug, entry.n]), entry.at
    )


def player_news(round_: Round, name: str, now: datetime) -> list[FeedItem] | None:
    """3.1, R6: a player's posts in the movement threads, as everybody can read them now; None if no player has that
    name."""
    if not Player.objects.filter(round=round_, name=name).exists():
        return None
    versions = Prefetch("versions", PostVersion.objects.order_by("-number"))
    posts = posts_seen_by(Viewer(None, round_), now).filter(player__name=name, withdrawn_at__isnull=True)
    rows = posts.select_related("turn").defer("turn__position", "turn__events", "turn__sky").prefetch_related(versions)
    items = []
    for post in rows.order_by("-posted_at")[:MOST]:
        text = next((version.text for version in post.versions.all()), "")
        link = f"{reverse('movement-turn', args=[round_.slug, post.turn.number])}#post-{post.pk}"
        title = NO_XML.sub(
            "", gettext("%(name)s in the Orders thread of turn %(number)s") % {"name": name, "number": post.turn.number}
        )
        items.append(FeedItem(f"post:{post.pk}", title, _lines(text), link, post.posted_at))
    return items


@locking.writes
def renew_feed_address(*, user: User, now: datetime) -> FeedAddress:
    """1.2: a new address, or the first one; the old one is no longer valid."""
    locking.hold(User.objects, pk=user.pk)
    address = FeedAddress.objects.filter(user=user).first() or FeedAddress(user=user)
    address.token, address.made_at = new_token(), now
    address.save()
    return address


@locking.writes
def drop_feed_address(*, user: User) -> None:
    """1.2: delete the address: nobody can read the person's feeds any more, not even they."""
    FeedAddress.objects.filter(user=user).delete()


def new_token() -> str:
    """The secret part of an address: 128 random bits in hexadecimal."""
    return secrets.token_hex(16)
