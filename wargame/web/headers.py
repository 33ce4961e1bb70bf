"""Caching of pages by browsers and proxies, and the browser features that they may use."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control

UNUSED = ", ".join(
    f"{feature}=()"
    for feature in (
        *("accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer", "microphone"),
        *("midi", "payment", "publickey-credentials-get", "serial", "usb", "browsing-topics"),
    )
)
"""Browser features that the service never uses."""


class PrivatePages:
    """Middleware: no cache may store or reuse a page for a browser with a session, unless the page is public anyway.

    Otherwise a proxy could show it to someone else, or “Back” after logging out on a shared computer.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if settings.SESSION_COOKIE_NAME in request.COOKIES and not {"public", "no-store"} & _directives(response):
            patch_cache_control(response, private=True, no_cache=True)
        return response


class PermissionsPolicy:
    """Middleware: no page, and no injected code, may use the device's sensors or pay with it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Permissions-Policy", UNUSED)
        return response


def _directives(response: HttpResponse) -> set[str]:
    return {directive.strip().lower() for directive in response.get("Cache-Control", "").split(",")}
