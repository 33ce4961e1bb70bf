"""4.2.1: what a battle judge types on a battle's sheet. Nothing typed is lost, whatever is wrong with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from judging.battles.desk.publishing import MAX_NARRATIVE
from judging.battles.desk.scoring import MAX_REASON, Reasons, ScoreReason, number_field, reason_field
from judging.battles.desk.seated import NoteView
from judging.battles.desk.sheet import Sheet
from wargame.rules.battle.criteria import MOST_NUMBER, Criterion
from wargame.rules.core.saying import grouped

NEITHER = "neither"
LOCKING = ("ask", "lock", "lock-roll")
"""The steps for which a score has to be whole; what is saved or looked up before may lack its reasons."""


def reason_fields(criteria: Sequence[Criterion]) -> dict[str, forms.Field]:
    """R54: a sentence and a number for each criterion of the round."""
    found: dict[str, forms.Field] = {}
    for place, criterion in enumerate(criteria):
        area = forms.Textarea(attrs={"rows": 2, "spellcheck": "true"})
        found[reason_field(place)] = forms.CharField(
            required=False, max_length=MAX_REASON, label=criterion.name, widget=area
        )
        digits = forms.TextInput(
            attrs={"inputmode": "numeric", "size": 3, "autocomplete": "off", "placeholder": gettext("-10 to 10")}
        )
        wrong = {
            "invalid": gettext("How much “%(name)s” speaks for the side is a whole number, -10 to 10 (R54).")
            % {"name": criterion.name}
        }
        found[number_field(place)] = forms.IntegerField(
            required=False,
            label=gettext("%(name)s, -10 to 10") % {"name": criterion.name},
            widget=digits,
            error_messages=wrong,
        )
    return found


def check_reasons(form: forms.Form, criteria: Sequence[Criterion], bonus: int | None) -> None:
    """R54: says beside each field what is missing of the reasons for a bonus."""
    for place, criterion in enumerate(criteria):
        text, number = reason_field(place), number_field(place)
        said, counted = form.cleaned_data.get(text), form.cleaned_data.get(number)
        if bonus and not said and text not in form.errors:
            form.add_error(
                text,
                gettext("Say a sentence on “%(name)s”: a bonus has a reason on each criterion (R54).")
                % {"name": criterion.name},
            )
        if counted is not None and not -MOST_NUMBER <= counted <= MOST_NUMBER:
            form.add_error(
                number,
                gettext("“%(name)s” counts -%(most_number)s to %(most_number)s for the side (R54).")
                % {"name": criterion.name, "most_number": MOST_NUMBER},
            )
        elif counted is None and (said or bonus) and number not in form.errors:
            form.add_error(
                number,
                gettext("Say how much “%(name)s” speaks for the side, -10 to 10 (R54).") % {"name": criterion.name},
            )


def typed_reasons(form: forms.Form, criteria: Sequence[Criterion]) -> Reasons:
    """R54: the reasons of a form that is valid."""
    given = ((place, criterion.name) for place, criterion in enumerate(criteria))
    cleaned = form.cleaned_data
    found = {
        name: ScoreReason(cleaned[number_field(place)] or 0, cleaned[reason_field(place)]) for place, name in given
    }
    return {name: reason for name, reason in found.items() if reason.text}


class ScoreForm(forms.Form):
    """4.2.1, R36: which side is favoured and by how much, the narrative, and notes by the judge's own criteria.

    Cleaned: `favours` is 0, 1 or None, `bonus` 0 to 10. Without `scoring` no score is asked for. `order` is the
    order in which the sides are offered, `rubric` are the round's criteria, on which a bonus has its reasons (R54);
    `deciding`: over two scores that are far apart, with a reason (R55).
    """

    favours = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=gettext_lazy("Who is more likely to win?"),
        error_messages={"required": gettext_lazy("Say which side your bonus goes to, or “neither” (4.2.1).")},
    )
    bonus = forms.CharField(
        required=False,
        label=gettext_lazy("Bonus, 0 to 10"),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 4, "autocomplete": "off"}),
    )
    decision = forms.CharField(
        required=False,
        label=gettext_lazy("Why, public with the result"),
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "true"}),
    )
    narrative = forms.CharField(
        required=False,
        strip=False,
        label=gettext_lazy("Narrative (Markdown)"),
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "true"}),
    )
    narrative_version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        labels: tuple[str, str],
        order: tuple[int, int] = (0, 1),
        scoring: bool = True,
        deciding: bool = False,
        criteria: Sequence[NoteView] = (),
        rubric: Sequence[Criterion] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.labels, self.order = labels, order
        self.criteria, self.rubric = criteria, rubric if scoring else ()
        self.fields.update(reason_fields(self.rubric))
        for note in criteria:
            area = forms.Textarea(attrs={"rows": 2, "spellcheck": "true"})
            field = forms.CharField(required=False, strip=False, label=note.name, initial=note.text, widget=area)
            self.fields[_note_field(note.criterion_id)] = field
        if scoring:
            favours = self.fields["favours"]
            assert isinstance(favours, forms.ChoiceField)
            favours.choices = self._offered()
        else:
            del self.fields["favours"], self.fields["bonus"]
        if not (scoring and deciding):
            del self.fields["decision"]

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        if "bonus" in cleaned and self.data.get("act") in LOCKING:
            check_reasons(self, self.rubric, cleaned["bonus"])
        return cleaned

    @property
    def reasons(self) -> list[tuple[forms.BoundField, forms.BoundField, int]]:
        """R54: for each criterion of the round the fields of its sentence and its number, and its weight."""
        places = enumerate(self.rubric)
        return [(self[reason_field(place)], self[number_field(place)], one.weight) for place, one in places]

    def name_sides(self, first: str, second: str) -> None:
        """4.2.1: other names for the sides, for a judge who does not want to know whose they are."""
        self.labels = first, second
        if "favours" in self.fields:
            favours = self.fields["favours"]
            assert isinstance(favours, forms.ChoiceField)
            favours.choices = self._offered()

    def _offered(self) -> list[tuple[str, str]]:
        """4.2.1: the sides in the order of this form, and neither."""
        return [*((str(index), self.labels[index]) for index in self.order), (NEITHER, gettext("Neither side"))]

    def clean_favours(self) -> int | None:
        if isinstance(self.data, QueryDict) and len(set(self.data.getlist(self.add_prefix("favours")))) > 1:
            raise forms.ValidationError(gettext("Both sides were chosen; the bonus goes to one of them (4.2.1)."))
        chosen = self.cleaned_data["favours"]
        return None if chosen == NEITHER else int(chosen)

    def clean_bonus(self) -> int:
        text = self.cleaned_data["bonus"].strip().removeprefix("+")
        if not text:
            if self.cleaned_data.get("favours") is None:
                return 0
            raise forms.ValidationError(gettext("Say how large the bonus is: a whole number from 0 to 10 (4.2.1)."))
        if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= 10):
            raise forms.ValidationError(
                gettext("“%(text)s” is not a whole number from 0 to 10 (4.2.1).") % {"text": text[:40]}
            )
        if int(text) and "favours" in self.cleaned_data and self.cleaned_data["favours"] is None:
            raise forms.ValidationError(gettext("A bonus needs a side: choose one, or leave the bonus empty (4.2.1)."))
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
                gettext(
                    "The narrative has %(number)s characters and %(most)s is the limit: "
                    "%(over)s too many. Nothing was saved; your text is kept."
                )
                % {
                    "number": grouped(len(text)),
                    "most": grouped(MAX_NARRATIVE),
                    "over": grouped(len(text) - MAX_NARRATIVE),
                }
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
        whom = {"0": self.labels[0], "1": self.labels[1], NEITHER: gettext("neither side")}.get(
            favours, gettext("no side chosen")
        )
        if not bonus:
            return gettext("no bonus for %(whom)s") % {"whom": whom}
        return gettext("%(bonus)s for %(whom)s") % {"bonus": bonus, "whom": whom}


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
        deciding=bool(sheet.bench and sheet.bench.is_to_decide),
        criteria=sheet.rubric.own if sheet.rubric else (),
        rubric=sheet.criteria,
        initial={"narrative": kept.text if kept else "", "narrative_version": kept.version if kept else 0},
    )


def typed_form(sheet: Sheet, data: QueryDict) -> ScoreForm:
    """The score form with everything that was typed in it and nothing complained about, for a page that is shown
    anew."""
    form = form_of(sheet)
    notes = (_note_field(note.criterion_id) for note in form.criteria)
    names = ("favours", "bonus", "decision", "narrative", *notes, *reason_fields(form.rubric))
    form.initial = {**form.initial, **{name: data[name] for name in names if name in data}}
    return form
