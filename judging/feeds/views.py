"""1.2, 3.1, R5: The feeds and calendars of rounds, armies, players and tables, and a person's own."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import conditional_page, require_safe

from judging.accounts.queries import speaking_to
from judging.announcements.models import Notice
from judging.boards.queries.boards import BOARDS
from judging.boards.queries.messages import title_of
from judging.chain.queries import head_of
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_form
from judging.common.shortcuts import round_for
from judging.common.texts import NO_XML, feed_id
from judging.feeds.calendars import ALARMS, calendar_of, event_of, events_at_tables
from judging.feeds.models import FeedAddress
from judging.feeds.services import (
    FeedItem,
    army_news,
    board_news,
    drop_feed_address,
    due_in,
    log_news,
    own_boards,
    own_dues,
    own_news,
    own_tables,
    player_news,
    public_board_news,
    renew_feed_address,
    table_news,
    thread_news,
    user_of,
)
from judging.tables.calendar_tokens import owner_of_calendar
from wargame.web import languages

MOST_ALARMS = 4
KEPT_SECONDS = 300
LARGEST = 2**31 - 1

View = Callable[..., HttpResponse]


def shared(view: View) -> View:
    """What everybody gets alike."""
    return require_safe(conditional_page(cache_control(public=True, max_age=KEPT_SECONDS)(view)))


def own(view: View) -> View:
    """What somebody's secret address shows."""
    return require_safe(conditional_page(cache_control(private=True, no_cache=True)(view)))


FEEDS = {
    "updates": (Notice.Thread.MOVEMENT, "updates", "turns"),
    "announcements": (Notice.Thread.ANNOUNCEMENTS, gettext_noop("Battle Announcements"), "battles"),
    "results": (Notice.Thread.RESULTS, gettext_noop("Battle Results"), "results"),
    "log": ("log", "log", "log"),
}
"""The feeds of a round, by the last part of their addresses: the thread, the title, the page that shows it."""


@shared
def feed(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """3.1: a thread of a round as an Atom feed. R38: with the latest hash of the hour, not another one each minute."""
    if name not in FEEDS:
        raise Http404(gettext("There is no feed “%(name)s”.") % {"name": name})
    thread, title, page = FEEDS[name]
    with languages.of_the_host():
        round_, now = round_for(slug), timezone.now()
        head = head_of(round_, now.replace(minute=0))
        return _atom(
            request,
            f"{round_.name}: {gettext(title)}",
            reverse(page, args=[slug]),
            f"{slug}:{thread}",
            log_news(round_, now) if name == "log" else thread_news(round_, thread),
            subtitle=gettext("Latest hash of the round: %(head)s") % {"head": head} if head else "",
            has_date=True,
        )


@shared
def board_feed(request: HttpRequest, slug: str, board: str, topic: int | None = None) -> HttpResponse:
    """3.1: a public board, or one of its topics, as an Atom feed. Nothing depends on who asks."""
    found = BOARDS.get(board)
    if found is None or not found.is_public or (topic or 0) > LARGEST:
        raise Http404(gettext("There is no such public board."))
    round_ = round_for(slug)
    name = "" if topic is None else title_of(round_, found, topic)
    if topic is not None and not name:
        raise Http404(gettext("There is no such topic."))
    with languages.of_the_host():
        title, key = gettext("%(round)s: talk on %(board)s"), f"board:{board}"
        page = reverse("board", args=[slug, board])
        if topic is not None:
            title, key = gettext("%(round)s: %(topic)s on %(board)s"), f"{key}:topic:{topic}"
            page = reverse("board-topic", args=[slug, board, topic])
        title %= {"round": round_.name, "topic": name, "board": found.title}
        return _atom(
            request, title, page, f"{slug}:{key}", public_board_news(round_, found, topic), author=None, has_date=True
        )


@shared
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """R5: the deadlines and locks of a round as an iCalendar; `?alarm=120` rings so many minutes before."""
    round_ = round_for(slug)
    alarms = _alarms(request.GET.get("alarm", ""))
    events = [event_of(request, round_, due, alarms) for due in due_in(round_)]
    return calendar_of(round_.name, events, round_.slug)


@require_safe
@conditional_page
@cache_control(private=True, max_age=60)
def table_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """T10, T12: when one's time is over, at each table at which one is waited for. The address is its owner's."""
    user = owner_of_calendar(token)
    if user is None:
        raise Http404(
            gettext("This calendar address is invalid or was replaced. Your card tables page has the current one.")
        )
    with speaking_to(user.pk):
        name = gettext("Card tables: my deadlines")
    return calendar_of(name, events_at_tables(request, user), "card-tables")


def _alarms(text: str) -> tuple[timedelta, ...]:
    """Comma-separated numbers of minutes. Raises Http404 for anything else."""
    parts = [part for part in text.split(",") if part]
    if len(parts) > MOST_ALARMS or not all(part.isascii() and part.isdecimal() and len(part) < 6 for part in parts):
        raise Http404(
            gettext(
                "Use `alarm` to set when alarms ring, in minutes before a deadline. Enter up to %(most_alarms)s "
                "numbers, like 60,1440."
            )
            % {"most_alarms": MOST_ALARMS}
        )
    return tuple(timedelta(minutes=int(part)) for part in parts)


@shared
def army_feed(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """2.1: the turns' results for an army, as an Atom feed."""
    round_ = round_for(slug)
    items = army_news(round_, name, timezone.now())
    if items is None:
        raise Http404(gettext("There is no army with that name in this round."))
    return _atom(request, f"{round_.name}: {name}", reverse("army", args=[slug, name]), f"{slug}:army:{name}", items)


@shared
def player_feed(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """3.1: a player's posts in the movement threads, as an Atom feed."""
    round_ = round_for(slug)
    items = player_news(round_, name, timezone.now())
    if items is None:
        raise Http404(gettext("There is no player with that name in this round."))
    return _atom(request, f"{round_.name}: {name}", reverse("movement", args=[slug]), f"{slug}:player:{name}", items)


@shared
def table_feed(request: HttpRequest, table: str) -> HttpResponse:
    """3.1: the events at a card table, as an Atom feed."""
    news = table_news(table, timezone.now())
    if news is None:
        raise Http404(gettext("There is no such table, or you can't see it."))
    row, items = news
    return _atom(request, row.name, reverse("table", args=[row.slug]), f"table:{row.slug}", items)


@own
def own_feed(request: HttpRequest, token: str) -> HttpResponse:
    """1.2: the notifications of the address's owner, as an Atom feed."""
    user, title = _user(token), gettext("%(site)s: your notifications") % {"site": settings.SITE_NAME}
    return _hidden(_atom(request, title, reverse("notifications"), "own", own_news(user)))


@own
def own_calendar(request: HttpRequest, token: str) -> HttpResponse:
    """R5, T10: the due moments of the address's owner, in rounds and at card tables, as an iCalendar that rings
    before their own deadlines."""
    user = _user(token)
    dues = own_dues(user, timezone.now())
    events = [event_of(request, each.round, each.due, ALARMS if each.rings else ()) for each in dues]
    return _hidden(calendar_of(settings.SITE_NAME, [*events, *events_at_tables(request, user)], "wargame"))


@own
def own_board_feed(request: HttpRequest, token: str, slug: str, board: str) -> HttpResponse:
    """3.1: a board that the address's owner reads, as an Atom feed."""
    user, round_ = _user(token), round_for(slug)
    news = board_news(user, round_, board)
    if news is None:
        raise Http404(gettext("There is no board “%(key)s” that you can read.") % {"key": board[:40]})
    read, items = news
    link = reverse("board", args=[slug, read.key])
    return _hidden(_atom(request, f"{round_.name}: {read.title}", link, f"{slug}:board:{read.key}", items))


@own
def own_table_feed(request: HttpRequest, token: str, table: str) -> HttpResponse:
    """T12: a card table as the address's owner sees it, as an Atom feed."""
    news = table_news(table, timezone.now(), _user(token))
    if news is None:
        raise Http404(gettext("There is no such table, or you can't see it."))
    row, items = news
    return _hidden(_atom(request, row.name, reverse("table", args=[row.slug]), f"table:{row.slug}", items))


def _hidden(answer: HttpResponse) -> HttpResponse:
    """Keep search engines that come upon the address from listing it."""
    answer["X-Robots-Tag"] = "noindex"
    return answer


@never_cache
@get_or_post
@login_required
def own_feeds(request: HttpRequest) -> HttpResponse:
    """1.2: the addresses of the user's own feed and calendar; a POST replaces or deletes them."""
    user = cast(User, request.user)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        address = FeedAddress.objects.filter(user=user).first()
        calendar = feed = ""
        boards: list[tuple[str, str]] = []
        tables: list[tuple[str, str]] = []
        if address is not None:
            boards = [
                (
                    f"{round_.name}: {board.title}",
                    reverse("own-board-feed", args=[address.token, round_.slug, board.key]),
                )
                for round_, board in own_boards(user)
            ]
            tables = [
                (table.name, reverse("own-table-feed", args=[address.token, table.slug])) for table in own_tables(user)
            ]
            calendar, feed = (
                request.build_absolute_uri(reverse(name, args=[address.token])) for name in ("own-calendar", "own-feed")
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
    user = user_of(token)
    if user is None:
        raise Http404(gettext("There are no feeds at this address. If it was yours, find the new one on Your profile."))
    return user


def _atom(
    request: HttpRequest,
    title: str,
    link: str,
    guid: str,
    items: Iterable[FeedItem],
    *,
    author: str | None = settings.SITE_NAME,
    subtitle: str | None = None,
    has_date: bool = False,
) -> HttpResponse:
    feed = Atom1Feed(
        title=NO_XML.sub("", title),
        link=request.build_absolute_uri(link),
        description="",
        language="en-gb",
        author_name=author,
        subtitle=subtitle,
        feed_url=request.build_absolute_uri(),
        feed_guid=NO_XML.sub("", feed_id(guid)),
    )
    for item in items:
        feed.add_item(
            title=item.title,
            link=request.build_absolute_uri(item.link),
            description=item.html,
            unique_id=feed_id(item.key, item.at),
            author_name=item.author,
            pubdate=item.at,
            updateddate=item.edited_at or item.at,
        )
    answer = HttpResponse(feed.writeString("utf-8"), content_type=feed.content_type)
    if has_date:
        answer["Last-Modified"] = http_date(feed.latest_post_date().timestamp())
    return answer
