"""4.1, 4.2: battles, strats and results."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from judging.api.shapes import SIDES, EventOut, SquareField
from judging.battles.results import ResultView
from judging.battles.views import BattleView, FighterView

RISKS = [("", "neither"), ("kill", "go for the kill (4.3)"), ("capture", "go for the capture (4.5)")]


class SlotOut(serializers.Serializer):
    """2.1: a slot of an army as the turn opened."""

    slot = serializers.IntegerField()
    size = serializers.CharField()
    alive = serializers.IntegerField()
    of = serializers.IntegerField()
    creatures = serializers.ListField(child=serializers.CharField())


class ReceiptOut(serializers.Serializer):
    """4.1.1, R35: that a strat was sent. Its text is not here."""

    army = serializers.CharField()
    sent_at = serializers.DateTimeField()
    sha256 = serializers.CharField(help_text="Of its text and requests with a salt; `/dice/` tells how.")
    late = serializers.BooleanField(help_text="After the deadline: it does not count, unless a judge accepted it.")
    accepted_because = serializers.CharField(allow_blank=True, help_text="Why a judge lets a late one count (R35).")
    counted = serializers.BooleanField(
        allow_null=True, help_text="Whether it is the one that counts; null where that is not public yet."
    )


class FighterOut(serializers.Serializer):
    """4.1: an army in a battle."""

    name = serializers.CharField()
    side = serializers.ChoiceField(choices=SIDES)
    title = serializers.CharField()
    controllers = serializers.ListField(child=serializers.CharField())
    alive = serializers.IntegerField()
    of = serializers.IntegerField()
    slots = SlotOut(many=True)
    has_strat = serializers.BooleanField()
    deadline = serializers.DateTimeField(help_text="Its strat's, which may be later than the battle's (R5).")


class BonusOut(serializers.Serializer):
    """R36: the bonuses of a side."""

    strategy = serializers.IntegerField()
    size = serializers.IntegerField()
    color = serializers.IntegerField()
    total = serializers.IntegerField()


class DiePairOut(serializers.Serializer):
    """R37: a die of each side, bare and with its bonuses; `who` won it, null for nobody."""

    bare = serializers.ListField(child=serializers.IntegerField())
    total = serializers.ListField(child=serializers.IntegerField())
    who = serializers.IntegerField(allow_null=True)


class LossOut(serializers.Serializer):
    """4.2.5: what an army lost, by slot 1 to 4."""

    army = serializers.CharField()
    slots = serializers.ListField(child=serializers.IntegerField())
    total = serializers.IntegerField()


class CreatureLossOut(serializers.Serializer):
    """R32: what an army lost of one creature."""

    army = serializers.CharField()
    creature = serializers.CharField()
    number = serializers.IntegerField()


class AttemptOut(serializers.Serializer):
    """4.3, 4.5: what came of troops that were risked for a kill or a capture."""

    army = serializers.CharField()
    risk = serializers.CharField(help_text="kill or capture")
    target = serializers.CharField(allow_blank=True, help_text="Empty if it was not tried: the battle was lost.")
    rolls = serializers.ListField(child=serializers.IntegerField(), help_text="Its own d20 and its target's.")
    succeeded = serializers.BooleanField()
    lost = serializers.IntegerField(help_text="How many of the risked troops died.")
    sentence = serializers.CharField()


class AdjustmentOut(serializers.Serializer):
    """4.2.6, R42: a special case that the judge changed, with his reason."""

    kind = serializers.CharField(help_text="losses or involved")
    army = serializers.CharField()
    percent = serializers.IntegerField()
    reason = serializers.CharField()
    by = serializers.CharField()
    cites = serializers.CharField()


class RiskRulingOut(serializers.Serializer):
    """4.3, 4.5: what a judge ruled before the roll on a kill or a capture that a strat asked for."""

    army = serializers.CharField()
    risk = serializers.CharField(help_text="kill or capture")
    is_void = serializers.BooleanField(help_text="No troops were risked.")
    target = serializers.CharField(allow_blank=True, help_text="The enemy at which it was aimed; empty if it is void.")
    sentence = serializers.CharField()
    reason = serializers.CharField()
    by = serializers.CharField()
    cites = serializers.CharField()


class ResultOut(serializers.Serializer):
    """4.2.5: a published result. Pairs are in the order of the battle's sides."""

    winner = serializers.IntegerField(help_text="The side that won, 0 or 1.")
    winners = serializers.ListField(child=serializers.CharField())
    bonuses = BonusOut(many=True)
    rounds = serializers.ListField(child=DiePairOut(many=True), help_text="More than one if they were rolled again.")
    dice_won = serializers.ListField(child=serializers.IntegerField())
    losses = LossOut(many=True)
    losses_by_creature = CreatureLossOut(many=True)
    attempts = AttemptOut(many=True)
    adjustments = AdjustmentOut(many=True)
    risk_rulings = RiskRulingOut(many=True)
    killed = serializers.ListField(child=serializers.CharField())
    captured = serializers.ListField(child=serializers.CharField())
    why = serializers.CharField(help_text="What decided it, said of the winner.")
    why_cites = serializers.CharField()
    narrative_html = serializers.CharField(allow_blank=True)
    after = EventOut(many=True, help_text="Retreats, kills and captures, once the turn is settled.")
    published_at = serializers.DateTimeField()
    seed = serializers.CharField(help_text="The seed that the battle's commitment was made of (R38).")


class BattleOut(serializers.Serializer):
    """4.1.1, R25: a battle."""

    id = serializers.IntegerField()
    turn = serializers.IntegerField()
    number = serializers.IntegerField()
    at = serializers.CharField()
    terrain = serializers.CharField()
    place = serializers.CharField(allow_blank=True)
    weather = serializers.CharField(allow_blank=True, help_text="4.1.2.5.")
    headline = serializers.CharField()
    how = serializers.CharField(help_text="How it begins (4.1.2.3).")
    defends = serializers.IntegerField(allow_null=True)
    announced_at = serializers.DateTimeField()
    deadline = serializers.DateTimeField()
    commitment = serializers.CharField(help_text="SHA-256 of the seed of its dice (R38).")
    sides = serializers.ListField(child=FighterOut(many=True))
    receipts = ReceiptOut(many=True)
    extensions = serializers.ListField(child=serializers.CharField(), help_text="Who has more time, and why (R5).")
    result = ResultOut(allow_null=True)
    is_cancelled = serializers.BooleanField(help_text="By a correction of the turn before; it is not fought.")


class StratIn(serializers.Serializer):
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

    battle = serializers.IntegerField()
    text = serializers.CharField()
    wishes = serializers.ListField(child=serializers.CharField(), help_text="Kill, capture, run, who leaves.")
    as_contingency = serializers.BooleanField()


def battle_data(battle: BattleView) -> dict[str, Any]:
    """A battle for `BattleOut`. What the viewer may read of strats beyond their receipts is left out."""
    names = (
        *("id", "turn", "number", "at", "terrain", "place", "weather", "headline", "how", "defends"),
        *("announced_at", "deadline", "commitment", "extensions"),
    )
    return {
        **{name: getattr(battle, name) for name in names},
        "sides": [[_fighter_data(fighter) for fighter in side] for side in battle.sides],
        "receipts": receipts_data(battle),
        "result": _result_data(battle.result) if battle.result else None,
        "is_cancelled": battle.is_cancelled,
    }


RECEIPT_FIELDS = ("sent_at", "sha256", "late", "accepted_because", "counted")


def receipts_data(battle: BattleView) -> list[dict[str, Any]]:
    """4.1.1: the receipts of a battle's strats for `ReceiptOut`, in the order in which they were sent."""
    found = [
        {"army": fighter.name, **{name: getattr(receipt, name) for name in RECEIPT_FIELDS}}
        for fighter in battle.fighters
        for receipt in fighter.receipts
    ]
    return sorted(found, key=lambda receipt: (receipt["sent_at"], receipt["army"]))


def own_strats_data(battle: BattleView, player: str) -> list[dict[str, Any]]:
    """R35: what a player himself sent for a battle, for `OwnStratOut`."""
    names = ("sent_at", "sha256", "late", "accepted_because", "text", "wishes", "as_contingency")
    return [
        {
            "battle": battle.id,
            "army": fighter.name,
            **{name: getattr(strat, name) for name in names},
            "counted": next((r.counted for r in fighter.receipts if r.sha256 == strat.sha256), None),
        }
        for fighter in battle.fighters
        for strat in fighter.strats
        if strat.by == player
    ]


def _fighter_data(fighter: FighterView) -> dict[str, Any]:
    names = ("name", "side", "title", "controllers", "alive", "of", "slots", "has_strat", "deadline")
    return {name: getattr(fighter, name) for name in names}


def _result_data(result: ResultView) -> dict[str, Any]:
    names = (
        *("winner", "winners", "bonuses", "rounds", "dice_won", "killed", "captured", "why", "why_cites", "after"),
        *("attempts", "adjustments", "risk_rulings", "published_at", "seed"),
    )
    losses = [{"army": army, "slots": slots, "total": total} for army, slots, total in result.losses]
    return {
        **{name: getattr(result, name) for name in names},
        "losses": losses,
        "losses_by_creature": [
            {"army": army, "creature": creature, "number": number}
            for army, fallen in result.by_creature
            for creature, number in fallen
        ],
        "narrative_html": result.narrative,
    }
