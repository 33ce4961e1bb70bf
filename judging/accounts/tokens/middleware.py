"""1.6: A token that was sent in an address no longer works, whatever the address is."""

import logging
from collections.abc import Callable

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext

from judging.accounts.tokens.services import HEAD, revoke_token, token_of_text

API = "/api/v1/"
"""The API handles this itself, with its own error format."""

MOST = 20
"""How many values of an address are checked."""

logger = logging.getLogger(__name__)


class RejectTokenInUrl:
    """Middleware: logs and histories keep addresses, so a valid token in one is revoked, and its sender is notified."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _is_revoked(request) and not request.path.startswith(API):
            raise PermissionDenied(in_address_sentence())
        return self.get_response(request)


def tokens_in(request: HttpRequest) -> list[str]:
    """The values in the query string that look like tokens, under any name, repeated ones included."""
    values = [value for _, each in request.GET.lists() for value in each][:MOST]
    bare = [value.strip().removeprefix("Bearer ") for value in values]
    return [value for value in bare if value.startswith(HEAD)]


def in_address_sentence() -> str:
    """The message for the sender of such a token."""
    return gettext(
        "Never put a token in an address, because logs keep addresses. If this token was valid, it is now "
        "revoked. Make another one and send it as “Authorization: Bearer wg_…”."
    )


def _is_revoked(request: HttpRequest) -> bool:
    """Revoke the valid tokens in the address; returns whether there were any."""
    tokens = [token for text in tokens_in(request) if (token := token_of_text(text, timezone.now()))]
    for token in tokens:
        revoke_token(user=token.user, prefix=token.prefix, now=timezone.now())
        logger.warning("A token was sent in a URL, so it was revoked.")
    return bool(tokens)
