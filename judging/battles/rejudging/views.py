"""R58: The page and form for rejudging a published battle: lock a new score, then see its outcome."""

from functools import partial
from typing import Any, cast

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from judging.battles.desk.forms import NEITHER, check_reasons, fill_bonus, reason_fields, typed_reasons
from judging.battles.desk.publishing import MAX_NARRATIVE
from judging.battles.desk.scoring import number_field, reason_field
from judging.battles.models import Battle
from judging.battles.rejudging.models import Rejudgement
from judging.battles.rejudging.queries import (
    anew_of,
    asking_strats,
    choices_for,
    late_strats,
    may_alone,
    sides_named,
    why_not,
    why_not_lock,
)
from judging.battles.rejudging.services import (
    AS_ASKED,
    MAX_REASON,
    VOID,
    NewJudgement,
    apply_anew,
    drop_anew,
    lock_anew,
)
from judging.battles.resolution import criteria_of
from judging.common.admin import site
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_form, number_of
from judging.common.forms import LongText, WholeNumber, new_token
from judging.common.judges import User, judge_of
from judging.common.texts import utc
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules.book.formulas import MOST_BONUS
from wargame.rules.core.wording import listed


class AnewForm(forms.Form):
    """R58: A new score with its reasons, late strats that must count, and other rulings on kills and captures."""

    # Nothing of the old score is chosen beforehand: there is no second try, so no bonus may stay by oversight.
    favours = forms.ChoiceField(
        label=gettext_lazy("The strategy bonus goes to"),
        widget=forms.RadioSelect,
        error_messages={"required": gettext_lazy("Say which side your bonus goes to, or “neither” (4.2.1).")},
    )
    bonus = WholeNumber(
        required=False,
        label=gettext_lazy("Bonus, 0 to 10 (leave empty for the suggested one)"),
        min_value=0,
        max_value=MOST_BONUS,
    )
    accepted = forms.MultipleChoiceField(
        required=False, label=gettext_lazy("Late strats to accept (R35)"), widget=forms.CheckboxSelectMultiple
    )
    cites = forms.CharField(max_length=40, label=gettext_lazy("Rule"), widget=forms.TextInput(attrs={"size": 10}))
    text = LongText(
        longest=MAX_REASON, cites="R58", rows=5, missing=gettext_lazy("Give a reason. Everyone can read it.")
    )
    narrative = forms.CharField(
        required=False,
        strip=False,
        max_length=MAX_NARRATIVE,
        label=gettext_lazy("New story (leave empty to keep the current one)"),
        widget=forms.Textarea(attrs={"rows": 5}),
    )
    sure = forms.BooleanField(
        label=gettext_lazy("Lock this score. I can't change it once I see the outcome."),
        error_messages={"required": gettext_lazy("Tick this to lock your score. You will see the outcome after that.")},
    )
    token = forms.CharField(max_length=40, widget=forms.HiddenInput, required=False)

    def __init__(self, battle: Battle, data: Any = None) -> None:
        names = sides_named(battle)
        score = battle.score
        super().__init__(data, initial={"token": new_token()})
        self.score = (NEITHER if score.favours is None else str(score.favours), score.bonus)
        self.rubric = criteria_of(battle.turn.round)
        self.fields.update(reason_fields(self.rubric))
        sides = [(str(side), listed(armies)) for side, armies in enumerate(names)]
        self.fields["favours"].choices = [(NEITHER, gettext("Neither side")), *sides]  # type: ignore[attr-defined]
        late_rows = late_strats(battle)
        late = [
            (
                str(strat.pk),
                gettext("%(army)s, sent %(time)s") % {"army": strat.entry.name, "time": utc(strat.sent_at)},
            )
            for strat in late_rows
        ]
        self.fields["accepted"].choices = late  # type: ignore[attr-defined]
        if not late:
            del self.fields["accepted"]
        for strat, _ in asking_strats(battle, late_rows):
            enemies = next(side for side in names if strat.entry.name not in side)
            aims = (
                [(name, gettext("it targets %(name)s") % {"name": name}) for name in enemies]
                if len(enemies) > 1
                else []
            )
            choices = [
                ("", gettext("as currently ruled")),
                (VOID, gettext("it is void")),
                (AS_ASKED, gettext("as the strat asks")),
                *aims,
            ]
            label = gettext("The %(risk)s by %(name)s") % {"risk": strat.risk, "name": strat.entry.name}
            self.fields[f"risk{strat.pk}"] = forms.ChoiceField(required=False, label=label, choices=choices)

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        if "favours" in cleaned and cleaned.get("bonus", 0) is None:
            if cleaned["favours"] != NEITHER:
                fill_bonus(self, self.rubric)
            else:
                cleaned["bonus"] = 0
        if "bonus" in cleaned and (cleaned.get("favours"), cleaned["bonus"]) != self.score:
            check_reasons(self, self.rubric, cleaned["bonus"])
        return cleaned

    def clean_token(self) -> str:
        return self.cleaned_data["token"] or new_token()

    @property
    def rows(self) -> list[forms.BoundField]:
        """All fields except the side, the reasons on the criteria and the tick, which have places of their own."""
        exceptions = {*reason_fields(self.rubric), "favours", "sure"}
        return [field for field in self.visible_fields() if field.name not in exceptions]

    @property
    def reasons(self) -> list[tuple[forms.BoundField, forms.BoundField, int]]:
        """R54: For each criterion of the round the fields of its sentence and its number, and its weight."""
        places = enumerate(self.rubric)
        return [(self[reason_field(place)], self[number_field(place)], one.weight) for place, one in places]

    def as_typed(self) -> NewJudgement:
        data = self.cleaned_data
        risks = {int(name.removeprefix("risk")): data[name] for name in data if name.startswith("risk") and data[name]}
        return NewJudgement(
            favours=None if data["favours"] == NEITHER else int(data["favours"]),
            bonus=data["bonus"],
            cites=data["cites"],
            reason=data["text"],
            accepted=tuple(int(key) for key in data.get("accepted", ())),
            risks=risks,
            narrative=data["narrative"],
            reasons=typed_reasons(self, self.rubric),
        )

    def refuse(self, error: Refused) -> None:
        field = {"reason": "text"}.get(error.field, error.field)
        self.add_error(field if field in self.fields else None, str(error))


@get_or_post
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

    def act() -> Success:
        if does == "propose":
            token = form.cleaned_data["token"]
            locked = lock_anew(battle=battle, judge=judge, new=form.as_typed(), token=token, now=now)
            return Success(
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
            return Success(gettext("You dropped the score."), here)
        apply_anew(rejudgement=row, judge=judge, now=now)
        return Success(gettext("The new score is in force. Here is the outcome."), f"{here}#newest")

    return handle_form(request, partial(_page, request, battle, judge, form), act, form=form)


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
