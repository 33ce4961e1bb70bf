"""3.1: the page that shows a player his address for orders by mail."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from judging.game.acting import answer, asks_or_acts
from judging.game.errors import Refused
from judging.game.pages import viewer_for
from judging.mailbox.models import MailAddress, ReceivedMail
from judging.mailbox.writes import mail_address_of

SHOWN = 20


@never_cache
@asks_or_acts
@login_required
def mailbox(request: HttpRequest, slug: str) -> HttpResponse:
    """3.1: one's own address, and what became of one's mails; a POST makes an address, or another one."""
    viewer, now = viewer_for(request, slug), timezone.now()
    player = viewer.player
    if player is None:
        raise PermissionDenied("Orders by mail are for the players of this round.")

    def page(*, refused: Refused | None = None) -> HttpResponse:
        found = MailAddress.objects.filter(player=player).first()
        name, _, host = settings.MAIL_ORDERS.partition("@")
        context = {
            "round": viewer.round,
            "viewer": viewer,
            "address": f"{name}+{found.token}@{host}" if found and host else "",
            "takes_mail": bool(host),
            "mails": ReceivedMail.objects.filter(player=player)[:SHOWN],
            "refused": refused,
        }
        return render(request, "mailbox/mailbox.html", context)

    def act() -> str:
        if not settings.MAIL_ORDERS:
            raise Refused("This site takes no orders by mail.", "3.1")
        mail_address_of(player=player, now=now, another=True)
        return "This is your address from now on; the one before takes nothing any more."

    return answer(request, page, act)
