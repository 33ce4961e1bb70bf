"""1.5, 1.6: the page of all rounds, of a round's end, and of a person over the rounds."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.command.people.invitations import open_invitations
from judging.game.pages import viewer_for
from judging.game.paging import paged
from judging.home.reads import own_setups
from judging.rounds import played_by
from judging.rounds.ending import end_of
from judging.rounds.people import people_called, players_in, users_called
from judging.rounds.reads import A_PAGE, round_list
from judging.setup.reads import may_create_round


@require_safe
def rounds(request: HttpRequest) -> HttpResponse:
    """1.5: the rounds that are played, those that seek players, and those of the past; one's own first."""
    context = {
        "list": round_list(request.user, request.GET.get("page")),
        "may_create": may_create_round(request.user),
        "invitations": open_invitations(request.user),
        "own": own_setups(request.user),
    }
    return render(request, "rounds/rounds.html", context)


@require_safe
def end(request: HttpRequest, slug: str) -> HttpResponse:
    """1.5: the end of a round, once it is over."""
    viewer = viewer_for(request, slug)
    found = end_of(viewer.round)
    if found is None:
        raise Http404(gettext("%(name)s isn't finished yet.") % {"name": viewer.round.name})
    return render(request, "rounds/end.html", {"round": viewer.round, "viewer": viewer, "end": found})


@require_safe
def plays_by(request: HttpRequest, slug: str) -> HttpResponse:
    """1.5, 11: what a round plays by: its options, the rulings by number, and where its judges ruled otherwise."""
    viewer = viewer_for(request, slug)
    context = {
        "round": viewer.round, "viewer": viewer, "headings": played_by.options_of(viewer.round),
        "rulings": played_by.rulings(),
    }  # fmt: skip
    return render(request, "rounds/plays_by.html", context)


@require_safe
def records(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: the players of a round in one table: armies, battles won and lost, refused orders, punctuality."""
    viewer = viewer_for(request, slug)
    context = {"round": viewer.round, "viewer": viewer, "players": players_in(viewer.round)}
    return render(request, "rounds/records.html", context)


@require_safe
def person(request: HttpRequest, name: str) -> HttpResponse:
    """1.6: who played or judged under a name, over all rounds; who hides his record is not found."""
    users = users_called(name) if "\0" not in name else []
    if not users:
        raise Http404(gettext("There is no public record for “%(name)s”.") % {"name": name[:60]})
    people = paged(users, A_PAGE, request.GET.get("page", ""), lambda each: people_called(name, each))
    return render(request, "rounds/person.html", {"name": people.rows[0].name, "people": people})
