"""4: the smaller acts of a battle's sheet. Each has its own form; what was typed comes back with a refusal."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from judging.battles.desk.forms import FORMS, desk_form, refuse
from judging.battles.desk.notes import add_criterion, judge_claim, retire_criterion, show_notes, withdraw_claim
from judging.battles.desk.pages import sheet_or_404, sheet_page
from judging.battles.desk.risks import rule_on_risk, withdraw_risk_ruling
from judging.battles.desk.rolling import adjust
from judging.battles.desk.score_forms import form_of
from judging.battles.desk.scoring import name_second_judge, overrule_score
from judging.battles.desk.sheet import Sheet
from judging.battles.models import Strat
from judging.battles.strats.extensions import accept_late, extend_strats, overrule_extension, overrule_late
from judging.game.errors import Refused
from wargame.models import Army, Judge

NOT_YOURS = "Only a battle judge of this round does that (1.3)."


@require_POST
def act(request: HttpRequest, battle_id: int, act: str) -> HttpResponse:
    """One of the sheet's smaller forms."""
    now = timezone.now()
    sheet = sheet_or_404(request, battle_id, now)
    if act not in FORMS:
        raise Http404("There is no such form.")
    form = desk_form(act, sheet, request.POST)
    judge = sheet.extender if act in ("extend", "shorten") else sheet.judge
    if judge is None:
        form.add_error(None, NOT_YOURS)
        return sheet_page(request, sheet, form_of(sheet), 403, {act: form})
    if not form.is_valid():
        return sheet_page(request, sheet, form_of(sheet), 422, {act: form})
    try:
        told, place = ACTS[act](sheet, judge, form, now)
    except Refused as error:
        refuse(form, error)
        return sheet_page(request, sheet_or_404(request, battle_id, now), form_of(sheet), 409, {act: form})
    messages.success(request, told)
    return redirect(_address(battle_id, place))


@require_POST
def press(request: HttpRequest, battle_id: int, act: str) -> HttpResponse:
    """A button of the sheet that takes nothing typed: `show`, `hide`, `retire`, `withdraw`, `stand`."""
    sheet = sheet_or_404(request, battle_id, timezone.now())
    if sheet.judge is None or act not in PRESSES:
        messages.error(request, NOT_YOURS)
        return redirect(_address(battle_id))
    key = request.POST.get("key", "")
    try:
        told, place = PRESSES[act](sheet, sheet.judge, int(key) if key.isdecimal() and len(key) < 18 else 0)
    except Refused as error:
        messages.error(request, str(error))
        return redirect(_address(battle_id))
    messages.success(request, told)
    return redirect(_address(battle_id, place))


def _address(battle_id: int, place: str = "") -> str:
    """The sheet, with the part of it open to which it leads."""
    address = reverse("judge:battle", args=[battle_id])
    return f"{address}?open={place}#{place}" if place else address


def _extend(sheet: Sheet, judge: Judge, form: forms.Form, now: datetime) -> tuple[str, str]:
    typed = form.cleaned_data
    army = _army(sheet, typed["army"]) if typed["army"] else None
    until, reason = typed["until"], typed["reason"]
    extend_strats(battle=sheet.battle, judge=judge, army=army, until=until, reason=reason, now=now)
    return f"{army or 'Everybody'} has until {until:%d %B %Y, %H:%M} UTC.", "time"


def _accept(sheet: Sheet, judge: Judge, form: forms.Form, now: datetime) -> tuple[str, str]:
    strat = _strat(sheet, form.cleaned_data["strat"])
    accept_late(strat=strat, judge=judge, reason=form.cleaned_data["reason"], now=now)
    return f"The late strat of {strat.entry.name} is accepted.", "time"


def _second(sheet: Sheet, judge: Judge, form: forms.Form, now: datetime) -> tuple[str, str]:
    chosen = form.cleaned_data["second"]
    second = Judge.objects.get(pk=chosen) if chosen else None
    name_second_judge(battle=sheet.battle, judge=judge, second=second, now=now)
    return (f"{second.name} scores this battle too." if second else "One judge scores this battle."), "bench"


def _criterion(sheet: Sheet, judge: Judge, form: forms.Form, now: datetime) -> tuple[str, str]:
    criterion = add_criterion(judge=judge, name=form.cleaned_data["name"])
    return f"“{criterion.name}” is one of your criteria.", "rubric"


def _claim(sheet: Sheet, judge: Judge, form: forms.Form, now: datetime) -> tuple[str, str]:
    typed = form.cleaned_data
    strat = _strat(sheet, typed["strat"])
    verdict, cites, note = typed["verdict"], typed["cites"], typed["note"]
    made = judge_claim(strat=strat, judge=judge, claim=typed["claim"], verdict=verdict, cites=cites, note=note, now=now)
    return f"The claim is {made.get_verdict_display()}.", "claims"


def _risk(sheet: Sheet, judge: Judge, form: forms.Form, now: datetime) -> tuple[str, str]:
    typed = form.cleaned_data
    strat, target, reason = _strat(sheet, typed["strat"]), typed["ruling"], typed["reason"]
    ruling = rule_on_risk(strat=strat, judge=judge, target=target, cites=typed["cites"], reason=reason, now=now)
    what = "is void" if ruling.is_void else f"is aimed at {ruling.target}"
    return f"The {strat.risk} that {strat.entry.name} asked for {what}.", "risks"


def _adjust(sheet: Sheet, judge: Judge, form: forms.Form, now: datetime) -> tuple[str, str]:
    typed = form.cleaned_data
    adjust(
        battle=sheet.battle, judge=judge, now=now, **{key: typed[key] for key in ("kind", "army", "percent", "reason")}
    )
    return "Worked out anew, with the same dice.", "proposal"


def _overrule(sheet: Sheet, judge: Judge, form: forms.Form, now: datetime) -> tuple[str, str]:
    typed = form.cleaned_data
    favours = int(typed["favours"]) if typed["favours"] else None
    given = {"favours": favours, "bonus": typed["bonus"], "reason": typed["reason"]}
    overrule_score(battle=sheet.battle, judge=judge, now=now, **given)
    return "The score is overruled; yours counts.", "score"


def _shorten(sheet: Sheet, judge: Judge, form: forms.Form, now: datetime) -> tuple[str, str]:
    army = _army(sheet, form.cleaned_data["army"]) if form.cleaned_data["army"] else None
    until = overrule_extension(battle=sheet.battle, judge=judge, army=army, reason=form.cleaned_data["reason"], now=now)
    return f"{army or 'Everybody'} has until {until:%d %B %Y, %H:%M} UTC again.", "time"


def _unaccept(sheet: Sheet, judge: Judge, form: forms.Form, now: datetime) -> tuple[str, str]:
    strat = _strat(sheet, form.cleaned_data["strat"])
    overrule_late(strat=strat, judge=judge, reason=form.cleaned_data["reason"], now=now)
    return f"The late strat of {strat.entry.name} does not count.", "time"


Acts = Callable[[Sheet, Judge, forms.Form, datetime], tuple[str, str]]
ACTS: dict[str, Acts] = {
    "extend": _extend,
    "accept": _accept,
    "second": _second,
    "criterion": _criterion,
    "claim": _claim,
    "risk": _risk,
    "adjust": _adjust,
    "overrule": _overrule,
    "shorten": _shorten,
    "unaccept": _unaccept,
}
"""What each form does: the sentence that says so, and the part of the page to go back to."""


def _show(sheet: Sheet, judge: Judge, key: int) -> tuple[str, str]:
    show_notes(battle=sheet.battle, judge=judge, shown=True, now=timezone.now())
    return "Your notes are shown with the result.", "rubric"


def _hide(sheet: Sheet, judge: Judge, key: int) -> tuple[str, str]:
    show_notes(battle=sheet.battle, judge=judge, shown=False, now=timezone.now())
    return "Your notes are for battle judges only.", "rubric"


def _retire(sheet: Sheet, judge: Judge, key: int) -> tuple[str, str]:
    retire_criterion(judge=judge, criterion_id=key)
    return "You are not asked for that any more.", "rubric"


def _withdraw(sheet: Sheet, judge: Judge, key: int) -> tuple[str, str]:
    withdraw_claim(battle=sheet.battle, judge=judge, claim_id=key, now=timezone.now())
    return "Taken back.", "claims"


def _stand(sheet: Sheet, judge: Judge, key: int) -> tuple[str, str]:
    withdraw_risk_ruling(battle=sheet.battle, judge=judge, ruling_id=key, now=timezone.now())
    return "Taken back: the request stands as its strat has it.", "risks"


PRESSES: dict[str, Callable[[Sheet, Judge, int], tuple[str, str]]] = {
    "show": _show,
    "hide": _hide,
    "retire": _retire,
    "withdraw": _withdraw,
    "stand": _stand,
}


def _army(sheet: Sheet, name: str) -> Army:
    return Army.objects.get(battle_entries__battle=sheet.battle, battle_entries__name=name)


def _strat(sheet: Sheet, key: int) -> Strat:
    return Strat.objects.select_related("entry__army").get(pk=key, entry__battle=sheet.battle)
