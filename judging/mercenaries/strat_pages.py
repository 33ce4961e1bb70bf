"""R49: the mercenary judge's form for the strat of one of his armies."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from judging.battles.desk.sheet import Sheet, sheet_of
from judging.battles.reads import rows_for_strat
from judging.battles.strats.writes import send_mercenary_strat
from judging.battles.views import FighterView
from judging.game.errors import Refused
from judging.game.forms import MercenaryStratForm, new_token
from judging.game.judge import User
from judging.game.judge_site import site
from judging.mercenaries.desk import last_strat
from wargame.models import Judge
from wargame.rules.core.sides import Side


@require_http_methods(["GET", "HEAD", "POST"])
def mercenary_strat(request: HttpRequest, battle_id: int, army: str) -> HttpResponse:
    """R49: a POST sends the strat; whatever is wrong with it, the text stays. With `again` in the address the form
    begins with the army's last one."""
    now = timezone.now()
    sheet = sheet_of(cast(User, request.user), battle_id, now)
    fighter = sheet.view.fighter(army) if sheet and sheet.mercenary_judge else None
    if sheet is None or fighter is None or fighter.side != Side.MERCENARY:
        raise Http404("There is no such mercenary on your desk.")
    if request.method != "POST":
        last = last_strat(sheet.battle, fighter.name) if "again" in request.GET else None
        begun = {"text": last.text, "risk": last.risk, "runs": last.runs} if last else {}
        return _page(request, sheet, fighter, MercenaryStratForm(initial={"token": new_token(), **begun}))
    form = MercenaryStratForm(request.POST)
    if not form.is_valid():
        return _page(request, sheet, fighter, form, status=422)
    battle, row = rows_for_strat(sheet.view, fighter)
    judge = cast(Judge, sheet.mercenary_judge)
    try:
        sent = send_mercenary_strat(battle=battle, army=row, judge=judge, now=now, **form.cleaned_data)
    except Refused as error:
        form.add_error(None, str(error))
        return _page(request, sheet, fighter, form, status=409)
    late = " It came after the deadline and does not count unless a battle judge accepts it (R35)." if sent.late else ""
    messages.success(request, f"Sent. SHA-256 {sent.sha256}.{late}")
    return redirect(request.path)


def _page(
    request: HttpRequest, sheet: Sheet, fighter: FighterView, form: MercenaryStratForm, status: int = 200
) -> HttpResponse:
    enemies = sheet.view.sides[1] if fighter in sheet.view.sides[0] else sheet.view.sides[0]
    context = {**site.each_context(request), "title": f"Strat for {fighter.name}", "subtitle": None}
    context |= {"sheet": sheet, "view": sheet.view, "fighter": fighter, "enemies": enemies, "form": form}
    context["last"] = last_strat(sheet.battle, fighter.name)
    return TemplateResponse(request, "judge/mercenary_strat.html", context, status=status)
