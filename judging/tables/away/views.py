"""T10.6: the page of a table's people and clocks: night hours, leave, and how it continues without a player."""

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext

from judging.common.errors import Refused
from judging.common.form_views import ActionView, Success, get_or_post, number_of
from judging.tables.away import forms
from judging.tables.away.services import people_page
from judging.tables.conduct.record import record_of
from judging.tables.views import table_for


class People(ActionView):
    """T10.6: public; a POST is one of its forms, named by `act`."""

    template = "tables/people.html"

    def __init__(self, request: HttpRequest, slug: str) -> None:
        super().__init__(request)
        self.table = table_for(request, slug)

    def context(self) -> dict[str, object]:
        """T10.6: the clocks, the absent players, and the record."""
        now, data = timezone.now(), self.request.POST
        page = people_page(self.table, self.request.user.pk, now)
        night = page.mine.night if page.mine else None
        hour, zone = (night.first_hour, night.zone) if night else (None, page.zone)
        values = {"hour": "" if hour is None else str(hour), "zone": zone}
        if data.get("act") == "hours":
            values = {"hour": data.get("hour", ""), "zone": data.get("zone", "")}
        return {
            "table": self.table, "page": page, "refused": self.refused, "typed": data, **values,
            "record": record_of(self.table), "now": now,
        }  # fmt: skip

    def act(self) -> Success | str:
        """T10.6: one of the forms. Refused without log-in."""
        user, data, now, table = self.request.user, self.request.POST, timezone.now(), self.table
        if not isinstance(user, User):
            raise Refused(
                gettext("You were logged out, and nothing was done. Log in in another tab, then send it again.")
            )
        seat = data.get("seat", "")
        match data.get("act", ""):
            case "hours":
                return forms.save_hours(table, user, now, hour=data.get("hour", ""), zone=data.get("zone", ""))
            case "leave":
                return forms.report_absence(table, user, now, first=data.get("first", ""), last=data.get("last", ""))
            case "back":
                return forms.end_absence(table, user, now, leave_id=number_of(data.get("leave", "")))
            case "choose":
                return forms.choose_way(table, user, now, seat=seat, way=data.get("way", ""))
            case "time":
                return forms.add_time(table, user, now, seat=seat, hours=data.get("hours", ""))
            case "take":
                return forms.take_over_seat(table, user, now, seat=seat, name=data.get("name", ""))
        raise Refused(gettext("Choose what to do."), "T10.6")


@get_or_post
def people(request: HttpRequest, table: str) -> HttpResponse:
    """T10.6: the page of a table's people and clocks."""
    return People(request, table).answer()
