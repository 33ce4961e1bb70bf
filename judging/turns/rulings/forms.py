"""3.3.3: the form for a ruling: its kind first, then the fields that the kind needs. Nothing typed is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from judging.game.errors import Refused
from judging.game.forms import new_token
from judging.turns.models import Ruling
from judging.turns.rulings.writes import NewRuling
from wargame.rules.core.troops import SLOTS
from wargame.rules.posts.notation import LONGEST_LINE

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

FIELDS: dict[str, tuple[str, ...]] = {
    Ruling.Kind.ORDER: ("order",),
    Ruling.Kind.LIFTED: (),
    Ruling.Kind.ASIDE: (),
    Ruling.Kind.SQUARE: ("square",),
    Ruling.Kind.WINNER: ("square",),
    Ruling.Kind.DAYS: ("days",),
    Ruling.Kind.TROOPS: ("slot", "creature", "alive"),
}
"""What each kind needs besides an army, a rule and a reason."""

HELP: dict[str, _StrOrPromise] = {
    Ruling.Kind.ORDER: gettext_lazy(
        "This order replaces what was posted, legal or not. Examples: “3D > 5E; engage Bob”, “hold”."
    ),
    Ruling.Kind.LIFTED: gettext_lazy("The army's last order is carried out even though it was refused."),
    Ruling.Kind.ASIDE: gettext_lazy("The army stays. Its orders are ignored, including a long move."),
    Ruling.Kind.SQUARE: gettext_lazy("The army ends on this square, after all partial moves. No friend can be on it."),
    Ruling.Kind.WINNER: gettext_lazy("The army gets this square ahead of the friends that want it too."),
    Ruling.Kind.DAYS: gettext_lazy("The army's days after the settlement. Its healing depends on them."),
    Ruling.Kind.TROOPS: gettext_lazy(
        "How many troops are alive after the battles, before any new ones are added. The maximum is their full "
        "strength."
    ),
}


BEGUN = ("army", "square", "cites", "order", "days", "slot", "creature", "alive")
"""What an address may begin the form with."""


def _line(label: _StrOrPromise, size: int, **attributes: object) -> forms.CharField:
    widget = forms.TextInput(attrs={"size": size, "autocomplete": "off", **attributes})
    return forms.CharField(required=False, strip=False, label=label, widget=widget)


class RulingForm(forms.Form):
    """3.3.3: what is wrong with it is said by the service, beside the field that it is about."""

    kind = forms.CharField(widget=forms.HiddenInput, required=False)
    token = forms.CharField(widget=forms.HiddenInput, required=False)
    army = _line(gettext_lazy("Army"), 24, list="armies")
    square = _line(gettext_lazy("Square, like 3D"), 6)
    order = _line(gettext_lazy("Order, without the army's name"), 48)
    days = _line(gettext_lazy("Days"), 4, inputmode="numeric")
    slot = forms.ChoiceField(
        required=False, label=gettext_lazy("Slot (1 is the lowest)"), choices=[(str(slot), str(slot)) for slot in SLOTS]
    )
    creature = _line(gettext_lazy("Creature (leave empty if the slot has only one)"), 24)
    alive = _line(gettext_lazy("Living troops"), 8, inputmode="numeric")
    cites = _line(gettext_lazy("Rule that applies, like 3.3.1 or R21"), 10)
    reason = forms.CharField(
        required=False,
        strip=False,
        label=gettext_lazy("Reason (public with the turn)"),
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "true"}),
    )

    def __init__(self, kind: str, data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        wanted = FIELDS.get(kind, ())
        for name in ("square", "order", "days", "slot", "creature", "alive"):
            if name not in wanted:
                del self.fields[name]
        self.ruled = kind
        self.kind_label = Ruling.Kind(kind).label if kind in FIELDS else ""
        self.kind_help = HELP.get(kind, "")

    def as_typed(self) -> NewRuling:
        """What was typed, whatever it is."""
        typed = {name: self.data.get(name, "") for name in self.fields if name not in ("kind", "token")}
        return NewRuling(kind=self.ruled, **typed)

    def refuse(self, error: Refused) -> None:
        """Shows why the ruling was not accepted, beside the field that it is about."""
        self.is_valid()
        shown = {field.name for field in self.visible_fields()}
        self.add_error(error.field if error.field in shown else None, str(error))


def ruling_form(data: QueryDict | None, asked: QueryDict) -> RulingForm | None:
    """The form with what was sent, or the one that an address asks for, begun; None until a kind is chosen."""
    if data is not None:
        return RulingForm(data.get("kind", ""), data)
    kind = asked.get("kind", "")
    if kind not in FIELDS:
        return None
    begun = {name: asked.get(name, "")[:LONGEST_LINE] for name in BEGUN}
    return RulingForm(kind, initial={**begun, "kind": kind, "token": new_token()})
