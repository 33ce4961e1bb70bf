"""1.6: who calls, for scripts: a name and its password with each request."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpRequest
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import status
from rest_framework.authentication import BasicAuthentication
from rest_framework.exceptions import APIException, AuthenticationFailed
from rest_framework.request import Request

LONGEST_NAME = 150


class LockedOut(APIException):
    """Too many wrong passwords."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS
    default_code = "throttled"
    wait = int(settings.AXES_COOLOFF_TIME.total_seconds())


class Password(BasicAuthentication):
    """HTTP Basic. Wrong passwords count together with those of the log-in page."""

    def authenticate_credentials(self, userid: str, password: str, request: Request | None = None) -> tuple[User, None]:
        """The user of that name. Raises AuthenticationFailed and LockedOut."""
        asked = _without_body(request)
        fits = len(userid) <= LONGEST_NAME and "\0" not in userid
        user = authenticate(asked, username=userid, password=password) if fits else None
        if getattr(asked, "axes_locked_out", False):
            raise LockedOut(f"The log-in of “{userid}” failed too often. Wait ten minutes, then try again.")
        if not isinstance(user, User):
            raise AuthenticationFailed("That name and password don't belong together. Both are case-sensitive.")
        return user, None


class PasswordScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call, unused-ignore]
    """How the description of the API names it."""

    target_class = Password
    name = "password"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "basic", "description": "The name and password of the log-in page."}


def _without_body(request: Request | None) -> HttpRequest:
    """The request for whoever counts failures: a body that can't be read must not keep one from being counted."""
    asked = HttpRequest()
    if request is not None:
        asked.META, asked.path, asked.method = request.META, request.path, "GET"
    return asked
