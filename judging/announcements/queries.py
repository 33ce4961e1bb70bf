"""3.1: Posts by the service in the threads of a round, for pages and feeds. All of it is public."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.html import linebreaks
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

from judging.announcements.models import Notice
from judging.announcements.wording import POSTS
from judging.common.markup import to_html
from judging.common.texts import NO_XML
from wargame.models import Round, Turn

MOST = 50
LONGEST_TITLE = 140


@dataclass(frozen=True, slots=True)
class NoticeView:
    """3.1: A post by the service. `slug` is its round's, `battle` the key of the battle that it is about."""

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
    """3.1: The latest posts by the service in one thread, newest first; results with their narratives."""
    rows = Notice.objects.filter(turn__round=round_, thread=thread).order_by("-at", "-pk")
    return notice_views(rows[:MOST], round_.slug)


def notice_views(rows: QuerySet[Notice], slug: str) -> list[NoticeView]:
    """3.1: posts by the service in the round of that slug, in their order."""
    notices = list(rows.select_related("turn").defer("turn__position", "turn__events", "turn__sky"))
    keys = [row.data["battle"] for row in notices if row.kind == "result"]
    narratives = _narratives_of(keys)
    return [_view(row, slug, narratives) for row in notices]


def commitments_in(turn: Turn) -> list[str]:
    """R38: Commitments that were published or revealed in a turn: the formula book, the seed of the set-up."""
    kinds = [kind for kind, post in POSTS.items() if post.is_commitment]
    rows = Notice.objects.filter(turn=turn, thread=Notice.Thread.ANNOUNCEMENTS, kind__in=kinds)
    return [row.text for row in rows.order_by("pk")]


def _narratives_of(battles: Sequence[int]) -> dict[int, str]:
    """4.4: the narratives of published results, by the keys of their battles."""
    rows = Turn.objects.filter(battles__in=battles, battles__result__isnull=False)
    return dict(rows.values_list("battles", "battles__result__narrative"))


def _view(row: Notice, slug: str, narratives: Mapping[int, str]) -> NoticeView:
    text = NO_XML.sub("", row.text)
    title = text.partition("\n")[0]
    if row.kind in POSTS and POSTS[row.kind].has_title:
        title = f"{title.partition('. ')[0].rstrip('.')}."
    battle = row.data.get("battle") if row.kind == "result" else None
    body = linebreaks(text, autoescape=True)
    if battle:
        body += to_html(NO_XML.sub("", narratives.get(battle, "")))
    title = Truncator(title).chars(LONGEST_TITLE)
    return NoticeView(row.pk, slug, row.thread, row.kind, row.turn.number, row.at, title, mark_safe(body), battle)


def address_of(item: NoticeView) -> str:
    if item.battle is not None:
        return reverse("battle", args=[item.slug, item.battle])
    if item.kind == "book":
        return reverse("round-book", args=[item.slug])
    page = "battles-turn" if item.thread == Notice.Thread.ANNOUNCEMENTS else "turn"
    return reverse(page, args=[item.slug, item.turn])
