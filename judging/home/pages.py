"""1.5: the front door, the log-in and its password, the list of rounds, a round's places, and a player's own armies."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.views.decorators.http import require_safe

from judging.armies.changes.reads import changes_of
from judging.boards.reads.pages import places_of
from judging.game.pages import turn_for, viewer_for
from judging.game.rounds import running_round
from judging.home.reads import DEMO_PASSWORD, all_rounds, demo_log_ins, first_page, is_demo_user, mine_of, own_setups
from judging.people.forms import LogInForm
from judging.setup.reads import may_create_round, rounds_in_setup
from judging.turns.done.reads import done_view
from judging.turns.posts.reads import posting_state
from judging.votes.reads import waiting_votes


@require_safe
@login_required
def mine(request: HttpRequest, slug: str) -> HttpResponse:
    """The viewer's own armies and what is missing."""
    viewer, now = viewer_for(request, slug), timezone.now()
    turn = turn_for(viewer.round)
    found = mine_of(turn, viewer, now)
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "turn": turn,
        "state": posting_state(turn, viewer, now),
        "done": done_view(turn, viewer, now) if viewer.player else None,
        "mine": found,
        "votes": waiting_votes(viewer, now),
        "changes": changes_of(viewer, turn, [each.army for each in found.armies]),
    }
    return render(request, "mine/mine.html", context)


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
    form_class = LogInForm

    def get_default_redirect_url(self) -> str:
        """Where he goes who came from no other page."""
        return first_page(self.request.user)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form and the demo's accounts, if there are any."""
        context = super().get_context_data(**kwargs)
        del context["site"]  # Django's own; the frame of the page needs ours
        extra = {"log_ins": demo_log_ins(running_round()), "demo_password": DEMO_PASSWORD}
        return context | extra | {"barred": getattr(context["form"], "barred", "")}


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


@require_safe
def places(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.2, 2.5.1.3: the bases, portals and towns of a round with their descriptions, once they are public."""
    viewer = viewer_for(request, slug)
    found = places_of(viewer.round)
    if not found:
        raise Http404("The bases of this round are not public yet.")
    return render(request, "setup/places.html", {"round": viewer.round, "sites": found})
