"""The front door, the log-in page, and the change of a password."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.views.decorators.http import require_safe

from judging.selectors.home import DEMO_PASSWORD, all_rounds, demo_log_ins, is_demo_user
from judging.selectors.own_rounds import first_page, own_setups
from judging.selectors.rounds import running_round
from judging.selectors.setup import may_create_round, rounds_in_setup


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """To the map of the running round; a page of its own when none is running."""
    if round_ := running_round():
        return redirect("map", round_.slug)
    context = {"rounds": all_rounds(), "in_setup": rounds_in_setup(), "may_create": may_create_round(request.user)}
    context |= {"own": own_setups(request.user)}
    return render(request, "home_empty.html", context)


class LogIn(LoginView):
    """The log-in page; in a demo round it names the accounts that anybody may try."""

    redirect_authenticated_user = True

    def get_default_redirect_url(self) -> str:
        """Where he goes who came from no other page."""
        return first_page(self.request.user)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form and the demo's accounts, if there are any."""
        context = super().get_context_data(**kwargs)
        del context["site"]  # Django's own; the frame of the page needs ours
        extra = {"log_ins": demo_log_ins(running_round()), "demo_password": DEMO_PASSWORD}
        return context | extra


class ChangePassword(PasswordChangeView):
    """A new password for whoever is logged in; his other log-ins end."""

    template_name = "registration/password.html"
    success_url = reverse_lazy("password")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form, and whether others use the account, too."""
        return super().get_context_data(**kwargs) | {"is_demo_user": is_demo_user(self.request.user.get_username())}

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Say so on the page that follows."""
        messages.success(self.request, "Your password is changed. You stay logged in here and nowhere else.")
        return super().form_valid(form)
