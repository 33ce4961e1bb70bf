"""4.1, 4.2: battles, results and strats."""

from collections.abc import Iterator
from typing import ClassVar

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Forbidden, Missing
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body, Shape, SquareField
from judging.battles.models import BattleArmy
from judging.battles.queries import battle_view, battles_of_turn, published_battles
from judging.battles.serializers import ResultOut
from judging.battles.shapes import BattleView, FighterSlot, FighterView, Receipt, StratView
from judging.battles.strats.dice_words import hand_over_word
from judging.battles.strats.services import MAX_STRAT, send_strat
from judging.common.viewer import Viewer
from judging.turns.posts.api import check_length
from wargame.models import Turn
from wargame.models.choices import SIDES
from wargame.rules.core.wording import listed

RISKS = [("", "neither"), ("kill", "go for the kill (4.3)"), ("capture", "go for the capture (4.5)")]


class SlotOut(Shape):
    """2.1: a slot of an army as the turn opened."""

    made_of = FighterSlot
    shows = ("slot", "size", "alive", "of", "creatures")


class WordIn(Body):
    """R38: a word that was sealed with a strat."""

    army = serializers.CharField(max_length=40)
    word = serializers.CharField(max_length=400, help_text="16 to 200 characters, exactly as sealed.")


class ReceiptOut(Shape):
    """4.1.1, R35: that a strat was sent. Its text is not here."""

    made_of: ClassVar[type] = Receipt
    shows: ClassVar[tuple[str, ...]] = (
        *("army", "sent_at", "sha256", "late", "accepted_because", "declined_because", "counted", "word_sha256"),
    )
    tells = {
        "sha256": "Hash of its text and requests with a salt; `/dice/` explains how.",
        "late": "Whether it came after the deadline. It only counts if a judge accepts it.",
        "accepted_because": "Why a judge accepted a late strat (R35).",
        "declined_because": "Why a judge rejected a late strat (R35).",
        "word_sha256": "Hash of a sealed word for the dice (R38); empty if there is none.",
    }
    army = serializers.CharField()
    counted = serializers.BooleanField(
        allow_null=True, help_text="Whether this strat counts; null until that is public."
    )


class FighterOut(Shape):
    """4.1: an army in a battle."""

    made_of = FighterView
    shows = ("name", "side", "title", "controllers", "alive", "of", "slots", "has_strat", "deadline")
    tells = {"deadline": "Deadline for its strat, which may be later than the battle's (R5)."}
    side = serializers.ChoiceField(choices=SIDES)


class ShownStratOut(Shape):
    """R35, R54: a strat that everybody reads, with the salt by which its receipt is checked."""

    made_of = StratView
    shows = ("army", "sent_at", "sha256", "salt", "by", "text", "wishes", "counted", "released_because")
    tells = {"released_because": "Why a judge published it earlier than the round's rules say; empty if they didn't."}
    army = serializers.CharField()
    counted = serializers.BooleanField(allow_null=True, help_text="Whether this strat counted.")


class BattleOut(Shape):
    """4.1.1, R25: a battle."""

    made_of = BattleView
    shows = (
        *("id", "turn", "number", "at", "terrain", "place", "weather", "headline", "how", "defends"),
        *("announced_at", "deadline", "commitment", "sides", "receipts", "extensions", "result", "is_cancelled"),
        *("dice_mix", "strats"),
    )
    tells = {
        "weather": "4.1.2.5.",
        "how": "How the battle starts (4.1.2.3).",
        "commitment": "SHA-256 of the seed for its dice (R38).",
        "extensions": "Who has more time, and why (R5).",
        "dice_mix": "What is mixed into its dice (R38): seed (nothing else), words or beacon.",
        "is_cancelled": "Cancelled by a correction of the previous turn; it is not fought.",
    }
    receipts = ReceiptOut(many=True)
    result = ResultOut(allow_null=True)
    strats = ShownStratOut(many=True, help_text="Strats that are public so far (R54).")

    def to_representation(self, instance: BattleView) -> dict[str, object]:
        more = {"receipts": receipts_of(instance), "strats": public_strats_of(instance)}
        return super().to_representation({**vars(instance), **more})


class StratIn(Body):
    """4.1.1, R35: a strat."""

    army = serializers.CharField(max_length=40)
    text = serializers.CharField(trim_whitespace=False, help_text="Markdown, up to 50,000 characters.")
    risk = serializers.ChoiceField(choices=RISKS, default="", allow_blank=True)
    runs = serializers.BooleanField(default=False, help_text="Run away (4.2.6).")
    leaves = serializers.CharField(
        default="", allow_blank=True, max_length=40, help_text="Which of two armies leaves the square (4.4)."
    )
    leaves_to = SquareField(default="", allow_blank=True, help_text="Where it goes.")
    word_sha256 = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=80,
        help_text="SHA-256 of a word of 16 to 200 characters. Reveal the word once the score is locked (R38).",
    )
    token = serializers.CharField(
        max_length=40, help_text="Idempotency key of your choice: sending it twice creates one strat."
    )


class OwnStratOut(ReceiptOut):
    """R35: a strat of your own."""

    made_of = StratView
    shows = (*ReceiptOut.shows, "battle", "text", "wishes", "as_contingency")
    tells = {**ReceiptOut.tells, "wishes": "Kill, capture, run, or who leaves."}
    battle = serializers.IntegerField()


def receipts_of(battle: BattleView) -> list[dict[str, object]]:
    """4.1.1: the receipts of a battle's strats for `ReceiptOut`, in the order in which they were sent."""
    receipts = [{"army": fighter.name, **vars(receipt)} for fighter in battle.fighters for receipt in fighter.receipts]
    return sorted(receipts, key=lambda receipt: (receipt["sent_at"], receipt["army"]))


def public_strats_of(battle: BattleView) -> list[dict[str, object]]:
    """R54: the strats of a battle that everybody reads, for `ShownStratOut`, whoever asks."""
    return [
        {**vars(strat), "army": fighter.name, "counted": receipt.counted}
        for fighter in battle.fighters
        for strat, receipt in fighter.marked
        if strat.is_public
    ]


def own_strats_of(battle: BattleView, player: str) -> Iterator[dict[str, object]]:
    """R35: the strats that a player sent for a battle, for `OwnStratOut`."""
    for fighter in battle.fighters:
        is_counted = {receipt.sha256: receipt.counted for receipt in reversed(fighter.receipts)}
        for strat in fighter.strats:
            if strat.by == player:
                more = {"battle": battle.id, "army": fighter.name, "counted": is_counted.get(strat.sha256)}
                yield {**vars(strat), **more}


class Battles(ListView):
    """4.1.1: the Battle Announcements of a turn."""

    @describe("battles_list", "battles", "List the battles of a turn", out=BattleOut(many=True))
    def get(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        battles = battles_of_turn(self.turn(viewer.round, number), viewer, timezone.now())
        return self.page(battles, BattleOut)


class OneBattle(ApiView):
    """4.1: one battle."""

    @describe("battles_read", "battles", "One battle", out=BattleOut)
    def get(self, request: Request, slug: str, battle_id: int) -> Response:
        return Response(BattleOut(_battle(battle_id, self.viewer(slug))).data)


class Results(ListView):
    """4.2.5: the Battle Results."""

    @describe(
        "results_list",
        "battles",
        "List the battles with published results, latest turn first",
        out=BattleOut(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        viewer = self.viewer(slug)
        turns = Turn.objects.filter(round=viewer.round).defer("position")
        battles = published_battles(turns, viewer, timezone.now())
        return self.page(battles, BattleOut)


class Strats(ListView):
    """4.1.1, R35: the strats of a battle: their receipts for everybody, sending for controllers."""

    @describe(
        "strats_list",
        "strats",
        "List the strats sent for a battle, with times and hashes",
        out=ReceiptOut(many=True),
        description="Texts stay secret (R35).",
    )
    def get(self, request: Request, slug: str, battle_id: int) -> Response:
        return self.page(receipts_of(_battle(battle_id, self.viewer(slug))), ReceiptOut)

    @describe(
        "strats_create",
        "strats",
        "Send a strat",
        out=ReceiptOut,
        status=201,
        takes=StratIn,
        problems=WRITING,
        description="For the army's controllers, or their contingencies when they may act (5.2.3). The last strat "
        "counts. After the deadline it is saved as `late` and does not count. Sending the same `token` again "
        "returns the same strat.",
    )
    def post(self, request: Request, slug: str, battle_id: int) -> Response:
        viewer = self.viewer(slug)
        battle = _battle(battle_id, viewer)
        if viewer.player is None:
            raise Forbidden(gettext("Only players in this round can send strats."), "4.1.1")
        values = self.read(StratIn, request.data)
        check_length(values["text"], MAX_STRAT, "strat", "R35")
        entry = _entry(battle, values.pop("army"))
        strat = send_strat(battle=entry.battle, army=entry.army, player=viewer.player, now=timezone.now(), **values)
        receipt = Receipt(strat.sent_at, strat.sha256, strat.late, word_sha256=strat.word_sha256)
        return Response(ReceiptOut({"army": entry.name, **vars(receipt)}).data, status=status.HTTP_201_CREATED)


class Words(ApiView):
    """R38: the word that was sealed with a strat."""

    @describe(
        "words_create",
        "strats",
        "Reveal the word sealed with a strat",
        out=ReceiptOut,
        takes=WordIn,
        problems=WRITING,
        description="Available from when the score is locked (the sender is notified) until the battle's time "
        "limit. The "
        "word is mixed into the dice and shown with the result.",
    )
    def post(self, request: Request, slug: str, battle_id: int) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        battle = _battle(battle_id, viewer)
        if viewer.player is None:
            raise Forbidden(gettext("Only players in this round can reveal words."), "R38")
        values = self.read(WordIn, request.data)
        entry = _entry(battle, values["army"])
        strat = hand_over_word(battle=entry.battle, army=entry.name, player=viewer.player, word=values["word"], now=now)
        receipt = Receipt(
            strat.sent_at, strat.sha256, strat.late, strat.accepted_because, True, False, strat.word_sha256
        )
        return Response(ReceiptOut({"army": entry.name, **vars(receipt)}).data)


class OwnStrats(ListView):
    """R35: what one has sent oneself."""

    @describe(
        "strats_mine",
        "strats",
        "List your own strats of a turn, with their texts",
        out=OwnStratOut(many=True),
        problems=(403, 404),
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        if viewer.player is None:
            raise Forbidden(gettext("You don't play in this round, so you have no strats here."), "4.1.1")
        battles = battles_of_turn(self.turn(viewer.round, number), viewer, timezone.now())
        strats = [strat for battle in battles for strat in own_strats_of(battle, viewer.player.name)]
        return self.page(sorted(strats, key=lambda strat: strat["sent_at"]), OwnStratOut)


def _battle(battle_id: int, viewer: Viewer) -> BattleView:
    view = battle_view(battle_id, viewer, timezone.now())
    if view is None:
        raise Missing(gettext("There is no such battle in this round."))
    return view


def _entry(battle: BattleView, name: str) -> BattleArmy:
    """The army of that name in the battle. Raises ValidationError."""
    fighter = battle.fighter(name.strip())
    if fighter is None:
        fighters = listed([f.name for f in battle.fighters])
        raise serializers.ValidationError(
            {
                "army": [
                    gettext("There is no army “%(name)s” in this battle. You can choose %(fighters)s (4.1.1).")
                    % {"name": name[:40], "fighters": fighters}
                ]
            }
        )
    entries = BattleArmy.objects.select_related("battle", "army")
    return entries.get(battle=battle.id, name=fighter.name)
