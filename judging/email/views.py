"""1.6: an administrator's handling of letters that could not be sent."""

from functools import partial
from typing import cast

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from judging.common.form_views import handle_button
from judging.common.judges import User
from judging.email.services import send_again


@require_POST
def again(request: HttpRequest) -> HttpResponse:
    """1.6: retry all letters that were given up; redirects to the desk with a message."""
    return handle_button(request, partial(send_again, cast(User, request.user), timezone.now()), reverse("judge:index"))
