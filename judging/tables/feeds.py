"""T10, T12: one's own deadlines at all tables as an iCalendar.

The address of a calendar is its owner's: it bears his number, signed, and ends with his password.
"""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.core import signing
from django.db.models import OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe
from icalendar import Event

from judging.accounts.queries import speaking_to
from judging.announcements.feeds import ALARMS, dated, new_calendar, ring
from judging.common.texts import event_id
from judging.tables.clocks import due_of
from judging.tables.models import Entry, Seat, TableState

SALT = "judging.tables.deadlines"
MINUTES = timedelta(minutes=1)


def calendar_token(user: User) -> str:
    """T10: what the address of somebody's calendar bears; another password ends it."""
    return signing.dumps([user.pk, _bound_to(user)], salt=SALT)


def owner_of(token: str) -> User | None:
    """T10: whose calendar an address is; None for one that is none, or is no more."""
    try:
        pk, bound = signing.loads(token[:300], salt=SALT)
    except (signing.BadSignature, TypeError, ValueError):
        return None
    user = User.objects.filter(pk=pk, is_active=True).first()
    return user if user is not None and constant_time_compare(bound, _bound_to(user)) else None


def _bound_to(user: User) -> str:
    return user.get_session_auth_hash()[:20]


@require_safe
@conditional_page
@cache_control(private=True, max_age=60)
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """T10: when one's time is over, at each table at which one is waited for (RFC 5545)."""
    user = owner_of(token)
    if user is None:
        raise Http404(
            gettext("This calendar address is invalid or was replaced. Your card tables page has the current one.")
        )
    with speaking_to(user.pk):
        found = new_calendar(gettext("Card tables: my deadlines"))
    for event in deadlines_of(request, user):
        found.add_component(event)
    return HttpResponse(
        found.to_ical(), content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": 'inline; filename="card-tables.ics"'},
    )  # fmt: skip


def deadlines_of(request: HttpRequest, user: User) -> list[Event]:
    """T10: when somebody's time is over, at each table at which he is waited for, in his language."""
    waited = Seat.objects.filter(user=user, table__state=TableState.RUNNING, asked_at__isnull=False)
    seats = waited.select_related("table").defer("table__seed", "table__invitation").order_by("table_id")
    last = Entry.objects.filter(table=OuterRef("table")).order_by("-n").values("at")[:1]
    with speaking_to(user.pk):
        return [
            _event(request, seat, due, seat.last_entry_at or seat.table.opened_at)
            for seat in seats.annotate(last_entry_at=Subquery(last))
            if (due := due_of(seat.table, seat)) is not None
        ]


def _event(request: HttpRequest, seat: Seat, due: datetime, last_entry_at: datetime) -> Event:
    """Each entry of the table, and each leave or night of the player, may move the time."""
    event = Event()
    event.add("uid", event_id(f"table-{seat.table.slug}-{seat.letter}", "tables", seat.table.opened_at))
    rests = [*seat.rests.get("nights", ()), *seat.rests.get("leaves", ())]
    dated(event, seat.table.entries + len(rests), last_entry_at)
    event.add("dtstart", due)
    event.add("dtend", due + MINUTES)
    event.add("summary", gettext("%(table)s: your time runs out") % {"table": seat.table.name})
    event.add("url", request.build_absolute_uri(reverse("table", args=[seat.table.slug])))
    event.add("transp", "TRANSPARENT")
    ring(event, ALARMS)
    return event
