"""3.1, R5: what the service posts as Atom feeds, and the deadlines as an iCalendar. Nothing depends on who asks."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe
from icalendar import Alarm, Calendar, Event

from judging.chain.reads import head_of
from judging.game.pages import round_for
from judging.game.texts import NO_XML
from judging.game.viewer import Viewer
from judging.log.reads import Log
from judging.notices.models import Notice
from judging.notices.reads import Due, NoticeView, address_of, due_in, notices_of
from wargame.models import Round
from wargame.web import languages

KEPT_SECONDS = 300
MOST_OF_THE_LOG = 50
MOST_ALARMS = 4
ALARMS = (timedelta(hours=24), timedelta(hours=2))
"""How long before a deadline the calendars that are somebody's own ring."""

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

    def __call__(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        with languages.of_the_host():
            return super().__call__(request, *args, **kwargs)

    def __init__(self, thread: str, named: str, page: str) -> None:
        self.thread, self.named, self.page = thread, named, page

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Round:
        return round_for(kwargs["slug"])

    def title(self, obj: Round) -> str:
        return f"{obj.name}: {gettext(self.named)}"

    def link(self, obj: Round) -> str:
        return reverse(self.page, args=[obj.slug])

    def feed_guid(self, obj: Round) -> str:
        return f"urn:wargame:{obj.slug}:{self.thread}"

    def subtitle(self, obj: Round) -> str:
        """R38: the head of the round's chain, of the hour, so that a feed is not another one each minute."""
        head = head_of(obj, timezone.now().replace(minute=0))
        return gettext("Head of the round's chain: %(head)s") % {"head": head} if head else ""

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
    "announcements": ThreadFeed(Notice.Thread.ANNOUNCEMENTS, gettext_noop("Battle Announcements"), "battles"),
    "results": ThreadFeed(Notice.Thread.RESULTS, gettext_noop("Battle Results"), "results"),
    "log": LogFeed("log", "log", "log"),
}
"""The feeds of a round, by the last part of their addresses."""


@require_safe
@conditional_page
@kept
def feed(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """3.1: a thread of a round as an Atom feed."""
    if name not in FEEDS:
        raise Http404(gettext("There is no feed “%(name)s”.") % {"name": name})
    return FEEDS[name](request, slug=slug)


@require_safe
@conditional_page
@kept
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """R5: the deadlines and locks of a round as an iCalendar (RFC 5545); `?alarm=120` rings so many minutes before."""
    round_ = round_for(slug)
    found, alarms = new_calendar(round_.name), _alarms(request.GET.get("alarm", ""))
    for due in due_in(round_):
        found.add_component(event_of(request, round_, due, alarms))
    return HttpResponse(
        found.to_ical(),
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'inline; filename="{round_.slug}.ics"'},
    )


def new_calendar(name: str) -> Calendar:
    """R5: a calendar without anything in it."""
    found = Calendar()
    found.add("prodid", PRODUCT)
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    found.add("x-wr-calname", NO_XML.sub("", name))
    found.add("refresh-interval", ASK_AGAIN, parameters={"value": "DURATION"})
    return found


def event_of(request: HttpRequest, round_: Round, due: Due, alarms: Iterable[timedelta] = ()) -> Event:
    """R5: a moment that is due, as its minute; one that is moved keeps its name, so that calendars move it. It rings so
    long before."""
    page = "battles-turn" if due.kind == "strats" else "movement-turn"
    event = Event()
    event.add("uid", f"{due.key}@{round_.slug}.wargame")
    event.add("dtstamp", due.since)
    event.add("dtstart", due.at)
    event.add("dtend", due.until)
    event.add("summary", f"{round_.name}: {due.title}")
    event.add("url", request.build_absolute_uri(reverse(page, args=[round_.slug, due.turn])))
    event.add("transp", "TRANSPARENT")
    ring(event, alarms)
    return event


def ring(event: Event, alarms: Iterable[timedelta]) -> None:
    """R5: an event of a calendar rings so long before, with what it is called."""
    for before in alarms:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", str(event["summary"]))
        alarm.add("trigger", -before)
        event.add_component(alarm)


def _alarms(asked: str) -> tuple[timedelta, ...]:
    """Some numbers of minutes with commas between them. Raises Http404 for anything else."""
    parts = [part for part in asked.split(",") if part]
    if len(parts) > MOST_ALARMS or not all(part.isascii() and part.isdecimal() and len(part) < 6 for part in parts):
        raise Http404(
            gettext("Say in `alarm` how many minutes before it rings: up to %(most_alarms)s numbers, like 60,1440.")
            % {"most_alarms": MOST_ALARMS}
        )
    return tuple(timedelta(minutes=int(part)) for part in parts)
