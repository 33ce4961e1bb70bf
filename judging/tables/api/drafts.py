"""5.2, 6.G, A12: drafts, a mercenary's reach and agreements by the API: by the reads and writes of their pages."""

from __future__ import annotations

from collections import Counter

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER
from judging.api.errors import Missing
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body
from judging.tables import played_by
from judging.tables.agreeing_pages import is_asked
from judging.tables.api.base import OfTables
from judging.tables.api.rooms import KEPT
from judging.tables.api.shapes import TableOut
from judging.tables.drafts import writes
from judging.tables.drafts.building import Built, sit_with
from judging.tables.drafts.reads import draft_at, draft_view
from judging.tables.drafts.writes import MOST_WISHES
from judging.tables.models import TableAgreements
from judging.tables.writes import agreeing

LONGEST_CARD = 120


class DraftPickOut(Body):
    """5.2: a sealed pick."""

    number = serializers.IntegerField()
    hash = serializers.CharField(help_text="The SHA-256 of its salt, its number and its card.")
    by_default = serializers.BooleanField(help_text="Drawn by commitment, as the time was over.")
    card = serializers.CharField(allow_blank=True, help_text="Once the table is over.")
    salt = serializers.CharField(allow_blank=True, help_text="Once the table is over.")


class DrafterOut(Body):
    """5.2: who drafts."""

    letter = serializers.CharField()
    name = serializers.CharField()
    word = serializers.CharField(help_text="What is mixed into the draws.")
    waited = serializers.BooleanField(help_text="Whether a pick of theirs is waited for.")
    is_mine = serializers.BooleanField()
    picks = DraftPickOut(many=True)


class DraftCardOut(Body):
    """5.2: a card of a pool, and how many of it there are."""

    card = serializers.CharField()
    count = serializers.IntegerField(min_value=0, max_value=LARGEST_NUMBER)


class DraftOut(Body):
    """5.2: a draft as you know it."""

    table = serializers.CharField(source="table.slug")
    phase = serializers.ChoiceField(choices=["joining", "picking", "building", "over"])
    commitment = serializers.CharField(help_text="The SHA-256 of the boosters' seed.")
    free = serializers.IntegerField(help_text="Places that nobody has taken.")
    due_at = serializers.DateTimeField(allow_null=True, help_text="Until when picks are waited for.")
    round = serializers.IntegerField(help_text="The number of the pick that is made now; 0 before the first.")
    boosters_left = serializers.IntegerField(help_text="Unopened ones of each.")
    drafters = DrafterOut(many=True)
    pack = serializers.ListField(child=serializers.CharField(), help_text="What lies before you; you pick one of it.")
    chosen = serializers.CharField(allow_blank=True, help_text="What you have picked of it; others still choose.")
    pool = DraftCardOut(many=True, help_text="What is yours by now.")
    wishes = serializers.ListField(child=serializers.CharField(), help_text="What is picked as soon as it lies there.")
    seed = serializers.CharField(allow_blank=True, help_text="Of the boosters, once the table is over.")


class DraftAsks(Body):
    """T12.8: what the draft of a table by invitation is shown for."""

    invitation = serializers.CharField(required=False, max_length=60, help_text="What its opener gave you.")


class DraftJoinIn(Body):
    """5.2: somebody drafts."""

    name = serializers.CharField(max_length=100, help_text="What you are called at this table.")
    word = serializers.CharField(
        required=False, allow_blank=True, max_length=300, help_text="Mixed into the draws; else one is drawn."
    )
    invitation = serializers.CharField(required=False, allow_blank=True, max_length=60)


class DraftPickIn(Body):
    """5.2: a pick."""

    card = serializers.CharField(max_length=LONGEST_CARD, help_text="One of `pack`.")
    number = serializers.IntegerField(
        min_value=1, max_value=LARGEST_NUMBER, help_text="Which of your picks it is: one more than you have made."
    )


class DraftWishesIn(Body):
    """T12.9: wishes."""

    cards = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_CARD),
        max_length=MOST_WISHES + 1,
        help_text="The first that lies there is picked. None: an empty list.",
    )


class DraftDeckIn(Body):
    """5.2: a deck made of a pool."""

    cards = DraftCardOut(many=True)
    word = serializers.CharField(
        required=False, allow_blank=True, max_length=300, help_text="Your cut where cuts are simple; else one is drawn."
    )
    cut_hash = serializers.CharField(
        required=False, allow_blank=True, max_length=64, help_text="Where they are sealed: the hash of its value."
    )


class WhyOut(Body):
    """6.G: why something can't be done, and by which rule."""

    told = serializers.CharField()
    cites = serializers.CharField()


class ReachedOut(Body):
    """7.1: an enemy in reach."""

    number = serializers.IntegerField()
    at = serializers.CharField()
    stat = serializers.ChoiceField(choices=["melee", "ranged"])


class BarredOut(WhyOut):
    """13.1: an enemy out of reach, and the tile that blocks the view, if one does."""

    number = serializers.IntegerField()
    at = serializers.CharField()
    blocks = serializers.CharField(allow_blank=True)


class TableReachOut(Body):
    """6.G: what a mercenary reaches from where it stands, as everybody may know it."""

    number = serializers.IntegerField()
    at = serializers.CharField()
    steps = serializers.IntegerField(help_text="Those left in this turn.")
    ways = serializers.DictField(child=serializers.CharField(), help_text="By tile, the path that leads there.")
    refused = serializers.DictField(child=WhyOut(), help_text="By tile, why it can't move there.")
    targets = ReachedOut(many=True)
    barred = BarredOut(many=True)
    covers = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text="The tiles its attacks reach, by attack."
    )
    still = WhyOut(allow_null=True, help_text="Why it can't move at all; null if it can.")
    idle = WhyOut(allow_null=True, help_text="Why it attacks nobody; null if it may.")
    plunder = WhyOut(allow_null=True, help_text="Why it can't plunder; null if it can.")
    now = serializers.DictField(
        child=WhyOut(allow_null=True), help_text="Why it does neither in this phase: `move`, `attack`; null if it may."
    )


class AgreementOptionOut(Body):
    """A12: an answer that is offered; `line` takes its word."""

    word = serializers.CharField()
    told = serializers.CharField()


class QuestionOut(Body):
    """A12: what the document leaves open."""

    number = serializers.IntegerField()
    title = serializers.CharField(source="line.title")
    asks = serializers.CharField(source="line.asks")
    needed = serializers.BooleanField(source="line.needed", help_text="Nothing starts while it is open.")
    suggested = serializers.CharField(source="line.suggested", help_text="A house wording, not the document's.")
    options = AgreementOptionOut(source="line.values", many=True)
    held = serializers.CharField(help_text="What holds, or `leave open`.")
    mine = serializers.CharField(allow_blank=True, help_text="What you have said.")
    theirs = serializers.CharField(allow_blank=True, help_text="What another has said.")
    by = serializers.CharField(allow_blank=True, help_text="Who has.")


class AgreementSetOut(Body):
    """A12: a set with which one may begin."""

    key = serializers.CharField()
    told = serializers.CharField()
    agreed = serializers.DictField(child=serializers.CharField(), help_text="By number, what it says.")


class AgreementsOut(Body):
    """A12: what is to be agreed on at a table, and what was. Lines `agree 1: …; 2: …` answer, as entries do."""

    is_asked = serializers.BooleanField(help_text="Whether you are asked.")
    questions = QuestionOut(many=True)
    sets = AgreementSetOut(many=True)
    offered_as = serializers.CharField(allow_blank=True, help_text="The title under which this table's are offered.")


class AgreementOfferIn(Body):
    """A12: under which title a table's agreements are offered."""

    title = serializers.CharField(max_length=200)


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
