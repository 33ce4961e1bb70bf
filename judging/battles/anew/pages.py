"""R58: the page on which a published battle is judged again: a new score is locked, then its outcome is shown."""

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
from judging.battles.anew.reads import anew_of, choices_for, may_alone, why_not, why_not_lock
from judging.battles.anew.writes import apply_anew, drop_anew, lock_anew
from judging.battles.models import Battle
from judging.game.acting import Done, answer, asks_or_acts, number_of
from judging.game.errors import Refused
from judging.game.judge_site import site
from judging.game.judges import User, judge_of
from wargame.models import Judge
from wargame.models.choices import Role


@asks_or_acts
def anew(request: HttpRequest, battle_id: int) -> HttpResponse:
    """R58: a POST locks a new score, agrees to one, or drops it."""
    now = timezone.now()
    rows = Battle.objects.filter(pk=battle_id, state=Battle.State.PUBLISHED).select_related(
        "turn__round", "score", "result"
    )
    battle = rows.first()
    judge = judge_of(cast(User, request.user), battle.turn.round, Role.BATTLE) if battle else None
    if battle is None or judge is None:
        raise Http404(gettext("This battle isn't on your dashboard, or its result isn't published."))
    does, here = request.POST.get("act", ""), reverse("judge:battle-anew", args=[battle.pk])
    form = AnewForm(battle, request.POST if does == "propose" else None)

    def act() -> Done:
        if does == "propose":
            token = form.cleaned_data["token"]
            locked = lock_anew(battle=battle, judge=judge, new=form.as_typed(), token=token, now=now)
            return Done(
                gettext("Your score is locked and in force. Here is the outcome.")
                if locked.state == Rejudgement.State.APPLIED
                else gettext(
                    "Your score is locked. It takes effect once another battle judge agrees. We have notified "
                    "the judges who can."
                ),
                f"{here}#newest",
            )
        row = Rejudgement.objects.filter(battle=battle, pk=number_of(request.POST.get("judgement", ""))).first()
        if row is None or does not in ("apply", "drop"):
            raise Refused(gettext("Choose the score that you want to agree to or drop."), "R58")
        if does == "drop":
            drop_anew(rejudgement=row, judge=judge, now=now)
            return Done(gettext("You dropped the score."), here)
        apply_anew(rejudgement=row, judge=judge, now=now)
        return Done(gettext("The new score is in force. Here is the outcome."), f"{here}#newest")

    return answer(request, partial(_page, request, battle, judge, form), act, form=form)


def _page(
    request: HttpRequest, battle: Battle, judge: Judge, form: AnewForm, refused: Refused | None = None
) -> HttpResponse:
    if refused and form.is_bound:
        form.refuse(refused)
    now = timezone.now()
    turn, finding, choices = battle.turn, why_not(battle, now), choices_for(battle, judge)
    why, cites = (finding.sentence, finding.cites) if finding else why_not_lock(battle, judge)
    context = {
        **site.each_context(request),
        "title": gettext("Judge the battle on %(at)s again") % {"at": battle.at},
        "subtitle": None,
        "round": turn.round,
        "turn": turn,
        "battle": battle,
        "form": form,
        "refused": refused,
        "finding": finding,
        "why_not": why,
        "cites": cites,
        "alone": not why and may_alone(battle, judge),
        "judgements": tuple((view, choices.get(view.id)) for view in reversed(anew_of(battle))),
    }
    return TemplateResponse(request, "judge/anew.html", context)
