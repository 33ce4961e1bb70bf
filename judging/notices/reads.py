"""3.1, R5: what the service has posted in the threads of a round, as feeds show it, and its deadlines and locks, as
calendars show them. All of it is public."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import linebreaks
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext

from judging.battles.models import Battle, BattleArmy, Result
from judging.battles.strats.deadlines import deadline_of
from judging.game.markup import to_html
from judging.game.texts import NO_XML
from judging.notices.models import Notice
from wargame.models import Round, Turn
from wargame.models.choices import TurnState
from wargame.rules.core import clock

MOST = 50
LONGEST_TITLE = 140
NAMELESS = ("book", "battles")
"""Posts whose first sentence is a title: it has no army's name, which may have a full stop in it."""

COMMITMENTS = ("book", "setup")
"""R38: posts that say what is committed to, or what was."""


@dataclass(frozen=True, slots=True)
class NoticeView:
    """3.1: a post by the service. `slug` is its round's, `battle` the key of the one that it tells of."""

    id: int
    slug: str
    thread: str
    kind: str
    turn: int
    at: datetime
    title: str
    html: SafeString
    battle: int | None


def notices_of(round_: Round, thread: str) -> list[NoticeView]:
    """3.1: the newest posts by the service in one thread, the newest first; results with their narratives."""
    rows = Notice.objects.filter(turn__round=round_, thread=thread).order_by("-at", "-pk")
    return notice_views(rows[:MOST], round_.slug)


def notice_views(rows: QuerySet[Notice], slug: str) -> list[NoticeView]:
    """3.1: posts by the service in the round of that slug, in their order."""
    found = list(rows.select_related("turn").defer("turn__position", "turn__events", "turn__sky"))
    keys = [row.data["battle"] for row in found if row.kind == "result"]
    narratives = dict(Result.objects.filter(battle__in=keys).values_list("battle", "narrative"))
    return [_view(row, slug, narratives) for row in found]


def commitments_in(turn: Turn) -> list[str]:
    """R38: what was committed to in a turn, or turned out then: the formula book, the seed of the set-up."""
    rows = Notice.objects.filter(turn=turn, thread=Notice.Thread.ANNOUNCEMENTS, kind__in=COMMITMENTS)
    return [row.text for row in rows.order_by("pk")]


def _view(row: Notice, slug: str, narratives: dict[int, str]) -> NoticeView:
    text = NO_XML.sub("", row.text)
    title = text.partition("\n")[0]
    if row.kind in NAMELESS:
        title = f"{title.partition('. ')[0].rstrip('.')}."
    battle = row.data.get("battle") if row.kind == "result" else None
    told = linebreaks(text, autoescape=True)
    if battle:
        told += to_html(NO_XML.sub("", narratives.get(battle, "")))
    title = Truncator(title).chars(LONGEST_TITLE)
    return NoticeView(row.pk, slug, row.thread, row.kind, row.turn.number, row.at, title, mark_safe(told), battle)


def address_of(item: NoticeView) -> str:
    """The page that tells more of what was posted."""
    if item.battle is not None:
        return reverse("battle", args=[item.slug, item.battle])
    if item.kind == "book":
        return reverse("round-book", args=[item.slug])
    page = "battles-turn" if item.thread == Notice.Thread.ANNOUNCEMENTS else "turn"
    return reverse(page, args=[item.slug, item.turn])


MOST_TURNS = 12
"""How many turns a calendar shows."""


@dataclass(frozen=True, slots=True)
class Due:
    """R4, R5: something that is due. `key` names it for ever, whenever it is moved; `until` is when its minute ends,
    `since` when its turn opened."""

    key: str
    title: str
    at: datetime
    until: datetime
    since: datetime
    turn: int
    kind: str


def due_in(round_: Round) -> list[Due]:
    """R5: what is or was due in the last turns of a round, by time."""
    turns = Turn.objects.filter(round=round_).order_by("-number").defer("position", "events", "sky")[:MOST_TURNS]
    fighting: dict[int, list[BattleArmy]] = {}
    in_play = BattleArmy.objects.filter(battle__turn__in=[turn.pk for turn in turns])
    for entry in in_play.exclude(battle__state=Battle.State.CANCELLED).select_related("battle"):
        fighting.setdefault(entry.battle.turn_id, []).append(entry)
    found = [due for turn in turns for due in _of_turn(turn, round_, fighting.get(turn.pk, []))]
    return sorted(found, key=lambda due: (due.at, due.key))


def _of_turn(turn: Turn, round_: Round, fighting: list[BattleArmy]) -> Iterator[Due]:
    told = gettext("Turn %(number)s") % {"number": turn.number}
    yield _due(turn, "lock", gettext("%(told)s locks: orders are due") % {"told": told}, turn.lock_at)
    if turn.state != TurnState.SETTLED:
        opens = turn.lock_at - round_.sealed_before_lock
        yield _due(turn, "sealed", gettext("%(told)s: sealed orders are accepted from now on") % {"told": told}, opens)
    if fighting:
        yield _due(turn, "strats", gettext("%(told)s: strats are due") % {"told": told}, turn.deadline)
    for entry in fighting:
        at = deadline_of(entry, entry.battle)
        if at != turn.deadline:
            yield _due(
                turn,
                "strats",
                gettext("%(told)s: the strat of %(name)s is due") % {"told": told, "name": entry.name},
                at,
                f"-{entry.pk}",
            )


def _due(turn: Turn, kind: str, title: str, at: datetime, whose: str = "") -> Due:
    key = f"turn-{turn.number}-{kind}{whose}"
    return Due(key, title, at, clock.closes(at), turn.opened_at, turn.number, kind)
