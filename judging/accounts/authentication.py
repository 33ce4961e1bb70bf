"""1.6: Authentication of scripts: a token with each request or, where the host allows it, a name and password.

REST framework imports this by its names in the settings.
"""

from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.authentication import SessionScheme
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import status
from rest_framework.authentication import BaseAuthentication, BasicAuthentication, SessionAuthentication
from rest_framework.exceptions import APIException, AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from judging.accounts.bans import barred_sentence, open_bar
from judging.accounts.forms import barred_if_his
from judging.accounts.tokens.middleware import in_address_sentence, tokens_in
from judging.accounts.tokens.models import AccessToken
from judging.accounts.tokens.services import token_of_text, use_token
from judging.common.accounts import has_second

LONGEST_NAME = 150


class LockedOut(APIException):
    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "throttled"
    wait = int(settings.AXES_COOLOFF_TIME.total_seconds())


class Token(BaseAuthentication):
    """1.6: `Authorization: Bearer wg_…`. The error message explains what to do if a password is sent but not
    accepted."""

    def authenticate(self, request: Request) -> tuple[User, AccessToken] | None:
        """The token and its owner. Raises AuthenticationFailed if the token is invalid or no longer works."""
        kind, _, text = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if kind.lower() == "basic" and not settings.API_PASSWORDS:
            raise AuthenticationFailed(
                gettext(
                    "The API doesn't accept passwords on this site. Make a token on your account page and send "
                    "it as “Authorization: Bearer wg_…”."
                )
            )
        if kind.lower() != "bearer":
            return None
        token = use_token(text.strip(), timezone.now())
        if token is None and (of_barred := token_of_text(text.strip(), timezone.now())):
            bar = open_bar(of_barred.user)
            raise AuthenticationFailed(barred_sentence(bar) if bar else gettext("This account is closed."))
        if token is None:
            raise AuthenticationFailed(
                gettext("This token is invalid, expired or revoked. Your account page lists your tokens.")
            )
        return token.user, token


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call, unused-ignore]
    target_class = Token
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "wg_…",
            "description": (
                "A token from your account page: `read` only reads, `post` acts as a player, `judge` as a judge, "
                "`operate` as an administrator."
            ),
        }


class Browser(SessionAuthentication):
    """Session authentication for browsers, whose pages send a CSRF token with each change."""

    def authenticate(self, request: Request) -> tuple[User, None] | None:
        """Raise AuthenticationFailed for a token in an address; this class comes first, so it holds for every
        request. A valid token is already revoked (1.6)."""
        if tokens_in(request._request):
            raise AuthenticationFailed(in_address_sentence())
        return super().authenticate(request)

    def enforce_csrf(self, request: Request) -> None:
        try:
            super().enforce_csrf(request)
        except PermissionDenied:
            message = gettext("The CSRF token is missing. Scripts must send an access token instead.")
            raise PermissionDenied(message) from None


class BrowserScheme(SessionScheme):  # type: ignore[no-untyped-call, unused-ignore]
    target_class = Browser  # type: ignore[assignment]


class Password(BasicAuthentication):
    """HTTP Basic, if API_PASSWORDS is on. Wrong passwords count together with those of the log-in page."""

    @property
    def is_taken(self) -> bool:
        """Whether the host allows it."""
        return bool(settings.API_PASSWORDS)

    def authenticate_credentials(self, userid: str, password: str, request: Request | None = None) -> tuple[User, None]:
        """The user with this name. Raises AuthenticationFailed and LockedOut."""
        http_request = _without_body(request)
        fits = len(userid) <= LONGEST_NAME and "\0" not in userid
        user = authenticate(http_request, username=userid, password=password) if fits else None
        if getattr(http_request, "axes_locked_out", False):
            raise LockedOut(
                gettext("Too many failed log-ins as “%(userid)s”. Wait ten minutes, then try again.")
                % {"userid": userid}
            )
        if fits and user is None and (barred := barred_if_his(userid, password)):
            raise AuthenticationFailed(barred)
        if not isinstance(user, User):
            raise AuthenticationFailed(gettext("That name and password don't match. Both are case-sensitive."))
        if has_second(user.pk):
            raise AuthenticationFailed(
                gettext("This account has a second factor, so passwords don't work here. Make a token instead.")
            )
        return user, None


class PasswordScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call, unused-ignore]
    target_class = Password
    name = "password"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "basic", "description": "Your name and password, as on the log-in page."}


def _without_body(request: Request | None) -> HttpRequest:
    """The request for counting failures: a body that can't be read must not prevent the count."""
    http_request = HttpRequest()
    if request is not None:
        http_request.META, http_request.path, http_request.method = request.META, request.path, "GET"
    return http_request
