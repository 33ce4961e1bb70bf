"""5.2, 6.G, A12: drafts, a mercenary's reach and agreements by the API: by the reads and writes of their pages."""

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
from judging.tables import settings_summary
from judging.tables.agreement_views import is_asked
from judging.tables.api.base import OfTables
from judging.tables.api.rooms import KEPT
from judging.tables.api.shapes import TableOut
from judging.tables.drafts import services
from judging.tables.drafts.queries import draft_at, draft_view
from judging.tables.drafts.services import MOST_WISHES, Built, sit_with
from judging.tables.models import TableAgreements
from judging.tables.services import agreements

LONGEST_CARD = 120


class DraftPickOut(Body):
    """5.2: a sealed pick."""

    number = serializers.IntegerField()
    hash = serializers.CharField(help_text="SHA-256 of its salt, number and card.")
    by_default = serializers.BooleanField(help_text="Whether it was drawn by commitment because time ran out.")
    card = serializers.CharField(allow_blank=True, help_text="Empty until the table is finished.")
    salt = serializers.CharField(allow_blank=True, help_text="Empty until the table is finished.")


class DrafterOut(Body):
    """5.2: who drafts."""

    letter = serializers.CharField()
    name = serializers.CharField()
    word = serializers.CharField(help_text="Their word, mixed into the draws.")
    waited = serializers.BooleanField(help_text="Whether a pick of theirs is due.")
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
    commitment = serializers.CharField(help_text="SHA-256 of the boosters' seed.")
    free = serializers.IntegerField(help_text="Number of free places.")
    due_at = serializers.DateTimeField(allow_null=True, help_text="Deadline for picks.")
    round = serializers.IntegerField(help_text="Number of the current pick; 0 before the first.")
    boosters_left = serializers.IntegerField(help_text="Unopened boosters per player.")
    drafters = DrafterOut(many=True)
    pack = serializers.ListField(child=serializers.CharField(), help_text="The cards you can pick from; pick one.")
    chosen = serializers.CharField(
        allow_blank=True, help_text="Your pick from `pack`, while others are still choosing."
    )
    pool = DraftCardOut(many=True, help_text="The cards you have so far.")
    wishes = serializers.ListField(
        child=serializers.CharField(), help_text="Cards picked for you as soon as they are in your pack."
    )
    seed = serializers.CharField(allow_blank=True, help_text="Seed of the boosters, once the table is finished.")


class DraftAsks(Body):
    """T12.8: what the draft of a table by invitation is shown for."""

    invitation = serializers.CharField(
        required=False, max_length=60, help_text="The invitation from the table's opener."
    )


class DraftJoinIn(Body):
    """5.2: somebody drafts."""

    name = serializers.CharField(max_length=100, help_text="Your name at this table.")
    word = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=300,
        help_text="Mixed into the draws. If left out, a word is drawn.",
    )
    invitation = serializers.CharField(required=False, allow_blank=True, max_length=60)


class DraftPickIn(Body):
    """5.2: a pick."""

    card = serializers.CharField(max_length=LONGEST_CARD, help_text="One of `pack`.")
    number = serializers.IntegerField(
        min_value=1, max_value=LARGEST_NUMBER, help_text="Number of this pick: one more than the picks you have made."
    )


class DraftWishesIn(Body):
    """T12.9: wishes."""

    cards = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_CARD),
        max_length=MOST_WISHES + 1,
        help_text="The first of these in your pack is picked. Send an empty list for none.",
    )


class DraftDeckIn(Body):
    """5.2: a deck made of a pool."""

    cards = DraftCardOut(many=True)
    word = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=300,
        help_text="Your cut, if cuts are simple. If left out, one is drawn.",
    )
    cut_hash = serializers.CharField(
        required=False, allow_blank=True, max_length=64, help_text="Hash of your cut's value, if cuts are sealed."
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
    steps = serializers.IntegerField(help_text="Steps left this turn.")
    ways = serializers.DictField(child=serializers.CharField(), help_text="Path to each tile, by tile.")
    refused = serializers.DictField(child=WhyOut(), help_text="Why it can't move to a tile, by tile.")
    targets = ReachedOut(many=True)
    barred = BarredOut(many=True)
    covers = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Tiles that each attack reaches, by attack.",
    )
    still = WhyOut(allow_null=True, help_text="Why it can't move at all; null if it can.")
    idle = WhyOut(allow_null=True, help_text="Why it can't attack; null if it can.")
    plunder = WhyOut(allow_null=True, help_text="Why it can't plunder; null if it can.")
    now = serializers.DictField(
        child=WhyOut(allow_null=True), help_text="Why it can't `move` or `attack` in this phase; null if it can."
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
    needed = serializers.BooleanField(source="line.needed", help_text="Whether play can't start while it is open.")
    suggested = serializers.CharField(source="line.suggested", help_text="Our suggested wording, not the document's.")
    options = AgreementOptionOut(source="line.values", many=True)
    held = serializers.CharField(help_text="The agreed answer, or `leave open`.")
    mine = serializers.CharField(allow_blank=True, help_text="Your answer.")
    theirs = serializers.CharField(allow_blank=True, help_text="Another player's answer.")
    by = serializers.CharField(allow_blank=True, help_text="Who has.")


class AgreementSetOut(Body):
    """A12: a set with which one may begin."""

    key = serializers.CharField()
    told = serializers.CharField()
    agreed = serializers.DictField(child=serializers.CharField(), help_text="Answers by the question's number.")


class AgreementsOut(Body):
    """A12: what is to be agreed on at a table, and what was. Lines `agree 1: …; 2: …` answer, as entries do."""

    is_asked = serializers.BooleanField(help_text="Whether your answer is needed.")
    questions = QuestionOut(many=True)
    sets = AgreementSetOut(many=True)
    offered_as = serializers.CharField(
        allow_blank=True, help_text="Title under which this table's agreements are offered."
    )


class AgreementOfferIn(Body):
    """A12: under which title a table's agreements are offered."""

    title = serializers.CharField(max_length=200)


class OfDrafts(OfTables):
    """5.2: what shares the answer that shows a draft."""

    def drafted(self, slug: str, status: int = 200, invitation: str = "") -> Response:
        """The draft as its asker knows it. Raises Missing where nobody drafts."""
        draft = draft_at(self.found(slug, invitation))
        if draft is None:
            raise Missing(gettext("There is no draft at this table."))
        view = draft_view(draft, self.request.user)
        pool = [{"card": card, "count": many} for card, many in view.pool]
        names = ("table", "phase", "commitment", "free", "due_at", "round", "boosters_left", "drafters", "pack")
        plain = {name: getattr(view, name) for name in (*names, "chosen", "wishes", "seed")}
        return Response(DraftOut({**plain, "pool": pool}).data, status=status)


class TableDrafts(OfDrafts):
    """5.2: a draft."""

    @describe(
        "table_drafts_read", "tables", "Get the draft of a card table as you see it", out=DraftOut, asks=DraftAsks,
        problems=(400, 404), description="If you are drafting, includes your pack, picks and wishes.",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        return self.drafted(table, invitation=self.read(DraftAsks, request.query_params).get("invitation", ""))

    @describe(
        "table_drafts_join", "tables", "Join a draft", out=DraftOut, status=201, takes=DraftJoinIn, problems=WRITING,
        description="Once enough players have joined, the boosters are drawn and opened.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data = self.read(DraftJoinIn, request.data)
        invitation = data.get("invitation", "")
        services.join_draft(
            table=self.found(table, invitation), user=self.user, name=data["name"], word=data.get("word", ""),
            invitation=invitation, now=timezone.now(),
        )  # fmt: skip
        return self.drafted(table, 201, invitation)


class DraftPicks(OfDrafts):
    """5.2: picks."""

    @describe(
        "table_drafts_pick", "tables", "Pick a card in a draft", out=DraftOut, status=201, takes=DraftPickIn,
        problems=WRITING, description=
            "The pick is sealed and final. Repeating the request returns the pick you made."
        ,
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data = self.read(DraftPickIn, request.data)
        services.pick_card(
            table=self.found(table), user=self.user, card=data["card"], number=data["number"], now=timezone.now()
        )  # fmt: skip
        return self.drafted(table, 201)


class DraftWishes(OfDrafts):
    """T12.9: wishes."""

    @describe(
        "table_drafts_wish", "tables", "Set the cards you wish for in a draft", out=DraftOut, takes=DraftWishesIn,
        problems=WRITING, description=
            "They are picked for you as soon as they are in your pack. Only you can see them."
        ,
    )  # fmt: skip
    def put(self, request: Request, table: str) -> Response:
        cards = self.read(DraftWishesIn, request.data)["cards"]
        services.wish_for(table=self.found(table), user=self.user, cards=cards, now=timezone.now())
        return self.drafted(table)


class DraftDecks(OfDrafts):
    """5.2: a deck of a draft."""

    @describe(
        "table_drafts_build", "tables", "Build a deck from your draft and take your seat", out=TableOut,
        status=201, takes=DraftDeckIn, problems=WRITING, description=
            "Returns 409 with the rules it breaks; nothing is saved then."
        ,
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data = self.read(DraftDeckIn, request.data)
        counts: Counter[str] = Counter()
        for one in data["cards"]:
            counts[one["card"]] += one["count"]
        built = Built(+counts, data.get("word", ""), data.get("cut_hash", ""))
        sit_with(table=self.found(table), user=self.user, built=built, now=timezone.now())
        return self.shown(table, 201)


class TableReach(OfTables):
    """6.G: a mercenary's reach."""

    @describe(
        "table_reach_read", "tables", "Get what a mercenary can reach", out=TableReachOut,
        description=
            "Where it can move and by which path, who it can reach, what blocks its view, and why it can't move "
            "or attack elsewhere, each with the rule. Use its number on the battlefield."
        ,
    )  # fmt: skip
    def get(self, request: Request, table: str, number: int) -> Response:
        reach = self.seen(table).reaches.get(number)
        if reach is None:
            raise Missing(gettext("There is no such mercenary on a battlefield at this table."))
        return Response(TableReachOut(reach).data)


class OfAgreements(OfTables):
    """A12: what shares the answer that shows agreements."""

    def agreed(self, slug: str) -> Response:
        """The questions of a table, what was said on them, and the sets with which one may begin."""
        view = self.seen(slug)
        asks = is_asked(view)
        sets = settings_summary.offered_to(view.table, self.request.user) if asks else ()
        plain = [{"key": one.key, "told": one.told, "agreed": dict(one.set.agreed)} for one in sets]
        title = TableAgreements.objects.filter(table=view.table).values_list("title", flat=True).first()
        data = {"is_asked": asks, "questions": settings_summary.asked(view), "sets": plain, "offered_as": title or ""}
        return Response(AgreementsOut(data).data)


class TableAgreed(OfAgreements):
    """A12: agreements."""

    @describe(
        "table_agreements_read", "tables", "Get the agreements of a card table", out=AgreementsOut,
        description=
            "The questions that the document leaves open, the answers so far, and sets to start from. If your "
            "answer is needed, post it as an entry: `agree 1: hand 6, mana 3; 2: by hand`."
        ,
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        return self.agreed(table)


class AgreementOffers(OfAgreements):
    """A12: the offer of a table's agreements."""

    @describe(
        "table_agreements_offer", "tables", "Offer a card table's agreements for other tables", out=AgreementsOut,
        takes=AgreementOfferIn, problems=WRITING, description="Under a title, for everyone who has to agree.",
    )  # fmt: skip
    def put(self, request: Request, table: str) -> Response:
        return self._offered(table, self.read(AgreementOfferIn, request.data)["title"])

    @describe(
        "table_agreements_take_back", "tables", "Stop offering a card table's agreements", out=AgreementsOut,
        problems=KEPT,
    )  # fmt: skip
    def delete(self, request: Request, table: str) -> Response:
        return self._offered(table, "")

    def _offered(self, slug: str, title: str) -> Response:
        agreements.offer_agreements(table=self.found(slug), user=self.user, title=title, now=timezone.now())
        return self.agreed(slug)
