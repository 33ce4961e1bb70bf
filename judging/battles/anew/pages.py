"""R58: the page of the desk on which a published battle is judged anew: what it would give is shown, then applied or
dropped as a whole."""

from __future__ import annotations

from functools import partial
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from judging.battles.anew.forms import AnewForm
from judging.battles.anew.models import Rejudgement
from judging.battles.anew.reads import anew_of, choices_for, may_alone, may_judge_anew, why_not
from judging.battles.anew.writes import apply_anew, drop_anew, propose_anew
from judging.battles.models import Battle
from judging.game.acting import Done, answer, asks_or_acts, number_of
from judging.game.errors import Refused
from judging.game.judge_site import site
from judging.game.judges import User, judge_of
from judging.turns.rulings.desk import drawn_pair
from wargame.models import Judge
from wargame.models.choices import Role


@asks_or_acts
def anew(request: HttpRequest, battle_id: int) -> HttpResponse:
    """R58: a POST works a new judgement out, applies it, or drops it."""
    now = timezone.now()
    rows = Battle.objects.filter(pk=battle_id, state=Battle.State.PUBLISHED).select_related(
        "turn__round", "score", "result"
    )
    battle = rows.first()
    judge = judge_of(cast(User, request.user), battle.turn.round, Role.BATTLE) if battle else None
    if battle is None or judge is None:
        raise Http404(gettext("There is no published battle of that key on your desk."))
    does, here = request.POST.get("act", ""), reverse("judge:battle-anew", args=[battle.pk])
    form = AnewForm(battle, request.POST if does == "propose" else None)

    def act() -> Done:
        if does == "propose":
            token = form.cleaned_data["token"]
            propose_anew(battle=battle, judge=judge, new=form.as_typed(), token=token, now=now)
            alone = may_alone(battle, judge, now)
            until = gettext("you apply it") if alone else gettext("another battle judge agrees to it; they are told")
            return Done(
                gettext("It is worked out. Nothing is changed until %(until)s.") % {"until": until}, f"{here}#proposed"
            )
        row = Rejudgement.objects.filter(battle=battle, pk=number_of(request.POST.get("judgement", ""))).first()
        if row is None or does not in ("apply", "drop"):
            raise Refused(gettext("Say which judgement is to be applied or dropped."), "R58")
        if does == "drop":
            drop_anew(rejudgement=row, judge=judge, now=now)
            return Done(gettext("The judgement is dropped."), here)
        apply_anew(rejudgement=row, judge=judge, now=now)
        return Done(gettext("The battle is judged anew. What stood before stays public beside it."), here)

    return answer(request, partial(_page, request, battle, judge, form), act, form=form)


def _page(
    request: HttpRequest, battle: Battle, judge: Judge, form: AnewForm, refused: Refused | None = None
) -> HttpResponse:
    if refused and form.is_bound:
        form.refuse(refused)
    now = timezone.now()
    turn, finding, may = battle.turn, why_not(battle, now), may_judge_anew(battle, judge)
    choices = choices_for(battle, judge, now)
    context = {
        **site.each_context(request),
        "title": gettext("Judge the battle on %(at)s anew") % {"at": battle.at},
        "subtitle": None,
        "round": turn.round,
        "turn": turn,
        "battle": battle,
        "form": form,
        "refused": refused,
        "finding": finding,
        "may": may and finding is None,
        "alone": may and may_alone(battle, judge, now),
        "judgements": tuple((view, choices.get(view.id)) for view in reversed(anew_of(battle))),
    }
    waiting = Rejudgement.objects.filter(battle=battle, state=Rejudgement.State.PROPOSED).order_by("pk").last()
    context |= drawn_pair(waiting.correction if waiting else None)
    return TemplateResponse(request, "judge/anew.html", context)
