"""1.6: what an administrator does about letters that could not be sent."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from judging.game.acting import press
from judging.game.judges import User
from judging.letters.writes import send_again


@require_POST
def again(request: HttpRequest) -> HttpResponse:
    """1.6: all letters that were given up are tried anew; leads back to the desk with a word on it."""

    def act() -> str:
        number = send_again(user=cast(User, request.user), letter_id=None, now=timezone.now())
        return gettext("Emails being sent again: %(number)s.") % {"number": number}

    return press(request, act, reverse("judge:index"))
