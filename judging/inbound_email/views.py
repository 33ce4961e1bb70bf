"""3.1, T9.6: the pages that show the mail address to a player or to the owner of a seat at a card table."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from judging.battles.strats.services import MAX_STRAT
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_form
from judging.common.shortcuts import viewer_for
from judging.inbound_email.models import MailAddress, ReceivedMail, SeatAddress
from judging.inbound_email.services import MOST_AN_HOUR, another_seat_address, check_takes_mail, mail_address_of
from judging.tables.models import Seat
from judging.tables.views import table_for
from wargame.rules.core.saying import grouped

SHOWN = 20


@never_cache
@get_or_post
@login_required
def mailbox(request: HttpRequest, slug: str) -> HttpResponse:
    """3.1: the user's own address, and the outcomes of their mails; a POST makes or replaces the address."""
    viewer, now = viewer_for(request, slug), timezone.now()
    player = viewer.player
    if player is None:
        raise PermissionDenied(gettext("Only players in this round can send orders by email."))

    def page(*, refused: Refused | None = None) -> HttpResponse:
        address = MailAddress.objects.filter(player=player).first()
        context = {
            "round": viewer.round,
            "viewer": viewer,
            "mails": ReceivedMail.objects.filter(player=player)[:SHOWN],
            "refused": refused,
            "most_of_a_strat": grouped(MAX_STRAT),
            "most_an_hour": MOST_AN_HOUR,
            **_address_shown(address.token if address else ""),
        }
        return render(request, "mailbox/mailbox.html", context)

    def act() -> str:
        check_takes_mail(player.user, "3.1")
        mail_address_of(player=player, now=now, another=True)
        return gettext("This is now your address. Earlier ones no longer work.")

    return handle_form(request, page, act)


@never_cache
@get_or_post
@login_required
def table_mailbox(request: HttpRequest, table: str) -> HttpResponse:
    """T9.6: the address of the user's seat at a card table, and the outcomes of their mails; a POST replaces it."""
    card_table, now = table_for(request, table), timezone.now()
    seat = Seat.objects.select_related("table").filter(table=card_table, user_id=request.user.pk or 0).first()
    if seat is None:
        raise PermissionDenied(gettext("Only players at this table can send moves by email."))

    def page(*, refused: Refused | None = None) -> HttpResponse:
        address = SeatAddress.objects.filter(seat=seat, user_id=F("seat__user_id")).first()
        # Who took the seat over reads nothing of the mails of who sat there (T10.6).
        mails = ReceivedMail.objects.filter(seat=seat, at__gte=address.made_at)[:SHOWN] if address else ()
        context = {
            "table": card_table,
            "mails": mails,
            "most_an_hour": MOST_AN_HOUR,
            "refused": refused,
            **_address_shown(address.token if address else ""),
        }
        return render(request, "mailbox/table.html", context)

    def act() -> str:
        check_takes_mail(seat.user, "T9.6")
        another_seat_address(seat=seat, now=now)
        return gettext("This is now your address. Earlier ones no longer work.")

    return handle_form(request, page, act)


def _address_shown(token: str) -> dict[str, object]:
    name, _, host = settings.MAIL_ORDERS.partition("@")
    return {"address": f"{name}+{token}@{host}" if token and host else "", "takes_mail": bool(host)}
