"""R38: what recomputing a round gave, and what is needed to recompute a battle."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from judging.verifying.recomputing import TurnRow, Verdict
from wargame.models import Turn

WORDS = [("same", "all the same"), ("differs", "something differs"), ("unknown", "not recomputed lately")]


class CheckOut(serializers.Serializer):
    """R38: one thing, as it was published and as it comes now; mostly by SHA-256."""

    what = serializers.CharField()
    published = serializers.CharField(allow_blank=True)
    recomputed = serializers.CharField(allow_blank=True, help_text="Empty if it can't be recomputed at all.")
    is_same = serializers.BooleanField()


class RollCheckOut(serializers.Serializer):
    """R38: a roll, by the name and number under which it is drawn."""

    name = serializers.CharField()
    number = serializers.IntegerField()
    sides = serializers.IntegerField()
    published = serializers.IntegerField()
    recomputed = serializers.IntegerField()
    is_same = serializers.BooleanField()


class CountedReceiptOut(serializers.Serializer):
    """R35: the receipt of a strat that counted."""

    army = serializers.CharField()
    sha256 = serializers.CharField()


class PendingOut(serializers.Serializer):
    """R38: what is secret still."""

    what = serializers.CharField()
    why = serializers.CharField()


class BattleCheckOut(serializers.Serializer):
    """R38: a battle, recomputed."""

    id = serializers.IntegerField()
    number = serializers.IntegerField()
    at = serializers.CharField()
    headline = serializers.CharField()
    commitment = serializers.CharField()
    seed = serializers.CharField(allow_blank=True, help_text="Empty until the result is published.")
    strats = CountedReceiptOut(many=True)
    rolls = RollCheckOut(many=True)
    checks = CheckOut(many=True)
    differences = serializers.ListField(child=serializers.CharField())


class VerdictOut(serializers.Serializer):
    """R38: a turn in the list of those that can be recomputed."""

    turn = serializers.IntegerField()
    verdict = serializers.ChoiceField(choices=WORDS)
    differences = serializers.ListField(child=serializers.CharField())
    recomputed_at = serializers.DateTimeField(allow_null=True)
    is_settled = serializers.BooleanField()
    position_hash = serializers.CharField(help_text="SHA-256 of the position in which it opened.")
    next_hash = serializers.CharField(allow_blank=True, help_text="Of the one to which it led; empty until then.")
    commitment = serializers.CharField(help_text="SHA-256 of its seed.")


class VerdictDetailOut(VerdictOut):
    """R38: a turn with all that was held against what was published."""

    seed = serializers.CharField(allow_blank=True, help_text="Empty until the turn is settled.")
    checks = CheckOut(many=True)
    battles = BattleCheckOut(many=True)
    pending = PendingOut(many=True, help_text="What nobody outside can recompute yet.")


class ProofRollOut(serializers.Serializer):
    """R38: a roll as it was published."""

    name = serializers.CharField()
    sides = serializers.IntegerField()
    value = serializers.IntegerField()
    number = serializers.IntegerField()


class ProofStratOut(CountedReceiptOut):
    """R35: a strat that counted. All but its receipt is null until the round is over."""

    salt = serializers.CharField(allow_null=True)
    text = serializers.CharField(allow_null=True)
    risk = serializers.CharField(allow_null=True, allow_blank=True)
    runs = serializers.BooleanField(allow_null=True)
    leaves = serializers.CharField(allow_null=True, allow_blank=True)
    leaves_to = serializers.CharField(allow_null=True, allow_blank=True)


class ProofBookOut(serializers.Serializer):
    """R38: the version of the formula book that decides the battle."""

    version = serializers.IntegerField()
    from_turn = serializers.IntegerField()
    commitment = serializers.CharField()
    salt = serializers.CharField(allow_null=True, help_text="Null until the round is over.")
    formulas = serializers.DictField(child=serializers.CharField(), allow_null=True, help_text="As is this.")


class ProofOut(serializers.Serializer):
    """R38: all that a stranger needs to recompute a battle; null is what is secret still."""

    format = serializers.CharField(help_text="`wargame-proof-1`.")
    round = serializers.CharField(help_text="The round's name in the message of a draw.")
    turn = serializers.IntegerField()
    battle = serializers.IntegerField(help_text="Its number within the turn.")
    at = serializers.CharField()
    terrain = serializers.CharField()
    weather = serializers.DictField(help_text="4.1.2.5.")
    defends = serializers.IntegerField(allow_null=True, help_text="The side that defends, 0 or 1.")
    sides = serializers.ListField(
        child=serializers.ListField(child=serializers.DictField()), help_text="The armies as they went into it."
    )
    position_hash = serializers.CharField()
    commitment = serializers.CharField(help_text="SHA-256 of the seed.")
    seed = serializers.CharField(allow_null=True)
    strats = ProofStratOut(many=True, help_text="Those that counted: their hashes go into every draw.")
    rolls = ProofRollOut(many=True)
    outcome = serializers.DictField(allow_null=True, help_text="Bonuses, rolls, losses, kills and captures.")
    book = ProofBookOut(allow_null=True)
    secret = PendingOut(many=True)


def row_data(row: TurnRow) -> dict[str, Any]:
    """A turn for `VerdictOut`."""
    names = ("is_settled", "position_hash", "next_hash", "commitment")
    return {
        "turn": row.number,
        "verdict": row.word,
        "differences": row.verdict.check.differences if row.verdict else (),
        "recomputed_at": row.verdict.at if row.verdict else None,
        **{name: getattr(row, name) for name in names},
    }


def verdict_data(turn: Turn, verdict: Verdict) -> dict[str, Any]:
    """A turn for `VerdictDetailOut`."""
    check = verdict.check
    names = ("turn", "differences", "is_settled", "position_hash", "next_hash", "seed", "checks", "battles", "pending")
    return {
        **{name: getattr(check, name) for name in names},
        "verdict": "same" if verdict.is_same else "differs",
        "recomputed_at": verdict.at,
        "commitment": turn.commitment,
    }
