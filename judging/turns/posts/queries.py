"""3.1, R6, R7, R13: the movement thread, the history of a post, transfers, and lines for armies that their author
doesn't control."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import SequenceMatcher
from typing import Any
from urllib.parse import urlencode

from django.db.models import Prefetch, Q, QuerySet, prefetch_related_objects
from django.utils.translation import gettext

from judging.common.control import armies_of, last_moment
from judging.common.models import ReadMark
from judging.common.positions import position_of
from judging.common.request_cache import request_cached
from judging.common.rounds import turn_by_number
from judging.common.texts import utc
from judging.common.viewer import Viewer
from judging.penalties.models import Penalty
from judging.penalties.queries import ACTING
from judging.turns.models import Manifest, Post, PostVersion
from judging.turns.posts.parsing import (
    PostPart,
    PostReader,
    RefusalView,
    ThreadLine,
    broken_line,
    marked_lines,
    parts_of,
    read_for_player,
    with_the_last_counting,
)
from judging.turns.queries import refusals_of
from judging.turns.states import is_open, state_words
from judging.turns.turn_input import times_of
from wargame.models import Control, Player, Round, Turn
from wargame.models.choices import Role, TurnState
from wargame.rules.core import clock
from wargame.rules.core.position import Army
from wargame.rules.telling.telling import tell_all

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class PostView:
    """A post in its latest version, as its viewer may see it. `is_hidden`: sealed, and not shown to others yet. A
    withdrawn one has its text and no `lines`: nothing in it is an order (R7)."""

    row: Post
    turn: Turn
    by: str
    side: str
    is_hidden: bool
    edited_at: datetime
    version: int
    text: str
    lines: tuple[ThreadLine, ...]
    is_mine: bool
    may_edit: bool
    stays_talk: bool = False

    @property
    def id(self) -> int:
        return self.row.pk

    @property
    def parts(self) -> list[PostPart]:
        return parts_of(self.lines)

    @property
    def sealed(self) -> bool:
        return self.row.sealed

    @property
    def posted_at(self) -> datetime:
        return self.row.posted_at

    @property
    def withdrawn_at(self) -> datetime | None:
        return self.row.withdrawn_at


@dataclass(frozen=True)
class PostingState:
    """3.1, R6: the possible actions in a thread now. `why_not` says why nothing can be posted.

    `has_battles`: strats are due in this turn (4.1.1).
    """

    words: str
    is_open: bool
    has_battles: bool
    can_seal: bool
    seal_from: datetime
    is_player: bool
    why_not: str


def posting_state(turn: Turn, viewer: Viewer, now: datetime) -> PostingState:
    """3.1, R4: the clock decides, even if the jobs are late."""
    opened = is_open(turn, now)
    before = viewer.round.sealed_before_lock
    why_not = gettext("Turn %(number)s is locked. You can post again when the next turn opens.") % {
        "number": turn.number
    }
    return PostingState(
        words=state_words(turn, now),
        is_open=opened,
        has_battles=bool(position_of(turn).battles),
        can_seal=opened and clock.accepts_sealed(now, turn.lock_at, before),
        seal_from=turn.lock_at - before,
        is_player=viewer.player is not None,
        why_not="" if opened else why_not,
    )


def movement_thread(turn: Turn, viewer: Viewer, now: datetime) -> list[PostView]:
    """3.1: the posts of a turn that the viewer may see, by their times."""
    posts = _visible(Post.objects.filter(turn=turn), turn, viewer, now)
    return _judged(posts, reader_of(turn, now), turn, viewer, now)


def post_of(post_id: int, viewer: Viewer, now: datetime) -> PostView | None:
    """A post of the viewer's round that the viewer may see, or None."""
    turn = Turn.objects.filter(round=viewer.round, posts__pk=post_id).defer("position").first()
    if turn is None:
        return None
    turn.round = viewer.round
    post = _visible(Post.objects.filter(pk=post_id), turn, viewer, now).first()
    return _one(post, reader_of(turn, now), turn, viewer, now) if post else None


def sent_post(post: Post, turn: Turn, viewer: Viewer, reader: PostReader, now: datetime) -> PostView:
    """A post of the viewer's own, for the response to its sending, which has read the turn already. Raises
    Post.DoesNotExist if it is another user's."""
    if viewer.player is None or post.player_id != viewer.player.pk:
        raise Post.DoesNotExist
    post.player = viewer.player
    prefetch_related_objects([post], _versions())
    return _one(post, reader, turn, viewer, now)


def _one(post: Post, reader: PostReader, turn: Turn, viewer: Viewer, now: datetime) -> PostView:
    """Of the rest of its thread it reads only posts on which its lines can depend: its author's, whose last order
    for an army counts (R12), and those of everybody who controls an army that it orders (3.3.6). So it costs no more
    at the end of a long thread, when most is posted; and nothing if it orders nothing."""
    armies = {entry.line.army for entry in _lines(post, turn, reader) if entry.orders_something}
    if not armies:
        return _judged([post], reader, turn, viewer, now)[0]
    posts = _visible(Post.objects.filter(turn=turn), turn, viewer, now).exclude(pk=post.pk)
    controllers = Control.objects.filter(round=turn.round, army__name__in=armies).values("player")
    related = posts.filter(Q(player=post.player_id) | Q(player__in=controllers))
    return next(each for each in _judged([post, *related], reader, turn, viewer, now) if each.id == post.pk)


def reader_of(turn: Turn, now: datetime) -> PostReader:
    """The reader for the posts of a turn; after its lock with the control list as of then (R13)."""
    return PostReader(turn, min(now, last_moment(turn.lock_at)))


def _judged(rows: Iterable[Post], reader: PostReader, turn: Turn, viewer: Viewer, now: datetime) -> list[PostView]:
    """R12, R14: posts of a turn by their times, each line with its result beside the others."""
    posts = sorted(rows, key=lambda post: (post.posted_at, post.number))
    lines = with_the_last_counting([_lines(post, turn, reader) for post in posts])
    final = refusals_of(turn, now)
    if final is None:
        judged = _of_two_controllers(lines, reader.control)
    else:
        judged = [_as_refused(each, final) for each in lines]
    return [_view(post, turn, each, viewer, now) for post, each in zip(posts, judged, strict=True)]


def posts_seen_by(viewer: Viewer, now: datetime) -> QuerySet[Post]:
    """3.1, R6: the posts of all turns of the round that the viewer may see."""
    return posts_seen_in([viewer.round], [viewer.player] if viewer.player else [], now)


def posts_seen_in(rounds: Sequence[Round], players: Sequence[Player], now: datetime) -> QuerySet[Post]:
    """3.1, R6: the posts of all turns of these rounds that a user who plays as these players may see."""
    hidden = Q(sealed=True, turn__in=_unlocked(tuple(round_.pk for round_ in rounds), now))
    if players:
        hidden &= ~Q(player__in=players)
    return Post.objects.filter(turn__round__in=rounds).exclude(hidden)


@request_cached
def _unlocked(rounds: tuple[int, ...], now: datetime) -> tuple[int, ...]:
    """R6: the keys of the turns of these rounds that the clock has not locked."""
    turns = Turn.objects.filter(round__in=rounds).values_list("pk", "lock_at")
    return tuple(pk for pk, lock_at in turns if clock.is_in_time(now, lock_at))


THREAD = "thread"
"""The key of the movement thread among the read marks of the boards."""


def thread_read_until(viewer: Viewer) -> datetime | None:
    """3.1: the time up to which the viewer has read the movement thread; None if unknown."""
    if viewer.user_id is None:
        return None
    marks = ReadMark.objects.filter(round=viewer.round, user_id=viewer.user_id, board=THREAD)
    return marks.values_list("until", flat=True).first()


def posts_for_judges(posts: QuerySet[Post], now: datetime) -> QuerySet[Post]:
    """R6: sealed orders are hidden from judges too until the lock."""
    open_turns = [
        turn.pk
        for turn in Turn.objects.filter(state=TurnState.OPEN).only("lock_at")
        if clock.is_in_time(now, turn.lock_at)
    ]
    return posts.exclude(Q(sealed=True) & Q(turn__in=open_turns))


def preview_lines(
    turn: Turn, viewer: Viewer, text: str, now: datetime, reader: PostReader | None = None
) -> list[ThreadLine]:
    """R8: the reading of a text; for a user who is not a player, by the names alone."""
    by = viewer.player.name if viewer.player else ""
    return list(marked_lines(read_for_player(reader or PostReader(turn, now), viewer.player, text, now), by))


def unread_lines(lines: Sequence[ThreadLine], before: PostView | None = None) -> list[ThreadLine]:
    """R8: the lines about which their author is asked before they are posted; not those of the version `before` an
    edit, if they were asked about them then."""
    previous = set(before.text.split("\n")) if before and before.stays_talk else set()
    return [entry for entry in lines if entry.line.is_unread and entry.line.text not in previous]


def _visible(posts: QuerySet[Post], turn: Turn, viewer: Viewer, now: datetime) -> QuerySet[Post]:
    """R6: until the lock only its author sees a sealed post."""
    rows = posts.select_related("player").prefetch_related(_versions())
    if not clock.is_in_time(now, turn.lock_at):
        return rows
    own_rows = rows.filter(player=viewer.player) if viewer.player else rows.none()
    return rows.filter(sealed=False) | own_rows


def _versions() -> Prefetch[Any]:
    return Prefetch("versions", PostVersion.objects.order_by("number"))


def _lines(post: Post, turn: Turn, reader: PostReader) -> tuple[ThreadLine, ...]:
    if post.withdrawn_at is not None:
        return ()
    by, last = _by(post, turn), _last(post)
    if last is None:
        return marked_lines([broken_line(1, gettext("Post %(pk)s no longer has any text.") % {"pk": post.pk})], by)
    read = reader.read(last.text, by, last.own_army, last.stamps, stays_talk=last.stays_talk)
    return marked_lines(read, by, last.stamps)


def _last(post: Post) -> PostVersion | None:
    """R7: the version that counts; None if the row has lost its versions, which is logged."""
    versions = list(post.versions.all())
    if not versions:
        logger.error("Post %d has no versions.", post.pk)
    return versions[-1] if versions else None


def _of_two_controllers(
    posts: Sequence[tuple[ThreadLine, ...]], control: Mapping[str, tuple[str, ...]]
) -> list[tuple[ThreadLine, ...]]:
    """3.3.6, R12: an army with orders from two of its controllers ignores all of them."""
    givers: dict[str, set[str]] = {}
    for entry in (entry for lines in posts for entry in lines if entry.is_order):
        if entry.by in control.get(entry.line.army, ()):
            givers.setdefault(entry.line.army, set()).add(entry.by)
    refusals = {
        army: RefusalView(
            "3.3.6",
            gettext("%(army)s got orders from more than one controller: %(names)s.")
            % {"army": army, "names": ", ".join(sorted(names))},
        )
        for army, names in givers.items()
        if len(names) > 1
    }
    return [
        tuple(_with_refusal(e, refusals.get(e.line.army, e.line.refusal) if e.is_order else None) for e in lines)
        for lines in posts
    ]


def _as_refused(lines: tuple[ThreadLine, ...], final: Mapping[tuple[str, str], RefusalView]) -> tuple[ThreadLine, ...]:
    """R14: after the lock the computed moves decide whether a line is legal."""
    return tuple(
        entry
        if entry.is_replaced or entry.line.kind != "order"
        else _with_refusal(entry, final.get((entry.line.army, entry.by)))
        for entry in lines
    )


def _with_refusal(entry: ThreadLine, refusal: RefusalView | None) -> ThreadLine:
    return replace(entry, line=replace(entry.line, refusal=refusal))


def _by(post: Post, turn: Turn) -> str:
    """1.6: the author's name in that turn."""
    return post.player.name_at(last_moment(turn.lock_at))


def _view(post: Post, turn: Turn, lines: tuple[ThreadLine, ...], viewer: Viewer, now: datetime) -> PostView:
    last = _last(post)
    is_mine = viewer.player is not None and post.player_id == viewer.player.pk
    in_time = clock.is_in_time(now, turn.lock_at)
    return PostView(
        row=post,
        turn=turn,
        by=_by(post, turn),
        side=post.player.side,
        is_hidden=post.sealed and in_time,
        edited_at=last.at if last else post.posted_at,
        version=last.number if last else 0,
        text=last.text if last else "",
        lines=lines,
        is_mine=is_mine,
        may_edit=is_mine and last is not None and post.withdrawn_at is None and is_open(turn, now),
        stays_talk=last is not None and last.stays_talk,
    )


@dataclass(frozen=True)
class HistoryLine:
    """R7: a line of a version: `new`, `same` as in the version before, or `gone` since it; with its time."""

    mark: str
    text: str
    at: datetime | None


@dataclass(frozen=True)
class HistoryVersion:
    """R7: one version of a post, line by line."""

    number: int
    at: datetime
    lines: tuple[HistoryLine, ...]


@dataclass(frozen=True)
class HistoryView:
    """R7: a post with every version, the first one first."""

    post: PostView
    versions: tuple[HistoryVersion, ...]


def post_history(post_id: int, viewer: Viewer, now: datetime) -> HistoryView | None:
    """R7: a post with all its versions, or None if the viewer may not see it."""
    post = post_of(post_id, viewer, now)
    if post is None:
        return None
    versions = list(post.row.versions.order_by("number"))
    before: list[PostVersion | None] = [None, *versions]
    pairs = zip(before, versions, strict=False)
    return HistoryView(post, tuple(_version(earlier, version) for earlier, version in pairs))


def _version(before: PostVersion | None, version: PostVersion) -> HistoryVersion:
    old, new = (before.text.split("\n") if before else []), version.text.split("\n")
    times: Sequence[datetime | None] = times_of(version.text, version.stamps) or [None] * len(new)
    lines: list[HistoryLine] = []
    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            lines += [HistoryLine("gone", text, None) for text in old[start:end]]
        mark = "same" if tag == "equal" or before is None else "new"
        pairs = zip(new[new_start:new_end], times[new_start:new_end], strict=True)
        lines += [HistoryLine(mark, text, at) for text, at in pairs]
    return HistoryVersion(version.number, version.at, tuple(lines))


def transferring_armies(turn: Turn, viewer: Viewer, now: datetime) -> list[Army]:
    """3.2.4.1: the viewer's armies that can send troops: on the map, and not within a base, portal or town."""
    position = position_of(turn)
    names = armies_of(viewer.player, now) if viewer.player else ()
    armies = [position.by_name[name] for name in names if name in position.by_name]
    return [army for army in armies if not position.board.is_built(army.at)]


def sent_manifests(turn: Turn, viewer: Viewer) -> list[Manifest]:
    """R28: the viewer's own manifests of a turn, for each army first the one that counts."""
    if viewer.player is None:
        return []
    return list(Manifest.objects.filter(turn=turn, player=viewer.player).order_by("-pk"))


@dataclass(frozen=True)
class Offence:
    """R13: a line for another player's army. `at` is None if only the report of its turn tells of it."""

    turn: int
    player: str
    army: str
    text: str
    at: datetime | None
    is_penalised: bool

    @property
    def reason(self) -> str:
        """The suggested start of a penalty's reason."""
        pattern = gettext(
            "%(player)s gave an order to %(army)s, an army they don't control (turn %(turn)s): “%(order)s”."
        )
        if self.at:
            pattern = gettext(
                "%(player)s gave an order to %(army)s, an army they don't control (turn %(turn)s, %(at)s): “%(order)s”."
            )
        facts = {"army": self.army, "player": self.player, "turn": self.turn, "order": self.text}
        return pattern % {**facts, "at": utc(self.at) if self.at else ""}

    @property
    def query(self) -> str:
        """The query string that prefills the form with it."""
        return urlencode({"player": self.player, "army": self.army, "reason": self.reason})


def offences_for(turn: Turn, viewer: Viewer, now: datetime) -> tuple[Offence, ...]:
    """R13: those in the current turn's thread as far as the viewer sees it (R6), and in the last report."""
    before = turn_by_number(turn.round, turn.number - 1)
    penalised = _penalised(turn, turn.number, turn.number - 1)
    return (
        *(_in_report(before, penalised) if before and before.state == TurnState.SETTLED else ()),
        *_in_thread(turn, viewer, now, penalised),
    )


def thread_offences(turn: Turn, now: datetime) -> tuple[Offence, ...]:
    """R13: those in the thread of the running turn, as its judges see it (R6)."""
    viewer = Viewer(None, turn.round, None, frozenset([Role.MOVEMENT.value]))
    return tuple(_in_thread(turn, viewer, now, _penalised(turn, turn.number)))


def report_offences(turn: Turn) -> tuple[Offence, ...]:
    """R13: the offences in the report of a settled turn."""
    return tuple(_in_report(turn, _penalised(turn, turn.number, turn.number + 1)))


def unpunished(turn: Turn, viewer: Viewer, now: datetime) -> int:
    """R13: the number of offences without a penalty."""
    return sum(not offence.is_penalised for offence in offences_for(turn, viewer, now))


Done = set[tuple[str, str]]


def _penalised(turn: Turn, *numbers: int) -> Done:
    """R13: the players and armies already penalised in the turns of these numbers."""
    rows = Penalty.objects.filter(turn__round=turn.round_id, turn__number__in=numbers, lifted_at__isnull=True)
    return set(rows.filter(army__isnull=False).values_list("player__name", "army__name"))


def _in_report(turn: Turn, penalised: Done) -> Iterator[Offence]:
    for event in tell_all(turn.events):
        if event["kind"] == "refused" and event["cites"] == ACTING:
            player, army = event["by"], event["army"]
            yield Offence(turn.number, player, army, event["order"], None, (player, army) in penalised)


def _in_thread(turn: Turn, viewer: Viewer, now: datetime, penalised: Done) -> Iterator[Offence]:
    for post in movement_thread(turn, viewer, now):
        for entry in post.lines:
            line = entry.line
            if line.refusal and line.refusal.cites == ACTING and not post.is_hidden:
                is_penalised = (post.by, line.army) in penalised
                yield Offence(turn.number, post.by, line.army, line.text.strip(), entry.at, is_penalised)
