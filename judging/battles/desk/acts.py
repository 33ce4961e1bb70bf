"""4: the smaller acts of a battle's sheet, one class each: more time, late strats, claims, kills and captures, a second
judge, special cases, and what a head overrules.

An `Act` is a form with something typed, a `Press` a button without. Each class has what is asked for, what there is to
choose from, who may do it, what it does (a call of the writes), the sentence that says so, and the part of the sheet
to which it leads back. A new act is a new class here and its place in a template; the pages find it by its `key`, the
last part of its address.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict

from judging.battles.desk.notes import add_criterion, judge_claim, retire_criterion, show_notes, withdraw_claim
from judging.battles.desk.risks import rule_on_risk, withdraw_risk_ruling
from judging.battles.desk.rolling import adjust
from judging.battles.desk.scoring import name_second_judge, overrule_score
from judging.battles.desk.sheet import Sheet
from judging.battles.models import Claim, Strat
from judging.battles.shapes import StratView
from judging.battles.strats.extensions import MAX_REASON, accept_late, extend_strats, overrule_extension, overrule_late
from judging.game.errors import Refused
from wargame.models import Army, Judge
from wargame.rules.battle.adjusting import MOST_PERCENT, Special
from wargame.rules.book.formulas import MOST_BONUS

Choices = Sequence[tuple[str | int, str]]
"""What a field offers: what is sent, and what a person reads."""

ACTS: dict[str, type[Act]] = {}
PRESSES: dict[str, type[Press]] = {}

GONE = {"invalid_choice": "What you chose is not there any more. Choose anew."}


class UtcTime(forms.DateTimeField):
    """R4: a moment in UTC, to the minute, as a browser's own field writes it."""

    def __init__(self, **kwargs: object) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"]
        super().__init__(widget=widget, input_formats=formats, **kwargs)  # type: ignore[arg-type]
        self.error_messages["invalid"] = "Write a date and a time in UTC, like 2026-03-15 05:00."

    def to_python(self, value: str | datetime | date | None) -> datetime | None:
        moment = super().to_python(value)
        return moment.replace(tzinfo=UTC) if moment else None


def reason_field(label: str = "Reason, public") -> forms.CharField:
    """1.3: why something is done, which everybody reads."""
    area = forms.Textarea(attrs={"rows": 2, "spellcheck": "true"})
    missing = {"required": "Give a reason; everybody reads it."}
    return forms.CharField(label=label, max_length=MAX_REASON, widget=area, error_messages=missing)


def rule_field(example: str) -> forms.CharField:
    """1.3: the number of the rule or ruling on which something rests, like the `example`."""
    hint = forms.TextInput(attrs={"size": 10, "placeholder": example})
    return forms.CharField(
        max_length=12, label="Rule", widget=hint, error_messages={"required": f"Name the rule, like {example}."}
    )


class Act(forms.Form):
    """One of the sheet's smaller forms, empty or with what was sent. What was typed comes back with a refusal."""

    key: ClassVar[str]
    place: ClassVar[str]

    def __init_subclass__(cls) -> None:
        ACTS[cls.key] = cls

    def __init__(self, sheet: Sheet, data: QueryDict | None = None) -> None:
        super().__init__(data, prefix=self.key)
        self.sheet = sheet
        for name, choices in self.offered().items():
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = choices

    def offered(self) -> Mapping[str, Choices]:
        """What there is to choose from in this sheet, by the fields' names."""
        return {}

    @property
    def judge(self) -> Judge | None:
        """1.3: the judge as whom the viewer does it; None if it is not his to do."""
        return self.sheet.judge

    def do(self, judge: Judge, now: datetime) -> str:
        """Does what was typed, which is valid, and says so in a sentence. Raises Refused."""
        raise NotImplementedError

    def refuse(self, error: Refused) -> None:
        """Shows why it was not done, beside the field that it is about."""
        self.add_error(error.field if error.field in self.fields else None, str(error))

    def typed_in_words(self) -> list[tuple[str, str]]:
        """What was typed, for a page that has no place for the form any more: labels and values as a person reads
        them."""
        typed = ((field, field.value()) for field in self)
        return [(str(field.label), _in_words(field, str(value))) for field, value in typed if value]

    def chosen_army(self) -> Army | None:
        """The army that was chosen; None for everybody."""
        name = self.cleaned_data["army"]
        return Army.objects.get(battle_entries__battle=self.sheet.battle, battle_entries__name=name) if name else None

    def chosen_strat(self) -> Strat:
        """The strat that was chosen, with its army."""
        rows = Strat.objects.select_related("entry__army")
        return rows.get(pk=self.cleaned_data["strat"], entry__battle=self.sheet.battle)


class Extend(Act):
    """R5, 5.4.1: more time for strats: until when, for whom and why. Movement judges may give it too."""

    key = "extend"
    place = "time"

    army = forms.ChoiceField(required=False, label="For", error_messages=GONE)
    until = UtcTime(label="Until (UTC)", error_messages={"required": "Say until when."})
    reason = reason_field()

    @property
    def judge(self) -> Judge | None:
        return self.sheet.extender

    def offered(self) -> Mapping[str, Choices]:
        """Those who can still get it. Of what was sent, whoever it is for, the writes say why it can't be."""
        everybody = ("", *(fighter.name for fighter in self.sheet.view.fighters))
        names = everybody if self.is_bound else [name for name in everybody if name in self.sheet.extendable]
        return {"army": [(name, name or "everybody") for name in names]}

    def do(self, judge: Judge, now: datetime) -> str:
        army, until, reason = self.chosen_army(), self.cleaned_data["until"], self.cleaned_data["reason"]
        extend_strats(battle=self.sheet.battle, judge=judge, army=army, until=until, reason=reason, now=now)
        return f"{army or 'Everybody'} has until {until:%d %B %Y, %H:%M} UTC."


class AcceptLate(Act):
    """R35: a late strat that shall count."""

    key = "accept"
    place = "time"

    strat = forms.TypedChoiceField(coerce=int, label="Late strat", error_messages=GONE)
    reason = reason_field()

    def offered(self) -> Mapping[str, Choices]:
        return {"strat": _sent(self.sheet.late_strats)}

    def do(self, judge: Judge, now: datetime) -> str:
        strat = self.chosen_strat()
        accept_late(strat=strat, judge=judge, reason=self.cleaned_data["reason"], now=now)
        return f"The late strat of {strat.entry.name} is accepted."


class NameSecondJudge(Act):
    """4.2.1: who scores the battle too; nobody, if nobody is chosen."""

    key = "second"
    place = "bench"

    second = forms.TypedChoiceField(
        coerce=int, required=False, empty_value=None, label="Second judge", error_messages=GONE
    )

    def __init__(self, sheet: Sheet, data: QueryDict | None = None) -> None:
        super().__init__(sheet, data)
        if sheet.bench and sheet.bench.second:
            self.initial["second"] = sheet.bench.second.pk

    def offered(self) -> Mapping[str, Choices]:
        others = self.sheet.bench.others if self.sheet.bench else ()
        return {"second": [("", "nobody"), *((judge.pk, judge.name) for judge in others)]}

    def do(self, judge: Judge, now: datetime) -> str:
        chosen = self.cleaned_data["second"]
        second = Judge.objects.get(pk=chosen) if chosen else None
        name_second_judge(battle=self.sheet.battle, judge=judge, second=second, now=now)
        return f"{second.name} scores this battle too." if second else "One judge scores this battle."


class AddCriterion(Act):
    """4.2.1: a criterion of one's own."""

    key = "criterion"
    place = "rubric"

    name = forms.CharField(label="New criterion", max_length=60, error_messages={"required": "Name the criterion."})

    def do(self, judge: Judge, now: datetime) -> str:
        return f"“{add_criterion(judge=judge, name=self.cleaned_data['name']).name}” is one of your criteria."


class JudgeClaim(Act):
    """4.1.2, 2.2.3: what a strat claims, and what the judge makes of it."""

    key = "claim"
    place = "claims"

    strat = forms.TypedChoiceField(coerce=int, label="Strat of", error_messages=GONE)
    claim = forms.CharField(max_length=300, label="Claim", error_messages={"required": "Say what is claimed."})
    verdict = forms.ChoiceField(choices=Claim.Verdict.choices, label="Verdict")
    cites = rule_field("2.2.3.1")
    note = forms.CharField(required=False, label="Note to its author", widget=forms.Textarea(attrs={"rows": 2}))

    def offered(self) -> Mapping[str, Choices]:
        """The strats that count."""
        fighters = [fighter for side in self.sheet.shown_sides for fighter in side.fighters]
        return {"strat": _sent((strat, f.view.name) for f in fighters for strat, counts in f.strats if counts)}

    def do(self, judge: Judge, now: datetime) -> str:
        given = {name: self.cleaned_data[name] for name in ("claim", "verdict", "cites", "note")}
        made = judge_claim(strat=self.chosen_strat(), judge=judge, now=now, **given)
        return f"The claim is {made.get_verdict_display()}."


class RuleOnRisk(Act):
    """4.3.2, 4.5: what becomes of a kill or a capture that a strat asks for. No ruling chosen: it is void."""

    key = "risk"
    place = "risks"

    strat = forms.TypedChoiceField(coerce=int, label="Request", error_messages=GONE)
    ruling = forms.ChoiceField(required=False, label="Ruling", error_messages=GONE)
    cites = rule_field("4.3.2")
    reason = reason_field("Reason, public with the result")

    def offered(self) -> Mapping[str, Choices]:
        """An enemy is named where there are two."""
        asked = self.sheet.asked_risks
        foes = dict.fromkeys(enemy for one in asked if len(one.enemies) > 1 for enemy in one.enemies)
        return {
            "strat": [(one.strat.id, f"{one.army} goes for the {one.strat.risk}") for one in asked],
            "ruling": [("", "It is void: no troops are risked"), *((foe, f"It is aimed at {foe}") for foe in foes)],
        }

    def do(self, judge: Judge, now: datetime) -> str:
        typed, strat = self.cleaned_data, self.chosen_strat()
        target, cites, reason = typed["ruling"], typed["cites"], typed["reason"]
        ruling = rule_on_risk(strat=strat, judge=judge, target=target, cites=cites, reason=reason, now=now)
        what = "is void" if ruling.is_void else f"is aimed at {ruling.target}"
        return f"The {strat.risk} that {strat.entry.name} asked for {what}."


class Adjust(Act):
    """4.2.6, R42: a special case, changed with a reason."""

    key = "adjust"
    place = "proposal"

    KINDS = [
        (Special.LOSSES.value, "its losses in percent of what the dice gave (4.2.6)"),
        (Special.INVOLVED.value, "its part in its side's losses (R42)"),
    ]

    army = forms.ChoiceField(label="Army")
    kind = forms.ChoiceField(choices=KINDS, label="Change")
    percent = forms.IntegerField(min_value=0, max_value=MOST_PERCENT, initial=100, label="Percent")
    reason = forms.CharField(
        required=False, max_length=MAX_REASON, label="Reason, public", widget=forms.Textarea(attrs={"rows": 2})
    )

    def offered(self) -> Mapping[str, Choices]:
        return {"army": [(fighter.name, fighter.name) for fighter in self.sheet.view.fighters]}

    def do(self, judge: Judge, now: datetime) -> str:
        given = {name: self.cleaned_data[name] for name in ("kind", "army", "percent", "reason")}
        adjust(battle=self.sheet.battle, judge=judge, now=now, **given)
        return "Worked out anew, with the same dice."


class OverruleScore(Act):
    """1.3, 4.2.1: another score in the place of an assistant's."""

    key = "overrule"
    place = "score"

    favours = forms.ChoiceField(required=False, label="Bonus for", error_messages=GONE)
    bonus = forms.IntegerField(min_value=0, max_value=MOST_BONUS, label="Bonus")
    reason = reason_field("Reason, public with the result")

    def offered(self) -> Mapping[str, Choices]:
        return {"favours": [("", "neither side"), *((side.index, side.label) for side in self.sheet.shown_sides)]}

    def do(self, judge: Judge, now: datetime) -> str:
        typed = self.cleaned_data
        favours = int(typed["favours"]) if typed["favours"] else None
        given = {"favours": favours, "bonus": typed["bonus"], "reason": typed["reason"]}
        overrule_score(battle=self.sheet.battle, judge=judge, now=now, **given)
        return "The score is overruled; yours counts."


class OverruleExtension(Act):
    """1.3, R5: whose longer deadline is overruled. The head of the movement judges may do it too."""

    key = "shorten"
    place = "time"

    army = forms.ChoiceField(required=False, label="For", error_messages=GONE)
    reason = reason_field()

    @property
    def judge(self) -> Judge | None:
        return self.sheet.extender

    def offered(self) -> Mapping[str, Choices]:
        """Whose deadline was moved. Of what was sent, whoever it is for, the writes say why it can't be."""
        everybody = ("", *(fighter.name for fighter in self.sheet.view.fighters))
        return {"army": [(n, n or "everybody") for n in (everybody if self.is_bound else self.sheet.extended)]}

    def do(self, judge: Judge, now: datetime) -> str:
        army, reason = self.chosen_army(), self.cleaned_data["reason"]
        until = overrule_extension(battle=self.sheet.battle, judge=judge, army=army, reason=reason, now=now)
        return f"{army or 'Everybody'} has until {until:%d %B %Y, %H:%M} UTC again."


class OverruleLate(Act):
    """1.3, R35: a late strat that shall not count after all."""

    key = "unaccept"
    place = "time"

    strat = forms.TypedChoiceField(coerce=int, label="Accepted strat", error_messages=GONE)
    reason = reason_field()

    def offered(self) -> Mapping[str, Choices]:
        return {"strat": _sent(self.sheet.accepted_strats)}

    def do(self, judge: Judge, now: datetime) -> str:
        strat = self.chosen_strat()
        overrule_late(strat=strat, judge=judge, reason=self.cleaned_data["reason"], now=now)
        return f"The late strat of {strat.entry.name} does not count."


class Press:
    """A button of the sheet that takes nothing typed. `row` is the key of what it stands beside; 0: nothing."""

    key: ClassVar[str]
    place: ClassVar[str]

    def __init_subclass__(cls) -> None:
        PRESSES[cls.key] = cls

    def __init__(self, sheet: Sheet, row: int) -> None:
        self.battle = sheet.battle
        self.row = row

    def do(self, judge: Judge, now: datetime) -> str:
        """Does it, and says so in a sentence. Raises Refused."""
        raise NotImplementedError


class ShowNotes(Press):
    """4.2.1: one's notes are shown with the result."""

    key = "show"
    place = "rubric"

    def do(self, judge: Judge, now: datetime) -> str:
        show_notes(battle=self.battle, judge=judge, shown=True, now=now)
        return "Your notes are shown with the result."


class HideNotes(Press):
    """4.2.1: one's notes are shown no more."""

    key = "hide"
    place = "rubric"

    def do(self, judge: Judge, now: datetime) -> str:
        show_notes(battle=self.battle, judge=judge, shown=False, now=now)
        return "Your notes are for battle judges only."


class RetireCriterion(Press):
    """4.2.1: a criterion is asked for no more."""

    key = "retire"
    place = "rubric"

    def do(self, judge: Judge, now: datetime) -> str:
        retire_criterion(judge=judge, criterion_id=self.row)
        return "You are not asked for that any more."


class WithdrawClaim(Press):
    """4.1.2: what was written of a claim is taken back."""

    key = "withdraw"
    place = "claims"

    def do(self, judge: Judge, now: datetime) -> str:
        withdraw_claim(battle=self.battle, judge=judge, claim_id=self.row, now=now)
        return "Taken back."


class WithdrawRiskRuling(Press):
    """1.3: a kill or a capture stands again as its strat asks for it."""

    key = "stand"
    place = "risks"

    def do(self, judge: Judge, now: datetime) -> str:
        withdraw_risk_ruling(battle=self.battle, judge=judge, ruling_id=self.row, now=now)
        return "Taken back: the request stands as its strat has it."


def _sent(strats: Iterable[tuple[StratView, str]]) -> Choices:
    """R35: strats to choose from, each by its army and when it was sent."""
    return [(strat.id, f"{army}, {strat.sent_at:%d %b %H:%M}") for strat, army in strats]


def _in_words(bound: forms.BoundField, value: str) -> str:
    """A value as a person reads it: of a choice, its label."""
    field = bound.field
    choices: Any = field.choices if isinstance(field, forms.ChoiceField) else ()
    return next((str(label) for key, label in choices if str(key) == value), value)
