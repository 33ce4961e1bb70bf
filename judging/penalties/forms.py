"""5.4.1, R47: the form of a penalty, for the judges' page and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.http import QueryDict
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from judging.common.errors import Refused
from judging.common.forms import new_token
from judging.penalties.models import Penalty
from judging.penalties.services import NewPenalty
from wargame.rules.core.troops import SLOTS
from wargame.rules.core.turn import SEVERITIES

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


SLOT_FIELDS = tuple(f"slot{slot}" for slot in SLOTS)
BEGUN = {"player": 60, "army": 60, "cites": 12, "reason": 600, "kind": 12}
"""Fields that an address can fill in the form, with their maximum lengths."""


def _line(label: _StrOrPromise, size: int, **attributes: object) -> forms.CharField:
    widget = forms.TextInput(attrs={"size": size, "autocomplete": "off", **attributes})
    return forms.CharField(required=False, strip=False, label=label, widget=widget)


class PenaltyForm(forms.Form):
    """5.4.1: its errors come from the service, and are shown beside their fields."""

    token = forms.CharField(widget=forms.HiddenInput, required=False)
    player = _line(gettext_lazy("Player who acted"), 24, list="players")
    army = _line(gettext_lazy("Army (optional for a reprimand)"), 24, list="armies")
    kind = forms.ChoiceField(required=False, label=gettext_lazy("Penalty"), choices=Penalty.Kind.choices)
    severity = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Severity (for a die roll only)"),
        choices=[(str(severity), str(severity)) for severity in SEVERITIES],
    )
    slot1, slot2, slot3, slot4 = (
        _line(format_lazy(gettext_lazy("Slot {slot}"), slot=slot), 6, inputmode="numeric") for slot in SLOTS
    )
    cites = _line(gettext_lazy("Broken rule"), 10)
    reason = forms.CharField(
        required=False,
        strip=False,
        label=gettext_lazy("Reason (public)"),
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "true"}),
    )

    @property
    def slots(self) -> list[forms.BoundField]:
        """The fields of a manual loss."""
        return [self[name] for name in SLOT_FIELDS]

    @property
    def typed_fields(self) -> list[tuple[str, str]]:
        return [(name, self.data.get(name, "")) for name in self.fields]

    @property
    def new_penalty(self) -> NewPenalty:
        """What was typed, whatever it is."""
        said = {name: self.data.get(name, "") for name in ("kind", "player", "army", "severity", "cites", "reason")}
        first, second, third, fourth = (self.data.get(name, "") for name in SLOT_FIELDS)
        return NewPenalty(troops=(first, second, third, fourth), **said)

    def refuse(self, error: Refused) -> None:
        self.is_valid()
        self.add_error(error.field if error.field in self.fields else None, str(error))


def penalty_form(data: QueryDict | None, asked: QueryDict) -> PenaltyForm:
    """The form with the POST data, or filled from the address."""
    if data is not None:
        return PenaltyForm(data)
    initial = {name: asked.get(name, "")[:most].replace("\0", "") for name, most in BEGUN.items()}
    return PenaltyForm(initial={**initial, "cites": initial["cites"] or "5.4.1", "token": new_token()})
