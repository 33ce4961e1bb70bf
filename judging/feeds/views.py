"""1.2, 3.1, R5: The feeds and calendars of rounds, armies, players and tables, and a person's own."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import linebreaks
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_safe
from icalendar import Event

from judging.announcements.feeds import ALARMS, ThreadFeed, dated, kept, new_calendar, ring
from judging.announcements.models import Notice
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_form
from judging.common.shortcuts import round_for
from judging.common.texts import NO_XML, event_id, feed_id
from judging.common.viewer import Viewer
from judging.feeds.models import FeedAddress
from judging.feeds.services import (
    Due,
    FeedItem,
    army_news,
    board_news,
    drop_feed_address,
    due_in,
    own_boards,
    own_dues,
    own_news,
    own_tables,
    player_news,
    renew_feed_address,
    table_news,
    user_of,
)
from judging.log.queries import Log
from judging.tables.feeds import deadlines_of
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


own = cache_control(private=True, no_cache=True)


@require_safe
@conditional_page
@kept
def army_feed(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """2.1: what the turns brought an army, as an Atom feed."""
    round_ = round_for(slug)
    items = army_news(round_, name, timezone.now())
    if items is None:
        raise Http404(gettext("There is no army with that name in this round."))
    return _atom(request, f"{round_.name}: {name}", reverse("army", args=[slug, name]), f"{slug}:army:{name}", items)


@require_safe
@conditional_page
@kept
def player_feed(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """3.1: what a player posts in the movement threads, as an Atom feed."""
    round_ = round_for(slug)
    items = player_news(round_, name, timezone.now())
    if items is None:
        raise Http404(gettext("There is no player with that name in this round."))
    return _atom(request, f"{round_.name}: {name}", reverse("movement", args=[slug]), f"{slug}:player:{name}", items)


@require_safe
@conditional_page
@kept
def table_feed(request: HttpRequest, table: str) -> HttpResponse:
    """3.1: what happens at a card table, as an Atom feed."""
    found = table_news(table, timezone.now())
    if found is None:
        raise Http404(gettext("There is no such table, or you can't see it."))
    row, items = found
    return _atom(request, row.name, reverse("table", args=[row.slug]), f"table:{row.slug}", items)


@require_safe
@conditional_page
@own
def own_feed(request: HttpRequest, token: str) -> HttpResponse:
    """1.2: what concerns whose address it is, as an Atom feed."""
    user, title = _user(token), gettext("%(site)s: your notifications") % {"site": settings.SITE_NAME}
    return _hidden(_atom(request, title, reverse("notifications"), "own", own_news(user)))


@require_safe
@conditional_page
@own
def own_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """R5, T10: what is due for whose address it is, in rounds and at card tables, as an iCalendar that rings before
    his own deadlines."""
    user, found = _user(token), new_calendar(settings.SITE_NAME)
    for each in own_dues(user, timezone.now()):
        found.add_component(event_of(request, each.round, each.due, ALARMS if each.rings else ()))
    for event in deadlines_of(request, user):
        found.add_component(event)
    heads = {"Content-Disposition": 'inline; filename="wargame.ics"', "X-Robots-Tag": "noindex"}
    return HttpResponse(found.to_ical(), content_type="text/calendar; charset=utf-8", headers=heads)


@require_safe
@conditional_page
@own
def own_board_feed(request: HttpRequest, token: str, slug: str, board: str) -> HttpResponse:
    """3.1: a board that whose address it is reads, as an Atom feed."""
    user, round_ = _user(token), round_for(slug)
    found = board_news(user, round_, board)
    if found is None:
        raise Http404(gettext("There is no board “%(key)s” that you can read.") % {"key": board[:40]})
    read, items = found
    link = reverse("board", args=[slug, read.key])
    return _hidden(_atom(request, f"{round_.name}: {read.title}", link, f"{slug}:board:{read.key}", items))


@require_safe
@conditional_page
@own
def own_table_feed(request: HttpRequest, token: str, table: str) -> HttpResponse:
    """T12: a card table as whose address it is sees it, as an Atom feed."""
    found = table_news(table, timezone.now(), _user(token))
    if found is None:
        raise Http404(gettext("There is no such table, or you can't see it."))
    row, items = found
    return _hidden(_atom(request, row.name, reverse("table", args=[row.slug]), f"table:{row.slug}", items))


def _hidden(answer: HttpResponse) -> HttpResponse:
    """No search engine that comes upon the address lists it."""
    answer["X-Robots-Tag"] = "noindex"
    return answer


@never_cache
@get_or_post
@login_required
def own_feeds(request: HttpRequest) -> HttpResponse:
    """1.2: where one's own feed and calendar are; a POST makes other addresses, or none."""
    user = cast(User, request.user)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        found = FeedAddress.objects.filter(user=user).first()
        calendar = feed = ""
        boards: list[tuple[str, str]] = []
        tables: list[tuple[str, str]] = []
        if found is not None:
            boards = [
                (f"{round_.name}: {board.title}", reverse("own-board-feed", args=[found.token, round_.slug, board.key]))
                for round_, board in own_boards(user)
            ]
            tables = [
                (table.name, reverse("own-table-feed", args=[found.token, table.slug])) for table in own_tables(user)
            ]
            calendar, feed = (
                request.build_absolute_uri(reverse(name, args=[found.token])) for name in ("own-calendar", "own-feed")
            )
        context = {"calendar": calendar, "feed": feed, "boards": boards, "tables": tables, "refused": refused}
        return render(request, "subscribing/own.html", context)

    def act() -> str:
        if request.POST.get("act") == "drop":
            drop_feed_address(user=user)
            return gettext("These addresses no longer work.")
        renew_feed_address(user=user, now=timezone.now())
        return gettext("These are your new addresses. The old ones no longer work.")

    return handle_form(request, page, act)


def _user(token: str) -> User:
    found = user_of(token)
    if found is None:
        raise Http404(gettext("There are no feeds at this address. If it was yours, find the new one on Your profile."))
    return found


def _atom(request: HttpRequest, title: str, link: str, guid: str, items: Iterable[FeedItem]) -> HttpResponse:
    feed = Atom1Feed(
        title=NO_XML.sub("", title),
        link=request.build_absolute_uri(link),
        description="",
        language="en-gb",
        author_name=settings.SITE_NAME,
        feed_url=request.build_absolute_uri(),
        feed_guid=NO_XML.sub("", feed_id(guid)),
    )
    for item in items:
        feed.add_item(
            title=item.title,
            link=request.build_absolute_uri(item.link),
            description=item.html,
            unique_id=feed_id(item.key, item.at),
            pubdate=item.at,
            updateddate=item.at,
        )
    return HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)
