"""3.1: one's own address for orders by mail, for programs."""

from __future__ import annotations

from django.conf import settings
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Forbidden, NotNow
from judging.api.schema import describe
from judging.api.shapes import Body
from judging.mailbox.writes import mail_address_of


class MailboxOut(Body):
    """3.1: your address. Whoever knows it posts for you."""

    address = serializers.CharField()
    made_at = serializers.DateTimeField()


class Mailbox(ApiView):
    """3.1: one's own address."""

    is_shown_once = True

    @describe(
        *("mailbox_renew", "posts", "Have an address for orders by mail, or another one"),
        out=MailboxOut,
        problems=(403, 404, 409, 503),
        description="For players; the one before takes nothing any more.",
    )
    def put(self, request: Request, slug: str) -> Response:
        player = self.viewer(slug).player
        if player is None:
            raise Forbidden("Orders by mail are for the players of this round.", "1.6")
        name, _, host = settings.MAIL_ORDERS.partition("@")
        if not host:
            raise NotNow("This site takes no orders by mail.", "3.1")
        found = mail_address_of(player=player, now=timezone.now(), another=True)
        return Response(MailboxOut({"address": f"{name}+{found.token}@{host}", "made_at": found.made_at}).data)
