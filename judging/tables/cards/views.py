"""T7.1, T12.4: the pages of decks and of card lists, checked with every fault at once."""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_safe

from judging.common.errors import Refused
from judging.common.form_views import ActionView, Success, get_or_post
from judging.common.pagination import paged
from judging.tables.cards import decks, lists
from judging.tables.cards.decks import Checked
from judging.tables.cards.lists import FaultyList
from judging.tables.forms import formats, list_called
from judging.tables.game_state import cards_in
from judging.tables.models import CardList, Deck, DeckVersion
from judging.tables.queries import rulings_by_card

A_PAGE = 50


@login_required
@require_safe
def my_decks(request: HttpRequest) -> HttpResponse:
    """T12.4: the user's decks, and those that anybody may play."""
    shared = Deck.objects.filter(owner__isnull=True, retired_at__isnull=True).order_by("game", "name")
    context = {"own": decks.own(request.user), "shared": paged(shared, A_PAGE, request.GET.get("page", ""), tuple)}
    return render(request, "tables/decks.html", context)


class DeckPage(ActionView):
    """T12.4: a deck's form: it checks the deck, or saves its next version."""

    template = "tables/deck.html"

    def __init__(self, request: HttpRequest, deck: Deck | None) -> None:
        super().__init__(request)
        self.deck = deck
        data, last = request.POST, self._last(deck)
        at_first = f"{deck.game} " if deck else ""
        self.name = data.get("name", deck.name if deck else "")
        self.text = data.get("text", last.text if last else "")
        self.list = data.get("list", str(last.card_list_id or "") if last else "")
        self.format = data.get("format") or next(key for key, _ in formats() if key.startswith(at_first))

    def _last(self, deck: Deck | None) -> DeckVersion | None:
        return deck.versions.order_by("-number").first() if deck else None

    @property
    def is_own(self) -> bool:
        """T12.4: whether the viewer may save it; one without an owner they can only copy."""
        return self.deck is None or self.deck.owner_id == self.request.user.pk

    @property
    def only_looks(self) -> bool:
        """T12.4: whether the deck is only checked."""
        return "check" in self.request.POST

    def checked(self) -> Checked | None:
        """T12.4: the faults of the deck in the form."""
        game, _, key = self.format.partition(" ")
        if not self.text.strip():
            return None
        try:
            return decks.look_at(self.text, game, key, list_called(self.list), timezone.now())
        except (Refused, KeyError):
            return None

    def context(self) -> dict[str, object]:
        """T12.4: the typed form, with its faults."""
        return {
            "deck": self.deck, "name": self.name, "text": self.text, "format": self.format, "list": self.list,
            "formats": formats(), "lists": CardList.objects.defer("data").order_by("name", "-version"),
            "checked": self.checked(), "game": self.format.partition(" ")[0], "is_own": self.is_own,
            "versions": self.deck.versions.order_by("-number") if self.deck else (),
        }  # fmt: skip

    def act(self) -> Success:
        """T12.4: save the next version (a copy, if the deck has no owner), or retire the deck."""
        assert isinstance(self.request.user, User)
        if "retire" in self.request.POST and self.deck is not None:
            decks.retire_deck(user=self.request.user, deck=self.deck, now=timezone.now())
            return Success(
                gettext("%(name)s is archived. Save it to restore it.") % {"name": self.deck.name},
                reverse("table-decks"),
            )
        saved = decks.save_deck(
            user=self.request.user, deck=self.deck if self.is_own else None, name=self.name, text=self.text,
            game=self.format.partition(" ")[0], card_list=list_called(self.list), now=timezone.now(),
        )  # fmt: skip
        return Success(
            gettext("Saved as version %(number)s.") % {"number": saved.number},
            reverse("table-deck", args=[saved.deck_id]),
        )


@login_required
@get_or_post
def new_deck(request: HttpRequest) -> HttpResponse:
    """T12.4: a new deck."""
    return DeckPage(request, None).answer()


@login_required
@get_or_post
def deck(request: HttpRequest, deck_id: int) -> HttpResponse:
    """T12.4: a deck of one's own, or one without an owner; others are private."""
    row = Deck.objects.filter(pk=deck_id).first()
    if row is None or row.owner_id not in (None, request.user.pk):
        raise Http404(gettext("This isn't one of your decks."))
    return DeckPage(request, row).answer()


MOST_SHOWN = 200
"""The most faults shown; the rest appear once these are fixed."""
LONGEST_UPLOAD = 1_000_000


@require_safe
def all_lists(request: HttpRequest) -> HttpResponse:
    """T7.1: every list in each version, official ones first."""
    card_lists = CardList.objects.defer("data").order_by("-is_official", "name", "-version")
    return render(request, "tables/lists.html", {"lists": card_lists})


@require_safe
def one_list(request: HttpRequest, list_id: int) -> HttpResponse:
    """T7.1: the cards of a list, as printed."""
    card_list = CardList.objects.defer("data").filter(pk=list_id).first()
    if card_list is None:
        raise Http404(gettext("There is no such card list."))
    return render(
        request,
        "tables/list.html",
        {
            "list": card_list,
            "cards": cards_in(card_list).values(),
            "ruled": rulings_by_card(card_list.game),
        },
    )


class Upload(ActionView):
    """T7.1: a list as text or file: parsed, and stored if it has no faults."""

    template = "tables/list_new.html"

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.text = request.POST.get("text", "")
        upload = request.FILES.get("file")
        if upload is not None and not isinstance(upload, list) and (upload.size or 0) <= LONGEST_UPLOAD:
            self.text = upload.read().decode("utf-8", errors="replace")

    def context(self) -> dict[str, object]:
        """T7.1: the typed list and its faults."""
        faults = self.refused.faults if isinstance(self.refused, FaultyList) else ()
        return {"text": self.text, "faults": faults[:MOST_SHOWN], "more": len(faults) - MOST_SHOWN}

    def act(self) -> Success:
        """T7.1: store the list, as its author's and unofficial."""
        user = self.request.user
        assert isinstance(user, User)
        lists.check_length(self.text)
        card_list = lists.take_list(data=lists.parsed(self.text), by=user, now=timezone.now())
        return Success(
            ngettext(
                "%(name)s was saved with %(cards)s card.", "%(name)s was saved with %(cards)s cards.", card_list.cards
            )
            % {"name": card_list, "cards": card_list.cards},
            reverse("table-list", args=[card_list.pk]),
        )


@login_required
@get_or_post
def upload_list(request: HttpRequest) -> HttpResponse:
    """T7.1: upload a list for one's own tables."""
    return Upload(request).answer()
