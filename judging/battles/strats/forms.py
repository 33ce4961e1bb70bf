"""4.1.1, R35, R49: The forms for strats, for players and for the mercenary judge.

Typed text is stored verbatim, even if it is wrong.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from judging.battles.strats.services import MAX_STRAT
from judging.common.forms import LongText, new_token


class RiskRadios(forms.RadioSelect):
    """Disables choices that can't be requested; `cannot` has the reasons, by the value. An existing choice stays
    enabled."""

    cannot: Mapping[str, str] = {}

    def create_option(self, name: str, value: Any, label: int | str, selected: bool, *args: Any, **more: Any) -> Any:
        option = super().create_option(name, value, label, selected, *args, **more)
        if (why := self.cannot.get(str(value))) and not selected:
            option["attrs"] |= {"disabled": True, "title": why}
        return option


class StratForm(forms.Form):
    """4.1.1, R35: A strat and its requests. `leaves` is offered if two armies fight side by side (4.4), and `cannot`
    says why something can't be risked."""

    RISKS = [
        ("", gettext_lazy("Neither")),
        ("kill", gettext_lazy("Go for the kill (4.3)")),
        ("capture", gettext_lazy("Go for the capture (4.5)")),
    ]

    text = LongText(longest=MAX_STRAT, cites="R35", rows=18, missing=gettext_lazy("Write what your troops should do."))
    risk = forms.ChoiceField(choices=RISKS, required=False, widget=RiskRadios)
    runs = forms.BooleanField(required=False, label=gettext_lazy("Run away (4.2.6)"))
    token = forms.CharField(max_length=40, widget=forms.HiddenInput, required=False)
    word_sha256 = forms.CharField(max_length=80, required=False, label=gettext_lazy("Seal of my word (its SHA-256)"))

    def __init__(
        self,
        *args: Any,
        pair: Sequence[str] = (),
        squares: Sequence[str] = (),
        cannot: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.pair, self.cannot = pair, cannot or {}
        cast(RiskRadios, self.fields["risk"].widget).cannot = self.cannot
        for field, choices in (("leaves", pair), ("leaves_to", squares)):
            options = [("", gettext("drawn at random")), *((choice, choice) for choice in choices)]
            self.fields[field] = forms.ChoiceField(choices=options, required=False)

    def clean_token(self) -> str:
        return self.cleaned_data["token"] or new_token()

    @property
    def base_version(self) -> int:
        """4.1.1: The version of the draft on the page."""
        version = self.data.get("version", "")
        return int(version) if version.isdecimal() and len(version) < 10 else 0

    def typed(self) -> dict[str, Any]:
        """The typed values, even invalid ones, for a draft."""
        values = {name: str(self.data.get(name, "")) for name in ("text", "risk", "leaves", "leaves_to")}
        values["text"] = values["text"].replace("\r\n", "\n").replace("\r", "\n")
        return {**values, "runs": bool(self.data.get("runs"))}

    def clean_risk(self) -> str:
        if isinstance(self.data, QueryDict) and len(set(self.data.getlist("risk")) - {""}) > 1:
            raise forms.ValidationError(gettext("A strat can go for the kill or the capture, not both (R35)."))
        return str(self.cleaned_data["risk"])


class MercenaryStratForm(forms.Form):
    """R49: the mercenary judge's strat. Mercenaries capture nobody."""

    text = LongText(longest=MAX_STRAT, cites="R35", rows=14, missing=gettext_lazy("Write what the troops should do."))
    risk = forms.ChoiceField(choices=StratForm.RISKS[:2], required=False, widget=forms.RadioSelect)
    runs = forms.BooleanField(required=False, label=gettext_lazy("Run away (4.2.6)"))
    token = forms.CharField(max_length=40, widget=forms.HiddenInput, required=False)

    def clean_token(self) -> str:
        return self.cleaned_data["token"] or new_token()
