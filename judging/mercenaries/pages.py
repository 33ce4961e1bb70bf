"""R48, R49, 6.3.2: the public ledger of the neutrals, and the mercenary judge's pages: proposals, his orders, the one
after the lock, raiders that come and go, and the strats of his armies."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from judging.battles.desk.sheet import Sheet, sheet_of
from judging.battles.reads import rows_for_strat
from judging.battles.shapes import FighterView
from judging.battles.strats.forms import MercenaryStratForm
from judging.battles.strats.writes import send_mercenary_strat
from judging.game.acting import answer, asks_or_acts
from judging.game.errors import Refused
from judging.game.forms import new_token
from judging.game.judge_site import site
from judging.game.judges import User
from judging.game.pages import turn_for, viewer_for
from judging.mercenaries import writes as services
from judging.mercenaries.desk import MercenaryDesk, last_strat, mercenary_desk, settled_turn
from judging.mercenaries.reads import ledger_of, settled_turns
from wargame.models import Judge
from wargame.rules.core.sides import Side

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


@require_safe
def neutrals(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """What the mercenaries decided in a turn, the last settled one without a number, and why."""
    viewer = viewer_for(request, slug)
    numbers = settled_turns(viewer.round)
    shown = number if number is not None else next(iter(numbers), None)
    turn = turn_for(viewer.round, shown) if shown is not None else None
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "turn": turn,
        "ledger": ledger_of(turn) if turn else None,
        "older": next((other for other in numbers if shown is not None and other < shown), None),
        "newer": next((other for other in reversed(numbers) if shown is not None and other > shown), None),
    }
    return render(request, "neutrals/neutrals.html", context)


class DeskButton(NamedTuple):
    """R48: what a button of the desk does: what it needs besides its token, the service, and what is said of it."""

    fields: tuple[str, ...]
    carry_out: Callable[..., object]
    said: _StrOrPromise


ACTS = {
    "order": DeskButton(("army", "order"), services.replace_order, gettext_lazy("You gave {army} a new order.")),
    "guideline": DeskButton(
        ("army",), services.follow_guideline, gettext_lazy("{army} will follow the guideline again.")
    ),
    "disband": DeskButton(("army", "reason"), services.disband_raider, gettext_lazy("{army} will disband.")),
    "spawn": DeskButton(
        ("square", "rank", "reason"), services.call_up_raider, gettext_lazy("You called up a raider to {square}.")
    ),
    "unspawn": DeskButton(
        ("square",), services.call_off_raider, gettext_lazy("You cancelled the call-up of a raider to {square}.")
    ),
    "after": DeskButton(
        ("army", "order"),
        services.order_after_lock,
        gettext_lazy("You sent {army} on the way. The moves are being worked out."),
    ),
}
"""The acts by the names of their buttons."""


@asks_or_acts
def mercenaries(request: HttpRequest, turn_id: int) -> HttpResponse:
    """R48: a POST carries out one act; whatever is wrong with it, what was typed stays. A turn that is settled has its
    ledger instead."""
    now = timezone.now()
    settled = settled_turn(cast(User, request.user), turn_id)
    if settled:
        undone = gettext(" Nothing was changed.") if request.method == "POST" else ""
        messages.info(
            request,
            gettext("Turn %(number)s is settled. Here is what its mercenaries did.%(undone)s")
            % {"number": settled.number, "undone": undone},
        )
        return redirect("neutrals-turn", settled.round.slug, settled.number)
    act = request.POST.get("act", "")

    def page(*, refused: Refused | None = None) -> HttpResponse:
        desk = _desk(request, turn_id, now)
        if refused is None:
            return _page(request, desk, {})
        kept = ("army", "order", "reason", "square", "rank", "token")
        typed = {"act": act, "error": str(refused), **{name: request.POST.get(name, "") for name in kept}}
        return _page(request, desk, {**typed, "beside": _beside(desk, typed)})

    return answer(request, page, lambda: _carry_out(request, _desk(request, turn_id, now), act, now))


def _carry_out(request: HttpRequest, desk: MercenaryDesk, act: str, now: datetime) -> str:
    """What to say of the act. Raises Refused."""
    who: dict[str, Any] = {"turn": desk.turn, "judge": desk.judge, "now": now}
    if act in ("done", "wait"):
        services.set_window(**who, done=act == "done")
        return (
            gettext("The turn won't wait for an order after the lock.")
            if act == "done"
            else gettext("The window after the lock stays open.")
        )
    if act not in ACTS:
        raise Refused(gettext("Use one of the buttons to choose what to do."))
    chosen = ACTS[act]
    typed = {name: request.POST.get(name, "") for name in chosen.fields}
    chosen.carry_out(**who, **typed, token=request.POST.get("token", ""))
    return chosen.said.format(**typed)


def _beside(desk: MercenaryDesk, typed: dict[str, str]) -> str:
    """Where the form still is that was refused: a mercenary's name, `after` or `spawn`; empty if it is gone."""
    if typed["act"] == "after":
        return "after" if desk.window == "open" else ""
    if typed["act"] == "spawn":
        return "spawn" if desk.is_open and desk.has_room else ""
    lines = [line for line in desk.lines if desk.is_open and not line.battle]
    if typed["act"] == "disband":
        lines = [line for line in lines if line.is_raider and line.ordered != "disband"]
    is_there = typed["act"] in ("order", "disband") and any(line.army.name == typed["army"] for line in lines)
    return typed["army"] if is_there else ""


def _desk(request: HttpRequest, turn_id: int, now: datetime) -> MercenaryDesk:
    desk = mercenary_desk(cast(User, request.user), turn_id, now)
    if desk is None:
        raise Http404(gettext("You don't command any mercenaries in that turn."))
    return desk


def _page(request: HttpRequest, desk: MercenaryDesk, typed: dict[str, str]) -> HttpResponse:
    context = {
        **site.each_context(request),
        "title": gettext("Mercenaries in turn %(number)s") % {"number": desk.turn.number},
        "subtitle": None,
    }
    context |= {"desk": desk, "turn": desk.turn, "round": desk.turn.round, "typed": typed, "token": new_token()}
    return TemplateResponse(request, "judge/mercenaries.html", context)


@asks_or_acts
def mercenary_strat(request: HttpRequest, battle_id: int, army: str) -> HttpResponse:
    """R49: a POST sends the strat; whatever is wrong with it, the text stays. With `again` in the address the form
    begins with the army's last one."""
    now = timezone.now()
    sheet = sheet_of(cast(User, request.user), battle_id, now)
    fighter = sheet.view.fighter(army) if sheet and sheet.mercenary_judge else None
    if sheet is None or fighter is None or fighter.side != Side.MERCENARY:
        raise Http404(gettext("This mercenary isn't on your dashboard."))
    last = last_strat(sheet.battle, fighter.name) if "again" in request.GET else None
    begun = {"text": last.text, "risk": last.risk, "runs": last.runs} if last else {}
    form = MercenaryStratForm(request.POST or None, initial={"token": new_token(), **begun})

    def page(*, refused: Refused | None = None) -> HttpResponse:
        if refused:
            form.add_error(None, str(refused))
        return _strat_page(request, sheet, fighter, form)

    def act() -> str:
        battle, row = rows_for_strat(sheet.view, fighter)
        judge = cast(Judge, sheet.mercenary_judge)
        sent = send_mercenary_strat(battle=battle, army=row, judge=judge, now=now, **form.cleaned_data)
        late = gettext(" It came after the deadline, so it only counts if a battle judge accepts it (R35).")
        return f"Sent. SHA-256 {sent.sha256}.{late if sent.late else ''}"

    return answer(request, page, act, form=form, status=409)


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
