"""T7.1: the pages of lists of cards: all of them, one with its cards, and the upload with every fault at once."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from judging.game.acting import Done, FormPage, asks_or_acts
from judging.tables.cards import lists
from judging.tables.cards.lists import FaultyList
from judging.tables.models import CardList
from judging.tables.reads import rulings_by_card
from judging.tables.world import cards_in

MOST_SHOWN = 200
"""So many faults are shown; who mends them finds the others."""
LONGEST_UPLOAD = 1_000_000


@require_safe
def all_lists(request: HttpRequest) -> HttpResponse:
    """T7.1: every list in each version, official ones first."""
    found = CardList.objects.defer("data").order_by("-is_official", "name", "-version")
    return render(request, "tables/lists.html", {"lists": found})


@require_safe
def one(request: HttpRequest, list_id: int) -> HttpResponse:
    """T7.1: the cards of a list, as they are printed."""
    found = CardList.objects.defer("data").filter(pk=list_id).first()
    if found is None:
        raise Http404(gettext("There is no such card list."))
    return render(
        request,
        "tables/list.html",
        {
            "list": found,
            "cards": cards_in(found).values(),
            "ruled": rulings_by_card(found.game),
        },
    )


class Upload(FormPage):
    """T7.1: a list as text or file: read, and stored if nothing is wrong with it."""

    template = "tables/list_new.html"

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.text = request.POST.get("text", "")
        sent = request.FILES.get("file")
        if sent is not None and not isinstance(sent, list) and (sent.size or 0) <= LONGEST_UPLOAD:
            self.text = sent.read().decode("utf-8", errors="replace")

    def context(self) -> dict[str, object]:
        """T7.1: what was typed, and what is wrong with it."""
        faults = self.refused.faults if isinstance(self.refused, FaultyList) else ()
        return {"text": self.text, "faults": faults[:MOST_SHOWN], "more": len(faults) - MOST_SHOWN}

    def act(self) -> Done:
        """T7.1: the list is stored, as its writer's and unofficial."""
        user = self.request.user
        assert isinstance(user, User)
        lists.check_length(self.text)
        made = lists.take_list(data=lists.parsed(self.text), by=user, now=timezone.now())
        return Done(
            ngettext("%(name)s was saved with %(cards)s card.", "%(name)s was saved with %(cards)s cards.", made.cards)
            % {"name": made, "cards": made.cards},
            reverse("table-list", args=[made.pk]),
        )


@login_required
@asks_or_acts
def new(request: HttpRequest) -> HttpResponse:
    """T7.1: somebody uploads a list for his own tables."""
    return Upload(request).answer()
