"""R5, T10: iCalendars (RFC 5545) of what is due in rounds and at card tables."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import OuterRef, Subquery
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from icalendar import Alarm, Calendar, Event

from judging.accounts.queries import speaking_to
from judging.common.texts import NO_XML, event_id
from judging.feeds.services import Due
from judging.tables.clocks import due_of
from judging.tables.models import Entry, Seat, TableState
from wargame.models import Round

ALARMS = (timedelta(hours=24), timedelta(hours=2))
"""How long before a deadline the alarms in personal calendars go off."""

ASK_AGAIN = timedelta(hours=1)
MINUTES = timedelta(minutes=1)
PRODUCT = "-//The Coalition Wargame//EN"


def calendar_of(name: str, events: Iterable[Event], filename: str) -> HttpResponse:
    found = Calendar()
    found.add("prodid", PRODUCT)
    found.add("version", "2.0")
    found.add("method", "PUBLISH")
    found.add("x-wr-calname", NO_XML.sub("", name))
    found.add("refresh-interval", ASK_AGAIN, parameters={"value": "DURATION"})
    for event in events:
        found.add_component(event)
    heads = {"Content-Disposition": f'inline; filename="{filename}.ics"'}
    return HttpResponse(found.to_ical(), content_type="text/calendar; charset=utf-8", headers=heads)


def event_of(request: HttpRequest, round_: Round, due: Due, alarms: Iterable[timedelta] = ()) -> Event:
    """R5: a moment that is due, as its minute; one that is moved keeps its name, so that calendars move it."""
    page = "battles-turn" if due.kind == "strats" else "movement-turn"
    link = request.build_absolute_uri(reverse(page, args=[round_.slug, due.turn]))
    uid = event_id(due.key, round_.slug, due.since)
    title = f"{round_.name}: {due.title}"
    return _event(uid, title, link, (due.at, due.until), (due.changes, due.changed_at), alarms)


def events_at_tables(request: HttpRequest, user: User) -> list[Event]:
    """T10: when somebody's time is over, at each table at which they are waited for, in their language. Each entry of
    the table, and each leave or night of the player, may move the time."""
    waited = Seat.objects.filter(user=user, table__state=TableState.RUNNING, asked_at__isnull=False)
    seats = waited.select_related("table").defer("table__seed", "table__invitation").order_by("table_id")
    last = Entry.objects.filter(table=OuterRef("table")).order_by("-n").values("at")[:1]
    found = []
    with speaking_to(user.pk):
        for seat in seats.annotate(last_entry_at=Subquery(last)):
            table, due = seat.table, due_of(seat.table, seat)
            if due is None:
                continue
            uid = event_id(f"table-{table.slug}-{seat.letter}", "tables", table.opened_at)
            title = gettext("%(table)s: your time runs out") % {"table": table.name}
            link = request.build_absolute_uri(reverse("table", args=[table.slug]))
            changes = table.entries + len(seat.rests.get("nights", ())) + len(seat.rests.get("leaves", ()))
            changed = (changes, seat.last_entry_at or table.opened_at)
            found.append(_event(uid, title, link, (due, due + MINUTES), changed, ALARMS))
    return found


def _event(
    uid: str,
    title: str,
    link: str,
    span: tuple[datetime, datetime],
    changed: tuple[int, datetime],
    alarms: Iterable[timedelta],
) -> Event:
    """An event that rings so long before. `changed`: how often it was moved, and when last; a calendar keeps the old
    time of one that has the same numbers (RFC 5545 3.8.7)."""
    event = Event()
    event.add("uid", uid)
    event.add("sequence", changed[0])
    event.add("dtstamp", changed[1])
    event.add("last-modified", changed[1])
    event.add("dtstart", span[0])
    event.add("dtend", span[1])
    event.add("summary", title)
    event.add("url", link)
    event.add("transp", "TRANSPARENT")
    for before in alarms:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", title)
        alarm.add("trigger", -before)
        event.add_component(alarm)
    return event
