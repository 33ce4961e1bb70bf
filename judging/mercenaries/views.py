"""R48, R49, 6.3.2: The public ledger of the neutrals, and the mercenary judge's pages: each mercenary's order and
its reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.battles.desk.sheet import Sheet
from judging.battles.shapes import FighterView
from judging.battles.strats.forms import MercenaryStratForm
from judging.common.admin import site
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_form, redirect_after
from judging.common.forms import new_token
from judging.common.judges import User
from judging.common.shortcuts import turn_for, viewer_for
from judging.mercenaries.desk import (
    MercenaryDesk,
    act_on_desk,
    fighter_on_desk,
    last_strat,
    mercenary_desk,
    send_strat,
    way_to_ledger,
)
from judging.mercenaries.queries import ledger_of, settled_turns

if TYPE_CHECKING:
    pass


@require_safe
def neutrals(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """The mercenaries' decisions in a turn, and their reasons; without a number, in the last settled one."""
    viewer = viewer_for(request, slug)
    numbers = settled_turns(viewer.round)
    turn_number = number if number is not None else next(iter(numbers), None)
    turn = turn_for(viewer.round, turn_number) if turn_number is not None else None
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "turn": turn,
        "ledger": ledger_of(turn) if turn else None,
        "older": next((other for other in numbers if turn_number is not None and other < turn_number), None),
        "newer": next((other for other in reversed(numbers) if turn_number is not None and other > turn_number), None),
    }
    return render(request, "neutrals/neutrals.html", context)


@get_or_post
def mercenaries(request: HttpRequest, turn_id: int) -> HttpResponse:
    """R48: a POST carries out one act; on any error, the typed values stay. A turn that is settled has its ledger
    instead."""
    user, now = cast(User, request.user), timezone.now()
    if success := way_to_ledger(user, turn_id, acts=request.method == "POST"):
        return redirect_after(request, success)
    act = request.POST.get("act", "")

    def page(*, refused: Refused | None = None) -> HttpResponse:
        desk = mercenary_desk(user, turn_id, now)
        if refused is None:
            return _page(request, desk, {})
        fields = ("army", "order", "reason", "square", "rank", "token")
        values = {"act": act, "error": str(refused), **{name: request.POST.get(name, "") for name in fields}}
        return _page(request, desk, {**values, "beside": _beside(desk, values)})

    return handle_form(request, page, lambda: act_on_desk(mercenary_desk(user, turn_id, now), act, request.POST, now))


def _beside(desk: MercenaryDesk, values: dict[str, str]) -> str:
    """The place of the refused form, if it is still there: a mercenary's name, `after` or `spawn`; else empty."""
    if values["act"] == "after":
        return "after" if desk.window == "open" else ""
    if values["act"] == "spawn":
        return "spawn" if desk.is_open and desk.has_room else ""
    lines = [line for line in desk.lines if desk.is_open and not line.battle]
    if values["act"] == "disband":
        lines = [line for line in lines if line.is_raider and line.ordered != "disband"]
    is_there = values["act"] in ("order", "disband") and any(line.army.name == values["army"] for line in lines)
    return values["army"] if is_there else ""


def _page(request: HttpRequest, desk: MercenaryDesk, values: dict[str, str]) -> HttpResponse:
    context = {
        **site.each_context(request),
        "title": gettext("Mercenaries in turn %(number)s") % {"number": desk.turn.number},
        "subtitle": None,
    }
    context |= {"desk": desk, "turn": desk.turn, "round": desk.turn.round, "typed": values, "token": new_token()}
    return TemplateResponse(request, "judge/mercenaries.html", context)


@get_or_post
def mercenary_strat(request: HttpRequest, battle_id: int, army: str) -> HttpResponse:
    """R49: a POST sends the strat; on any error, the text stays. With `again` in the address the form begins with
    the army's last one."""
    now = timezone.now()
    sheet, fighter = fighter_on_desk(cast(User, request.user), battle_id, army, now)
    last = last_strat(sheet.battle, fighter.name) if "again" in request.GET else None
    defaults = {"text": last.text, "risk": last.risk, "runs": last.runs} if last else {}
    form = MercenaryStratForm(request.POST or None, initial={"token": new_token(), **defaults})

    def page(*, refused: Refused | None = None) -> HttpResponse:
        if refused:
            form.add_error(None, str(refused))
        return _strat_page(request, sheet, fighter, form)

    return handle_form(request, page, lambda: send_strat(sheet, fighter, form.cleaned_data, now), form=form, status=409)


def _strat_page(request: HttpRequest, sheet: Sheet, fighter: FighterView, form: MercenaryStratForm) -> HttpResponse:
    enemies = sheet.view.sides[1] if fighter in sheet.view.sides[0] else sheet.view.sides[0]
    context = {
        **site.each_context(request),
        "title": gettext("Strat for %(name)s") % {"name": fighter.name},
        "subtitle": None,
    }
    context |= {"sheet": sheet, "view": sheet.view, "fighter": fighter, "enemies": enemies, "form": form}
    context["last"] = last_strat(sheet.battle, fighter.name)
    return TemplateResponse(request, "judge/mercenary_strat.html", context)
