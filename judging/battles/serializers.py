"""4.2.5: results of battles as JSON, for all addresses that show one."""

from collections.abc import Iterable

from rest_framework import serializers

from judging.api.shapes import Body, EventOut, Shape
from judging.battles.results import (
    ArmyLosses,
    AttemptView,
    DecidedOver,
    DiePair,
    ResultView,
    RiskRulingView,
    SeparateScore,
    ShownReason,
)


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
    risked = serializers.IntegerField(help_text="Risked troops that died, included in the total (R39, R40).")


class UnchangedOut(Body):
    """R53: what the dice alone gave, before judges changed a special case."""

    losses = LossOut(many=True)
    killed = serializers.ListField(child=serializers.CharField())
    captured = serializers.ListField(child=serializers.CharField())


class ReasonOut(Shape):
    """R54: what a judge said on a criterion of the round."""

    made_of = ShownReason
    shows = ("criterion", "weight", "number", "text", "judge", "departs")
    tells = {
        "criterion": "Empty if the reason is for the whole score.",
        "number": (
            "How much it favours the side that got the bonus, -10 to 10. For the reason for the whole score, the "
            "bonus that the marks suggested."
        ),
        "departs": "For the reason for the whole score: why the bonus differs by more than 2 from the suggested one.",
    }


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
        "target": "Empty if it was not attempted because the battle was lost.",
        "rolls": "The army's d20 and its target's.",
        "lost": "How many of the risked troops died.",
    }


class AdjustmentOut(Body):
    """4.2.6, R42: a special case that the judge changed, with the reason."""

    kind = serializers.CharField(help_text="losses or involved")
    army = serializers.CharField()
    percent = serializers.IntegerField()
    reason = serializers.CharField()
    by = serializers.CharField()
    agreed = serializers.CharField(
        allow_blank=True, help_text="The second judge who had to agree (R53); empty if one judge was enough."
    )
    cites = serializers.CharField()


class RiskRulingOut(Shape):
    """4.3, 4.5: what a judge ruled before the roll on a kill or a capture that a strat asked for."""

    made_of = RiskRulingView
    shows = ("army", "risk", "is_void", "target", "sentence", "reason", "by", "cites")
    tells = {
        "risk": "kill or capture",
        "is_void": "No troops were risked.",
        "target": "The enemy it targeted; empty if void.",
    }


class SeparateScoreOut(Shape):
    """R55: what one of two judges gave."""

    made_of = SeparateScore
    shows = ("judge", "favours", "bonus", "reasons")
    tells = {"favours": "The side, 0 or 1; null if there is no bonus."}
    reasons = ReasonOut(many=True)


class DecidedOverOut(Shape):
    """R55: who decided over two scores that were far apart."""

    made_of = DecidedOver
    shows = ("judge", "how", "reason")
    tells = {"how": "third or head"}


class ResultOut(Shape):
    """4.2.5: a published result. Pairs are in the order of the battle's sides."""

    made_of = ResultView
    shows = (
        *("winner", "winners", "bonuses", "rounds", "dice_won", "losses", "losses_by_creature", "attempts"),
        *("adjustments", "risk_rulings", "killed", "captured", "why", "why_cites", "narrative_html", "after"),
        *("published_at", "seed", "mixed", "separate_scores", "decided_over"),
        *("unchanged", "scored_by", "reasons", "odds_looked"),
    )
    tells = {
        "winner": "The side that won, 0 or 1.",
        "rounds": "More than one if dice were rolled again.",
        "why": "What decided the battle, from the winner's point of view.",
        "mixed": "What was mixed into the dice in addition to the strats, in sentences (R38).",
        "seed": "The seed behind the battle's commitment (R38).",
        "scored_by": "Who gave the strategy bonus (R54).",
        "odds_looked": (
            "How often judges looked up the odds before the score was locked (R54); null if it was not counted."
        ),
    }
    separate_scores = SeparateScoreOut(
        many=True, help_text="The scores of two judges; empty if one judge scored alone (R55)."
    )
    decided_over = DecidedOverOut(allow_null=True, help_text="Who decided if the two scores were far apart (R55).")
    bonuses = BonusOut(many=True)
    losses = LossOut(many=True)
    losses_by_creature = CreatureLossOut(many=True)
    adjustments = AdjustmentOut(many=True)
    unchanged = UnchangedOut(allow_null=True, help_text="Null if nothing was changed.")
    reasons = ReasonOut(many=True)
    narrative_html = serializers.CharField(source="narrative", allow_blank=True)
    after = EventOut(many=True, help_text="Retreats, kills and captures, once the turn is settled.")
    published_at = serializers.DateTimeField()

    def to_representation(self, instance: ResultView) -> dict[str, object]:
        losses = losses_out(instance.losses)
        unchanged = instance.unchanged._asdict() if instance.unchanged else None
        by_creature = [
            {"army": army, "creature": creature, "number": number}
            for army, fallen in instance.by_creature
            for creature, number in fallen
        ]
        if unchanged:
            unchanged["losses"] = losses_out(unchanged["losses"])
        more = {"losses": losses, "losses_by_creature": by_creature, "unchanged": unchanged}
        return super().to_representation({**vars(instance), **more})


def losses_out(losses: Iterable[ArmyLosses]) -> list[dict[str, object]]:
    """4.2.5: the armies' losses as `LossOut` has them."""
    return [{**loss._asdict(), "slots": loss.by_slot} for loss in losses]
