"""4.2: The pages of a battle's sheet: the steps from score to result, other actions, and the sheet without names."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from judging.battles.desk.actions import NOT_YOURS, PRESSES, Act, address_of
from judging.battles.desk.forms import ScoreForm, form_of, offered_by, typed_form, typed_reasons
from judging.battles.desk.notes import keep_notes
from judging.battles.desk.publishing import Narrative
from judging.battles.desk.queue import battle_at_desk, next_battle
from judging.battles.desk.scoring import note_look_at_odds
from judging.battles.desk.sheet import Sheet, SheetFighter, SheetSide, sheet_of
from judging.battles.desk.steps import keep_written, lock_typed, publish, roll_once
from judging.battles.desk.strat_actions import ACTS
from judging.battles.models import Battle
from judging.battles.resolution import odds_of
from judging.battles.shapes import BattleView, FighterView, StratView
from judging.common.admin import site
from judging.common.errors import Refused
from judging.common.judges import User
from judging.common.locking import Busy
from judging.common.texts import utc
from judging.svg.map import terrain_word
from wargame.models import Judge
from wargame.rules.battle.criteria import departs
from wargame.rules.battle.odds import Odds

LINK = re.compile(r"</?a\b[^>]*>")
"""Pattern of links in a strat's text."""

KEY = "judges_blind"
"""Session key: the judge wants no names."""


def set_blind(request: HttpRequest, *, on: bool) -> None:
    """4.2.1: Show strats on the judge's desk without names from now on, or with them again, for this log-in alone."""
    request.session[KEY] = on


def is_blind(request: HttpRequest, sheet: Sheet) -> bool:
    """4.2.1: Whether this sheet is shown without names: its judge wants that, and has not scored it yet."""
    return bool(request.session.get(KEY)) and sheet.asks_for_score and sheet.judge is not None


def blinded(sheet: Sheet) -> Sheet:
    """4.2.1: The sheet with side 1 and side 2, in the order of display, instead of all names."""
    places = _places(sheet)
    names = _names(sheet, places)
    first, second = (_side(side, places[side.index], names) for side in sheet.sides)
    view = _view(sheet.view, (first, second), names)
    row = replace(sheet.row, view=view, missing=tuple(names.get(name, name) for name in sheet.row.missing))
    return replace(sheet, view=view, row=row, sides=(first, second), is_blind=True)


def blinded_odds(odds: Odds, sheet: Sheet) -> Odds:
    """4.2.1: The odds, with the names of the sheet without names."""
    names = _names(sheet, _places(sheet))
    alias = names.get
    return replace(
        odds,
        losses={alias(army, army): loss for army, loss in odds.losses.items()},
        killed={alias(army, army): often for army, often in odds.killed.items()},
        captured={alias(army, army): often for army, often in odds.captured.items()},
    )


def _places(sheet: Sheet) -> dict[int, int]:
    """The numbers of the sides, in the order of display."""
    return {side.index: place for place, side in enumerate(sheet.shown_sides, 1)}


def _names(sheet: Sheet, places: Mapping[int, int]) -> dict[str, str]:
    """The replacement for each name of an army or a person of the battle."""
    aliases: dict[str, str] = {}
    for side in sheet.sides:
        many = len(side.fighters) > 1
        for letter, fighter in zip("AB", side.fighters, strict=False):
            alias = gettext("Army %(which)s") % {"which": f"{places[side.index]}{letter if many else ''}"}
            aliases |= dict.fromkeys((*fighter.view.controllers, *(s.by for s, _ in fighter.strats)), alias)
            aliases[fighter.view.name] = alias
    return aliases


def _covered(text: str, names: Mapping[str, str]) -> str:
    """A text with every name replaced; longer names first, whole words only, ignoring case."""
    by_length = sorted(names, key=len, reverse=True)
    if not by_length:
        return text
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, by_length)) + r")(?!\w)", re.IGNORECASE)
    folded = {name.casefold(): alias for name, alias in names.items()}
    return pattern.sub(lambda match: folded.get(match[0].casefold(), gettext("Army")), text)


def _view(view: BattleView, sides: tuple[SheetSide, SheetSide], names: Mapping[str, str]) -> BattleView:
    first, second = (tuple(fighter.view for fighter in side.fighters) for side in sides)
    headline = gettext("A battle on %(terrain)s") % {"terrain": terrain_word(view.terrain)}
    return replace(view, headline=headline, sides=(first, second), at="", place="", extensions=())


def _side(side: SheetSide, place: int, names: Mapping[str, str]) -> SheetSide:
    fighters = tuple(_fighter(fighter, names) for fighter in side.fighters)
    label = gettext("Side %(number)s") % {"number": place}
    return replace(side, side="", title=label, label=label, fighters=fighters)


def _fighter(fighter: SheetFighter, names: Mapping[str, str]) -> SheetFighter:
    strats = tuple((_strat(strat, names), counts) for strat, counts in fighter.strats)
    return replace(fighter, view=_fighter_view(fighter.view, names), strats=strats)


def _fighter_view(view: FighterView, names: Mapping[str, str]) -> FighterView:
    army = view.army._replace(name=names[view.name], rank=None)
    slots = tuple(
        replace(slot, creatures=tuple(_covered(name, names) for name in slot.creatures)) for slot in view.slots
    )
    return replace(view, army=army, slots=slots, controllers=(), strats=(), penalties=())


def _strat(strat: StratView, names: Mapping[str, str]) -> StratView:
    # The HTML was cleaned when it was made, and what is put into it are names of our own, without signs of HTML.
    aliases = {**names, **{str(escape(name)): alias for name, alias in names.items()}}
    html = mark_safe(_covered(LINK.sub("", str(strat.html)), aliases))
    wishes = tuple(_covered(wish, names) for wish in strat.wishes)
    return replace(strat, by="", text="", html=html, wishes=wishes, claims=(), risk_ruling=None)


@require_http_methods(["GET", "HEAD", "POST"])
def battle(request: HttpRequest, battle_id: int) -> HttpResponse:
    """4.2: The sheet of a battle; a POST stores the text, locks the score, rolls, or publishes the result."""
    now = timezone.now()
    leads_on = request.method == "POST" and request.POST.get("act") in LEADING_ON
    sheet = sheet_or_404(request, battle_id, now, in_full=not leads_on)
    if request.method != "POST":
        return sheet_page(request, sheet, form_of(sheet))
    if sheet.judge is None:
        return _refused(
            request, sheet, Refused(gettext("Only battle judges of this round can score its battles."), "1.3"), 403
        )
    step = STEPS.get(request.POST.get("act", ""), _edit)
    try:
        _keep_notes(sheet, form_of(sheet, request.POST), now)
        return step(request, sheet, form_of(sheet, request.POST), now)
    except Refused as error:
        return _refused(request, sheet_or_404(request, battle_id, now), error)


@require_POST
def act(request: HttpRequest, battle_id: int, act: str) -> HttpResponse:
    """4: One of the sheet's smaller forms. Typed values come back with the errors."""
    now = timezone.now()
    sheet = sheet_or_404(request, battle_id, now, in_full=False)
    if act not in ACTS:
        raise Http404(gettext("There is no such form."))
    aside = ACTS[act](sheet, request.POST)
    if aside.judge is None:
        aside.add_error(None, NOT_YOURS)
        return sheet_page(request, sheet, form_of(sheet), 403, aside)
    if not aside.is_valid():
        return sheet_page(request, sheet, form_of(sheet), 422, aside)
    if "look" in request.POST and (warnings := aside.look(now)):
        return sheet_page(request, sheet, form_of(sheet), 200, aside, looked=warnings)
    try:
        message = aside.do(aside.judge, now)
    except Refused as error:
        aside.refuse(error)
        return sheet_page(request, sheet_or_404(request, battle_id, now), form_of(sheet), error.status(409), aside)
    messages.success(request, message)
    return redirect(address_of(battle_id, aside.place))


@require_POST
def press(request: HttpRequest, battle_id: int, act: str) -> HttpResponse:
    """4: A button of the sheet without input: `show`, `hide`, `retire`, `withdraw`, `stand`."""
    now = timezone.now()
    sheet = sheet_or_404(request, battle_id, now, in_full=False)
    if sheet.judge is None or act not in PRESSES:
        messages.error(request, NOT_YOURS)
        return redirect(address_of(battle_id))
    key = request.POST.get("key", "")
    button = PRESSES[act](sheet, int(key) if key.isdecimal() and len(key) < 18 else 0)
    try:
        message = button.do(sheet.judge, now)
    except Busy:
        raise
    except Refused as error:
        messages.error(request, str(error))
        return redirect(address_of(battle_id))
    messages.success(request, message)
    return redirect(address_of(battle_id, button.place))


def _save(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """Store the narrative in the database; the typed score stays on the page."""
    if form.has_error("narrative"):
        return sheet_page(request, sheet, form, status=422)
    narrative, texts = _keep(sheet, form, now), form.typed_notes()
    again = replace(sheet, narrative=narrative)
    if sheet.rubric:
        notes = tuple(replace(note, text=texts.get(note.criterion_id, note.text)) for note in sheet.rubric.own)
        again = replace(again, rubric=replace(sheet.rubric, own=notes))
    if form.criteria:
        saved = gettext("Notes and story are saved. Only battle judges can read them until they are published.")
    else:
        saved = gettext("The story is saved. Only battle judges can read it until it is published.")
    messages.success(request, saved)
    return sheet_page(request, again, typed_form(again, request.POST))


def _score(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """4.2.1, 4.2.4: Lock and roll; ask first if there is something to check: no bonus, another one than the
    suggested, a kill or capture without a ruling, or a score over or beside another judge's."""
    _check_due(sheet)
    if not form.is_valid():
        return sheet_page(request, sheet, form, status=422)
    bonus, offer = form.cleaned_data["bonus"], offered_by(form, form.rubric)
    is_open = any(risk.strat.risk_ruling is None for risk in sheet.asked_risks)
    if sheet.step != "score" or not bonus or offer is None or departs(offer, bonus) or is_open:
        return _ask(request, sheet, form, now)
    return _lock(request, sheet, form, now)


def _ask(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """4.2.1: A locked score can't be changed, so ask for confirmation."""
    _check_due(sheet)
    if not form.is_valid():
        return sheet_page(request, sheet, form, status=422)
    if is_blind(request, sheet):
        sheet = blinded(sheet)
        form.name_sides(sheet.sides[0].label, sheet.sides[1].label)
    context = {"sheet": sheet, "form": form, "title": gettext("Lock this score?"), "subtitle": sheet.view.headline}
    return TemplateResponse(request, "judge/lock.html", {**site.each_context(request), **context})


def _lock(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """4.2.1, R38: Step 1, lock the score; the narrative is stored for later."""
    form = form_of(sheet, request.POST, scoring=True)
    if not form.is_valid():
        _check_due(sheet)
        return sheet_page(request, sheet, form, status=422)
    if not sheet.is_published:
        _keep(sheet, form, now)
    data, is_one_of_two = form.cleaned_data, sheet.bench and sheet.bench.is_of_two and not sheet.bench.is_to_decide
    fields = {"favours": data["favours"], "bonus": data["bonus"], "decision": data.get("decision", "")}
    score = lock_typed(sheet, reasons=typed_reasons(form, form.rubric), now=now, **fields)
    if is_one_of_two:
        again = sheet_or_404(request, sheet.battle.pk, now)
        far_apart = gettext("The two scores are far apart. As head judge, you must set the final one (R55).")
        locked = gettext("Your score is locked.")
        messages.success(request, f"{locked} {'' if score else again.waits or far_apart}".strip())
    elif request.POST.get("act") in ("score", "lock-roll"):
        if waits := sheet_or_404(request, sheet.battle.pk, now, in_full=False).mix_waits:
            locked = gettext("The score is locked.")
            then = gettext(
                "Then the dice will roll automatically. We will notify you when the result is ready to publish."
            )
            messages.success(request, f"{locked} {waits} {then}")
            return redirect(f"{request.path}#score")
        return _rolled(request, sheet, now, gettext("The score is locked and the dice are rolled."))
    elif sheet.rolls_by_itself:
        messages.success(
            request, gettext("The score is locked. The dice will roll automatically once everything is mixed in.")
        )
    else:
        messages.success(request, gettext("The score is locked. Nothing will be rolled until you say so."))
    return redirect(f"{request.path}#score")


def _rolled(request: HttpRequest, sheet: Sheet, now: datetime, text: str) -> HttpResponse:
    """4.2.4: Roll; a second roller is notified that the dice are rolled already."""
    before = sheet.proposal is not None
    proposal = roll_once(sheet, now)
    if before or proposal.rolled_at != now:
        message = gettext("%(name)s has already rolled these dice. They can only be rolled once (R38).")
        name = proposal.judge.name if proposal.judge else gettext("the service")
        messages.info(request, message % {"name": name})
    else:
        messages.success(
            request, gettext("%(said)s Only battle judges can see the result until you publish it.") % {"said": text}
        )
    return redirect(f"{request.path}#proposal")


def _ask_roll(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """4.2.4, R38: The dice can't be rolled again, so ask for confirmation; the narrative is stored."""
    if form.has_error("narrative"):
        return sheet_page(request, sheet, form, status=422)
    if sheet.step != "roll":
        raise Refused(sheet.waits or gettext("There is nothing to roll here now."), "4.2.4")
    if sheet.mix_waits:
        raise Refused(sheet.mix_waits, "R38")
    _keep(sheet, form, now)
    context = {"sheet": sheet_or_404(request, sheet.battle.pk, now), "title": gettext("Roll the dice of this battle?")}
    context |= {**site.each_context(request), "subtitle": sheet.view.headline}
    return TemplateResponse(request, "judge/roll.html", context)


def _roll(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """4.2.4: Step 2, roll. If the rules give the bonus, the judge's is 0 (R36)."""
    if form.has_error("narrative"):
        return sheet_page(request, sheet, form, status=422)
    if not sheet.is_published:
        _keep(sheet, form, now)
    return _rolled(request, sheet, now, gettext("Rolled."))


def _publish(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """4.2.5: Step 3, publish; if nothing is rolled yet, ask first."""
    if form.has_error("narrative"):
        return sheet_page(request, sheet, form, status=422)
    if sheet.step == "roll":
        return _ask_roll(request, sheet, form, now)
    text, judge = form.cleaned_data["narrative"], cast(Judge, sheet.judge)
    _check_unpublished(sheet, judge, text)
    if not sheet.is_published:
        _keep(sheet, form, now)
    publish(sheet, text, now)
    messages.success(request, gettext("The result is public now."))
    if request.POST.get("act") == "publish-next":
        return to_next(request, sheet.battle.pk)
    return redirect(f"{request.path}#result")


def to_next(request: HttpRequest, battle_id: int) -> HttpResponse:
    """4.1.1: Redirect to the next battle that waits for this judge, or to the desk if there is none."""
    now = timezone.now()
    user = cast(User, request.user)
    after = battle_at_desk(user, battle_id)
    if after is None:
        raise Http404(gettext("This battle isn't on this dashboard."))
    key = next_battle(user, after, now)
    if key is None:
        messages.info(request, gettext("No other battle is waiting for you now."))
        return redirect("judge:index")
    place = "#proposal" if Battle.objects.filter(pk=key, state=Battle.State.ROLLED).exists() else ""
    return redirect(f"{reverse('judge:battle', args=[key])}{place}")


@require_POST
def blind(request: HttpRequest, battle_id: int) -> HttpResponse:
    """4.2.1: Show battles without the names of armies and people until they are scored, or with them again."""
    set_blind(request, on=request.POST.get("blind") == "on")
    return redirect(address_of(battle_id))


def _odds(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """R38: The odds for the score as typed, by trials; independent of the battle's own dice."""
    filled_form = typed_form(sheet, request.POST)
    if sheet.score:
        favours, bonus = sheet.score.favours, sheet.score.bonus
    elif sheet.asks_for_score:
        if form.has_error("favours") or form.has_error("bonus"):
            return sheet_page(request, sheet, form, status=422)
        favours, bonus = form.cleaned_data["favours"], form.cleaned_data["bonus"]
    else:
        favours, bonus = None, 0
    if sheet.score is None:
        note_look_at_odds(battle=sheet.battle, judge=cast(Judge, sheet.judge), now=now)
    odds = odds_of(sheet.battle, favours, bonus)
    return sheet_page(request, sheet, filled_form, odds=blinded_odds(odds, sheet) if is_blind(request, sheet) else odds)


def _edit(request: HttpRequest, sheet: Sheet, form: ScoreForm, now: datetime) -> HttpResponse:
    """Back from the confirmation with all typed values; an unknown act does the same."""
    return sheet_page(request, sheet, typed_form(sheet, request.POST))


Step = Callable[[HttpRequest, Sheet, ScoreForm, datetime], HttpResponse]
STEPS: dict[str, Step] = {
    "save": _save,
    "score": _score,
    "ask": _ask,
    "lock": _lock,
    "lock-roll": _lock,
    "ask-roll": _ask_roll,
    "roll": _roll,
    "publish": _publish,
    "publish-next": _publish,
    "odds": _odds,
}


LEADING_ON = ("score", "lock", "lock-roll", "roll", "publish", "publish-next")
"""The steps that redirect to another page."""


def sheet_or_404(request: HttpRequest, battle_id: int, now: datetime, *, in_full: bool = True) -> Sheet:
    """The sheet of a battle. Raises Http404 if it is not on the user's desk."""
    sheet = sheet_of(cast(User, request.user), battle_id, now, in_full=in_full)
    if sheet is None:
        raise Http404(gettext("This battle isn't on your dashboard."))
    return sheet


def sheet_page(
    request: HttpRequest,
    sheet: Sheet,
    form: ScoreForm,
    status: int = 200,
    aside: Act | None = None,
    **more: object,
) -> HttpResponse:
    """4.2: The page of a sheet; `aside` is a smaller form that comes back with its typed values."""
    if not sheet.in_full:
        sheet = sheet_or_404(request, sheet.battle.pk, timezone.now())
    if is_blind(request, sheet):
        return _blind_page(request, sheet, form, status, aside, more)
    context = {**site.each_context(request), "title": sheet.view.headline, "subtitle": None}
    context |= {"sheet": sheet, "view": sheet.view, "form": form, "now": timezone.now()}
    context["opened"] = request.GET.get("open", "")
    context["asides"] = {key: act(sheet) for key, act in ACTS.items()} | ({aside.key: aside} if aside else {})
    context["typed"] = [aside.typed_in_words()] if aside else []
    return TemplateResponse(request, "judge/battle.html", {**context, **more}, status=status)


def _blind_page(
    request: HttpRequest, sheet: Sheet, form: ScoreForm, status: int, aside: Act | None, more: Mapping[str, object]
) -> HttpResponse:
    """4.2.1: The sheet without names: only what a score needs, without signs of the armies' identity."""
    hidden = blinded(sheet)
    form.name_sides(hidden.sides[0].label, hidden.sides[1].label)
    context = {**site.each_context(request), "title": hidden.view.headline, "subtitle": None}
    context |= {"sheet": hidden, "view": hidden.view, "form": form, "now": timezone.now(), **more}
    context["aside_errors"] = [error for errors in aside.errors.values() for error in errors] if aside else []
    return TemplateResponse(request, "judge/blind.html", context, status=status)


def _keep(sheet: Sheet, form: ScoreForm, now: datetime) -> Narrative:
    return keep_written(sheet, form.cleaned_data["narrative"], form.cleaned_data["narrative_version"], now)


def _keep_notes(sheet: Sheet, form: ScoreForm, now: datetime) -> None:
    texts = {note.criterion_id: note.text for note in sheet.rubric.own} if sheet.rubric else {}
    notes = {key: text for key, text in form.typed_notes().items() if text != texts.get(key)}
    if notes and not sheet.is_published:
        keep_notes(battle=sheet.battle, judge=cast(Judge, sheet.judge), notes=notes, now=now)


def _check_due(sheet: Sheet) -> None:
    """The services' own checks, before the form is checked: whether the step is still, or already, due."""
    if sheet.waits:
        raise Refused(sheet.waits)
    if sheet.score is not None:
        raise Refused(
            gettext("%(name)s locked a score on %(locked)s; it can't be changed.")
            % {"name": sheet.score.judge.name, "locked": utc(sheet.score.locked_at)},
            "R38",
        )


def _check_unpublished(sheet: Sheet, judge: Judge, text: str) -> None:
    """A second click on one's own publishing is harmless; other text for a published result is refused."""
    if sheet.is_published and (sheet.battle.result.judge_id, sheet.battle.result.narrative) != (
        judge.pk,
        text,
    ):
        result = sheet.battle.result
        raise Refused(
            gettext("%(name)s published this result on %(published)s. It counts as shown below.")
            % {"name": result.judge.name, "published": utc(result.published_at)},
            "4.2.5",
        )


def _refused(request: HttpRequest, sheet: Sheet, error: Refused, status: int = 409) -> HttpResponse:
    """The current sheet with all typed values, and the error beside its field."""
    data = request.POST.copy()
    data["narrative_version"] = str(sheet.narrative.version if sheet.narrative else 0)
    form = form_of(sheet, data)
    form.add_error(error.field if error.field in form.fields else None, str(error))
    return sheet_page(request, sheet, form, error.status(status))
