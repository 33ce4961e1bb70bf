"""What people type into the threads. A form keeps every character that was typed, whatever is wrong with it."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from judging.battles.strats.writes import MAX_STRAT
from judging.turns.posts.writes import MAX_POST
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import ManifestEntry


class LongText(forms.CharField):
    """A text with lines: blanks kept, line ends as `\\n`, and a sentence that says how much is too much."""

    def __init__(self, *, longest: int, cites: str, rows: int, missing: str) -> None:
        super().__init__(strip=False, widget=forms.Textarea(attrs={"rows": rows, "spellcheck": "true"}))
        self.longest, self.cites = longest, cites
        self.error_messages["required"] = missing

    def to_python(self, value: object) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n").replace("\r", "\n")

    def validate(self, value: str) -> None:
        if not value.strip():
            raise forms.ValidationError(self.error_messages["required"], code="required")
        if len(value) > self.longest:
            raise forms.ValidationError(
                f"This has {len(value):,} characters and {self.longest:,} is the limit: "
                f"{len(value) - self.longest:,} too many. Nothing was sent; your text is kept below ({self.cites}).",
                code="too_long",
            )


def new_token() -> str:
    """The name of one form, so that sending it twice makes one post."""
    return secrets.token_urlsafe(18)


class PostForm(forms.Form):
    """3.1: a post for the movement thread. `turn` is the number of the turn that the form was opened in."""

    text = LongText(longest=MAX_POST, cites="3.1", rows=8, missing="Write at least one line.")
    token = forms.CharField(max_length=40, widget=forms.HiddenInput, required=False)
    turn = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)

    def clean_token(self) -> str:
        return self.cleaned_data["token"] or new_token()


class EditForm(forms.Form):
    """R7: an edit of a post. `base_version` is the number of the version that the form was opened on."""

    text = LongText(longest=MAX_POST, cites="R7", rows=12, missing="An edited post keeps at least one line.")
    base_version = forms.IntegerField(widget=forms.HiddenInput, min_value=1)


class StratForm(forms.Form):
    """4.1.1, R35: a strat and what it asks for. `leaves` is offered where two armies fight side by side (4.4)."""

    RISKS = [("", "Neither"), ("kill", "Go for the kill (4.3)"), ("capture", "Go for the capture (4.5)")]

    text = LongText(longest=MAX_STRAT, cites="R35", rows=18, missing="Write what your troops shall do.")
    risk = forms.ChoiceField(choices=RISKS, required=False, widget=forms.RadioSelect)
    runs = forms.BooleanField(required=False, label="Run away (4.2.6)")
    token = forms.CharField(max_length=40, widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, pair: Sequence[str] = (), squares: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.pair = pair
        for field, choices in (("leaves", pair), ("leaves_to", squares)):
            offered = [("", "drawn at random"), *((choice, choice) for choice in choices)]
            self.fields[field] = forms.ChoiceField(choices=offered, required=False)

    def clean_token(self) -> str:
        return self.cleaned_data["token"] or new_token()

    @property
    def base_version(self) -> int:
        """4.1.1: the version of the draft that the page has."""
        version = self.data.get("version", "")
        return int(version) if version.isdecimal() and len(version) < 10 else 0

    def typed(self) -> dict[str, Any]:
        """What was typed, whatever is wrong with it; for a draft."""
        words = {name: str(self.data.get(name, "")) for name in ("text", "risk", "leaves", "leaves_to")}
        words["text"] = words["text"].replace("\r\n", "\n").replace("\r", "\n")
        return {**words, "runs": bool(self.data.get("runs"))}

    def clean_risk(self) -> str:
        if isinstance(self.data, QueryDict) and len(set(self.data.getlist("risk")) - {""}) > 1:
            raise forms.ValidationError("A strat goes for the kill or for the capture, not for both (R35).")
        return str(self.cleaned_data["risk"])


class MercenaryStratForm(forms.Form):
    """R49: the mercenary judge's strat. Mercenaries capture nobody."""

    text = LongText(longest=MAX_STRAT, cites="R35", rows=14, missing="Write what the troops shall do.")
    risk = forms.ChoiceField(choices=StratForm.RISKS[:2], required=False, widget=forms.RadioSelect)
    runs = forms.BooleanField(required=False, label="Run away (4.2.6)")
    token = forms.CharField(max_length=40, widget=forms.HiddenInput, required=False)

    def clean_token(self) -> str:
        return self.cleaned_data["token"] or new_token()


class ManifestForm(forms.Form):
    """3.2.4.2: what a transfer sends: to whom, and how many of each of the sender's creatures."""

    receiver = forms.CharField(max_length=60, label="To which army", error_messages={"required": "Name the army."})

    def __init__(self, *args: Any, troops: Sequence[Troop] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.troops = troops
        for place, troop in enumerate(troops):
            label = f"{troop.creature or 'Troops'}, slot {troop.slot} ({troop.alive:,} alive)"
            self.fields[f"n{place}"] = forms.IntegerField(min_value=0, required=False, label=label)

    @property
    def numbers(self) -> list[forms.BoundField]:
        """The fields with the numbers of troops, in the army's order."""
        return [self[f"n{place}"] for place in range(len(self.troops))]

    def entries(self) -> tuple[ManifestEntry, ...]:
        """What was filled in, as the manifest's entries."""
        numbers = [(troop, self.cleaned_data.get(f"n{place}")) for place, troop in enumerate(self.troops)]
        return tuple(ManifestEntry(t.slot, number, t.creature or None) for t, number in numbers if number)
