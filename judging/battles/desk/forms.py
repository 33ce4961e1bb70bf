"""4.2.1: what a battle judge types on a battle's sheet. Nothing typed is lost, whatever is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from judging.battles.desk.publishing import MAX_NARRATIVE
from judging.battles.desk.sheet import NoteView, Sheet

NEITHER = "neither"


class ScoreForm(forms.Form):
    """4.2.1, R36: which side is favoured and by how much, the narrative, and notes by the judge's own criteria.

    Cleaned: `favours` is 0, 1 or None, `bonus` 0 to 10. Without `scoring` no score is asked for. `order` is the
    order in which the sides are offered.
    """

    favours = forms.ChoiceField(
        widget=forms.RadioSelect,
        label="Who is more likely to win?",
        error_messages={"required": "Say which side your bonus goes to, or “neither” (4.2.1)."},
    )
    bonus = forms.CharField(
        required=False,
        label="Bonus, 0 to 10",
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 4, "autocomplete": "off"}),
    )
    narrative = forms.CharField(
        required=False,
        strip=False,
        label="Narrative (Markdown)",
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "true"}),
    )
    narrative_version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        labels: tuple[str, str],
        order: tuple[int, int] = (0, 1),
        scoring: bool = True,
        criteria: Sequence[NoteView] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.labels, self.criteria = labels, criteria
        for note in criteria:
            area = forms.Textarea(attrs={"rows": 2, "spellcheck": "true"})
            field = forms.CharField(required=False, strip=False, label=note.name, initial=note.text, widget=area)
            self.fields[_note_field(note.criterion_id)] = field
        if scoring:
            favours = self.fields["favours"]
            assert isinstance(favours, forms.ChoiceField)
            favours.choices = [*((str(index), labels[index]) for index in order), (NEITHER, "Neither side")]
        else:
            del self.fields["favours"], self.fields["bonus"]

    def clean_favours(self) -> int | None:
        if isinstance(self.data, QueryDict) and len(set(self.data.getlist(self.add_prefix("favours")))) > 1:
            raise forms.ValidationError("Both sides were chosen; the bonus goes to one of them (4.2.1).")
        chosen = self.cleaned_data["favours"]
        return None if chosen == NEITHER else int(chosen)

    def clean_bonus(self) -> int:
        text = self.cleaned_data["bonus"].strip().removeprefix("+")
        if not text:
            if self.cleaned_data.get("favours") is None:
                return 0
            raise forms.ValidationError("Say how large the bonus is: a whole number from 0 to 10 (4.2.1).")
        if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= 10):
            raise forms.ValidationError(f"“{text[:40]}” is not a whole number from 0 to 10 (4.2.1).")
        if int(text) and "favours" in self.cleaned_data and self.cleaned_data["favours"] is None:
            raise forms.ValidationError("A bonus needs a side: choose one, or leave the bonus empty (4.2.1).")
        return int(text)

    @property
    def notes(self) -> list[forms.BoundField]:
        """4.2.1: the fields of the judge's criteria."""
        return [self[_note_field(note.criterion_id)] for note in self.criteria]

    def typed_notes(self) -> dict[int, str]:
        """4.2.1: what was typed, by the criteria's keys; a criterion that the page did not have is left out."""
        typed = {note.criterion_id: self.data.get(_note_field(note.criterion_id)) for note in self.criteria}
        return {key: text.replace("\r\n", "\n") for key, text in typed.items() if isinstance(text, str)}

    def clean_narrative(self) -> str:
        text = str(self.cleaned_data["narrative"]).replace("\r\n", "\n").replace("\r", "\n")
        if len(text) > MAX_NARRATIVE:
            raise forms.ValidationError(
                f"The narrative has {len(text):,} characters and {MAX_NARRATIVE:,} is the limit: "
                f"{len(text) - MAX_NARRATIVE:,} too many. Nothing was saved; your text is kept."
            )
        return text

    def clean_narrative_version(self) -> int:
        return self.cleaned_data["narrative_version"] or 0

    def score_in_words(self) -> str:
        """What was typed for the score, also when it is wrong or not asked for any more; empty if nothing."""
        favours = self.data.get("favours") or ""
        bonus = str(self.data.get("bonus") or "").strip()[:40]
        bonus = f"+{bonus}" if bonus.isdecimal() else bonus
        if not favours and not bonus:
            return ""
        whom = {"0": self.labels[0], "1": self.labels[1], NEITHER: "neither side"}.get(favours, "no side chosen")
        return f"{bonus or 'no bonus'} for {whom}"


def _note_field(criterion_id: int) -> str:
    return f"note_{criterion_id}"


def form_of(sheet: Sheet, data: QueryDict | None = None, *, scoring: bool | None = None) -> ScoreForm:
    """The form that a sheet asks for now, empty or with what was sent; `scoring`: with a score or without."""
    kept = sheet.narrative
    return ScoreForm(
        data,
        labels=(sheet.sides[0].label, sheet.sides[1].label),
        order=(sheet.shown_sides[0].index, sheet.shown_sides[1].index),
        scoring=sheet.asks_for_score if scoring is None else scoring,
        criteria=sheet.rubric.own if sheet.rubric else (),
        initial={"narrative": kept.text if kept else "", "narrative_version": kept.version if kept else 0},
    )


def typed_form(sheet: Sheet, data: QueryDict) -> ScoreForm:
    """The same form with everything that was typed and nothing complained about."""
    form = form_of(sheet)
    names = ("favours", "bonus", "narrative", *(_note_field(note.criterion_id) for note in form.criteria))
    form.initial = {**form.initial, **{name: data[name] for name in names if name in data}}
    return form
