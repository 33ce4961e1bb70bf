"""R57: the appeals of a round, the form of one, and an appeal with its answer."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.appeals.forms import AnswerForm, AppealForm, decide
from judging.appeals.reads import (
    answerer_of,
    appeal_for,
    appeal_view,
    appeals_page,
    subject_for,
    until,
    why_not,
)
from judging.appeals.subjects import Subject
from judging.appeals.writes import lodge, take_back
from judging.game import rulebook
from judging.game.acting import Done, answer, asks_or_acts
from judging.game.errors import Refused
from judging.game.forms import new_token
from judging.game.pages import ask_to_log_in, take_kept, viewer_for
from judging.game.viewer import Viewer

LONGEST_SEARCH = 80
KEPT = ("kind", "about", "army", "cites")


@require_safe
def appeals(request: HttpRequest, slug: str) -> HttpResponse:
    """R57: the appeals of a round, the newest first; `?rule=` searches them for precedents."""
    viewer = viewer_for(request, slug)
    rule = request.GET.get("rule", "").strip()[:LONGEST_SEARCH]
    found = appeals_page(viewer, rule=rule, page=request.GET.get("page", "1"))
    number = rule.rstrip(".").upper()
    unknown = bool(number) and rulebook.anchor_of(number) is None
    context = {"viewer": viewer, "round": viewer.round, "found": found, "rule": rule, "unknown": unknown}
    return render(request, "appeals/appeals.html", context)


@asks_or_acts
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """R57: the form of an appeal against what `kind`, `about` and `army` name."""
    viewer, now = viewer_for(request, slug), timezone.now()
    given = request.POST if request.method == "POST" else request.GET
    if not request.user.is_authenticated:
        return ask_to_log_in(request, f"appeal:{slug}", reverse("appeal-new", args=[slug]), also=KEPT)
    army = given.get("army", "")[:LONGEST_SEARCH]
    subject = subject_for(viewer, given.get("kind", ""), given.get("about", ""), army, now)
    if subject is None:
        raise Http404(gettext("You can't appeal against this: it is not public yet, or it was withdrawn."))
    text = take_kept(request, f"appeal:{slug}") if request.method != "POST" else ""
    first = {"text": text, "cites": given.get("cites", ""), "token": new_token()}
    form = AppealForm(request.POST) if request.method == "POST" else AppealForm(initial=first)

    def act() -> Done:
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
        who = (
            gettext("%(name)s will answer it.") % {"name": row.judge.name}
            if row.judge
            else gettext("It is waiting for a battle judge who can answer it.")
        )
        return Done(
            gettext("We received your appeal. %(who)s") % {"who": who}, reverse("appeal", args=[slug, row.number])
        )

    return answer(request, partial(_form, request, viewer, subject, form, now), act, form=form)


@asks_or_acts
def appeal(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """R57: one appeal. A POST takes it back, answers it, or says whether it holds up the settlement."""
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

    return answer(request, partial(_page, request, viewer, number, form), act, form=form)


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
