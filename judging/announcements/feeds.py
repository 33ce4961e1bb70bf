"""3.1, R5: what each Atom feed and each iCalendar of this site begins with. Nothing depends on who asks."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from icalendar import Alarm, Calendar, Event

from judging.announcements.queries import NoticeView, address_of, notices_of
from judging.chain.queries import head_of
from judging.common.shortcuts import round_for
from judging.common.texts import NO_XML, feed_id
from wargame.models import Round
from wargame.web import languages

KEPT_SECONDS = 300
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
    author_name = settings.SITE_NAME

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
        return feed_id(f"{obj.slug}:{self.thread}")

    def subtitle(self, obj: Round) -> str:
        """R38: the head of the round's chain, of the hour, so that a feed is not another one each minute."""
        head = head_of(obj, timezone.now().replace(minute=0))
        return gettext("Latest hash of the round: %(head)s") % {"head": head} if head else ""

    def items(self, obj: Round) -> list[NoticeView]:
        return notices_of(obj, self.thread)

    def item_title(self, item: NoticeView) -> str:
        return item.title

    def item_description(self, item: NoticeView) -> str:
        return item.html

    def item_link(self, item: NoticeView) -> str:
        return address_of(item)

    def item_guid(self, item: NoticeView) -> str:
        return feed_id(f"{item.slug}:notice:{item.id}", item.at)

    def item_pubdate(self, item: NoticeView) -> datetime:
        return item.at

    def item_updateddate(self, item: NoticeView) -> datetime:
        return item.at


def new_calendar(name: str) -> Calendar:
    """R5: a calendar without anything in it."""
    found = Calendar()
    found.add("prodid", PRODUCT)
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    found.add("x-wr-calname", NO_XML.sub("", name))
    found.add("refresh-interval", ASK_AGAIN, parameters={"value": "DURATION"})
    return found


def dated(event: Event, changes: int, at: datetime) -> None:
    """R5: how often an event was moved, and when last; a calendar keeps the old time of one that has the same numbers
    (RFC 5545 3.8.7)."""
    event.add("sequence", changes)
    event.add("dtstamp", at)
    event.add("last-modified", at)


def ring(event: Event, alarms: Iterable[timedelta]) -> None:
    """R5: an event of a calendar rings so long before, with what it is called."""
    for before in alarms:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", str(event["summary"]))
        alarm.add("trigger", -before)
        event.add_component(alarm)
