"""4.2, R18: the pages of the judges' desk that the stock admin does not have."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from judging.judge_site import site
from judging.score_forms import ScoreForm, form_of, typed_form
from judging.selectors.judge import User, draft_of, judge_of
from judging.selectors.sheet import Sheet, sheet_of
from judging.services.errors import Refused
from judging.services.narratives import keep_narrative
from judging.services.scoring import lock_score, publish_result
from judging.services.stages import publish_draft
from wargame.models import Judge, Turn
from wargame.models.choices import Role


@require_http_methods(["GET", "HEAD", "POST"])
def battle(request: HttpRequest, battle_id: int) -> HttpResponse:
    """4.2: the sheet of a battle; a POST saves the narrative, locks the score or publishes the result."""
    now = timezone.now()
    sheet = _sheet(request, battle_id, now)
    if request.method != "POST":
        return _page(request, sheet, form_of(sheet))
    if sheet.judge is None:
        return _refused(request, sheet, "Only a battle judge of this round scores its battles (1.3).", 403)
    act = ACTS.get(request.POST.get("act", ""), _edit)
    try:
        return act(request, sheet, form_of(sheet, request.POST), now)
    except Refused as error:
        return _refused(request, _sheet(request, battle_id, now), str(error))


@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest, turn_id: int) -> HttpResponse:
    """R18: the draft of the moves of a locked turn, refused orders first; a POST publishes it."""
    user, now = cast(User, request.user), timezone.now()
    found = draft_of(user, turn_id, now)
    if found is None:
        raise Http404("There is no draft of that turn.")
    if request.method == "POST":
        return _publish_draft(request, found.turn, now)
    title = f"Draft of the moves of turn {found.turn.number}"
    context = {**site.each_context(request), "title": title, "subtitle": None, "draft": found}
    return TemplateResponse(request, "judge/draft.html", context)


def _publish_draft(request: HttpRequest, turn: Turn, now: datetime) -> HttpResponse:
    judge = judge_of(cast(User, request.user), turn.round, Role.MOVEMENT)
    if judge is None:
        messages.error(request, "Only a movement judge of this round publishes its moves (1.3).")
        return redirect(request.path)
    try:
        publish_draft(turn=turn, judge=judge, now=now)
    except Refused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"The moves of turn {turn.number} are published.")
    return redirect(request.path)


def _save(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """Keep the narrative in the database, and what was typed for the score on the page."""
    if form.has_error("narrative"):
        return _page(request, sheet, form, status=422)
    _keep(sheet, form, now)
    again = _sheet(request, sheet.battle.pk, now)
    messages.success(request, "The narrative is saved. Only battle judges read it until it is published.")
    return _page(request, again, typed_form(again, request.POST))


def _ask(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """4.2.1: a locked score can't be changed, so it is asked once more."""
    _check_due(sheet)
    if not form.is_valid():
        return _page(request, sheet, form, status=422)
    context = {"sheet": sheet, "form": form, "title": "Lock this score?", "subtitle": sheet.view.headline}
    return TemplateResponse(request, "judge/lock.html", {**site.each_context(request), **context})


def _lock(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """4.2.1, R38: step 1, lock the score; the narrative is kept for step 2."""
    form = form_of(sheet, request.POST, scoring=True)
    if not form.is_valid():
        _check_due(sheet)
        return _page(request, sheet, form, status=422)
    if not sheet.is_published:
        _keep(sheet, form, now)
    favours, bonus = form.cleaned_data["favours"], form.cleaned_data["bonus"]
    judge = cast(Judge, sheet.judge)
    lock_score(battle=sheet.battle, judge=judge, favours=favours, bonus=bonus, now=now)
    messages.success(request, "The score is locked. Nothing is rolled before you publish.")
    return redirect(f"{request.path}#score")


def _publish(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """4.2.4, 4.2.5: step 2, roll and publish. Where the rules give the bonus, the judge's is 0 (R36)."""
    if form.has_error("narrative"):
        return _page(request, sheet, form, status=422)
    text, judge = form.cleaned_data["narrative"], cast(Judge, sheet.judge)
    _check_unpublished(sheet, judge, text)
    if not sheet.is_published:
        _keep(sheet, form, now)
    if sheet.score is None and sheet.may_publish:
        lock_score(battle=sheet.battle, judge=judge, favours=None, bonus=0, now=now)
    publish_result(battle=sheet.battle, judge=judge, narrative=text, now=now)
    messages.success(request, "Rolled and published.")
    return redirect(f"{request.path}#result")


def _edit(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """Back from the question with everything typed; an act that does not exist is the same."""
    return _page(request, sheet, typed_form(sheet, request.POST))


Act = Callable[[HttpRequest, Sheet, ScoreForm, datetime], HttpResponse]
ACTS: dict[str, Act] = {"save": _save, "ask": _ask, "lock": _lock, "publish": _publish}


def _sheet(request: HttpRequest, battle_id: int, now: datetime) -> Sheet:
    sheet = sheet_of(cast(User, request.user), battle_id, now)
    if sheet is None:
        raise Http404("There is no such battle on your desk.")
    return sheet


def _keep(sheet: Sheet, form: ScoreForm, now: datetime) -> None:
    keep_narrative(
        battle=sheet.battle,
        judge=cast(Judge, sheet.judge),
        text=form.cleaned_data["narrative"],
        base_version=form.cleaned_data["narrative_version"],
        now=now,
    )


def _check_due(sheet: Sheet) -> None:
    """What the services would say too, before the form is looked at: it is no longer, or not yet, asked for."""
    if sheet.wait:
        raise Refused(sheet.wait)
    if sheet.score is not None:
        locked = f"{sheet.score.locked_at:%Y-%m-%d %H:%M:%S} UTC"
        raise Refused(f"{sheet.score.judge.name} locked a score at {locked}; it can't be changed.", "R38")


def _check_unpublished(sheet: Sheet, judge: Judge, text: str) -> None:
    """A second click on one's own publishing is none; other words for a published result are refused."""
    if sheet.is_published and (sheet.battle.result.judge_id, sheet.battle.result.narrative) != (
        judge.pk,
        text,
    ):
        result = sheet.battle.result
        published = f"{result.published_at:%Y-%m-%d %H:%M:%S} UTC"
        raise Refused(f"{result.judge.name} published this result at {published}. It stands as it is below.", "4.2.5")


def _refused(request: HttpRequest, sheet: Sheet, sentence: str, status: int = 409) -> HttpResponse:
    """The sheet as it is now, with the sentence and everything that was typed."""
    data = request.POST.copy()
    data["narrative_version"] = str(sheet.narrative.version if sheet.narrative else 0)
    form = form_of(sheet, data)
    form.add_error(None, sentence)
    return _page(request, sheet, form, status)


def _page(request: HttpRequest, sheet: Sheet, form: ScoreForm, status: int = 200) -> HttpResponse:
    context = {**site.each_context(request), "title": sheet.view.headline, "subtitle": None}
    context |= {"sheet": sheet, "view": sheet.view, "form": form, "now": timezone.now()}
    return TemplateResponse(request, "judge/battle.html", context, status=status)
