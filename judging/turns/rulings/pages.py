"""3.3.3, R18: the rulings of a round, to be searched for precedents, the report that stood before a correction, and the
judges' pages: the draft of a turn with its rulings, and corrections of the one before."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from judging.game import rulebook
from judging.game.acting import Done, answer, press
from judging.game.errors import Refused
from judging.game.judge_site import site
from judging.game.judges import User
from judging.game.pages import turn_for, viewer_for
from judging.turns.models import Ruling
from judging.turns.rulings.corrections import decide_proposal, send_proposal
from judging.turns.rulings.desk import CorrectionDesk, DraftDesk, correction_desk, draft_desk, publish, rule, ruling_of
from judging.turns.rulings.desk import withdraw as withdraw_from_desk
from judging.turns.rulings.forms import RulingForm, ruling_form
from judging.turns.rulings.reads import precedents, report_before
from wargame.models import Turn

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


@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest, turn_id: int) -> HttpResponse:
    """R18: the draft of the moves of a locked turn; a POST rules on it, or publishes it."""
    user, now = cast(User, request.user), timezone.now()
    desk = draft_desk(user, turn_id, now)
    if request.method != "POST":
        return _draft_page(request, desk, ruling_form(None, request.GET))
    if request.POST.get("act") == "rule":
        return _rule(request, desk, now)
    return press(request, partial(publish, user, desk.turn, request.POST.get("digest", ""), now))


@require_http_methods(["POST"])
def withdraw(request: HttpRequest, ruling_id: int) -> HttpResponse:
    """3.3.3: takes a ruling back, with a reason."""
    user, now = cast(User, request.user), timezone.now()
    ruling, reason = ruling_of(user, ruling_id), request.POST.get("reason", "")

    def page(*, refused: Refused | None = None) -> HttpResponse:
        typed = {"id": ruling.pk, "reason": reason, "error": str(refused or "")}
        return _draft_page(request, draft_desk(user, ruling.turn_id, now), None, withdrawing=typed)

    return answer(request, page, partial(withdraw_from_desk, user, ruling, reason, now))


@require_http_methods(["GET", "HEAD", "POST"])
def corrections(request: HttpRequest, turn_id: int) -> HttpResponse:
    """3.3.3: what is proposed to correct in a settled turn; a POST proposes, applies or drops."""
    now = timezone.now()
    desk = correction_desk(cast(User, request.user), turn_id, now)
    if request.method != "POST":
        return _correction_page(request, desk, ruling_form(None, request.GET))
    act = request.POST.get("act", "")
    if act == "propose":
        return _propose(request, desk, now)
    return press(request, partial(decide_proposal, desk.turn, desk.judge, request.POST.get("correction", ""), act, now))


def _rule(request: HttpRequest, desk: DraftDesk, now: datetime) -> HttpResponse:
    form = _sent_form(request)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        if refused:
            form.refuse(refused)
        return _draft_page(request, desk, form)

    def act() -> Done:
        return rule(cast(User, request.user), desk, form.as_typed(), request.POST.get("token", ""), now)

    return answer(request, page, act, status=422 if desk.judge else 403)


def _propose(request: HttpRequest, desk: CorrectionDesk, now: datetime) -> HttpResponse:
    form = _sent_form(request)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        if refused:
            form.refuse(refused)
        return _correction_page(request, desk, form)

    def act() -> Done:
        token, instead_of = (request.POST.get(name, "") for name in ("token", "instead_of"))
        return send_proposal(desk.turn, desk.judge, form.as_typed(), token, instead_of, now)

    return answer(request, page, act)


def _sent_form(request: HttpRequest) -> RulingForm:
    form = ruling_form(request.POST, request.GET)
    assert form is not None
    return form


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
