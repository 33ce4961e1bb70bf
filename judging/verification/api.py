"""R38: a round recomputed."""

from typing import ClassVar

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from judging.accounts.throttling import Crowded, is_too_often
from judging.api.base import LARGEST_NUMBER, ApiView, ListView
from judging.api.errors import Missing
from judging.api.schema import describe
from judging.api.shapes import Body, Shape
from judging.chain.queries import find_head, head_of
from judging.verification.checks import BattleCheck, Check, Pending, RollCheck, StratCheck, TurnCheck
from judging.verification.proofs import proof_of
from judging.verification.verdicts import TurnRow, all_rows, chain_verdict, verdict_of

RETRY_SECONDS = 3
LONGEST_HEAD = 200
MOST_HEADS, MOST_FRESH = 20, 10
WITHIN = 60
"""How many heads, and fresh verdicts, an address may ask for within so many seconds."""


class FreshQuery(Body):
    """R38: whether a verdict that is kept will do."""

    fresh = serializers.BooleanField(default=False, help_text="True: recompute it now, even if that was done recently.")


WORDS = [("same", "all the same"), ("differs", "something differs"), ("unknown", "not recomputed lately")]


class CheckOut(Shape):
    """R38: one thing, as it was published and as it comes now; mostly by SHA-256."""

    made_of = Check
    shows = ("what", "published", "recomputed", "is_same")
    tells = {"recomputed": "Empty if it can't be recomputed."}


class RollCheckOut(Shape):
    """R38: a roll, by the name and number under which it is drawn."""

    made_of = RollCheck
    shows = ("name", "number", "sides", "published", "recomputed", "is_same")


class CountedReceiptOut(Shape):
    """R35: the receipt of a strat that counted."""

    made_of = StratCheck
    shows = ("army", "sha256")


class PendingOut(Shape):
    """R38: what is secret still."""

    made_of = Pending
    shows = ("what", "why")


class BattleCheckOut(Shape):
    """R38: a battle, recomputed."""

    made_of = BattleCheck
    shows = ("id", "number", "at", "headline", "commitment", "seed", "strats", "rolls", "checks", "differences")
    tells = {"seed": "Empty until the result is published."}


class VerdictOut(Shape):
    """R38: a turn in the list of those that can be recomputed."""

    made_of: ClassVar[type] = TurnRow
    shows: ClassVar[tuple[str, ...]] = (
        *("turn", "verdict", "differences", "recomputed_at", "is_settled", "position_hash", "next_hash"),
        "commitment",
    )
    tells: ClassVar[dict[str, str]] = {
        "position_hash": "SHA-256 of the position at the start of the turn.",
        "next_hash": "SHA-256 of the position after the turn; empty until then.",
    }
    turn = serializers.IntegerField(source="number")
    verdict = serializers.ChoiceField(choices=WORDS, source="word")
    commitment = serializers.CharField(help_text="SHA-256 of its seed.")


class VerdictDetailOut(VerdictOut):
    """R38: a turn with all that was held against what was published."""

    made_of = TurnCheck
    shows = (*VerdictOut.shows, "seed", "checks", "battles", "pending", "rules", "rules_here")
    tells = {
        **VerdictOut.tells,
        "seed": "Empty until the turn is settled.",
        "pending": "What outsiders can't recompute yet.",
        "rules": (
            "Version of the rules that settled the turn; empty until then, and for older turns for which it was "
            "not saved."
        ),
        "rules_here": (
            "Version of the rules that recomputed the turn. If the two versions differ, that alone can cause "
            "differences."
        ),
    }
    turn = serializers.IntegerField()
    verdict = serializers.ChoiceField(choices=WORDS)
    recomputed_at = serializers.DateTimeField(allow_null=True)


class ProofRollOut(Body):
    """R38: a roll as it was published."""

    name = serializers.CharField()
    sides = serializers.IntegerField()
    value = serializers.IntegerField()
    number = serializers.IntegerField()


class ProofStratOut(Body):
    """R35: a strat that counted. All but its receipt is null until the round is over."""

    army = serializers.CharField()
    sha256 = serializers.CharField()
    salt = serializers.CharField(allow_null=True)
    text = serializers.CharField(allow_null=True)
    risk = serializers.CharField(allow_null=True, allow_blank=True)
    runs = serializers.BooleanField(allow_null=True)
    leaves = serializers.CharField(allow_null=True, allow_blank=True)
    leaves_to = serializers.CharField(allow_null=True, allow_blank=True)
    word_sha256 = serializers.CharField(required=False, help_text="R38: hash of its sealed word, if it has one.")


class ProofWordOut(Body):
    """R38: a word that was sealed with a strat; empty where it was not handed over in time."""

    army = serializers.CharField()
    sha256 = serializers.CharField()
    word = serializers.CharField(allow_blank=True)


class ProofBeaconOut(Body):
    """R38: the value of drand's beacon; all but the chain is empty where it did not come."""

    chain = serializers.CharField(help_text="Hash of the beacon's chain.")
    number = serializers.CharField(allow_blank=True, help_text="Round number of the beacon.")
    signature = serializers.CharField(allow_blank=True)
    randomness = serializers.CharField(allow_blank=True, help_text="SHA-256 of the signature.")


class ProofBookOut(Body):
    """R38: the version of the formula book that decides the battle."""

    version = serializers.IntegerField()
    from_turn = serializers.IntegerField()
    commitment = serializers.CharField()
    salt = serializers.CharField(allow_null=True, help_text="Null until the round is over.")
    formulas = serializers.DictField(child=serializers.CharField(), allow_null=True, help_text="As is this.")


class ProofOut(Body):
    """R38: all that a stranger needs to recompute a battle; null is what is secret still."""

    format = serializers.CharField(
        help_text="`wargame-proof-1`, or `wargame-proof-2` if words or a beacon were mixed in."
    )
    round = serializers.CharField(help_text="The round's name in the message of each draw.")
    turn = serializers.IntegerField()
    battle = serializers.IntegerField(help_text="Number within the turn.")
    at = serializers.CharField()
    terrain = serializers.CharField()
    weather = serializers.DictField(help_text="4.1.2.5.")
    defends = serializers.IntegerField(allow_null=True, help_text="The defending side, 0 or 1.")
    sides = serializers.ListField(
        child=serializers.ListField(child=serializers.DictField()), help_text="The armies at the start of the battle."
    )
    position_hash = serializers.CharField()
    commitment = serializers.CharField(help_text="SHA-256 of the seed.")
    seed = serializers.CharField(allow_null=True)
    strats = ProofStratOut(many=True, help_text="Those that counted.")
    mixed = serializers.ListField(
        child=serializers.CharField(),
        help_text="The receipts that go into every draw: those of the strats, unless it was rejudged (R58).",
    )
    words = ProofWordOut(many=True, required=False, help_text="Each revealed word also goes into every draw (R38).")
    beacon = ProofBeaconOut(required=False)
    rolls = ProofRollOut(many=True)
    outcome = serializers.DictField(allow_null=True, help_text="Bonuses, rolls, losses, kills and captures.")
    book = ProofBookOut(allow_null=True)
    secret = PendingOut(many=True)


class HeadQuery(Body):
    """R38: what of a chain is asked for."""

    head = serializers.CharField(required=False, help_text="A latest hash you saved from a page or an email.")


class ChainOut(Body):
    """R38: all rows of a round, held against its chain."""

    verdict = serializers.ChoiceField(choices=WORDS)
    differences = serializers.ListField(
        child=serializers.CharField(), help_text="Differences, each with the number of its link."
    )
    links = serializers.IntegerField(help_text="Number of links before the open turn.")
    unchecked = serializers.IntegerField(help_text="Rows of an archive that can't be checked here; otherwise 0.")
    recomputed_at = serializers.DateTimeField()
    head = serializers.CharField(
        help_text="The latest hash to save: a minute and a SHA-256. Empty before the round starts."
    )
    is_head = serializers.BooleanField(allow_null=True, help_text="Whether the `head` you sent belongs to the chain.")
    link = serializers.IntegerField(
        allow_null=True, help_text="The link it belongs to; null if it belongs to the open turn."
    )


class Verdicts(ListView):
    """R38: the turns, with what recomputing them gave."""

    @describe(
        "verdicts_list",
        "verify",
        "List the turns with the results of recomputing them",
        out=VerdictOut(many=True),
        description="Newest first. This list recomputes nothing: request each turn to recompute it. Results are "
        "kept for "
        "an hour.",
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.page(all_rows(self.round(slug), timezone.now()), VerdictOut)


class OneVerdict(ApiView):
    """R38: one turn, recomputed."""

    @describe(
        "verdicts_read",
        "verify",
        "One turn, recomputed",
        out=VerdictDetailOut,
        asks=FreshQuery,
        description="Everything published about the turn, compared with what its posts, strats and seeds give when "
        "recomputed. You can have one recomputed at a time; the answer 429 says when to try again.",
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        turn = self.turn(self.round(slug), number)
        query = self.read(FreshQuery, request.query_params)
        fresh = query["fresh"] and not is_too_often(request, "recompute", MOST_FRESH, WITHIN)
        try:
            verdict = verdict_of(request, turn, timezone.now(), fresh=fresh)
        except Crowded:
            raise Throttled(wait=RETRY_SECONDS) from None
        fields = {name: getattr(verdict.check, name) for name in (*TurnCheck.__slots__, "differences")}
        fields |= {"verdict": verdict.word, "recomputed_at": verdict.at, "commitment": turn.commitment}
        return Response(VerdictDetailOut(fields).data)


class Proof(ApiView):
    """R38: what a stranger needs to recompute a battle."""

    @describe(
        "battles_proof",
        "verify",
        "Get everything you need to recompute a battle",
        out=ProofOut,
        description="Returns the armies and the commitment; once the result is published, also the seed, the receipts "
        "and every roll; once the round is finished, also the strats, their salts and the formula book. "
        "`/dice/` explains how a roll is drawn.",
    )
    def get(self, request: Request, slug: str, battle_id: int) -> Response:
        proof = proof_of(self.round(slug), battle_id) if battle_id <= LARGEST_NUMBER else None
        if proof is None:
            raise Missing(gettext("There is no such battle in this round."))
        return Response(ProofOut(proof).data)


class OneChain(ApiView):
    """R38: all rows of a round, held against its chain."""

    @describe(
        "chain_read",
        "verify",
        "Check all rows against the round's chain",
        out=ChainOut,
        description="Every post, strat, score, roll, result, ruling, ballot and log entry is a link of one chain. This "
        "finds anything that was changed, deleted or added bypassing the service. With `head`, a latest hash "
        "you saved, returns the link it belongs to. A 429 response says when to try again.",
        asks=HeadQuery,
    )
    def get(self, request: Request, slug: str) -> Response:
        round_, query = self.round(slug), request.query_params.get("head", "")[:LONGEST_HEAD]
        if query and is_too_often(request._request, "head", MOST_HEADS, WITHIN):
            raise Throttled(wait=WITHIN)
        try:
            verdict = chain_verdict(request, round_, timezone.now())
        except Crowded:
            raise Throttled(wait=RETRY_SECONDS) from None
        head = head_of(round_, timezone.now())
        entry = find_head(round_, query) if query else None
        return Response(
            ChainOut(
                {
                    "verdict": verdict.word,
                    "differences": verdict.differences,
                    "links": verdict.links,
                    "unchecked": verdict.unchecked,
                    "recomputed_at": verdict.at,
                    "head": str(head) if head else "",
                    "is_head": None if entry is None else entry.number is not None,
                    "link": entry.number if entry and not entry.is_open else None,
                }
            ).data
        )
