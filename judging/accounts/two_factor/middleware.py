"""1.6: Nobody is logged in between password and code. If the host requires a code, the desk waits for its set-up."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext

from judging.accounts.two_factor.services import DUE
from judging.common.accounts import has_second, lacks_second_factor
from judging.common.judges import has_role

PASSED = "second_passed"

DESKS = ("/judge/", "/administration/")
OPEN = ("/judge/login/", "/judge/logout/", "/judge/jsi18n/")


class RequireTwoFactor:
    """Middleware: a user who still owes a code is anonymous to every page and to the API, and is redirected to where
    it is asked."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.session.get(DUE):
            request.user = AnonymousUser()
            if is_page(request) and request.path not in (reverse("second"), reverse("logout")):
                back = request.GET.get("next", "") if request.path == reverse("login") else request.get_full_path()
                return redirect(f"{reverse('second')}?{urlencode({'next': back})}")
        elif _must_set_up(request):
            messages.warning(
                request, gettext("Judges and administrators need a second factor on this site. Set yours up.")
            )
            return redirect("second-set-up")
        return self.get_response(request)


def watch() -> None:
    """Ask for codes from now on; called once at startup."""
    user_logged_in.connect(_logged_in, dispatch_uid="judging.accounts.two_factor")


def _logged_in(sender: object, user: User, request: HttpRequest | None = None, **more: object) -> None:
    if request is not None and hasattr(request, "session"):
        request.session.pop(PASSED, None)
        request.session.pop(DUE, None)
        if has_second(user.pk):
            request.session[DUE] = True


def is_page(request: HttpRequest) -> bool:
    """Whether a browser asks to show a page; a submitted form has its own way to the log-in."""
    wants = request.headers.get("Accept", "*/*")
    is_part = request.path.startswith("/api/") or "HX-Request" in request.headers
    return request.method in ("GET", "HEAD") and not is_part and ("text/html" in wants or "*/*" in wants)


def _must_set_up(request: HttpRequest) -> bool:
    if settings.SECOND_FACTOR != "required" or not request.path.startswith(DESKS) or request.path in OPEN:
        return False
    return has_role(request.user) and lacks_second_factor(request.user)
