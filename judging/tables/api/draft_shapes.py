"""5.2, 6.G, A12: what is sent to the API of drafts, of a mercenary's reach and of agreements, and what it answers."""

from __future__ import annotations

from rest_framework import serializers

from judging.api.base import LARGEST_NUMBER
from judging.api.shapes import Body
from judging.tables.drafts.writes import MOST_WISHES

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
