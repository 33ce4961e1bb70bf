"""1.6: what an administrator does about letters that could not be sent."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from judging.game.errors import Refused
from judging.game.judges import User
from judging.letters.writes import send_again


@require_POST
def again(request: HttpRequest) -> HttpResponse:
    """1.6: all letters that were given up are tried anew; leads back to the desk with a word on it."""
    try:
        number = send_again(user=cast(User, request.user), letter_id=None, now=timezone.now())
    except Refused as error:
        messages.error(request, error.sentence)
    else:
        messages.success(request, gettext("Letters that are tried again: %(number)s.") % {"number": number})
    return redirect("judge:index")
