"""4.1.1, R35: The editor for a battle strategy: drafts are stored as they are typed, with a preview."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from judging.armies.creatures.services import cards_of
from judging.battles.models import Strat, StratDraft
from judging.battles.queries import battle_view, contingency_opens, pair_choices, rows_for_strat
from judging.battles.shapes import BattleView, FighterView
from judging.battles.strats.dice_words import hand_over_word, own_due_words
from judging.battles.strats.forms import StratForm
from judging.battles.strats.queries import PastBattle, past_battles
from judging.battles.strats.services import (
    MAX_STRAT,
    keep_strat_draft,
    last_strat_of,
    remarks_on,
    send_strat,
    strat_draft_of,
    what_cannot_be_risked,
)
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_form
from judging.common.forms import new_token
from judging.common.markup import to_html
from judging.common.shortcuts import ask_to_log_in, take_kept, viewer_for
from judging.common.texts import utc
from judging.common.viewer import Viewer
from wargame.models import Creature
from wargame.rules.core import clock


@get_or_post
def strat(request: HttpRequest, slug: str, battle_id: int, army: str) -> HttpResponse:
    """The form, with the known facts beside it; after a strat is sent, it shows the receipt."""
    viewer, now = viewer_for(request, slug), timezone.now()
    view, fighter = _fighter_or_404(battle_id, army, viewer, now)
    key = f"strat:{battle_id}:{fighter.name}"
    if not request.user.is_authenticated:
        return ask_to_log_in(request, key, request.path)
    choices = _choices(view, fighter)
    if request.method == "POST":
        form, more = StratForm(request.POST, **choices), {}
    else:
        draft = strat_draft_of(view, fighter, viewer)
        initial = {**_typed_before(draft or last_strat_of(view, fighter, viewer)), "token": new_token()}
        if text := take_kept(request, key):
            initial["text"] = text
        form, more = StratForm(initial=initial, **choices), {"draft": draft}

    def page(*, refused: Refused | None = None) -> HttpResponse:
        return _page(request, viewer, view, fighter, form, now, more={**more, "refused": refused})

    return handle_form(request, page, partial(_send, viewer, view, fighter, form, now), form=form)


@require_POST
def draft(request: HttpRequest, slug: str, battle_id: int, army: str) -> HttpResponse:
    """Store the typed text and show its preview: a fragment for htmx, else the whole page."""
    viewer, now = viewer_for(request, slug), timezone.now()
    view, fighter = _fighter_or_404(battle_id, army, viewer, now)
    key = f"strat:{battle_id}:{fighter.name}"
    is_fragment = bool(request.headers.get("HX-Request"))
    if not request.user.is_authenticated:
        if not is_fragment:
            return ask_to_log_in(request, key, request.path.removesuffix("draft/"))
        return render(
            request,
            "strats/_draft.html",
            {"not_kept": Refused(gettext("You are logged out, so nothing is saved here."))},
        )
    choices = _choices(view, fighter)
    form = StratForm(request.POST, **choices)
    context = _keep_draft(viewer, view, fighter, form, now)
    if is_fragment:
        return render(request, "strats/_draft.html", context)
    initial = {**form.typed(), "token": request.POST.get("token") or new_token()}
    return _page(request, viewer, view, fighter, StratForm(initial=initial, **choices), now, more=context)


@require_POST
def word(request: HttpRequest, slug: str, battle_id: int, army: str) -> HttpResponse:
    """R38: Hand over the word that was sealed with a strat; a refusal comes back with the typed text."""
    viewer, now = viewer_for(request, slug), timezone.now()
    view, fighter = _fighter_or_404(battle_id, army, viewer, now)
    if not request.user.is_authenticated:
        return ask_to_log_in(request, f"word:{battle_id}:{fighter.name}", reverse("battle", args=[slug, battle_id]))
    text = request.POST.get("word", "")
    battle, _ = rows_for_strat(view, fighter)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        due = own_due_words(view, viewer, now)
        context = {"viewer": viewer, "round": viewer.round, "battle": view, "due_words": due, "word_error": refused}
        return render(request, "strats/word.html", {**context, "typed_word": text, "typed_army": fighter.name})

    def act() -> Success:
        hand_over_word(battle=battle, army=fighter.name, player=viewer.player, word=text, now=now)
        message = gettext("The word of %(name)s is revealed. It will be shown with the result (R38).")
        return Success(message % {"name": fighter.name}, reverse("battle", args=[slug, battle_id]))

    return handle_form(request, page, act)


@dataclass(frozen=True)
class KnownArmy:
    """4.1.1: The known facts about an army beside a strat: its creatures with their cards, and its battles. `who` is
    its relation to the writer."""

    who: str
    each: FighterView
    cards: tuple[tuple[str, Creature | None], ...]
    past: tuple[PastBattle, ...]


def _known_armies(viewer: Viewer, groups: Sequence[tuple[str, Sequence[FighterView]]]) -> list[KnownArmy]:
    """4.1.1: The armies of a battle, the enemy's first. Two queries."""
    fighters = [fighter for _, group in groups for fighter in group]
    names = {fighter.name: _creatures_of(fighter) for fighter in fighters}
    cards = cards_of({name for each in names.values() for name in each})
    past = past_battles(viewer.round, [fighter.army for fighter in fighters])
    return [
        KnownArmy(label, each, tuple((name, cards.get(name)) for name in names[each.name]), past[each.name])
        for label, group in groups
        for each in group
    ]


def _creatures_of(fighter: FighterView) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for slot in fighter.slots for name in slot.creatures))


def _keep_draft(
    viewer: Viewer, view: BattleView, fighter: FighterView, form: StratForm, now: datetime
) -> dict[str, object]:
    """4.1.1: The contents of the fragment: the draft, its preview, the meaning of its requests, and the error if it
    was not stored."""
    values = form.typed()
    requests = [values[name] for name in ("risk", "runs", "leaves", "leaves_to")]
    context = {
        "html": to_html(values["text"][:MAX_STRAT]),
        "is_typed": bool(values["text"].strip()),
        "remarks": remarks_on(view, fighter, *requests),
    }
    battle, army = rows_for_strat(view, fighter)
    try:
        draft = keep_strat_draft(
            battle=battle,
            army=army,
            player=viewer.player,
            base_version=form.base_version,
            form=form.data.get("token", ""),
            now=now,
            **values,
        )
    except Refused as error:
        other = strat_draft_of(view, fighter, viewer)
        text = other.text if other and other.text != values["text"] else ""
        return {**context, "draft": other, "not_kept": error, "other": text}
    return {**context, "draft": draft}


def _choices(view: BattleView, fighter: FighterView) -> dict[str, Any]:
    return {**pair_choices(view, fighter), "cannot": what_cannot_be_risked(view, fighter)}


def _fighter_or_404(battle_id: int, army: str, viewer: Viewer, now: datetime) -> tuple[BattleView, FighterView]:
    view = battle_view(battle_id, viewer, now)
    fighter = view.fighter(army) if view else None
    if view is None or fighter is None:
        raise Http404(gettext("There is no army %(army)s in that battle.") % {"army": army})
    return view, fighter


def _typed_before(strat: StratDraft | Strat | None) -> dict[str, object]:
    """Initial values of a form: the viewer's draft, else the last strat that they sent."""
    if strat is None:
        return {}
    return {name: getattr(strat, name) for name in ("text", "risk", "runs", "leaves", "leaves_to")}


def _send(viewer: Viewer, view: BattleView, fighter: FighterView, form: StratForm, now: datetime) -> Success:
    battle, army = rows_for_strat(view, fighter)
    strat = send_strat(battle=battle, army=army, player=viewer.player, now=now, **form.cleaned_data)
    if strat.late:
        late = gettext(
            "The deadline was %(time)s. Your strat is saved and marked late. It doesn't count (3.1, R35) unless "
            "a battle judge accepts it."
        )
        return Success(late % {"time": utc(fighter.deadline)}, level=messages.WARNING)
    message = gettext("Sent. Receipt: %(time)s, SHA-256 %(sha256)s.")
    return Success(message % {"time": utc(strat.sent_at), "sha256": strat.sha256})


def _page(
    request: HttpRequest,
    viewer: Viewer,
    view: BattleView,
    fighter: FighterView,
    form: StratForm,
    now: datetime,
    *,
    more: Mapping[str, object],
) -> HttpResponse:
    side = view.sides[0] if fighter in view.sides[0] else view.sides[1]
    enemies, partners = view.sides[1] if side is view.sides[0] else view.sides[0], [f for f in side if f is not fighter]
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "battle": view,
        "fighter": fighter,
        "known": _known_armies(
            viewer, [(gettext("Against"), enemies), (gettext("Yours"), [fighter]), (gettext("Beside you"), partners)]
        ),
        "form": form,
        "is_late": not clock.is_in_time(now, fighter.deadline),
        "opens": contingency_opens(fighter, viewer, now),
        "due_words": own_due_words(view, viewer, now),
        **more,
    }
    if "draft" not in context:
        context["draft"] = strat_draft_of(view, fighter, viewer)
    # Who looks at a strat that is not his to send is told so; what he sent is answered by its own refusal.
    status = 200 if fighter.may_send or form.is_bound else 403
    return render(request, "strats/strat.html", context, status=status)
