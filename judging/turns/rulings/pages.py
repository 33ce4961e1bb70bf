"""3.3.3, R18: the rulings of a round, to be searched for precedents, the report that stood before a correction, and the
judges' pages: the draft of a turn with its rulings, and corrections of the one before."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from judging.game import rulebook
from judging.game.acting import Done, answer, press
from judging.game.errors import Refused
from judging.game.judge_site import site
from judging.game.judges import User, judge_of
from judging.game.pages import turn_for, viewer_for
from judging.turns.drafts import publish_draft
from judging.turns.models import Ruling
from judging.turns.rulings.corrections import apply_correction, drop_correction, propose_correction
from judging.turns.rulings.desk import (
    CorrectionDesk,
    DraftDesk,
    correction_desk,
    correction_of,
    draft_desk,
    judge_who_withdraws,
    judges_who_rule,
    ruling_of,
)
from judging.turns.rulings.forms import RulingForm, ruling_form
from judging.turns.rulings.reads import precedents, report_before
from judging.turns.rulings.writes import add_ruling, withdraw_ruling
from wargame.models import Judge, Turn
from wargame.models.choices import Role

LONGEST_SEARCH = 80


@require_safe
def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """The public rulings, the newest first; `?rule=` and `?q=` search them."""
    viewer = viewer_for(request, slug)
    rule, words = (request.GET.get(name, "").strip()[:LONGEST_SEARCH] for name in ("rule", "q"))
    found = precedents(viewer.round, timezone.now(), rule, words, request.GET.get("page", "1"))
    number = rule.rstrip(".").upper()
    unknown = bool(number) and rulebook.anchor_of(number) is None
    context = {"viewer": viewer, "round": viewer.round, "found": found, "rule": rule, "q": words, "unknown": unknown}
    return render(request, "rulings/rulings.html", context)


@require_safe
def before(request: HttpRequest, slug: str, number: int, correction_id: int) -> HttpResponse:
    """The report of a turn as it was before a correction was applied."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round, number)
    found = report_before(turn, correction_id)
    if found is None:
        raise Http404(gettext("Turn %(number)s has no such correction.") % {"number": number})
    correction, sections = found
    context = {"viewer": viewer, "round": viewer.round, "turn": turn, "correction": correction, "sections": sections}
    return render(request, "rulings/before.html", context)


NO_JUDGE = gettext_lazy("Only movement and battle judges of this round can rule on its turns (1.3).")


@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest, turn_id: int) -> HttpResponse:
    """R18: the draft of the moves of a locked turn; a POST rules on it, or publishes it."""
    now = timezone.now()
    desk = _draft_desk(request, turn_id, now)
    if request.method != "POST":
        return _draft_page(request, desk, ruling_form(None, request.GET))
    if request.POST.get("act") == "rule":
        return _rule(request, desk, now)
    return _publish(request, desk.turn, now)


@require_http_methods(["POST"])
def withdraw(request: HttpRequest, ruling_id: int) -> HttpResponse:
    """3.3.3: takes a ruling back, with a reason."""
    user, now = cast(User, request.user), timezone.now()
    ruling = ruling_of(user, ruling_id)
    judge = judge_who_withdraws(user, ruling) if ruling else None
    if ruling is None or judge is None:
        raise Http404(gettext("There is no such ruling on your dashboard."))
    reason = request.POST.get("reason", "")

    def page(*, refused: Refused | None = None) -> HttpResponse:
        typed = {"id": ruling.pk, "reason": reason, "error": str(refused or "")}
        return _draft_page(request, _draft_desk(request, ruling.turn_id, now), None, withdrawing=typed)

    def act() -> Done:
        withdraw_ruling(ruling=ruling, judge=judge, reason=reason, now=now)
        said = gettext("Ruling %(number)s was withdrawn, and the draft was recomputed.") % {"number": ruling.number}
        return Done(said, f"{reverse('judge:draft', args=[ruling.turn_id])}#rulings")

    return answer(request, page, act)


@require_http_methods(["GET", "HEAD", "POST"])
def corrections(request: HttpRequest, turn_id: int) -> HttpResponse:
    """3.3.3: what is proposed to correct in a settled turn; a POST proposes, applies or drops."""
    now = timezone.now()
    desk = _correction_desk(request, turn_id, now)
    if request.method != "POST":
        return _correction_page(request, desk, ruling_form(None, request.GET))
    judge = _judge(request, desk.turn)
    if judge is None:
        raise Http404(str(NO_JUDGE))
    if request.POST.get("act") == "propose":
        return _propose(request, desk, judge, now)
    return _decide(request, desk, judge, now)


def _publish(request: HttpRequest, turn: Turn, now: datetime) -> HttpResponse:
    def act() -> str:
        judge = judge_of(cast(User, request.user), turn.round, Role.MOVEMENT)
        if judge is None:
            raise Refused(gettext("Only a movement judge of this round can publish its moves (1.3)."))
        publish_draft(turn=turn, judge=judge, now=now, digest=request.POST.get("digest", ""))
        return gettext("The moves of turn %(number)s are published.") % {"number": turn.number}

    return press(request, act)


def _rule(request: HttpRequest, desk: DraftDesk, now: datetime) -> HttpResponse:
    form, judge = _sent_form(request), _judge(request, desk.turn)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        if refused:
            form.refuse(refused)
        return _draft_page(request, desk, form)

    def act() -> Done:
        if judge is None:
            raise Refused(str(NO_JUDGE))
        token = request.POST.get("token", "")
        ruling = add_ruling(turn=desk.turn, judge=judge, ruling=form.as_typed(), token=token, now=now)
        effect = _draft_desk(request, desk.turn.pk, now).effect_of(ruling.number or 0)
        told = {"number": ruling.number, "effect": effect}
        to = f"{request.path}#difference"
        if effect:
            return Done(gettext("Ruling %(number)s was added. %(effect)s") % told, to, messages.WARNING)
        return Done(gettext("Ruling %(number)s was added, and the draft was recomputed.") % told, to)

    return answer(request, page, act, status=422 if judge else 403)


def _propose(request: HttpRequest, desk: CorrectionDesk, judge: Judge, now: datetime) -> HttpResponse:
    form = _sent_form(request)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        if refused:
            form.refuse(refused)
        return _correction_page(request, desk, form)

    def act() -> Done:
        propose_correction(
            turn=desk.turn,
            judge=judge,
            rulings=[form.as_typed()],
            token=request.POST.get("token", ""),
            now=now,
            instead_of=correction_of(desk.turn, request.POST.get("instead_of", "")),
        )
        said = gettext("The correction is computed. Nothing changes until you apply it.")
        return Done(said, f"{request.path}#proposed")

    return answer(request, page, act)


def _decide(request: HttpRequest, desk: CorrectionDesk, judge: Judge, now: datetime) -> HttpResponse:
    def act() -> str:
        correction = correction_of(desk.turn, request.POST.get("correction", ""))
        if correction is None or request.POST.get("act") not in ("apply", "drop"):
            raise Refused(gettext("Choose which correction to apply or drop."))
        if request.POST["act"] == "drop":
            drop_correction(correction=correction, judge=judge, now=now)
            return gettext("The proposal was dropped.")
        apply_correction(correction=correction, judge=judge, now=now)
        return gettext("Turn %(number)s was corrected.") % {"number": desk.turn.number}

    return press(request, act)


def _sent_form(request: HttpRequest) -> RulingForm:
    form = ruling_form(request.POST, request.GET)
    assert form is not None
    return form


def _judge(request: HttpRequest, turn: Turn) -> Judge | None:
    return next(iter(judges_who_rule(cast(User, request.user), turn.round)), None)


def _draft_desk(request: HttpRequest, turn_id: int, now: datetime) -> DraftDesk:
    desk = draft_desk(cast(User, request.user), turn_id, now)
    if desk is None:
        raise Http404(gettext("There is no draft of that turn."))
    return desk


def _correction_desk(request: HttpRequest, turn_id: int, now: datetime) -> CorrectionDesk:
    desk = correction_desk(cast(User, request.user), turn_id, now)
    if desk is None:
        raise Http404(gettext("There is no such settled turn on your dashboard."))
    return desk


def _draft_page(
    request: HttpRequest,
    desk: DraftDesk,
    form: RulingForm | None,
    withdrawing: dict[str, Any] | None = None,
) -> HttpResponse:
    title = gettext("Draft of the moves of turn %(number)s") % {"number": desk.turn.number}
    more = {"draft": desk, "withdrawing": withdrawing, "address": reverse("judge:draft", args=[desk.turn.pk])}
    return _page(request, "judge/draft.html", title, desk.turn, form, more)


def _correction_page(request: HttpRequest, desk: CorrectionDesk, form: RulingForm | None) -> HttpResponse:
    title = gettext("Corrections of turn %(number)s") % {"number": desk.turn.number}
    more = {"desk": desk, "address": reverse("judge:corrections", args=[desk.turn.pk])}
    return _page(request, "judge/corrections.html", title, desk.turn, form, more)


def _page(
    request: HttpRequest,
    template: str,
    title: str,
    turn: Turn,
    form: RulingForm | None,
    more: dict[str, Any],
) -> HttpResponse:
    context = {**site.each_context(request), "title": title, "subtitle": None, "form": form, **more}
    context |= {"round": turn.round, "turn": turn, "kinds": Ruling.Kind.choices}
    return TemplateResponse(request, template, context)
