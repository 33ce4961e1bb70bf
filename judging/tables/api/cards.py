"""T7, T12.8: decks and lists of cards: read, checked with everything that is wrong with them, and stored."""

from typing import Any

from django.db.models import Prefetch, Q
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER, ListView
from judging.api.errors import Missing
from judging.api.schema import WRITING, describe
from judging.common.errors import Refused
from judging.tables.api.base import RULE, OfTables, list_of
from judging.tables.api.rooms import KEPT
from judging.tables.api.shapes import (
    CardListCheckedOut,
    CardListDataOut,
    CardListIn,
    CardListOut,
    DeckCheckedOut,
    DeckCheckIn,
    DeckIn,
    DeckListedOut,
    DeckOut,
)
from judging.tables.cards import decks, lists
from judging.tables.models import CardList, Deck, DeckVersion
from tables.core.lists.formats import FORMATS

LARGEST_LIST = 2_000_000
"""Bytes of a request with a list of cards: as many as a form of the site may have."""


class Decks(OfTables, ListView):
    """T12.8: one's decks."""

    looks = False

    @describe(
        "table_decks_list", "tables", "List your decks and those anyone can play", out=DeckListedOut(many=True),
        problems=(403,),
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        rows = _decks(self.user.pk).order_by("retired_at", "game", "name", "pk")
        return self.page([_deck_out(row, self.user.pk) for row in rows], DeckListedOut)

    @describe(
        "table_decks_create", "tables", "Create a deck", out=DeckOut, status=201, takes=DeckIn, problems=WRITING,
        description="Decks that break rules are saved. Decks that can't be read are refused with all their errors.",
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        data = self.read(DeckIn, request.data)
        return Response(DeckOut(_saved(self.user.pk, _save(self, data, None))).data, status=201)


class OneDeck(OfTables):
    """T12.8: a deck of one's own, or one of nobody's."""

    looks = False

    def deck(self, number: int) -> Deck:
        """The deck, as its owner knows it, or anybody if it is nobody's. Raises Missing."""
        row: Deck | None = _decks(self.user.pk).filter(pk=number).first() if number <= LARGEST_NUMBER else None
        if row is None:
            raise Missing(gettext("This isn't one of your decks."))
        return row

    @describe("table_decks_read", "tables", "Get a deck with its cards", out=DeckOut, problems=(403, 404))
    def get(self, request: Request, deck_id: int) -> Response:
        return Response(DeckOut(_deck_out(self.deck(deck_id), self.user.pk)).data)

    @describe(
        "table_decks_change", "tables", "Save a new version of a deck", out=DeckOut, takes=DeckIn, problems=WRITING,
        description="Tables already using the deck keep the version they started with.",
    )  # fmt: skip
    def put(self, request: Request, deck_id: int) -> Response:
        deck = self.deck(deck_id)
        return Response(DeckOut(_saved(self.user.pk, _save(self, self.read(DeckIn, request.data), deck))).data)

    @describe(
        "table_decks_retire", "tables", "Retire a deck", out=DeckOut, problems=KEPT,
        description=
            "It is no longer offered at tables. Tables already using it keep it. Saving a new version makes it "
            "available again."
        ,
    )  # fmt: skip
    def delete(self, request: Request, deck_id: int) -> Response:
        decks.retire_deck(user=self.user, deck=self.deck(deck_id), now=timezone.now())
        return Response(DeckOut(_deck_out(self.deck(deck_id), self.user.pk)).data)


class DeckChecks(OfTables):
    """T12.8: a deck held against a format."""

    looks, stores = False, False
    writes_by = "read"

    @describe(
        "table_decks_check", "tables", "Check a deck against a format", out=DeckCheckedOut, takes=DeckCheckIn,
        problems=WRITING, description="Returns every error, or every rule it breaks. Saves nothing.",
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        data = self.read(DeckCheckIn, request.data)
        if (data["game"], data["format"]) not in FORMATS:
            raise ValidationError({"format": [gettext("The game has no such format.")]})
        cards = list_of(data.get("list"))
        if cards is not None and cards.game != data["game"]:
            raise ValidationError({"list": [gettext("%(cards)s is a list for another game.") % {"cards": cards}]})
        report = decks.look_at(data["text"], data["game"], data["format"], cards, timezone.now())
        result = {"is_legal": report.is_legal, "faults": report.faults, "breaches": report.breaches}
        return Response(DeckCheckedOut(result).data)


class Lists(OfTables, ListView):
    """T7: lists of cards."""

    largest_body = LARGEST_LIST

    @describe(
        "card_lists_list", "tables",
            "List all versions of card lists, official ones first"
        , out=CardListOut(many=True)
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        rows = CardList.objects.defer("data").order_by("-is_official", "name", "-version")
        return self.page(rows, CardListOut)

    @describe(
        "card_lists_create", "tables", "Create a card list", out=CardListOut, status=201, takes=CardListIn,
        problems=WRITING, description=
            "Saved as your own, unofficial list. Returns 400 with every error and how to fix it."
        ,
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        text = self.read(CardListIn, request.data)["text"]
        lists.check_length(text)
        try:
            card_list = lists.take_list(data=lists.parsed(text), by=self.user, now=timezone.now())
        except lists.FaultyList as faulty:
            raise ValidationError({"text": [*faulty.faults]}) from faulty
        return Response(CardListOut(card_list).data, status=201)


class OneList(OfTables):
    """T7: a list of cards."""

    @describe("card_lists_read", "tables", "Get a card list as it was written", out=CardListDataOut)
    def get(self, request: Request, list_id: int) -> Response:
        card_list = list_of(list_id) if list_id <= LARGEST_NUMBER else None
        if card_list is None:
            raise Missing(gettext("There is no such card list."))
        return Response(CardListDataOut(card_list).data)


class ListChecks(OfTables):
    """T7: a list that is only looked at."""

    looks, stores = False, False
    writes_by = "read"
    largest_body = LARGEST_LIST

    @describe(
        "card_lists_check", "tables", "Check a card list", out=CardListCheckedOut, takes=CardListIn,
        problems=WRITING, description="Returns every error and how to fix it. Saves nothing.",
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        text = self.read(CardListIn, request.data)["text"]
        return Response(CardListCheckedOut(_checked_list(text)).data)


def _checked_list(text: str) -> dict[str, object]:
    try:
        lists.check_length(text)
        read = lists.looked_at(lists.parsed(text))
    except lists.FaultyList as faulty:
        return {"is_valid": False, "faults": faulty.faults, "cards": 0, "hash": ""}
    except Refused as refused:
        return {"is_valid": False, "faults": [refused.sentence], "cards": 0, "hash": ""}
    return {"is_valid": True, "faults": [], "cards": len(read.cards), "hash": read.hash}


def _decks(user_id: int) -> Any:
    versions = Prefetch("versions", DeckVersion.objects.order_by("-number"), to_attr="saved")
    condition = Q(owner_id=user_id) | Q(owner__isnull=True, retired_at__isnull=True)
    return Deck.objects.filter(condition).prefetch_related(versions)


def _deck_out(deck: Deck, user_id: int) -> dict[str, object]:
    last: DeckVersion = deck.saved[0]  # type: ignore[attr-defined]
    return {
        "id": deck.pk, "name": deck.name, "game": deck.game, "is_mine": deck.owner_id == user_id,
        "is_retired": deck.retired_at is not None, "version": last.number, "list": last.card_list_id,
        "saved_at": last.saved_at, "text": last.text,
    }  # fmt: skip


def _saved(user_id: int, version: DeckVersion) -> dict[str, object]:
    return _deck_out(_decks(user_id).get(pk=version.deck_id), user_id)


def _save(view: OfTables, data: dict[str, Any], deck: Deck | None) -> DeckVersion:
    if deck is not None and deck.owner_id is None:
        raise Refused(gettext("This deck has no owner. Anyone can play it and save a copy."), RULE)
    return decks.save_deck(
        user=view.user, deck=deck, name=data["name"], text=data["text"], game=data["game"],
        card_list=list_of(data.get("list")), now=timezone.now(),
    )  # fmt: skip
