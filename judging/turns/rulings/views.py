"""3.3.3, R18: the rulings of a round, the report before a correction, and the judges' pages with the form of a
ruling."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from judging.common import rulebook
from judging.common.admin import site
from judging.common.errors import Refused
from judging.common.form_views import Success, handle_button, handle_form
from judging.common.forms import new_token
from judging.common.judges import User
from judging.common.shortcuts import turn_for, viewer_for
from judging.turns.models import Ruling
from judging.turns.rulings.corrections import decide_proposal, send_proposal
from judging.turns.rulings.desk import CorrectionDesk, DraftDesk, correction_desk, draft_desk, publish, rule, ruling_of
from judging.turns.rulings.desk import withdraw as withdraw_from_desk
from judging.turns.rulings.services import NewRuling, precedents, report_before
from wargame.models import Turn
from wargame.rules.core.troops import SLOTS
from wargame.rules.posts.notation import LONGEST_LINE

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


FIELDS: dict[str, tuple[str, ...]] = {
    Ruling.Kind.ORDER: ("order",),
    Ruling.Kind.LIFTED: (),
    Ruling.Kind.ASIDE: (),
    Ruling.Kind.SQUARE: ("square",),
    Ruling.Kind.WINNER: ("square",),
    Ruling.Kind.DAYS: ("days",),
    Ruling.Kind.TROOPS: ("slot", "creature", "alive"),
}
"""The fields that each kind needs besides an army, a rule and a reason."""

HELP: dict[str, _StrOrPromise] = {
    Ruling.Kind.ORDER: gettext_lazy(
        "This order replaces what was posted, legal or not. Examples: “3D > 5E; engage Bob”, “hold”."
    ),
    Ruling.Kind.LIFTED: gettext_lazy("The army's last order is carried out even though it was refused."),
    Ruling.Kind.ASIDE: gettext_lazy("The army stays. Its orders are ignored, including a long move."),
    Ruling.Kind.SQUARE: gettext_lazy("The army ends on this square, after all partial moves. No friend can be on it."),
    Ruling.Kind.WINNER: gettext_lazy("The army gets this square ahead of the friends that want it too."),
    Ruling.Kind.DAYS: gettext_lazy("The army's days after the settlement. Its healing depends on them."),
    Ruling.Kind.TROOPS: gettext_lazy(
        "How many troops are alive after the battles, before any new ones are added. The maximum is their full "
        "strength."
    ),
}


BEGUN = ("army", "square", "cites", "order", "days", "slot", "creature", "alive")
"""The fields that a URL may prefill in the form."""


def _line(label: _StrOrPromise, size: int, **attributes: object) -> forms.CharField:
    widget = forms.TextInput(attrs={"size": size, "autocomplete": "off", **attributes})
    return forms.CharField(required=False, strip=False, label=label, widget=widget)


class RulingForm(forms.Form):
    """3.3.3: the service validates it and reports errors beside their field."""

    kind = forms.CharField(widget=forms.HiddenInput, required=False)
    token = forms.CharField(widget=forms.HiddenInput, required=False)
    army = _line(gettext_lazy("Army"), 24, list="armies")
    square = _line(gettext_lazy("Square, like 3D"), 6)
    order = _line(gettext_lazy("Order, without the army's name"), 48)
    days = _line(gettext_lazy("Days"), 4, inputmode="numeric")
    slot = forms.ChoiceField(
        required=False, label=gettext_lazy("Slot (1 is the lowest)"), choices=[(str(slot), str(slot)) for slot in SLOTS]
    )
    creature = _line(gettext_lazy("Creature (leave empty if the slot has only one)"), 24)
    alive = _line(gettext_lazy("Living troops"), 8, inputmode="numeric")
    cites = _line(gettext_lazy("Rule that applies, like 3.3.1 or R21"), 10)
    reason = forms.CharField(
        required=False,
        strip=False,
        label=gettext_lazy("Reason (public with the turn)"),
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "true"}),
    )

    def __init__(self, kind: str, data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        field_names = FIELDS.get(kind, ())
        for name in ("square", "order", "days", "slot", "creature", "alive"):
            if name not in field_names:
                del self.fields[name]
        self.ruled = kind
        self.kind_label = Ruling.Kind(kind).label if kind in FIELDS else ""
        self.kind_help = HELP.get(kind, "")

    def as_typed(self) -> NewRuling:
        values = {name: self.data.get(name, "") for name in self.fields if name not in ("kind", "token")}
        return NewRuling(kind=self.ruled, **values)

    def refuse(self, error: Refused) -> None:
        """Show why the ruling was not accepted, beside the field concerned."""
        self.is_valid()
        names = {field.name for field in self.visible_fields()}
        self.add_error(error.field if error.field in names else None, str(error))


def ruling_form(data: QueryDict | None, asked: QueryDict) -> RulingForm | None:
    """The form with the sent data, or prefilled from a URL; None until a kind is chosen."""
    if data is not None:
        return RulingForm(data.get("kind", ""), data)
    kind = asked.get("kind", "")
    if kind not in FIELDS:
        return None
    initial = {name: asked.get(name, "")[:LONGEST_LINE] for name in BEGUN}
    return RulingForm(kind, initial={**initial, "kind": kind, "token": new_token()})


LONGEST_SEARCH = 80


@require_safe
def rulings(request: HttpRequest, slug: str) -> HttpResponse:
    """The public rulings, the newest first; `?rule=` and `?q=` search them."""
    viewer = viewer_for(request, slug)
    rule, query = (request.GET.get(name, "").strip()[:LONGEST_SEARCH] for name in ("rule", "q"))
    page = precedents(viewer.round, timezone.now(), rule, query, request.GET.get("page", "1"))
    number = rule.rstrip(".").upper()
    unknown = bool(number) and rulebook.anchor_of(number) is None
    context = {"viewer": viewer, "round": viewer.round, "found": page, "rule": rule, "q": query, "unknown": unknown}
    return render(request, "rulings/rulings.html", context)


@require_safe
def before(request: HttpRequest, slug: str, number: int, correction_id: int) -> HttpResponse:
    """The report of a turn as it was before a correction was applied."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round, number)
    report = report_before(turn, correction_id)
    if report is None:
        raise Http404(gettext("Turn %(number)s has no such correction.") % {"number": number})
    correction, sections = report
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
    return handle_button(request, partial(publish, user, desk.turn, request.POST.get("digest", ""), now))


@require_http_methods(["POST"])
def withdraw(request: HttpRequest, ruling_id: int) -> HttpResponse:
    """3.3.3: withdraw a ruling, with a reason."""
    user, now = cast(User, request.user), timezone.now()
    ruling, reason = ruling_of(user, ruling_id), request.POST.get("reason", "")

    def page(*, refused: Refused | None = None) -> HttpResponse:
        values = {"id": ruling.pk, "reason": reason, "error": str(refused or "")}
        return _draft_page(request, draft_desk(user, ruling.turn_id, now), None, withdrawing=values)

    return handle_form(request, page, partial(withdraw_from_desk, user, ruling, reason, now))


@require_http_methods(["GET", "HEAD", "POST"])
def corrections(request: HttpRequest, turn_id: int) -> HttpResponse:
    """3.3.3: the proposed corrections of a settled turn; a POST proposes, applies or drops."""
    now = timezone.now()
    desk = correction_desk(cast(User, request.user), turn_id, now)
    if request.method != "POST":
        return _correction_page(request, desk, ruling_form(None, request.GET))
    act = request.POST.get("act", "")
    if act == "propose":
        return _propose(request, desk, now)
    return handle_button(
        request, partial(decide_proposal, desk.turn, desk.judge, request.POST.get("correction", ""), act, now)
    )


def _rule(request: HttpRequest, desk: DraftDesk, now: datetime) -> HttpResponse:
    form = _sent_form(request)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        if refused:
            form.refuse(refused)
        return _draft_page(request, desk, form)

    def act() -> Success:
        return rule(cast(User, request.user), desk, form.as_typed(), request.POST.get("token", ""), now)

    return handle_form(request, page, act, status=422 if desk.judge else 403)


def _propose(request: HttpRequest, desk: CorrectionDesk, now: datetime) -> HttpResponse:
    form = _sent_form(request)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        if refused:
            form.refuse(refused)
        return _correction_page(request, desk, form)

    def act() -> Success:
        token, instead_of = (request.POST.get(name, "") for name in ("token", "instead_of"))
        return send_proposal(desk.turn, desk.judge, form.as_typed(), token, instead_of, now)

    return handle_form(request, page, act)


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
