"""R53, R54: the acts of a battle's sheet that need somebody else, or that show what was secret: a change after the dice
on which a second judge agrees, and a strat that is published before its time."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django import forms
from django.utils.translation import gettext, gettext_lazy

from judging.battles.desk.acts import (
    GONE,
    Act,
    Adjust,
    Choices,
    Press,
    reason_field,
    rule_field,
    sent,
)
from judging.battles.desk.rolling import answer_adjustment, ask_adjustment, withdraw_adjustment
from judging.battles.desk.time_acts import ACTS, PRESSES
from judging.battles.strats.extensions import MAX_REASON, release_strat
from judging.game.forms import WholeNumber
from wargame.models import Judge
from wargame.rules.battle.adjusting import MOST_PERCENT, UNCHANGED

__all__ = ["ACTS", "PRESSES"]
"""All acts of the sheet by their keys, these among them."""


class AskAdjustment(Act):
    """R53: the head asks a second judge to agree to a change that nobody makes alone."""

    key = "consent"
    place = "adjust"

    army = forms.ChoiceField(label=gettext_lazy("Army"))
    kind = forms.ChoiceField(choices=Adjust.KINDS, label=gettext_lazy("Change"))
    percent = WholeNumber(min_value=0, max_value=MOST_PERCENT, initial=UNCHANGED, label=gettext_lazy("Percent"))
    cites = rule_field("4.2.6")
    reason = reason_field(gettext_lazy("Reason (published with the result)"))

    def offered(self) -> Mapping[str, Choices]:
        return {"army": [(fighter.name, fighter.name) for fighter in self.sheet.view.fighters]}

    def do(self, judge: Judge, now: datetime) -> str:
        given = {name: self.cleaned_data[name] for name in ("kind", "army", "percent", "cites", "reason")}
        ask_adjustment(battle=self.sheet.battle, judge=judge, now=now, **given)
        return gettext(
            "Request sent. The change is made once another battle judge agrees. The result waits for their answer."
        )


class RefuseAdjustment(Act):
    """R53: a second judge does not agree."""

    key = "disagree"
    place = "adjust"

    answer = forms.CharField(
        max_length=MAX_REASON,
        label=gettext_lazy("Why not (published with the result)"),
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "true"}),
        error_messages={"required": gettext_lazy("Say why you don't agree. Your reason is published with the result.")},
    )

    def do(self, judge: Judge, now: datetime) -> str:
        waiting = self.sheet.waiting_change
        key, answer = waiting.pk if waiting else 0, self.cleaned_data["answer"]
        answer_adjustment(battle=self.sheet.battle, judge=judge, request_id=key, accepted=False, answer=answer, now=now)
        return gettext("Refused. The roll stays as it is.")


class AgreeToAdjustment(Press):
    """R53: a second judge agrees, and the change is made."""

    key = "agree"
    place = "proposal"

    def do(self, judge: Judge, now: datetime) -> str:
        answer_adjustment(battle=self.battle, judge=judge, request_id=self.row, accepted=True, answer="", now=now)
        return gettext("Agreed. Recomputed with the same dice.")


class WithdrawAdjustment(Press):
    """R53: nobody is asked any more."""

    key = "unask"
    place = "adjust"

    def do(self, judge: Judge, now: datetime) -> str:
        withdraw_adjustment(battle=self.battle, judge=judge, request_id=self.row, now=now)
        return gettext("Withdrawn. No one has to agree to it any more.")


class ReleaseStrat(Act):
    """R35, R54: a strat is published before the round says so."""

    key = "release"
    place = "strats"

    strat = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Strat"), error_messages=GONE)
    reason = reason_field()

    def offered(self) -> Mapping[str, Choices]:
        return {"strat": sent(self.sheet.hidden_strats)}

    def do(self, judge: Judge, now: datetime) -> str:
        strat = self.chosen_strat()
        release_strat(strat=strat, judge=judge, reason=self.cleaned_data["reason"], now=now)
        return gettext("The strat of %(name)s is public now.") % {"name": strat.entry.name}
