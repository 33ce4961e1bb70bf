"""5.2, 6.G, A12: drafts, a mercenary's reach and agreements by the API: by the reads and writes of their pages."""

from __future__ import annotations

from collections import Counter

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.errors import Missing
from judging.api.schema import WRITING, describe
from judging.tables import played_by
from judging.tables.agreeing_pages import is_asked
from judging.tables.api.base import OfTables
from judging.tables.api.draft_shapes import (
    AgreementOfferIn,
    AgreementsOut,
    DraftAsks,
    DraftDeckIn,
    DraftJoinIn,
    DraftOut,
    DraftPickIn,
    DraftWishesIn,
    TableReachOut,
)
from judging.tables.api.rooms import KEPT
from judging.tables.api.shapes import TableOut
from judging.tables.drafts import writes
from judging.tables.drafts.building import Built, sit_with
from judging.tables.drafts.reads import draft_at, draft_view
from judging.tables.models import TableAgreements
from judging.tables.writes import agreeing


class OfDrafts(OfTables):
    """5.2: what shares the answer that shows a draft."""

    def drafted(self, slug: str, status: int = 200, invitation: str = "") -> Response:
        """The draft as its asker knows it. Raises Missing where nobody drafts."""
        draft = draft_at(self.found(slug, invitation))
        if draft is None:
            raise Missing(gettext("Nobody drafts at this table."))
        seen = draft_view(draft, self.request.user)
        pool = [{"card": card, "count": many} for card, many in seen.pool]
        names = ("table", "phase", "commitment", "free", "due_at", "round", "boosters_left", "drafters", "pack")
        plain = {name: getattr(seen, name) for name in (*names, "chosen", "wishes", "seed")}
        return Response(DraftOut({**plain, "pool": pool}).data, status=status)


class TableDrafts(OfDrafts):
    """5.2: a draft."""

    @describe(
        "table_drafts_read", "tables", "The draft before a card table as you know it", out=DraftOut, asks=DraftAsks,
        problems=(400, 404), description="With what lies before you, your picks and wishes, if you draft.",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        return self.drafted(table, invitation=self.read(DraftAsks, request.query_params).get("invitation", ""))

    @describe(
        "table_drafts_join", "tables", "Join a draft", out=DraftOut, status=201, takes=DraftJoinIn, problems=WRITING,
        description="When as many have come as play, the boosters are drawn and opened.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        given = self.read(DraftJoinIn, request.data)
        invitation = given.get("invitation", "")
        writes.join_draft(
            table=self.found(table, invitation), user=self.user, name=given["name"], word=given.get("word", ""),
            invitation=invitation, now=timezone.now(),
        )  # fmt: skip
        return self.drafted(table, 201, invitation)


class DraftPicks(OfDrafts):
    """5.2: picks."""

    @describe(
        "table_drafts_pick", "tables", "Pick a card of a draft", out=DraftOut, status=201, takes=DraftPickIn,
        problems=WRITING, description="It is sealed, and stands. The same once more is the pick that was made.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        given = self.read(DraftPickIn, request.data)
        writes.pick_card(
            table=self.found(table), user=self.user, card=given["card"], number=given["number"], now=timezone.now()
        )  # fmt: skip
        return self.drafted(table, 201)


class DraftWishes(OfDrafts):
    """T12.9: wishes."""

    @describe(
        "table_drafts_wish", "tables", "Say which cards of a draft you wish for", out=DraftOut, takes=DraftWishesIn,
        problems=WRITING, description="They are picked for you as soon as they lie before you. Only you read them.",
    )  # fmt: skip
    def put(self, request: Request, table: str) -> Response:
        cards = self.read(DraftWishesIn, request.data)["cards"]
        writes.wish_for(table=self.found(table), user=self.user, cards=cards, now=timezone.now())
        return self.drafted(table)


class DraftDecks(OfDrafts):
    """5.2: a deck of a draft."""

    @describe(
        "table_drafts_build", "tables", "Make a deck of what you drafted, and sit down with it", out=TableOut,
        status=201, takes=DraftDeckIn, problems=WRITING, description="409 with what it breaks: nothing is stored then.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        given = self.read(DraftDeckIn, request.data)
        counts: Counter[str] = Counter()
        for one in given["cards"]:
            counts[one["card"]] += one["count"]
        built = Built(+counts, given.get("word", ""), given.get("cut_hash", ""))
        sit_with(table=self.found(table), user=self.user, built=built, now=timezone.now())
        return self.shown(table, 201)


class TableReach(OfTables):
    """6.G: a mercenary's reach."""

    @describe(
        "table_reach_read", "tables", "What a mercenary reaches", out=TableReachOut,
        description="Where it moves and by which path, whom it reaches, what blocks its view, and why it does not go "
        "or strike elsewhere, each with its rule. By the number that it has on the battlefield.",
    )  # fmt: skip
    def get(self, request: Request, table: str, number: int) -> Response:
        found = self.seen(table).reaches.get(number)
        if found is None:
            raise Missing(gettext("No such mercenary stands on a battlefield here."))
        return Response(TableReachOut(found).data)


class OfAgreements(OfTables):
    """A12: what shares the answer that shows agreements."""

    def agreed(self, slug: str) -> Response:
        """The questions of a table, what was said on them, and the sets with which one may begin."""
        seen = self.seen(slug)
        asks = is_asked(seen)
        sets = played_by.offered_to(seen.table, self.request.user) if asks else ()
        plain = [{"key": one.key, "told": one.told, "agreed": dict(one.set.agreed)} for one in sets]
        kept = TableAgreements.objects.filter(table=seen.table).values_list("title", flat=True).first()
        found = {"is_asked": asks, "questions": played_by.asked(seen), "sets": plain, "offered_as": kept or ""}
        return Response(AgreementsOut(found).data)


class TableAgreed(OfAgreements):
    """A12: agreements."""

    @describe(
        "table_agreements_read", "tables", "What is agreed on at a card table", out=AgreementsOut,
        description="The questions that the document leaves open, what was said on them, and sets to begin with. Who "
        "is asked answers by an entry: `agree 1: hand 6, mana 3; 2: by hand`.",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        return self.agreed(table)


class AgreementOffers(OfAgreements):
    """A12: the offer of a table's agreements."""

    @describe(
        "table_agreements_offer", "tables", "Offer a card table's agreements to others", out=AgreementsOut,
        takes=AgreementOfferIn, problems=WRITING, description="Under a title, for everybody who has to agree.",
    )  # fmt: skip
    def put(self, request: Request, table: str) -> Response:
        return self._offered(table, self.read(AgreementOfferIn, request.data)["title"])

    @describe(
        "table_agreements_take_back", "tables", "Offer a card table's agreements no more", out=AgreementsOut,
        problems=KEPT,
    )  # fmt: skip
    def delete(self, request: Request, table: str) -> Response:
        return self._offered(table, "")

    def _offered(self, slug: str, title: str) -> Response:
        agreeing.offer_agreements(table=self.found(slug), user=self.user, title=title, now=timezone.now())
        return self.agreed(slug)
