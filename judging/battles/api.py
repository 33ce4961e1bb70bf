"""4.1, 4.2: battles, results and strats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Forbidden, Missing
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body, EventOut, Shape, SquareField
from judging.battles.models import BattleArmy
from judging.battles.reads import battle_view, battles_of_turn, published_battles
from judging.battles.results import AttemptView, DiePair, ResultView, RiskRulingView
from judging.battles.shapes import BattleView, FighterView, Receipt, SlotView, StratView
from judging.battles.strats.writes import MAX_STRAT, send_strat
from judging.game.viewer import Viewer
from judging.turns.posts.api import check_length
from wargame.models import Turn
from wargame.models.choices import SIDES

RISKS = [("", "neither"), ("kill", "go for the kill (4.3)"), ("capture", "go for the capture (4.5)")]


class SlotOut(Shape):
    """2.1: a slot of an army as the turn opened."""

    made_of = SlotView
    shows = ("slot", "size", "alive", "of", "creatures")


class ReceiptOut(Shape):
    """4.1.1, R35: that a strat was sent. Its text is not here."""

    made_of: ClassVar[type] = Receipt
    shows: ClassVar[tuple[str, ...]] = ("army", "sent_at", "sha256", "late", "accepted_because", "counted")
    tells = {
        "sha256": "Of its text and requests with a salt; `/dice/` tells how.",
        "late": "After the deadline: it does not count, unless a judge accepted it.",
        "accepted_because": "Why a judge lets a late one count (R35).",
    }
    army = serializers.CharField()
    counted = serializers.BooleanField(
        allow_null=True, help_text="Whether it is the one that counts; null where that is not public yet."
    )


class FighterOut(Shape):
    """4.1: an army in a battle."""

    made_of = FighterView
    shows = ("name", "side", "title", "controllers", "alive", "of", "slots", "has_strat", "deadline")
    tells = {"deadline": "Its strat's, which may be later than the battle's (R5)."}
    side = serializers.ChoiceField(choices=SIDES)


class BonusOut(Body):
    """R36: the bonuses of a side."""

    strategy = serializers.IntegerField()
    size = serializers.IntegerField()
    color = serializers.IntegerField()
    total = serializers.IntegerField()


class DiePairOut(Shape):
    """R37: a die of each side, bare and with its bonuses; `who` won it, null for nobody."""

    made_of = DiePair
    shows = ("bare", "total", "who")


class LossOut(Body):
    """4.2.5: what an army lost, by slot 1 to 4."""

    army = serializers.CharField()
    slots = serializers.ListField(child=serializers.IntegerField())
    total = serializers.IntegerField()


class CreatureLossOut(Body):
    """R32: what an army lost of one creature."""

    army = serializers.CharField()
    creature = serializers.CharField()
    number = serializers.IntegerField()


class AttemptOut(Shape):
    """4.3, 4.5: what came of troops that were risked for a kill or a capture."""

    made_of = AttemptView
    shows = ("army", "risk", "target", "rolls", "succeeded", "lost", "sentence")
    tells = {
        "risk": "kill or capture",
        "target": "Empty if it was not tried: the battle was lost.",
        "rolls": "Its own d20 and its target's.",
        "lost": "How many of the risked troops died.",
    }


class AdjustmentOut(Body):
    """4.2.6, R42: a special case that the judge changed, with his reason."""

    kind = serializers.CharField(help_text="losses or involved")
    army = serializers.CharField()
    percent = serializers.IntegerField()
    reason = serializers.CharField()
    by = serializers.CharField()
    cites = serializers.CharField()


class RiskRulingOut(Shape):
    """4.3, 4.5: what a judge ruled before the roll on a kill or a capture that a strat asked for."""

    made_of = RiskRulingView
    shows = ("army", "risk", "is_void", "target", "sentence", "reason", "by", "cites")
    tells = {
        "risk": "kill or capture",
        "is_void": "No troops were risked.",
        "target": "The enemy at which it was aimed; empty if it is void.",
    }


class ResultOut(Shape):
    """4.2.5: a published result. Pairs are in the order of the battle's sides."""

    made_of = ResultView
    shows = (
        *("winner", "winners", "bonuses", "rounds", "dice_won", "losses", "losses_by_creature", "attempts"),
        *("adjustments", "risk_rulings", "killed", "captured", "why", "why_cites", "narrative_html", "after"),
        *("published_at", "seed"),
    )
    tells = {
        "winner": "The side that won, 0 or 1.",
        "rounds": "More than one if they were rolled again.",
        "why": "What decided it, said of the winner.",
        "seed": "The seed that the battle's commitment was made of (R38).",
    }
    bonuses = BonusOut(many=True)
    losses = LossOut(many=True)
    losses_by_creature = CreatureLossOut(many=True)
    adjustments = AdjustmentOut(many=True)
    narrative_html = serializers.CharField(source="narrative", allow_blank=True)
    after = EventOut(many=True, help_text="Retreats, kills and captures, once the turn is settled.")
    published_at = serializers.DateTimeField()

    def to_representation(self, instance: ResultView) -> dict[str, Any]:
        losses = [{"army": army, "slots": slots, "total": total} for army, slots, total in instance.losses]
        by_creature = [
            {"army": army, "creature": creature, "number": number}
            for army, fallen in instance.by_creature
            for creature, number in fallen
        ]
        return super().to_representation({**vars(instance), "losses": losses, "losses_by_creature": by_creature})


class BattleOut(Shape):
    """4.1.1, R25: a battle."""

    made_of = BattleView
    shows = (
        *("id", "turn", "number", "at", "terrain", "place", "weather", "headline", "how", "defends"),
        *("announced_at", "deadline", "commitment", "sides", "receipts", "extensions", "result", "is_cancelled"),
    )
    tells = {
        "weather": "4.1.2.5.",
        "how": "How it begins (4.1.2.3).",
        "commitment": "SHA-256 of the seed of its dice (R38).",
        "extensions": "Who has more time, and why (R5).",
        "is_cancelled": "By a correction of the turn before; it is not fought.",
    }
    receipts = ReceiptOut(many=True)

    def to_representation(self, instance: BattleView) -> dict[str, Any]:
        return super().to_representation({**vars(instance), "receipts": receipts_of(instance)})


class StratIn(Body):
    """4.1.1, R35: a strat."""

    army = serializers.CharField(max_length=40)
    text = serializers.CharField(trim_whitespace=False, help_text="Up to 50,000 characters; Markdown.")
    risk = serializers.ChoiceField(choices=RISKS, default="", allow_blank=True)
    runs = serializers.BooleanField(default=False, help_text="Run away (4.2.6).")
    leaves = serializers.CharField(
        default="", allow_blank=True, max_length=40, help_text="Which of two armies leaves the square (4.4)."
    )
    leaves_to = SquareField(default="", allow_blank=True, help_text="Where it goes.")
    token = serializers.CharField(
        max_length=40, help_text="Any name that you choose for this strat: sent twice, it makes one strat."
    )


class OwnStratOut(ReceiptOut):
    """R35: a strat of your own."""

    made_of = StratView
    shows = (*ReceiptOut.shows, "battle", "text", "wishes", "as_contingency")
    tells = {**ReceiptOut.tells, "wishes": "Kill, capture, run, who leaves."}
    battle = serializers.IntegerField()


def receipts_of(battle: BattleView) -> list[dict[str, Any]]:
    """4.1.1: the receipts of a battle's strats for `ReceiptOut`, in the order in which they were sent."""
    found = [{"army": fighter.name, **vars(receipt)} for fighter in battle.fighters for receipt in fighter.receipts]
    return sorted(found, key=lambda receipt: (receipt["sent_at"], receipt["army"]))


def own_strats_of(battle: BattleView, player: str) -> Iterator[dict[str, Any]]:
    """R35: what a player himself sent for a battle, for `OwnStratOut`."""
    for fighter in battle.fighters:
        counted = {receipt.sha256: receipt.counted for receipt in reversed(fighter.receipts)}
        for strat in fighter.strats:
            if strat.by == player:
                more = {"battle": battle.id, "army": fighter.name, "counted": counted.get(strat.sha256)}
                yield {**vars(strat), **more}


class Battles(ListView):
    """4.1.1: the Battle Announcements of a turn."""

    @describe("battles_list", "battles", "The battles of a turn", out=BattleOut(many=True))
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
        "The battles with a published result, the newest turn first",
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
        "When strats were sent for a battle, and their hashes",
        out=ReceiptOut(many=True),
        description="The texts stay secret (R35).",
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
        description="For who controls the army, or is a contingency in time (5.2.3). The last one counts. After the "
        "deadline it is stored as `late` and does not count. The same `token` again gives the same strat.",
    )
    def post(self, request: Request, slug: str, battle_id: int) -> Response:
        viewer = self.viewer(slug)
        battle = _battle(battle_id, viewer)
        if viewer.player is None:
            raise Forbidden("Only the players of this round send strats.", "4.1.1")
        sent = self.read(StratIn, request.data)
        check_length(sent["text"], MAX_STRAT, "strat", "R35")
        entry = _entry(battle, sent.pop("army"))
        strat = send_strat(battle=entry.battle, army=entry.army, player=viewer.player, now=timezone.now(), **sent)
        receipt = Receipt(strat.sent_at, strat.sha256, strat.late)
        return Response(ReceiptOut({"army": entry.name, **vars(receipt)}).data, status=status.HTTP_201_CREATED)


class OwnStrats(ListView):
    """R35: what one has sent oneself."""

    @describe(
        "strats_mine",
        "strats",
        "Your own strats of a turn, with their texts",
        out=OwnStratOut(many=True),
        problems=(403, 404),
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        if viewer.player is None:
            raise Forbidden("You don't play in this round, so you have no strats here.", "4.1.1")
        battles = battles_of_turn(self.turn(viewer.round, number), viewer, timezone.now())
        strats = [strat for battle in battles for strat in own_strats_of(battle, viewer.player.name)]
        return self.page(sorted(strats, key=lambda strat: strat["sent_at"]), OwnStratOut)


def _battle(battle_id: int, viewer: Viewer) -> BattleView:
    view = battle_view(battle_id, viewer, timezone.now())
    if view is None:
        raise Missing("There is no such battle in this round.")
    return view


def _entry(battle: BattleView, name: str) -> BattleArmy:
    """The army of that name in the battle. Raises ValidationError."""
    fighter = battle.fighter(name.strip())
    if fighter is None:
        fighters = " and ".join(f.name for f in battle.fighters)
        raise serializers.ValidationError({"army": [f"“{name[:40]}” does not fight here; {fighters} do (4.1.1)."]})
    entries = BattleArmy.objects.select_related("battle", "army")
    return entries.get(battle=battle.id, name=fighter.name)
