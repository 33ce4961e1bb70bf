"""R57: The pages and forms of appeals: the list, a new appeal, and an appeal with its answer."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from judging.appeals.models import Appeal
from judging.appeals.queries import answerer_of, appeal_for, appeal_view, appeals_page, subject_for, until, why_not
from judging.appeals.services import MAX_REASON, hold_up, lodge, take_back
from judging.appeals.services import answer as answer_appeal
from judging.appeals.subjects import Subject
from judging.common import rulebook
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_form
from judging.common.forms import LongText, new_token
from judging.common.shortcuts import ask_to_log_in, take_kept, viewer_for
from judging.common.viewer import Viewer
from wargame.models import Judge

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


State = Appeal.State
PLACES = {"reason": "text", "answer": "text"}
"""Form fields by the names that the writer uses for them."""


class _WithRefusal(forms.Form):
    def refuse(self, error: Refused) -> None:
        field = PLACES.get(error.field, error.field)
        if self.is_bound and field in self.fields:
            self.add_error(field, error.sentence)


def _rule(label: _StrOrPromise) -> forms.CharField:
    missing = {"required": gettext_lazy("Name the rule it is based on, like 4.2.1 or R36.")}
    widget = forms.TextInput(attrs={"size": 10, "autocomplete": "off", "placeholder": "4.2.1"})
    return forms.CharField(max_length=40, label=label, widget=widget, error_messages=missing)


class AppealForm(_WithRefusal):
    """R57: An appeal: the rule that was broken, and why."""

    cites = _rule(gettext_lazy("Which rule was broken?"))
    text = LongText(longest=MAX_REASON, cites="R57", rows=8, missing=gettext_lazy("Give a reason, at least one line."))
    token = forms.CharField(max_length=40, widget=forms.HiddenInput, required=False)

    def clean_token(self) -> str:
        return self.cleaned_data["token"] or new_token()


class AnswerForm(_WithRefusal):
    """R57: An answer: the outcome, the rule behind it, and the reason."""

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
    """R57: A judge's decision about an appeal: `answer` with a valid form, `hold` up the settlement, or `let_go`."""
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
    data = form.cleaned_data
    answer_appeal(appeal=appeal, judge=judge, how=data["how"], cites=data["answer_cites"], text=data["text"], now=now)
    return gettext("Your answer was sent to everyone involved.")


def _judge(viewer: Viewer, row: Appeal) -> Judge | None:
    """The viewer as the judge who must answer; else as any other judge that they are, who is refused."""
    seats = viewer.seats
    return seats.filter(pk=row.judge_id or 0).first() or seats.first()


LONGEST_SEARCH = 80
KEPT = ("kind", "about", "army", "cites")


@require_safe
def appeals(request: HttpRequest, slug: str) -> HttpResponse:
    """R57: The appeals of a round, newest first; `?rule=` searches them for precedents."""
    viewer = viewer_for(request, slug)
    rule = request.GET.get("rule", "").strip()[:LONGEST_SEARCH]
    page = appeals_page(viewer, rule=rule, page=request.GET.get("page", "1"))
    number = rule.rstrip(".").upper()
    unknown = bool(number) and rulebook.anchor_of(number) is None
    context = {"viewer": viewer, "round": viewer.round, "found": page, "rule": rule, "unknown": unknown}
    return render(request, "appeals/appeals.html", context)


@get_or_post
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """R57: the form of an appeal against what `kind`, `about` and `army` name."""
    viewer, now = viewer_for(request, slug), timezone.now()
    data = request.POST if request.method == "POST" else request.GET
    if not request.user.is_authenticated:
        return ask_to_log_in(request, f"appeal:{slug}", reverse("appeal-new", args=[slug]), also=KEPT)
    army = data.get("army", "")[:LONGEST_SEARCH]
    subject = subject_for(viewer, data.get("kind", ""), data.get("about", ""), army, now)
    if subject is None:
        raise Http404(gettext("You can't appeal against this: it is not public yet, or it was withdrawn."))
    text = take_kept(request, f"appeal:{slug}") if request.method != "POST" else ""
    first = {"text": text, "cites": data.get("cites", ""), "token": new_token()}
    form = AppealForm(request.POST) if request.method == "POST" else AppealForm(initial=first)

    def act() -> Success:
        row = lodge(
            round=viewer.round,
            player=viewer.player,
            user=viewer.user_id,
            subject=subject,
            cites=form.cleaned_data["cites"],
            reason=form.cleaned_data["text"],
            token=form.cleaned_data["token"],
            now=now,
        )
        sentence = (
            gettext("%(name)s will answer it.") % {"name": row.judge.name}
            if row.judge
            else gettext("It is waiting for a battle judge who can answer it.")
        )
        return Success(
            gettext("We received your appeal. %(who)s") % {"who": sentence}, reverse("appeal", args=[slug, row.number])
        )

    return handle_form(request, partial(_form, request, viewer, subject, form, now), act, form=form)


@get_or_post
def appeal(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """R57: One appeal. A POST withdraws it, answers it, or starts or ends its delay of the settlement."""
    viewer, now = viewer_for(request, slug), timezone.now()
    row = appeal_for(viewer, number)
    if row is None:
        raise Http404(gettext("There is no such appeal in this round, or you can't see it."))
    does = request.POST.get("act", "")
    form = AnswerForm(request.POST) if does == "answer" else AnswerForm()

    def act() -> str:
        if does == "withdraw":
            take_back(appeal=row, user=viewer.user_id, now=now)
            return gettext("The appeal is withdrawn.")
        return decide(viewer, row, does, form, now)

    return handle_form(request, partial(_page, request, viewer, number, form), act, form=form)


def _form(
    request: HttpRequest,
    viewer: Viewer,
    subject: Subject,
    form: AppealForm,
    now: datetime,
    refused: Refused | None = None,
) -> HttpResponse:
    if refused:
        form.refuse(refused)
    finding = why_not(viewer.player, subject, viewer.round, now, viewer.user_id)
    context = {"viewer": viewer, "round": viewer.round, "subject": subject, "form": form, "refused": refused}
    context |= {"finding": None if refused else finding, "until": until(subject, viewer.round)}
    context |= {"answerer": answerer_of(viewer.round, subject, viewer.user_id)}
    return render(request, "appeals/new.html", context)


def _page(
    request: HttpRequest, viewer: Viewer, number: int, form: AnswerForm, refused: Refused | None = None
) -> HttpResponse:
    row = appeal_for(viewer, number)
    if row is None:
        raise Http404(gettext("There is no such appeal in this round."))
    if refused:
        form.refuse(refused)
    view = appeal_view(row, viewer)
    precedents = {
        rule: f"{reverse('rulings', args=[viewer.round.slug])}?{urlencode({'rule': rule})}"
        for rule in dict.fromkeys(filter(None, (view.cites, view.answer_cites)))
    }
    context = {"viewer": viewer, "round": viewer.round, "appeal": view, "form": form, "refused": refused}
    return render(request, "appeals/appeal.html", context | {"precedents": precedents})
