"""4.2.1: A battle judge's input on a battle's sheet. Errors never lose typed text."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from judging.battles.desk.panel import NoteView
from judging.battles.desk.publishing import MAX_NARRATIVE
from judging.battles.desk.scoring import (
    DEPARTS_FIELD,
    MAX_REASON,
    WHOLE,
    WHY_FIELD,
    Reasons,
    ScoreReason,
    departure_sentence,
    number_field,
    reason_field,
)
from judging.battles.desk.sheet import Sheet
from judging.common.forms import WholeNumber
from wargame.rules.battle.criteria import MOST_NUMBER, Criterion, departs, offered_bonus
from wargame.rules.book.formulas import MOST_BONUS
from wargame.rules.command.bench import is_within
from wargame.rules.core.saying import grouped

NEITHER = "neither"
LOCKING = ("score", "ask", "lock", "lock-roll")
"""The steps for which a score must be complete; saving and previewing before may lack its reasons."""


def reason_fields(criteria: Sequence[Criterion]) -> dict[str, forms.Field]:
    """R54: A mark on each criterion of the round with an optional sentence, the one reason, and why the bonus
    differs from the suggested one."""
    fields: dict[str, forms.Field] = {}
    for place, criterion in enumerate(criteria):
        digits = forms.TextInput(
            attrs={"inputmode": "numeric", "size": 3, "autocomplete": "off", "placeholder": gettext("-10 to 10")}
        )
        wrong = {"invalid": _mark_sentence(criterion)}
        fields[number_field(place)] = WholeNumber(
            required=False, label=criterion.name, widget=digits, error_messages=wrong
        )
        fields[reason_field(place)] = forms.CharField(
            required=False,
            max_length=MAX_REASON,
            label=gettext("Your comment on “%(name)s”") % {"name": criterion.name},
            widget=_area(1),
        )
    fields[WHY_FIELD] = forms.CharField(
        required=False, max_length=MAX_REASON, label=gettext("Reason (published with the result)"), widget=_area(3)
    )
    fields[DEPARTS_FIELD] = forms.CharField(
        required=False,
        max_length=MAX_REASON,
        label=gettext("Why not the suggested bonus? (public)"),
        widget=_area(2),
    )
    return fields


def _area(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows, "spellcheck": "true"})


def _mark_sentence(criterion: Criterion) -> str:
    message = gettext("Mark “%(name)s” with a whole number from -%(most)s to %(most)s (R54).")
    return message % {"name": criterion.name, "most": MOST_NUMBER}


def check_reasons(form: forms.Form, criteria: Sequence[Criterion], bonus: int | None) -> None:
    """R54: Add an error to each field of the marks and reasons that a bonus still lacks."""
    cleaned, texts = form.cleaned_data, [WHY_FIELD, *(reason_field(place) for place in range(len(criteria)))]
    for place, criterion in enumerate(criteria):
        mark = cleaned.get(number_field(place))
        is_missing = mark is None and bool(bonus or cleaned.get(reason_field(place)))
        if number_field(place) not in form.errors and (is_missing or mark is not None and abs(mark) > MOST_NUMBER):
            form.add_error(number_field(place), _mark_sentence(criterion))
    if bonus is None or any(name in form.errors for name in texts):
        return
    if not any(cleaned.get(name) for name in (*texts, "decision", "reason")):
        form.add_error(WHY_FIELD, gettext("Give a reason for this score. It will be published with the result (R54)."))
    offer = offered_by(form, criteria)
    if offer is not None and departs(offer, bonus) and not cleaned.get(DEPARTS_FIELD):
        form.add_error(DEPARTS_FIELD, departure_sentence(offer))


def offered_by(form: forms.Form, criteria: Sequence[Criterion]) -> int | None:
    """R54: The bonus that the marks typed in a form suggest; None while some are missing."""
    marks = [(form.cleaned_data.get(number_field(place)), one.weight) for place, one in enumerate(criteria)]
    pairs = [(mark, weight) for mark, weight in marks if mark is not None]
    return offered_bonus(pairs) if len(pairs) == len(marks) else None


def fill_bonus(form: forms.Form, criteria: Sequence[Criterion]) -> None:
    """R54: If the judge sets no bonus, use the one that the marks suggest."""
    offer = offered_by(form, criteria)
    if offer is not None and offer >= 0:
        form.cleaned_data["bonus"] = min(offer, MOST_BONUS)
        return
    wrong = gettext("Say how large the bonus is: a whole number from 0 to 10 (4.2.1).")
    if offer is not None:
        wrong = gettext("Your marks favour the other side. Choose that side, or enter a bonus (R54).")
    form.add_error("bonus", wrong)


def typed_reasons(form: forms.Form, criteria: Sequence[Criterion]) -> Reasons:
    """R54: The marks and reasons of a valid form."""
    cleaned = form.cleaned_data
    reasons = {WHOLE: ScoreReason(0, cleaned[WHY_FIELD], cleaned[DEPARTS_FIELD])} if criteria else {}
    for place, criterion in enumerate(criteria):
        mark = cleaned[number_field(place)]
        if mark is not None:
            reasons[criterion.name] = ScoreReason(mark, cleaned[reason_field(place)])
    return reasons


class ScoreForm(forms.Form):
    """4.2.1, R36: The favoured side and its bonus, the narrative, and notes by the judge's own criteria.

    Cleaned: `favours` is 0, 1 or None, `bonus` 0 to 10. Without `scoring` there is no score. `order` is the order of
    the sides in the form, `rubric` are the round's criteria, on which a bonus has its reasons (R54); `span` are the two
    scores that are far apart, if the judge decides over them; `says_why`: with a reason (R55).
    """

    favours = forms.ChoiceField(
        widget=forms.RadioSelect,
        label=gettext_lazy("Who is more likely to win?"),
        error_messages={"required": gettext_lazy("Say which side your bonus goes to, or “neither” (4.2.1).")},
    )
    bonus = forms.CharField(
        required=False,
        label=gettext_lazy("Bonus, 0 to 10 (leave empty for the suggested one)"),
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 4, "autocomplete": "off"}),
    )
    decision = forms.CharField(
        required=False,
        label=gettext_lazy("Why (published with the result)"),
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "true"}),
    )
    narrative = forms.CharField(
        required=False,
        strip=False,
        label=gettext_lazy("Story (Markdown)"),
        widget=forms.Textarea(attrs={"rows": 14, "spellcheck": "true"}),
    )
    narrative_version = WholeNumber(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        labels: tuple[str, str],
        order: tuple[int, int] = (0, 1),
        scoring: bool = True,
        span: tuple[int, int] | None = None,
        says_why: bool = False,
        criteria: Sequence[NoteView] = (),
        rubric: Sequence[Criterion] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.labels, self.order = labels, order
        self.span, self.says_why = span, says_why
        self.criteria, self.rubric = criteria, rubric if scoring else ()
        if self.rubric:
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
        if not (scoring and span):
            del self.fields["decision"]

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("favours") is not None and cleaned.get("bonus", 0) is None:
            fill_bonus(self, self.rubric)
        if "bonus" in cleaned and self.data.get("act") in LOCKING:
            check_reasons(self, self.rubric, cleaned["bonus"])
            self._check_decision(cleaned)
        return cleaned

    def _check_decision(self, cleaned: dict[str, Any]) -> None:
        """R55: A decision over two scores is within their span, and has a reason if the head decides."""
        if self.span is None or "favours" not in cleaned:
            return
        bonus = cleaned["bonus"]
        if not is_within(*self.span, -bonus if cleaned["favours"] else bonus):
            self.add_error(
                "bonus", gettext("The deciding score must be between the two scores, or equal to one of them.")
            )
        if self.says_why and not cleaned.get("decision"):
            self.add_error("decision", gettext("Give a reason: no other judge can decide this (R55)."))

    @property
    def reasons(self) -> list[tuple[forms.BoundField, forms.BoundField, int]]:
        """R54: For each criterion of the round the fields of its sentence and its number, and its weight."""
        places = enumerate(self.rubric)
        return [(self[reason_field(place)], self[number_field(place)], one.weight) for place, one in places]

    def name_sides(self, first: str, second: str) -> None:
        """4.2.1: Set other names for the sides, for a judge who does not want to know the armies."""
        self.labels = first, second
        if "favours" in self.fields:
            favours = self.fields["favours"]
            assert isinstance(favours, forms.ChoiceField)
            favours.choices = self._offered()

    def _offered(self) -> list[tuple[str, str]]:
        """4.2.1: The sides in the order of this form, and neither."""
        return [*((str(index), self.labels[index]) for index in self.order), (NEITHER, gettext("Neither side"))]

    def clean_favours(self) -> int | None:
        if isinstance(self.data, QueryDict) and len(set(self.data.getlist(self.add_prefix("favours")))) > 1:
            raise forms.ValidationError(gettext("You chose both sides. The bonus can only go to one (4.2.1)."))
        choice = self.cleaned_data["favours"]
        return None if choice == NEITHER else int(choice)

    def clean_bonus(self) -> int | None:
        text = self.cleaned_data["bonus"].strip().removeprefix("+")
        if not text:
            return 0 if self.cleaned_data.get("favours") is None else None
        if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= 10):
            raise forms.ValidationError(
                gettext("“%(text)s” is not a whole number from 0 to 10 (4.2.1).") % {"text": text[:40]}
            )
        if int(text) and "favours" in self.cleaned_data and self.cleaned_data["favours"] is None:
            raise forms.ValidationError(
                gettext("A bonus needs a side. Choose a side, or leave the bonus empty (4.2.1).")
            )
        return int(text)

    @property
    def notes(self) -> list[forms.BoundField]:
        """4.2.1: the fields of the judge's criteria."""
        return [self[_note_field(note.criterion_id)] for note in self.criteria]

    def typed_notes(self) -> dict[int, str]:
        """4.2.1: The typed notes, by the criteria's keys; a criterion that the page did not have is left out."""
        texts = {note.criterion_id: self.data.get(_note_field(note.criterion_id)) for note in self.criteria}
        return {key: text.replace("\r\n", "\n") for key, text in texts.items() if isinstance(text, str)}

    def clean_narrative(self) -> str:
        text = str(self.cleaned_data["narrative"]).replace("\r\n", "\n").replace("\r", "\n")
        if len(text) > MAX_NARRATIVE:
            raise forms.ValidationError(
                gettext(
                    "The story has %(number)s characters, %(over)s over the limit of %(most)s. Nothing was "
                    "saved; your text is still here."
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
        """The typed score, even if it is wrong or no longer needed; empty if there is none."""
        favours = self.data.get("favours") or ""
        cleaned: dict[str, Any] = getattr(self, "cleaned_data", {})
        bonus = str(self.data.get("bonus") or cleaned.get("bonus") or "").strip()[:40]
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
    """The current form of a sheet, empty or submitted; `scoring`: with a score or without."""
    draft = sheet.narrative
    return ScoreForm(
        data,
        labels=(sheet.sides[0].label, sheet.sides[1].label),
        order=(sheet.shown_sides[0].index, sheet.shown_sides[1].index),
        scoring=sheet.asks_for_score if scoring is None else scoring,
        span=sheet.bench.span if sheet.bench else None,
        says_why=bool(sheet.bench and sheet.bench.third is None),
        criteria=sheet.rubric.own if sheet.rubric else (),
        rubric=sheet.criteria,
        initial={"narrative": draft.text if draft else "", "narrative_version": draft.version if draft else 0},
    )


def typed_form(sheet: Sheet, data: QueryDict) -> ScoreForm:
    """The score form with all typed values and no errors, to show the page again."""
    form = form_of(sheet)
    notes = (_note_field(note.criterion_id) for note in form.criteria)
    names = ("favours", "bonus", "decision", "narrative", *notes, *reason_fields(form.rubric))
    form.initial = {**form.initial, **{name: data[name] for name in names if name in data}}
    return form
