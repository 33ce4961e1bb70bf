"""Where a request comes from."""

from django.conf import settings
from django.http import HttpRequest


def address(request: HttpRequest) -> str | None:
    """The visitor's IP address: with HTTPS=on the one that the proxy saw (it writes last)."""
    if settings.HTTPS and (forwarded := request.META.get("HTTP_X_FORWARDED_FOR")):
        return str(forwarded).rsplit(",", 1)[-1].strip()
    return request.META.get("REMOTE_ADDR")
