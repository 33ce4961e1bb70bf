"""R57: the forms of an appeal and of its answer."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext, gettext_lazy

from judging.appeals.models import Appeal
from judging.appeals.writes import MAX_REASON, hold_up
from judging.appeals.writes import answer as answer_appeal
from judging.game.errors import Refused
from judging.game.forms import LongText, new_token
from judging.game.viewer import Viewer
from wargame.models import Judge

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

State = Appeal.State
PLACES = {"reason": "text", "answer": "text"}
"""The fields in which what a writer calls otherwise is typed."""


class _WithRefusal(forms.Form):
    def refuse(self, error: Refused) -> None:
        """Marks the field that a refusal is about."""
        field = PLACES.get(error.field, error.field)
        if self.is_bound and field in self.fields:
            self.add_error(field, error.sentence)


def _rule(label: _StrOrPromise) -> forms.CharField:
    missing = {"required": gettext_lazy("Name the rule it is based on, like 4.2.1 or R36.")}
    widget = forms.TextInput(attrs={"size": 10, "autocomplete": "off", "placeholder": "4.2.1"})
    return forms.CharField(max_length=40, label=label, widget=widget, error_messages=missing)


class AppealForm(_WithRefusal):
    """R57: an appeal: the rule that was not kept, and why."""

    cites = _rule(gettext_lazy("Which rule was broken?"))
    text = LongText(longest=MAX_REASON, cites="R57", rows=8, missing=gettext_lazy("Give a reason, at least one line."))
    token = forms.CharField(max_length=40, widget=forms.HiddenInput, required=False)

    def clean_token(self) -> str:
        return self.cleaned_data["token"] or new_token()


class AnswerForm(_WithRefusal):
    """R57: an answer: what comes of the appeal, the rule by which, and why."""

    how = forms.ChoiceField(
        choices=[
            (State.UPHELD, gettext_lazy("The decision stands")),
            (State.MENDED, gettext_lazy("Corrected (I have already made the correction)")),
            (State.ANEW, gettext_lazy("Judged again (I have already locked a new score)")),
        ],
        widget=forms.RadioSelect,
        label=gettext_lazy("Your decision"),
        error_messages={
            "required": gettext_lazy("Choose an outcome."),
            "invalid_choice": gettext_lazy("Choose one of these."),
        },
    )
    answer_cites = _rule(gettext_lazy("By which rule?"))
    text = LongText(longest=MAX_REASON, cites="R57", rows=8, missing=gettext_lazy("Give a reason, at least one line."))


def decide(viewer: Viewer, appeal: Appeal, act: str, form: AnswerForm, now: datetime) -> str:
    """R57: what a judge does about an appeal: `answer` with a valid form, `hold` up the settlement, or `let_go`."""
    judge = _judge(viewer, appeal)
    if act in ("hold", "let_go"):
        hold_up(appeal=appeal, judge=judge, holds=act == "hold", now=now)
        return (
            gettext("The settlement will wait for your answer.")
            if act == "hold"
            else gettext("The settlement won't wait for your answer.")
        )
    if act != "answer":
        raise Refused(gettext("Choose what to do with this appeal."), "R57")
    typed = form.cleaned_data
    answer_appeal(
        appeal=appeal, judge=judge, how=typed["how"], cites=typed["answer_cites"], text=typed["text"], now=now
    )
    return gettext("Your answer was sent to everyone involved.")


def _judge(viewer: Viewer, row: Appeal) -> Judge | None:
    """The viewer as the judge who is to answer; as any other judge that he is, who is refused."""
    seats = viewer.seats
    return seats.filter(pk=row.judge_id or 0).first() or seats.first()
