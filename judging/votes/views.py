"""1.4, R46: votes: the list, the form of a call, and a vote with its ballot."""

from datetime import datetime
from functools import partial

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_form
from judging.common.forms import new_token
from judging.common.shortcuts import keep, take_kept, viewer_for
from judging.common.viewer import Viewer
from judging.votes.forms import CallForm, read_choice, withdraw
from judging.votes.queries import VoteView, closed_votes, may_call, open_votes, players_for_call, view_of, vote_for
from judging.votes.services import cast_ballot
from wargame.rules.command.votes import VoteKind
from wargame.rules.core.board import COLORS

ON_A_PAGE = 20
"""The number of closed votes on a page."""

REFUSED = 400
"""The status of a page of votes with a refusal."""


@require_safe
def votes(request: HttpRequest, slug: str) -> HttpResponse:
    """R46: the votes that the viewer may see: the open ones, and the results of the others."""
    viewer, now = viewer_for(request, slug), timezone.now()
    page = Paginator(closed_votes(viewer, now), ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "open": open_votes(viewer, now),
        "closed": [view_of(row, viewer, now) for row in page],
        "page": page,
        "may_call": may_call(viewer),
    }
    return render(request, "votes/votes.html", context)


@get_or_post
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """1.4: the form with which a player or a judge calls a vote."""
    viewer, now, kept_as = viewer_for(request, slug), timezone.now(), f"vote:{slug}"
    if not request.user.is_authenticated:
        return _ask_to_log_in(request, kept_as)
    if request.method == "POST":
        form = CallForm(request.POST)
    else:
        query = take_kept(request, kept_as)
        form = CallForm(QueryDict(query)) if query else CallForm.empty(now)
    page = partial(_form, request, viewer, form)
    return handle_form(request, page, lambda: form.do(viewer, now), status=REFUSED)


@get_or_post
def vote(request: HttpRequest, slug: str, vote_id: int) -> HttpResponse:
    """R46: one vote. A POST casts the viewer's ballot, or withdraws the vote that they called."""
    viewer, now = viewer_for(request, slug), timezone.now()
    if request.method == "POST" and not request.user.is_authenticated:
        messages.warning(request, gettext("You were logged out, and nothing was sent. Log in and vote again."))
        return redirect_to_login(request.path)
    vote_view = _vote_or_404(viewer, vote_id, now)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        view = _vote_or_404(viewer, vote_id, now) if refused else vote_view
        context = {"round": viewer.round, "viewer": viewer, "view": view, "refused": refused}
        return render(request, "votes/vote.html", context)

    return handle_form(request, page, lambda: _act(request, viewer, vote_view, now), status=REFUSED)


def _act(request: HttpRequest, viewer: Viewer, view: VoteView, now: datetime) -> str:
    """The action of the pressed button; returns the message."""
    if request.POST.get("act") == "withdraw":
        return withdraw(viewer, view.row, now)
    choice = read_choice(request.POST.get("choice", ""))
    cast_ballot(vote=view.row, player=viewer.player, choice=choice, now=now)
    if choice is None:
        return gettext("You abstained. You can change this until the vote closes.")
    pattern = gettext("You voted for “%(option)s”. You can change this until the vote closes.")
    return pattern % {"option": view.row.options[choice]}


def _ask_to_log_in(request: HttpRequest, kept_as: str) -> HttpResponse:
    """Logged out in the meantime: the input is kept for the user who typed it."""
    log_in = redirect_to_login(request.path)
    if request.method == "POST":
        data = request.POST.copy()
        data.pop("csrfmiddlewaretoken", None)
        if not keep(request, kept_as, data.urlencode()):
            text = f"{data.get('question', '')}\n\n{data.get('text', '')}\n\n{data.get('options', '')}"
            context = {"text": text, "log_in": log_in.url}
            return render(request, "posts/too_long_to_keep.html", context, status=403)
        messages.warning(
            request, gettext("You were logged out, and nothing was sent. Your text is saved. Log in to continue.")
        )
    return log_in


def _vote_or_404(viewer: Viewer, vote_id: int, now: datetime) -> VoteView:
    view = vote_for(viewer, vote_id, now)
    if view is None:
        raise Http404(gettext("There is no such vote in this round, or you can't see it."))
    return view


def _form(request: HttpRequest, viewer: Viewer, form: CallForm, refused: Refused | None = None) -> HttpResponse:
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "form": form,
        "typed": form.cleaned_data,
        "kinds": list(VoteKind),
        "players": players_for_call(viewer),
        "colors": COLORS,
        "may_call": may_call(viewer),
        "token": new_token(),
        "refused": refused,
    }
    return render(request, "votes/new.html", context)
