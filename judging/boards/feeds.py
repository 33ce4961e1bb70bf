"""3.1: what people write on the public boards, as Atom feeds. Nothing depends on who asks."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import conditional_page, require_safe

from judging.announcements.feeds import kept
from judging.boards.models import Message
from judging.boards.queries.boards import BOARDS, Board
from judging.boards.queries.messages import latest_on, title_of
from judging.common.rounds import round_by_slug
from judging.common.texts import NO_XML, feed_id
from wargame.models import Round
from wargame.web import languages

LARGEST = 2**31 - 1

Item = tuple[Message, SafeString]

if TYPE_CHECKING:
    MessageFeed = Feed[tuple[Round, Item], Round]
else:
    MessageFeed = Feed


class BoardFeed(MessageFeed):
    """3.1: the newest messages of a public board, without those that were withdrawn or hidden."""

    feed_type = Atom1Feed
    language = "en-gb"

    def __call__(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        with languages.of_the_host():
            return super().__call__(request, *args, **kwargs)

    def __init__(self, board: Board, topic: int | None = None) -> None:
        self.board, self.topic = board, topic

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Round:
        round_ = round_by_slug(kwargs["slug"])
        if round_ is None:
            raise Http404(gettext("There is no such round."))
        return round_

    def title(self, obj: Round) -> str:
        if self.topic is None:
            return gettext("%(round)s: talk on %(board)s") % {"round": obj.name, "board": self.board.title}
        topic = title_of(obj, self.board, self.topic)
        told = gettext("%(round)s: %(topic)s on %(board)s")
        return NO_XML.sub("", told % {"round": obj.name, "topic": topic, "board": self.board.title})

    def link(self, obj: Round) -> str:
        if self.topic is None:
            return reverse("board", args=[obj.slug, self.board.key])
        return reverse("board-topic", args=[obj.slug, self.board.key, self.topic])

    def feed_guid(self, obj: Round) -> str:
        key = f"{obj.slug}:board:{self.board.key}"
        return feed_id(key if self.topic is None else f"{key}:topic:{self.topic}")

    def items(self, obj: Round) -> list[tuple[Round, Item]]:
        return [(obj, item) for item in latest_on(obj, self.board, self.topic)]

    def item_title(self, item: tuple[Round, Item]) -> str:
        return NO_XML.sub("", gettext("%(by)s on %(board)s") % {"by": item[1][0].name, "board": self.board.title})

    def item_description(self, item: tuple[Round, Item]) -> str:
        return NO_XML.sub("", item[1][1])

    def item_link(self, item: tuple[Round, Item]) -> str:
        return reverse("board-message", args=[item[0].slug, self.board.key, item[1][0].number])

    def item_guid(self, item: tuple[Round, Item]) -> str:
        message = item[1][0]
        return feed_id(f"{item[0].slug}:board:{self.board.key}:{message.number}", message.at)

    def item_author_name(self, item: tuple[Round, Item]) -> str:
        return NO_XML.sub("", item[1][0].name)

    def item_pubdate(self, item: tuple[Round, Item]) -> datetime:
        return item[1][0].at

    def item_updateddate(self, item: tuple[Round, Item]) -> datetime:
        return item[1][0].edited_at or item[1][0].at


@require_safe
@conditional_page
@kept
def feed(request: HttpRequest, slug: str, board: str) -> HttpResponse:
    """3.1: a public board as an Atom feed."""
    found = BOARDS.get(board)
    if found is None or not found.is_public:
        raise Http404(gettext("There is no such public board."))
    return BoardFeed(found)(request, slug=slug)


@require_safe
@conditional_page
@kept
def topic_feed(request: HttpRequest, slug: str, board: str, topic: int) -> HttpResponse:
    """3.1: a topic of a public board as an Atom feed."""
    found, round_ = BOARDS.get(board), round_by_slug(slug)
    if found is None or not found.is_public or round_ is None or topic > LARGEST:
        raise Http404(gettext("There is no such public board."))
    if not title_of(round_, found, topic):
        raise Http404(gettext("There is no such topic."))
    return BoardFeed(found, topic)(request, slug=slug)
