"""3.1, T9.6: one's own addresses for mail, for programs."""

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Forbidden
from judging.api.schema import describe
from judging.api.shapes import Body
from judging.inbound_email.models import MailAddress, SeatAddress
from judging.inbound_email.services import another_seat_address, check_takes_mail, mail_address_of
from judging.tables.api.base import OfTables
from judging.tables.models import Seat


class MailboxOut(Body):
    """3.1: your address. Whoever knows it posts for you."""

    address = serializers.CharField()
    made_at = serializers.DateTimeField()


class Mailbox(ApiView):
    """3.1: one's own address."""

    is_shown_once = True

    @describe(
        *("mailbox_renew", "posts", "Get a new email address for orders"),
        out=MailboxOut,
        problems=(403, 404, 409, 503),
        description="For players. Your previous address stops working.",
    )
    def put(self, request: Request, slug: str) -> Response:
        player = self.viewer(slug).player
        if player is None:
            raise Forbidden(gettext("Only players in this round can send orders by email."), "1.6")
        check_takes_mail(player.user, "3.1")
        address = mail_address_of(player=player, now=timezone.now(), another=True)
        return _address(address)


class TableMailbox(OfTables):
    """T9.6: the address of one's seat at a card table."""

    is_shown_once = True

    @describe(
        *("table_mailbox_renew", "tables", "Get a new email address for moves"),
        out=MailboxOut,
        problems=(403, 404, 409, 503),
        description="For players at the table. Your previous address stops working.",
    )
    def put(self, request: Request, table: str) -> Response:
        seat = Seat.objects.select_related("table").filter(table=self.found(table), user=self.user).first()
        if seat is None:
            raise Forbidden(gettext("Only players at this table can send moves by email."), "T9.6")
        check_takes_mail(seat.user, "T9.6")
        return _address(another_seat_address(seat=seat, now=timezone.now()))


def _address(address: MailAddress | SeatAddress) -> Response:
    name, _, host = settings.MAIL_ORDERS.partition("@")
    return Response(MailboxOut({"address": f"{name}+{address.token}@{host}", "made_at": address.made_at}).data)
