"""1.6: a user who is barred while they are logged in sees the reason and the end of the bar on the next page."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from judging.accounts.bans import BARRED, barred_sentence
from judging.accounts.models import Bar
from judging.accounts.two_factor.middleware import is_page


class BanNoticeMiddleware:
    """Middleware: a bar ends a session and leaves its key in it; the browser shows it once, if the bar is still in
    force."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SESSION_COOKIE_NAME in request.COOKIES and BARRED in request.session and is_page(request):
            bar = Bar.objects.filter(pk=request.session.pop(BARRED), ended_at__isnull=True).first()
            if bar is not None:
                messages.error(
                    request,
                    gettext("You have been logged out. %(barred_sentence)s")
                    % {"barred_sentence": barred_sentence(bar)},
                )
        return self.get_response(request)
