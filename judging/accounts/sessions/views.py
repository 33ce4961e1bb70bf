"""1.6: The buttons that end one's own sessions; the list of them is a part of the account page."""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from judging.accounts.sessions.queries import in_words
from judging.accounts.sessions.services import end_session, end_sessions
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_button, number_of


@get_or_post
@login_required
def sessions(request: HttpRequest) -> HttpResponse:
    """1.6: End one of the user's own sessions, or all except this one."""
    if request.method != "POST":
        return redirect("account")
    user = User.objects.get(username=request.user.get_username())

    def act() -> str:
        action, _, key = request.POST.get("act", "").partition(" ")
        if action == "others":
            ended = end_sessions(user=user, now=timezone.now(), but=request.session.session_key or "")
            message = ngettext(
                "You are now only logged in here. Other sessions ended: %(number)s.",
                "You are now only logged in here. Other sessions ended: %(number)s.",
                ended,
            )
            return message % {"number": ended}
        if action == "end":
            ended_one = end_session(user=user, session_id=number_of(key))
            return gettext("%(browser)s is logged out.") % {"browser": in_words(ended_one.browser)}
        raise Refused(gettext("There is no such button. Reload the page."))

    return handle_button(request, act, reverse("account"))
