"""3.1: the address for Discord's commands, and the page on which a user links their account there."""

import json
from datetime import UTC, datetime, timedelta
from typing import cast

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_form
from judging.discord.models import DiscordLink
from judging.discord.services import CommandAnswer, SentCommand, carried_out, code_of, unlink_discord
from wargame.rules.core.codec import Json

LARGEST = 50_000
"""Bytes of a command."""

OLDEST = timedelta(minutes=5)
"""A command that was signed longer ago may be a replay."""

PING, COMMAND = 1, 2
PONG, ANSWER = 1, 4
"""Discord's numbers."""


@csrf_exempt
@never_cache
@require_POST
def interactions(request: HttpRequest) -> HttpResponse:
    """3.1: a command, signed by Discord."""
    if not settings.DISCORD_PUBLIC_KEY:
        raise Http404(gettext("This site doesn't accept commands from Discord."))
    size = request.META.get("CONTENT_LENGTH") or "0"
    if not size.isdecimal() or int(size) > LARGEST:
        return HttpResponse(gettext("Too long."), status=413, content_type="text/plain")
    now = timezone.now()
    if not _is_signed(request, now):
        return HttpResponse(gettext("Not signed by Discord."), status=401, content_type="text/plain")
    try:
        payload = json.loads(request.body)
        kind = payload["type"]
        command = (str(payload["data"]["name"]), _sent_command(payload, now)) if kind == COMMAND else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return HttpResponse(gettext("This is not a command."), status=400, content_type="text/plain")
    if kind == PING:
        return JsonResponse({"type": PONG})
    if command is None:
        return HttpResponse(gettext("This is not a command."), status=400, content_type="text/plain")
    try:
        reply = carried_out(*command)
    except Refused as refused:
        reply = CommandAnswer(f"{refused.sentence}{f' ({refused.cites})' if refused.cites else ''}")
    return JsonResponse({"type": ANSWER, "data": reply.as_json()})


def _sent_command(payload: Json, now: datetime) -> SentCommand:
    by = payload["member"]["user"] if "member" in payload else payload["user"]
    options = {str(each["name"]): each.get("value") for each in payload["data"].get("options", ())}
    return SentCommand(str(payload["id"])[:24], str(by["id"])[:24], options, now)


def _is_signed(request: HttpRequest, now: datetime) -> bool:
    """Ed25519, of the time and the body."""
    seconds = request.headers.get("X-Signature-Timestamp", "")
    if not (seconds.isascii() and seconds.isdecimal() and len(seconds) < 12):
        return False
    if abs(now - datetime.fromtimestamp(int(seconds), UTC)) > OLDEST:
        return False
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(settings.DISCORD_PUBLIC_KEY))
        signature = bytes.fromhex(request.headers.get("X-Signature-Ed25519", ""))
        key.verify(signature, seconds.encode() + request.body)
    except (InvalidSignature, ValueError):
        return False
    return True


@never_cache
@get_or_post
@login_required
def discord(request: HttpRequest) -> HttpResponse:
    """3.1: whether a Discord account is linked to the user, and a code to link one; a POST unlinks it."""
    user = cast(User, request.user)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {
            "takes": bool(settings.DISCORD_PUBLIC_KEY),
            "link": DiscordLink.objects.filter(user=user).first(),
            "code": code_of(user),
            "refused": refused,
        }
        return render(request, "discord/discord.html", context)

    def act() -> str:
        unlink_discord(user=user)
        return gettext("No Discord account can act for you any more.")

    return handle_form(request, page, act)
