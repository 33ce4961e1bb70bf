"""3.1, R5: the feeds and the calendar of a round: what the service posts in its threads, its log, and what is due."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import linebreaks
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import conditional_page, require_safe
from icalendar import Event

from judging.game.pages import round_for
from judging.game.texts import NO_XML, event_id, feed_id
from judging.game.viewer import Viewer
from judging.log.reads import Log
from judging.notices.feeds import ThreadFeed, dated, kept, new_calendar, ring
from judging.notices.models import Notice
from judging.subscribing.dues import Due, due_in
from wargame.models import Round

MOST_OF_THE_LOG = 50
MOST_ALARMS = 4


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
        return feed_id(f"{item.slug}:log:{item.key}", item.at)


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


def event_of(request: HttpRequest, round_: Round, due: Due, alarms: Iterable[timedelta] = ()) -> Event:
    """R5: a moment that is due, as its minute; one that is moved keeps its name, so that calendars move it. It rings so
    long before."""
    page = "battles-turn" if due.kind == "strats" else "movement-turn"
    event = Event()
    event.add("uid", event_id(due.key, round_.slug, due.since))
    dated(event, due.changes, due.changed_at)
    event.add("dtstart", due.at)
    event.add("dtend", due.until)
    event.add("summary", f"{round_.name}: {due.title}")
    event.add("url", request.build_absolute_uri(reverse(page, args=[round_.slug, due.turn])))
    event.add("transp", "TRANSPARENT")
    ring(event, alarms)
    return event


def _alarms(asked: str) -> tuple[timedelta, ...]:
    """Some numbers of minutes with commas between them. Raises Http404 for anything else."""
    parts = [part for part in asked.split(",") if part]
    if len(parts) > MOST_ALARMS or not all(part.isascii() and part.isdecimal() and len(part) < 6 for part in parts):
        raise Http404(
            gettext(
                "Use `alarm` to set when alarms ring, in minutes before a deadline. Enter up to %(most_alarms)s "
                "numbers, like 60,1440."
            )
            % {"most_alarms": MOST_ALARMS}
        )
    return tuple(timedelta(minutes=int(part)) for part in parts)
