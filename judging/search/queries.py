"""3.1: a search over all that a person may read: boards, press, topics, orders, narratives, rulings, posts by the
service.

Each kind is queried through its guard: `boards_for` and conversations, `posts_seen_in`, `public_rulings_in`, battles
with a published result. What the viewer may not read is in no query's result, and so in no count.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from judging.announcements.models import Notice
from judging.battles.models import Battle, Result
from judging.boards.models import BoardThread, Message, Participant, Topic
from judging.boards.queries.boards import BOARDS, PRESS, PUBLIC, boards_for
from judging.boards.queries.read_marks import by_blocked, standing
from judging.common.viewer import Viewer
from judging.turns.models import PostVersion
from judging.turns.posts.queries import posts_seen_in
from judging.turns.rulings.services import public_rulings_in
from wargame.models import Player, Round, Turn
from wargame.models.choices import RoundState

MOST = 200
"""The maximum number of hits of each kind, newest first."""

MOST_NOTICES = 500
"""The maximum number of searched posts by the service: their text is composed when they are read, so it can't be
searched in the database."""

LINKS = re.compile(r"!?\[([^\]\n]*)\]\([^)\s]*\)")
MARKS = re.compile(r"^[ >#]+|\*+|`+", re.MULTILINE)

MOST_ROUNDS = 50
MOST_WORDS = 8
AROUND = 90
"""Characters of an excerpt on both sides of a match."""

KINDS = {
    "boards": gettext_noop("Boards"),
    "press": gettext_noop("Private messages"),
    "topics": gettext_noop("Topics"),
    "orders": gettext_noop("Orders thread"),
    "tales": gettext_noop("Battle stories"),
    "rulings": gettext_noop("Rulings"),
    "service": gettext_noop("Updates and results"),
}


@dataclass(frozen=True)
class SearchQuery:
    """A query: all `words` must match; None or empty matches anything. `by` is a name, `kind` one of KINDS."""

    words: tuple[str, ...] = ()
    by: str = ""
    side: str = ""
    turn: int | None = None
    since: datetime | None = None
    kind: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.words or self.by or self.side or self.turn or self.since)


@dataclass(frozen=True)
class Hit:
    """3.1: a hit. `place` says where; `before`, `found` and `after` are an excerpt."""

    kind: str
    round: str
    place: str
    by: str
    side: str
    at: datetime
    address: str
    before: str
    found: str
    after: str

    @property
    def excerpt(self) -> str:
        return f"{self.before}{self.found}{self.after}"


def words_of(text: str) -> tuple[str, ...]:
    return tuple(text.replace("\0", "").split()[:MOST_WORDS])


def everywhere(viewer_id: int | None) -> list[Viewer]:
    """A person as their player in each round, newest first. Their roles open nothing to a search."""
    rounds = list(Round.objects.exclude(state=RoundState.GIVEN_UP).order_by("-created_at", "-pk")[:MOST_ROUNDS])
    rows = Player.objects.filter(user_id=viewer_id or 0, round__in=rounds, left_at__isnull=True)
    players = {player.round_id: player for player in rows}
    return [Viewer(viewer_id, round_, players.get(round_.pk)) for round_ in rounds]


def hits(viewers: Sequence[Viewer], asked: SearchQuery, now: datetime) -> list[Hit]:
    """A person's hits in the rounds of these viewers, newest first; up to MOST of each kind."""
    if asked.is_empty or not viewers:
        return []
    search = _Search(viewers, asked, now)
    rows = [hit for kind, source in SOURCES.items() if asked.kind in ("", kind) for hit in source(search)]
    return sorted(rows, key=lambda hit: (hit.at, hit.address), reverse=True)


class _Search:
    def __init__(self, viewers: Sequence[Viewer], asked: SearchQuery, now: datetime) -> None:
        self.viewers, self.asked, self.now = viewers, asked, now
        self.rounds = [viewer.round for viewer in viewers]
        self.players = [viewer.player for viewer in viewers if viewer.player]
        self.slugs = {round_.pk: round_.slug for round_ in self.rounds}
        self.turns = list(self._turns()) if asked.turn else []

    def _turns(self) -> QuerySet[Turn]:
        number = self.asked.turn or 0
        numbers = (number, number + 1)
        return Turn.objects.filter(round__in=self.rounds, number__in=numbers).defer("position", "events", "sky")

    def has(self, *fields: str) -> Q:
        """All words are in these fields, possibly in different ones."""
        q = Q()
        for term in self.asked.words:
            q &= reduce(or_, (Q(**{f"{field}__icontains": term}) for field in fields))
        return q

    def when(self, field: str, round_: str) -> Q:
        q = Q(**{f"{field}__gte": self.asked.since}) if self.asked.since else Q()
        if not self.asked.turn:
            return q
        spans = Q(pk__in=())
        opened = {(turn.round_id, turn.number): turn.opened_at for turn in self.turns}
        for (pk, number), start in opened.items():
            if number == self.asked.turn:
                end = opened.get((pk, number + 1))
                span = Q(**{round_: pk, f"{field}__gte": start})
                spans |= span & Q(**{f"{field}__lt": end}) if end else span
        return q & spans

    def excerpt(self, text: str) -> tuple[str, str, str]:
        """The text around the first word that occurs in it, without Markdown characters."""
        text = " ".join(MARKS.sub("", LINKS.sub(r"\1", text)).split())
        pattern = "|".join(re.escape(term) for term in self.asked.words)
        match = re.search(pattern, text, re.IGNORECASE) if pattern else None
        if match is None:
            return "", "", text[: 2 * AROUND] + ("…" if len(text) > 2 * AROUND else "")
        start, end = max(0, match.start() - AROUND), match.end() + AROUND
        before = ("…" if start else "") + text[start : match.start()]
        return before, match[0], text[match.end() : end] + ("…" if end < len(text) else "")


def _read(search: _Search) -> Q:
    """The threads that the viewer reads: public boards, those of their teams, and their conversations."""
    q = Q(thread__round__in=search.rounds, thread__key__in=[board.key for board in PUBLIC])
    for viewer in search.viewers:
        keys = [board.key for board in boards_for(viewer) if not board.is_public]
        if keys:
            q |= Q(thread__round=viewer.round, thread__key__in=keys)
    if search.players:
        participants = Participant.objects.filter(player__in=search.players, left_at__isnull=True)
        q |= Q(Exists(participants.filter(conversation__thread=OuterRef("thread"))), thread__round__in=search.rounds)
    return q


def _messages(search: _Search, is_press: bool) -> list[Hit]:
    query = search.asked
    rows = standing(Message.objects.filter(_read(search), search.has("text"), search.when("at", "thread__round")))
    press = Q(thread__key__startswith=PRESS)
    rows = rows.filter(press if is_press else ~press).exclude(by_blocked(search.viewers[0]))
    if query.by:
        rows = rows.filter(Q(name__iexact=query.by) | Q(player__name__iexact=query.by))
    if query.side:
        rows = rows.filter(player__side=query.side)
    return [
        Hit(
            "press" if is_press else "boards",
            search.slugs[row.thread.round_id],
            _board_title(row.thread),
            row.name,
            row.player.side if row.player else "",
            row.at,
            reverse("board-message", args=[search.slugs[row.thread.round_id], row.thread.key, row.number]),
            *search.excerpt(row.text),
        )
        for row in rows.select_related("thread", "player").order_by("-at", "-pk")[:MOST]
    ]


def _topics(search: _Search) -> list[Hit]:
    query = search.asked
    if query.by or query.side or not query.words:
        return []
    rows = Topic.objects.filter(_read(search), search.has("title")).select_related("thread")
    first = Message.objects.filter(thread=OuterRef("thread"), topic=OuterRef("number")).order_by("number")
    rows = rows.annotate(
        begun_at=Subquery(first.values("at")[:1]), number_of_first=Subquery(first.values("number")[:1])
    )
    rows = rows.filter(search.when("begun_at", "thread__round"), begun_at__isnull=False).order_by("-begun_at")
    return [
        Hit(
            "topics",
            search.slugs[row.thread.round_id],
            _board_title(row.thread),
            "",
            "",
            row.begun_at,
            reverse("board-topic", args=[search.slugs[row.thread.round_id], row.thread.key, row.number]),
            *search.excerpt(row.title),
        )
        for row in rows[:MOST]
    ]


def _orders(search: _Search) -> list[Hit]:
    query = search.asked
    last = PostVersion.objects.filter(post=OuterRef("pk")).order_by("-number").values("text")[:1]
    rows = posts_seen_in(search.rounds, search.players, search.now).annotate(text=Subquery(last))
    rows = rows.filter(search.has("text"))
    rows = rows.filter(turn__number=query.turn) if query.turn else rows
    rows = rows.filter(posted_at__gte=query.since) if query.since else rows
    rows = rows.filter(player__name__iexact=query.by) if query.by else rows
    rows = rows.filter(player__side=query.side) if query.side else rows
    posts = rows.select_related("player", "turn").defer("turn__position", "turn__events", "turn__sky")
    return [
        Hit(
            "orders",
            search.slugs[row.turn.round_id],
            gettext("Orders thread, turn %(number)s") % {"number": row.turn.number},
            row.player.name_at(row.posted_at),
            row.player.side,
            row.posted_at,
            f"{reverse('movement-turn', args=[search.slugs[row.turn.round_id], row.turn.number])}#post-{row.pk}",
            *search.excerpt(getattr(row, "text", "") or ""),
        )
        for row in posts.order_by("-posted_at", "-pk")[:MOST]
    ]


def _tales(search: _Search) -> list[Hit]:
    query = search.asked
    rows = Result.objects.filter(search.has("narrative"), battle__state=Battle.State.PUBLISHED)
    rows = rows.filter(battle__turn__round__in=search.rounds).exclude(narrative="")
    rows = rows.filter(battle__turn__number=query.turn) if query.turn else rows
    rows = rows.filter(published_at__gte=query.since) if query.since else rows
    rows = rows.filter(judge__name__iexact=query.by) if query.by else rows
    if query.side:
        return []
    results = rows.select_related("judge", "battle__turn")
    results = results.defer("battle__turn__position", "battle__turn__events", "battle__turn__sky")
    return [
        Hit(
            "tales",
            search.slugs[row.battle.turn.round_id],
            gettext("Battle %(number)s of turn %(turn)s")
            % {"number": row.battle.number, "turn": row.battle.turn.number},
            row.judge.name,
            "",
            row.published_at,
            reverse("battle", args=[search.slugs[row.battle.turn.round_id], row.battle_id]),
            *search.excerpt(row.narrative),
        )
        for row in results.order_by("-published_at", "-pk")[:MOST]
    ]


def _rulings(search: _Search) -> list[Hit]:
    query = search.asked
    if query.side:
        return []
    rows = public_rulings_in(search.rounds, search.now).filter(search.has("reason", "army", "cites"))
    rows = rows.filter(turn__number=query.turn) if query.turn else rows
    rows = rows.filter(made_at__gte=query.since) if query.since else rows
    rows = rows.filter(judge__name__iexact=query.by) if query.by else rows
    return [
        Hit(
            "rulings",
            search.slugs[row.turn.round_id],
            gettext("Ruling %(number)s of turn %(turn)s") % {"number": row.number, "turn": row.turn.number},
            row.judge.name,
            "",
            row.made_at,
            f"{reverse('turn', args=[search.slugs[row.turn.round_id], row.turn.number])}"
            f"#ruling-{row.turn.number}-{row.number}",
            *search.excerpt(f"{row.army}: {row.reason}"),
        )
        for row in rows[:MOST]
    ]


def _service(search: _Search) -> list[Hit]:
    query = search.asked
    if query.by or query.side:
        return []
    rows = Notice.objects.filter(turn__round__in=search.rounds, at__lte=search.now)
    rows = rows.filter(turn__number=query.turn) if query.turn else rows
    rows = rows.filter(at__gte=query.since) if query.since else rows
    rows = rows.select_related("turn").defer("turn__position", "turn__events", "turn__sky").order_by("-at", "-pk")
    pairs = ((row, row.text) for row in rows[:MOST_NOTICES])
    terms = [term.casefold() for term in query.words]
    results = [(row, text) for row, text in pairs if all(term in text.casefold() for term in terms)]
    return [
        Hit(
            "service",
            search.slugs[row.turn.round_id],
            gettext("%(thread)s, turn %(number)s") % {"thread": row.get_thread_display(), "number": row.turn.number},
            "",
            "",
            row.at,
            _address(search.slugs[row.turn.round_id], row),
            *search.excerpt(text),
        )
        for row, text in results[:MOST]
    ]


def _address(slug: str, row: Notice) -> str:
    battle = row.data.get("battle")
    if row.thread == Notice.Thread.RESULTS and isinstance(battle, int):
        return reverse("battle", args=[slug, battle])
    if row.thread == Notice.Thread.ANNOUNCEMENTS:
        return reverse("battles-turn", args=[slug, row.turn.number])
    if row.thread == Notice.Thread.PROXY:
        return reverse("command", args=[slug])
    return reverse("turn", args=[slug, row.turn.number])


def _board_title(thread: BoardThread) -> str:
    return BOARDS[thread.key].title if thread.key in BOARDS else gettext("Private messages")


SOURCES: dict[str, Callable[[_Search], list[Hit]]] = {
    "boards": lambda search: _messages(search, is_press=False),
    "press": lambda search: _messages(search, is_press=True),
    "topics": _topics,
    "orders": _orders,
    "tales": _tales,
    "rulings": _rulings,
    "service": _service,
}
