"""The front door, and the log-in page."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from judging.selectors.home import DEMO_PASSWORD, all_rounds, demo_log_ins
from judging.selectors.rounds import running_round


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """To the map of the running round; a page of its own when none is running."""
    if round_ := running_round():
        return redirect("map", round_.slug)
    return render(request, "home_empty.html", {"rounds": all_rounds()})


class LogIn(LoginView):
    """The log-in page; in a demo round it names the accounts that anybody may try."""

    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form and the demo's accounts, if there are any."""
        context = super().get_context_data(**kwargs)
        del context["site"]  # Django's own; the frame of the page needs ours
        extra = {"log_ins": demo_log_ins(running_round()), "demo_password": DEMO_PASSWORD}
        return context | extra
