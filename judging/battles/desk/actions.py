"""4: the smaller acts of a battle's sheet, one class each: claims, kills and captures, a second judge, special cases,
and what a head overrules. Those on strats are in `strat_actions`.

An `Act` is a form with something typed, a `Press` a button without. Each class has what is asked for, what there is to
choose from, who may do it, what it does (a call of the writes), the sentence that says so, and the part of the sheet
to which it leads back. A new act is a new class here and its place in a template; the pages find it by its `key`, the
last part of its address.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.urls import reverse
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from judging.battles.assignments.seats import decide_who_judges
from judging.battles.beacon import enter_value
from judging.battles.desk.forms import check_reasons, reason_fields, typed_reasons
from judging.battles.desk.notes import (
    add_criterion,
    judge_claim,
    retire_criterion,
    rule_on_risk,
    show_notes,
    withdraw_claim,
    withdraw_risk_ruling,
)
from judging.battles.desk.rolling import adjust, answer_adjustment, ask_adjustment, withdraw_adjustment
from judging.battles.desk.scoring import name_second_judge, overrule_score
from judging.battles.desk.sheet import Sheet
from judging.battles.models import Claim, Strat
from judging.battles.shapes import StratView
from judging.battles.strats.extensions import MAX_REASON
from judging.common.errors import Refused
from judging.common.forms import WholeNumber
from judging.common.texts import utc
from wargame.models import Army, Judge
from wargame.rules.battle.adjusting import MOST_PERCENT, UNCHANGED, Special
from wargame.rules.book.formulas import MOST_BONUS

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


Choices = Sequence[tuple[str | int, str]]
"""The choices of a field: the value sent, and the label."""

ACTS: dict[str, type[Act]] = {}
PRESSES: dict[str, type[Press]] = {}

REASON = gettext_lazy("Reason (public)")
NOT_YOURS = gettext_lazy("Only battle judges of this round can do that (1.3).")
GONE = {"invalid_choice": gettext_lazy("Your choice is no longer available. Choose again.")}


def reason_field(label: _StrOrPromise = REASON) -> forms.CharField:
    """1.3: The reason of an act, which is public."""
    area = forms.Textarea(attrs={"rows": 2, "spellcheck": "true"})
    missing = {"required": gettext_lazy("Give a reason. Everyone can read it.")}
    return forms.CharField(label=label, max_length=MAX_REASON, widget=area, error_messages=missing)


def rule_field(example: str, *, required: bool = True) -> forms.CharField:
    """1.3: The number of the rule or ruling behind an act, like the `example`."""
    hint = forms.TextInput(attrs={"size": 10, "placeholder": example})
    return forms.CharField(
        required=required,
        max_length=12,
        label=gettext_lazy("Rule"),
        widget=hint,
        error_messages={"required": format_lazy(gettext_lazy("Name the rule, like {example}."), example=example)},
    )


class Act(forms.Form):
    """One of the sheet's smaller forms, empty or submitted. The typed values come back with a refusal."""

    key: ClassVar[str]
    place: ClassVar[str]

    def __init_subclass__(cls) -> None:
        ACTS[cls.key] = cls

    def __init__(self, sheet: Sheet, data: Mapping[str, object] | None = None) -> None:
        super().__init__(data, prefix=self.key)
        self.sheet = sheet
        for name, choices in self.offered().items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices

    def offered(self) -> Mapping[str, Choices]:
        """The choices in this sheet, by the fields' names."""
        return {}

    @property
    def judge(self) -> Judge | None:
        """1.3: The judge as whom the viewer acts; None without permission."""
        return self.sheet.judge

    def do(self, judge: Judge, now: datetime) -> str:
        """Apply the valid form, and return the success message. Raises Refused."""
        raise NotImplementedError

    def look(self, now: datetime) -> Sequence[str]:
        """The consequences of the typed values, in sentences, if the form has a preview button."""
        return ()

    def refuse(self, error: Refused) -> None:
        self.add_error(error.field if error.field in self.fields else None, str(error))

    def typed_in_words(self) -> list[tuple[str, str]]:
        """The typed values, for a page that no longer has the form: pairs of label and readable value."""
        pairs = ((field, field.value()) for field in self)
        return [(str(field.label), _in_words(field, str(value))) for field, value in pairs if value]

    def chosen_army(self) -> Army | None:
        """The chosen army; None for everybody."""
        name = self.cleaned_data["army"]
        return Army.objects.get(battle_entries__battle=self.sheet.battle, battle_entries__name=name) if name else None

    def chosen_strat(self) -> Strat:
        rows = Strat.objects.select_related("entry__army")
        return rows.get(pk=self.cleaned_data["strat"], entry__battle=self.sheet.battle)


class NameSecondJudge(Act):
    """4.2.1: The second judge who scores the battle; nobody, if nobody is chosen."""

    key = "second"
    place = "bench"

    second = forms.TypedChoiceField(
        coerce=int, required=False, empty_value=None, label=gettext_lazy("Second judge"), error_messages=GONE
    )

    def __init__(self, sheet: Sheet, data: Mapping[str, object] | None = None) -> None:
        super().__init__(sheet, data)
        if sheet.bench and sheet.bench.second:
            self.initial["second"] = sheet.bench.second.pk

    def offered(self) -> Mapping[str, Choices]:
        judges = self.sheet.bench.others if self.sheet.bench else ()
        return {"second": [("", gettext("no one")), *((judge.pk, judge.name) for judge in judges)]}

    def do(self, judge: Judge, now: datetime) -> str:
        second_id = self.cleaned_data["second"]
        second = Judge.objects.get(pk=second_id) if second_id else None
        name_second_judge(battle=self.sheet.battle, judge=judge, second=second, now=now)
        if second:
            return gettext("%(name)s will also score this battle.") % {"name": second.name}
        is_released = self.sheet.bench and self.sheet.bench.is_begun and self.sheet.bench.second
        return (
            gettext("The other judge is released. You can name another one.")
            if is_released
            else gettext("One judge will score this battle.")
        )


class DecideWhoJudges(Act):
    """R56: The choice of a judge if all have a conflict."""

    key = "who"
    place = "bench"

    judge_of_it = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Judge"), error_messages=GONE)
    reason = reason_field()

    def offered(self) -> Mapping[str, Choices]:
        peers = self.sheet.bench.peers if self.sheet.bench else ()
        return {"judge_of_it": [(judge.pk, judge.name) for judge in peers]}

    def do(self, judge: Judge, now: datetime) -> str:
        new_judge = Judge.objects.get(pk=self.cleaned_data["judge_of_it"])
        reason = self.cleaned_data["reason"]
        decide_who_judges(battle=self.sheet.battle, head=judge, chosen=new_judge, reason=reason, now=now)
        return gettext("%(name)s will judge this battle. Everyone can read why.") % {"name": new_judge.name}


class AddCriterion(Act):
    """4.2.1: Adds a judge's own criterion."""

    key = "criterion"
    place = "rubric"

    name = forms.CharField(
        label=gettext_lazy("New criterion"),
        max_length=60,
        error_messages={"required": gettext_lazy("Name the criterion.")},
    )

    def do(self, judge: Judge, now: datetime) -> str:
        return gettext("“%(name)s” is now one of your criteria.") % {
            "name": add_criterion(judge=judge, name=self.cleaned_data["name"]).name
        }


class JudgeClaim(Act):
    """4.1.2, 2.2.3: A claim of a strat, and the judge's verdict."""

    key = "claim"
    place = "claims"

    strat = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Strat of"), error_messages=GONE)
    claim = forms.CharField(
        max_length=300, label=gettext_lazy("Claim"), error_messages={"required": gettext_lazy("Describe the claim.")}
    )
    verdict = forms.ChoiceField(choices=Claim.Verdict.choices, label=gettext_lazy("Verdict"))
    cites = rule_field("2.2.3.1")
    note = forms.CharField(
        required=False, label=gettext_lazy("Note to its author"), widget=forms.Textarea(attrs={"rows": 2})
    )

    def offered(self) -> Mapping[str, Choices]:
        """The strats that count, as choices."""
        fighters = [fighter for side in self.sheet.shown_sides for fighter in side.fighters]
        return {"strat": sent((strat, f.view.name) for f in fighters for strat, counts in f.strats if counts)}

    def do(self, judge: Judge, now: datetime) -> str:
        fields = {name: self.cleaned_data[name] for name in ("claim", "verdict", "cites", "note")}
        claim = judge_claim(strat=self.chosen_strat(), judge=judge, now=now, **fields)
        return gettext("The claim is %(get_verdict_display)s.") % {"get_verdict_display": claim.get_verdict_display()}


class RuleOnRisk(Act):
    """4.3.2, 4.5: The ruling on a kill or a capture that a strat asks for. Without a choice it is void."""

    key = "risk"
    place = "risks"

    strat = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Request"), error_messages=GONE)
    ruling = forms.ChoiceField(required=False, label=gettext_lazy("Ruling"), error_messages=GONE)
    cites = rule_field("4.3.2")
    reason = reason_field(gettext_lazy("Reason (published with the result)"))

    def offered(self) -> Mapping[str, Choices]:
        """If there are two enemies, the choices name them."""
        risks = self.sheet.asked_risks
        foes = dict.fromkeys(enemy for one in risks if len(one.enemies) > 1 for enemy in one.enemies)
        return {
            "strat": [
                (
                    one.strat.id,
                    gettext("the %(risk)s attempted by %(army)s") % {"army": one.army, "risk": one.strat.risk},
                )
                for one in risks
            ],
            "ruling": [
                ("", gettext("It is void: no troops are risked")),
                *((foe, gettext("It targets %(foe)s") % {"foe": foe}) for foe in foes),
            ],
        }

    def do(self, judge: Judge, now: datetime) -> str:
        data, strat = self.cleaned_data, self.chosen_strat()
        target, cites, reason = data["ruling"], data["cites"], data["reason"]
        ruling = rule_on_risk(strat=strat, judge=judge, target=target, cites=cites, reason=reason, now=now)
        outcome = gettext("is void") if ruling.is_void else gettext("targets %(target)s") % {"target": ruling.target}
        return gettext("The %(risk)s requested by %(name)s %(what)s.") % {
            "risk": strat.risk,
            "name": strat.entry.name,
            "what": outcome,
        }


class Adjust(Act):
    """4.2.6, R42: Changes a special case, with a reason."""

    key = "adjust"
    place = "proposal"

    KINDS = [
        (Special.LOSSES.value, gettext_lazy("its losses, as a percentage of the rolled losses (4.2.6)")),
        (Special.INVOLVED.value, gettext_lazy("its share of the side's losses (R42)")),
    ]

    army = forms.ChoiceField(label=gettext_lazy("Army"))
    kind = forms.ChoiceField(choices=KINDS, label=gettext_lazy("Change"))
    percent = WholeNumber(min_value=0, max_value=MOST_PERCENT, initial=UNCHANGED, label=gettext_lazy("Percent"))
    cites = rule_field("R42", required=False)
    reason = forms.CharField(
        required=False,
        max_length=MAX_REASON,
        label=gettext_lazy("Reason (public)"),
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def offered(self) -> Mapping[str, Choices]:
        return {"army": [(fighter.name, fighter.name) for fighter in self.sheet.view.fighters]}

    def do(self, judge: Judge, now: datetime) -> str:
        fields = {name: self.cleaned_data[name] for name in ("kind", "army", "percent", "cites", "reason")}
        adjust(battle=self.sheet.battle, judge=judge, now=now, **fields)
        return gettext("Recomputed with the same dice.")


class AskAdjustment(Act):
    """R53: The head asks a second judge to agree to a change that nobody makes alone."""

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
        fields = {name: self.cleaned_data[name] for name in ("kind", "army", "percent", "cites", "reason")}
        ask_adjustment(battle=self.sheet.battle, judge=judge, now=now, **fields)
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
        change = self.sheet.waiting_change
        key, answer = change.pk if change else 0, self.cleaned_data["answer"]
        answer_adjustment(battle=self.sheet.battle, judge=judge, request_id=key, accepted=False, answer=answer, now=now)
        return gettext("Refused. The roll stays as it is.")


class EnterBeacon(Act):
    """R38: The value of the public beacon, if the service could not fetch it."""

    key = "beacon"
    place = "score"

    signature = forms.CharField(max_length=200, label=gettext_lazy("Beacon signature"))
    value = forms.CharField(max_length=200, label=gettext_lazy("Beacon randomness"))

    def do(self, judge: Judge, now: datetime) -> str:
        data = self.cleaned_data
        fields = {"signature": data["signature"], "value": data["value"]}
        enter_value(battle=self.sheet.battle, judge=judge, now=now, **fields)
        return gettext("The beacon's value is saved. You can roll the dice.")


class OverruleScore(Act):
    """1.3, 4.2.1: Replaces an assistant's score."""

    key = "overrule"
    place = "score"

    favours = forms.ChoiceField(required=False, label=gettext_lazy("Bonus for"), error_messages=GONE)
    bonus = WholeNumber(min_value=0, max_value=MOST_BONUS, label=gettext_lazy("Bonus"))
    reason = reason_field(gettext_lazy("Reason (published with the result)"))

    def __init__(self, sheet: Sheet, data: Mapping[str, object] | None = None) -> None:
        super().__init__(sheet, data)
        self.fields.update(reason_fields(sheet.criteria))

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        check_reasons(self, self.sheet.criteria, cleaned.get("bonus"))
        return cleaned

    def offered(self) -> Mapping[str, Choices]:
        return {
            "favours": [("", gettext("neither side")), *((side.index, side.label) for side in self.sheet.shown_sides)]
        }

    def do(self, judge: Judge, now: datetime) -> str:
        data = self.cleaned_data
        favours = int(data["favours"]) if data["favours"] else None
        fields = {"favours": favours, "bonus": data["bonus"], "reason": data["reason"]}
        reasons = typed_reasons(self, self.sheet.criteria)
        overrule_score(battle=self.sheet.battle, judge=judge, now=now, reasons=reasons, **fields)
        return gettext("You overruled the score. Yours counts.")


class Press:
    """A button of the sheet without input. `row` is the key of the object beside it; 0: none."""

    key: ClassVar[str]
    place: ClassVar[str]

    def __init_subclass__(cls) -> None:
        PRESSES[cls.key] = cls

    def __init__(self, sheet: Sheet, row: int) -> None:
        self.battle = sheet.battle
        self.row = row

    def do(self, judge: Judge, now: datetime) -> str:
        """Do it, and return the success message. Raises Refused."""
        raise NotImplementedError


class ShowNotes(Press):
    """4.2.1: Shows the judge's own notes with the result."""

    key = "show"
    place = "rubric"

    def do(self, judge: Judge, now: datetime) -> str:
        show_notes(battle=self.battle, judge=judge, shown=True, now=now)
        return gettext("Your notes will be shown with the result.")


class HideNotes(Press):
    """4.2.1: Hides the judge's own notes."""

    key = "hide"
    place = "rubric"

    def do(self, judge: Judge, now: datetime) -> str:
        show_notes(battle=self.battle, judge=judge, shown=False, now=now)
        return gettext("Your notes are for battle judges only.")


class RetireCriterion(Press):
    """4.2.1: Retires a criterion."""

    key = "retire"
    place = "rubric"

    def do(self, judge: Judge, now: datetime) -> str:
        retire_criterion(judge=judge, criterion_id=self.row)
        return gettext("You will no longer be asked for that criterion.")


class WithdrawClaim(Press):
    """4.1.2: Withdraws the verdict on a claim."""

    key = "withdraw"
    place = "claims"

    def do(self, judge: Judge, now: datetime) -> str:
        withdraw_claim(battle=self.battle, judge=judge, claim_id=self.row, now=now)
        return gettext("Withdrawn.")


class WithdrawRiskRuling(Press):
    """1.3: Restores a kill or a capture as its strat asks for it."""

    key = "stand"
    place = "risks"

    def do(self, judge: Judge, now: datetime) -> str:
        withdraw_risk_ruling(battle=self.battle, judge=judge, ruling_id=self.row, now=now)
        return gettext("Withdrawn. The request counts as written in the strat.")


class AgreeToAdjustment(Press):
    """R53: a second judge agrees, and the change is made."""

    key = "agree"
    place = "proposal"

    def do(self, judge: Judge, now: datetime) -> str:
        answer_adjustment(battle=self.battle, judge=judge, request_id=self.row, accepted=True, answer="", now=now)
        return gettext("Agreed. Recomputed with the same dice.")


class WithdrawAdjustment(Press):
    """R53: Withdraws the request."""

    key = "unask"
    place = "adjust"

    def do(self, judge: Judge, now: datetime) -> str:
        withdraw_adjustment(battle=self.battle, judge=judge, request_id=self.row, now=now)
        return gettext("Withdrawn. No one has to agree to it any more.")


def sent(strats: Iterable[tuple[StratView, str]]) -> Choices:
    """R35: Choices of strats, each with its army and the time when it was sent."""
    return [
        (strat.id, gettext("%(army)s, sent %(time)s") % {"army": army, "time": utc(strat.sent_at)})
        for strat, army in strats
    ]


def address_of(battle_id: int, place: str = "") -> str:
    """The sheet of a battle, with the part open to which an act leads."""
    address = reverse("judge:battle", args=[battle_id])
    return f"{address}?open={place}#{place}" if place else address


def _in_words(bound: forms.BoundField, value: str) -> str:
    """A readable value: for a choice, its label."""
    field = bound.field
    choices: Any = field.choices if isinstance(field, forms.ChoiceField) else ()
    return next((str(label) for key, label in choices if str(key) == value), value)
