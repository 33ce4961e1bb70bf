"""3.1, R5: what the service posts as Atom feeds, and the deadlines as an iCalendar. Nothing depends on who asks."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe
from icalendar import Calendar, Event

from judging.game.pages import round_for
from judging.game.viewer import Viewer
from judging.log.reads import Log
from judging.notices.models import Notice
from judging.notices.reads import NO_XML, Due, NoticeView, due_in, notices_of
from wargame.models import Round

KEPT_SECONDS = 300
MOST_OF_THE_LOG = 50
ASK_AGAIN = timedelta(hours=1)
PRODUCT = "-//The Coalition Wargame//EN"

if TYPE_CHECKING:
    RoundFeed = Feed[Any, Round]
else:
    RoundFeed = Feed

kept = cache_control(public=True, max_age=KEPT_SECONDS)


class ThreadFeed(RoundFeed):
    """3.1: one thread of a round, as far as the service writes it. `page` is the address that shows the thread."""

    feed_type = Atom1Feed
    language = "en-gb"
    author_name = "The Coalition Wargame"

    def __init__(self, thread: str, named: str, page: str) -> None:
        self.thread, self.named, self.page = thread, named, page

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Round:
        return round_for(kwargs["slug"])

    def title(self, obj: Round) -> str:
        return f"{obj.name}: {self.named}"

    def link(self, obj: Round) -> str:
        return reverse(self.page, args=[obj.slug])

    def feed_guid(self, obj: Round) -> str:
        return f"urn:wargame:{obj.slug}:{self.thread}"

    def items(self, obj: Round) -> list[NoticeView]:
        return notices_of(obj, self.thread)

    def item_title(self, item: NoticeView) -> str:
        return item.title

    def item_description(self, item: NoticeView) -> str:
        return item.html

    def item_link(self, item: NoticeView) -> str:
        return address_of(item)

    def item_guid(self, item: NoticeView) -> str:
        return f"urn:wargame:{item.slug}:notice:{item.id}"

    def item_pubdate(self, item: NoticeView) -> datetime:
        return item.at

    def item_updateddate(self, item: NoticeView) -> datetime:
        return item.at


class LogFeed(ThreadFeed):
    """1.3: the newest of the log, as far as everybody may read it."""

    def items(self, obj: Round) -> Any:
        return Log(Viewer(None, obj), timezone.now())[:MOST_OF_THE_LOG]

    def item_title(self, item: Any) -> str:
        return NO_XML.sub("", f"{item.who} {item.what}")

    def item_description(self, item: Any) -> str:
        return linebreaks(NO_XML.sub("", item.why), autoescape=True)

    def item_link(self, item: Any) -> str:
        return reverse("log-entry", args=[item.slug, item.key])

    def item_guid(self, item: Any) -> str:
        return f"urn:wargame:{item.slug}:log:{item.key}"


FEEDS: dict[str, ThreadFeed] = {
    "updates": ThreadFeed(Notice.Thread.MOVEMENT, "updates", "turns"),
    "announcements": ThreadFeed(Notice.Thread.ANNOUNCEMENTS, "Battle Announcements", "battles"),
    "results": ThreadFeed(Notice.Thread.RESULTS, "Battle Results", "results"),
    "log": LogFeed("log", "log", "log"),
}
"""The feeds of a round, by the last part of their addresses."""


@require_safe
@conditional_page
@kept
def feed(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """3.1: a thread of a round as an Atom feed."""
    if name not in FEEDS:
        raise Http404(f"There is no feed “{name}”.")
    return FEEDS[name](request, slug=slug)


@require_safe
@conditional_page
@kept
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """R5: the deadlines and locks of a round as an iCalendar (RFC 5545)."""
    round_ = round_for(slug)
    found = Calendar()
    found.add("prodid", PRODUCT)
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    found.add("x-wr-calname", round_.name)
    found.add("refresh-interval", ASK_AGAIN, parameters={"value": "DURATION"})
    for due in due_in(round_):
        found.add_component(_event(request, round_, due))
    return HttpResponse(
        found.to_ical(),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'inline; filename="{round_.slug}.ics"'},
    )


def address_of(item: NoticeView) -> str:
    """The page that tells more of what was posted."""
    if item.battle is not None:
        return reverse("battle", args=[item.slug, item.battle])
    if item.kind == "book":
        return reverse("round-book", args=[item.slug])
    page = "battles-turn" if item.thread == Notice.Thread.ANNOUNCEMENTS else "turn"
    return reverse(page, args=[item.slug, item.turn])


def _event(request: HttpRequest, round_: Round, due: Due) -> Event:
    """A moment that is due, as its minute; one that is moved keeps its name, so that calendars move it."""
    page = "battles-turn" if due.kind == "strats" else "movement-turn"
    event = Event()
    event.add("uid", f"{due.key}@{round_.slug}.wargame")
    event.add("dtstamp", due.since)
    event.add("dtstart", due.at)
    event.add("dtend", due.until)
    event.add("summary", f"{round_.name}: {due.title}")
    event.add("url", request.build_absolute_uri(reverse(page, args=[round_.slug, due.turn])))
    event.add("transp", "TRANSPARENT")
    return event
