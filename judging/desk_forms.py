"""4: the smaller forms of a battle's sheet: more time, late strats, claims, a second judge, special cases."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime

from django import forms
from django.http import QueryDict

from judging.models import Claim
from judging.selectors.sheet import Sheet
from judging.services.extensions import MAX_REASON
from wargame.rules.adjusting import MOST_PERCENT, Special

EVERYBODY = ""


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

    army = forms.ChoiceField(required=False, label="For")
    until = UtcTime(label="Until (UTC)", error_messages={"required": "Say until when."})
    reason = reason_field()


class AcceptForm(forms.Form):
    """R35: a late strat that shall count."""

    strat = forms.TypedChoiceField(coerce=int, label="Late strat", error_messages={"required": "Choose a strat."})
    reason = reason_field()


class SecondForm(forms.Form):
    """4.2.1: who scores the battle too."""

    second = forms.TypedChoiceField(coerce=int, required=False, empty_value=None, label="Second judge")


class CriterionForm(forms.Form):
    """4.2.1: a criterion of one's own."""

    name = forms.CharField(label="New criterion", max_length=60, error_messages={"required": "Name the criterion."})


class ClaimForm(forms.Form):
    """4.1.2, 2.2.3: what a strat claims, and what the judge makes of it."""

    strat = forms.TypedChoiceField(coerce=int, label="Strat", error_messages={"required": "Choose a strat."})
    claim = forms.CharField(max_length=300, label="Claim", error_messages={"required": "Say what is claimed."})
    verdict = forms.ChoiceField(choices=Claim.Verdict.choices, label="Verdict")
    cites = forms.CharField(
        max_length=12,
        label="Rule",
        widget=forms.TextInput(attrs={"size": 10, "placeholder": "2.2.3.1"}),
        error_messages={"required": "Name the rule, like 2.2.3.1."},
    )
    note = forms.CharField(required=False, label="Note to its author", widget=forms.Textarea(attrs={"rows": 2}))


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
    "adjust": AdjustForm,
}


def desk_form(act: str, sheet: Sheet, data: QueryDict | None = None) -> forms.Form:
    """The form of that act with the sheet's armies, strats and judges to choose from."""
    form = FORMS[act](data, prefix=act)
    for name, choices in _choices(act, sheet).items():
        field = form.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices
    if act == "second" and sheet.bench and sheet.bench.second:
        form.initial["second"] = sheet.bench.second.pk
    return form


def _choices(act: str, sheet: Sheet) -> dict[str, list[tuple[str | int, str]]]:
    names: list[tuple[str | int, str]] = [(f.name, f.name) for f in sheet.view.fighters]
    fighters = [fighter for side in sheet.shown_sides for fighter in side.fighters]
    if act == "extend":
        return {"army": [(EVERYBODY, "everybody"), *names]}
    if act == "adjust":
        return {"army": names}
    if act == "second":
        others = sheet.bench.others if sheet.bench else ()
        return {"second": [("", "nobody"), *((judge.pk, judge.name) for judge in others)]}
    strats = [(one, fighter.view.name, counts) for fighter in fighters for one, counts in fighter.strats]
    if act == "claim":
        return {"strat": [(one.id, f"{name}, {one.sent_at:%d %b %H:%M}") for one, name, counts in strats if counts]}
    if act == "accept":
        late = [(one, name) for one, name, counts in strats if one.late and not counts]
        return {"strat": [(one.id, f"{name}, {one.sent_at:%d %b %H:%M}") for one, name in late]}
    return {}
