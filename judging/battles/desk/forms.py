"""4: the smaller forms of a battle's sheet: more time, late strats, claims, kills and captures, a second judge, special
cases."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from django import forms
from django.http import QueryDict

from judging.battles.desk.sheet import Sheet
from judging.battles.models import Claim
from judging.battles.strats.extensions import MAX_REASON
from judging.game.errors import Refused
from wargame.rules.battle.adjusting import MOST_PERCENT, Special
from wargame.rules.book.formulas import MOST_BONUS

EVERYBODY = ""
VOID = ""
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
    area = forms.Textarea(attrs={"rows": 2, "spellcheck": "true"})
    missing = {"required": "Give a reason; everybody reads it."}
    return forms.CharField(label=label, max_length=MAX_REASON, widget=area, error_messages=missing)


class ExtendForm(forms.Form):
    """R5, 5.4.1: until when, for whom and why."""

    army = forms.ChoiceField(required=False, label="For", error_messages=GONE)
    until = UtcTime(label="Until (UTC)", error_messages={"required": "Say until when."})
    reason = reason_field()


class AcceptForm(forms.Form):
    """R35: a late strat that shall count."""

    strat = forms.TypedChoiceField(coerce=int, label="Late strat", error_messages=GONE)
    reason = reason_field()


class OverruleForm(forms.Form):
    """1.3, 4.2.1: another score in the place of an assistant's."""

    favours = forms.ChoiceField(required=False, label="Bonus for", error_messages=GONE)
    bonus = forms.IntegerField(min_value=0, max_value=MOST_BONUS, label="Bonus")
    reason = reason_field("Reason, public with the result")


class ShortenForm(forms.Form):
    """1.3, R5: whose longer deadline is overruled."""

    army = forms.ChoiceField(required=False, label="For", error_messages=GONE)
    reason = reason_field()


class UnacceptForm(forms.Form):
    """1.3, R35: a late strat that shall not count after all."""

    strat = forms.TypedChoiceField(coerce=int, label="Accepted strat", error_messages=GONE)
    reason = reason_field()


class SecondForm(forms.Form):
    """4.2.1: who scores the battle too."""

    second = forms.TypedChoiceField(
        coerce=int, required=False, empty_value=None, label="Second judge", error_messages=GONE
    )


class CriterionForm(forms.Form):
    """4.2.1: a criterion of one's own."""

    name = forms.CharField(label="New criterion", max_length=60, error_messages={"required": "Name the criterion."})


class ClaimForm(forms.Form):
    """4.1.2, 2.2.3: what a strat claims, and what the judge makes of it."""

    strat = forms.TypedChoiceField(coerce=int, label="Strat of", error_messages=GONE)
    claim = forms.CharField(max_length=300, label="Claim", error_messages={"required": "Say what is claimed."})
    verdict = forms.ChoiceField(choices=Claim.Verdict.choices, label="Verdict")
    cites = forms.CharField(
        max_length=12,
        label="Rule",
        widget=forms.TextInput(attrs={"size": 10, "placeholder": "2.2.3.1"}),
        error_messages={"required": "Name the rule, like 2.2.3.1."},
    )
    note = forms.CharField(required=False, label="Note to its author", widget=forms.Textarea(attrs={"rows": 2}))


class RiskForm(forms.Form):
    """4.3.2, 4.5: what becomes of a kill or a capture that a strat asks for."""

    strat = forms.TypedChoiceField(coerce=int, label="Request", error_messages=GONE)
    ruling = forms.ChoiceField(required=False, label="Ruling", error_messages=GONE)
    cites = forms.CharField(
        max_length=12,
        label="Rule",
        widget=forms.TextInput(attrs={"size": 10, "placeholder": "4.3.2"}),
        error_messages={"required": "Name the rule, like 4.3.2."},
    )
    reason = reason_field("Reason, public with the result")


class AdjustForm(forms.Form):
    """4.2.6, R42: a special case, changed with a reason."""

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


FORMS: Mapping[str, type[forms.Form]] = {
    "extend": ExtendForm,
    "accept": AcceptForm,
    "second": SecondForm,
    "criterion": CriterionForm,
    "claim": ClaimForm,
    "risk": RiskForm,
    "adjust": AdjustForm,
    "overrule": OverruleForm,
    "shorten": ShortenForm,
    "unaccept": UnacceptForm,
}


def desk_form(act: str, sheet: Sheet, data: QueryDict | None = None) -> forms.Form:
    """The form of that act with the sheet's armies, strats and judges to choose from."""
    form = FORMS[act](data, prefix=act)
    for name, choices in _choices(act, sheet, is_sent=data is not None).items():
        field = form.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
    if act == "second" and sheet.bench and sheet.bench.second:
        form.initial["second"] = sheet.bench.second.pk
    return form


def refuse(form: forms.Form, error: Refused) -> None:
    """Shows why it was not done, beside the field that it is about."""
    form.add_error(error.field if error.field in form.fields else None, str(error))


def typed_in_words(form: forms.Form) -> list[tuple[str, str]]:
    """What was typed into a form that its page has no place for any more: labels and values, as a person reads them."""
    typed = ((field, field.value()) for field in form)
    return [(str(field.label), _in_words(field, str(value))) for field, value in typed if value]


def _in_words(bound: forms.BoundField, value: str) -> str:
    field = bound.field
    choices: Any = field.choices if isinstance(field, forms.ChoiceField) else ()
    return next((str(label) for key, label in choices if str(key) == value), value)


def _choices(act: str, sheet: Sheet, *, is_sent: bool) -> dict[str, list[tuple[str | int, str]]]:
    """What there is to choose from. More time is offered to those who can get it; of what was sent the service says
    why it can't be."""
    names: list[tuple[str | int, str]] = [(f.name, f.name) for f in sheet.view.fighters]
    if act == "extend":
        everybody = [(EVERYBODY, "everybody"), *names]
        return {"army": [one for one in everybody if is_sent or one[0] in sheet.extendable]}
    if act == "adjust":
        return {"army": names}
    if act == "second":
        others = sheet.bench.others if sheet.bench else ()
        return {"second": [("", "nobody"), *((judge.pk, judge.name) for judge in others)]}
    if act == "claim":
        fighters = (fighter for side in sheet.shown_sides for fighter in side.fighters)
        counting = [(one, f.view.name) for f in fighters for one, counts in f.strats if counts]
        return {"strat": [(one.id, f"{name}, {one.sent_at:%d %b %H:%M}") for one, name in counting]}
    if act == "accept":
        return {"strat": [(one.id, f"{name}, {one.sent_at:%d %b %H:%M}") for one, name in sheet.late_strats]}
    return _risk_choices(sheet) if act == "risk" else _overruling_choices(act, sheet, is_sent=is_sent)


def _overruling_choices(act: str, sheet: Sheet, *, is_sent: bool) -> dict[str, list[tuple[str | int, str]]]:
    """1.3: what the head may overrule."""
    if act == "overrule":
        return {"favours": [("", "neither side"), *((side.index, side.label) for side in sheet.shown_sides)]}
    if act == "unaccept":
        return {"strat": [(one.id, f"{name}, {one.sent_at:%d %b %H:%M}") for one, name in sheet.accepted_strats]}
    names = ("", *(fighter.name for fighter in sheet.view.fighters)) if is_sent else sheet.extended
    return {"army": [(name, name or "everybody") for name in names]} if act == "shorten" else {}


def _risk_choices(sheet: Sheet) -> dict[str, list[tuple[str | int, str]]]:
    """4.3.2, 4.5: an enemy is named where there are two."""
    asked = sheet.asked_risks
    aims = {foe: f"It is aimed at {foe}" for _, _, enemies in asked if len(enemies) > 1 for foe in enemies}
    return {
        "strat": [(one.id, f"{name} goes for the {one.risk}") for one, name, _ in asked],
        "ruling": [(VOID, "It is void: no troops are risked"), *aims.items()],
    }
