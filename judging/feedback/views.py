"""4.2, 1.3: the numbers of the judges, and the players' feedback form."""

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from judging.battles.models import Battle
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_form
from judging.common.shortcuts import viewer_for
from judging.feedback.models import BattleFeedback
from judging.feedback.services import FEW, FEWEST, LONGEST, give_feedback, judge_numbers, sentences_for, why_not


class FeedbackForm(forms.Form):
    """4.2: three questions, and a sentence to the head battle judge."""

    NUMBERS = [
        ("", gettext_lazy("choose")),
        ("1", gettext_lazy("1: no")),
        ("2", "2"),
        ("3", "3"),
        ("4", "4"),
        ("5", gettext_lazy("5: yes")),
    ]
    MISSING = {"required": gettext_lazy("Choose a number from 1 to 5.")}

    fair = forms.TypedChoiceField(
        choices=NUMBERS, coerce=int, label=gettext_lazy("It was judged fairly"), error_messages=MISSING
    )
    clear = forms.TypedChoiceField(
        choices=NUMBERS, coerce=int, label=gettext_lazy("The reasons are clear"), error_messages=MISSING
    )
    in_time = forms.TypedChoiceField(
        choices=NUMBERS, coerce=int, label=gettext_lazy("It was judged in time"), error_messages=MISSING
    )
    sentence = forms.CharField(
        required=False, max_length=LONGEST, label=gettext_lazy("A comment for the head battle judge (optional)")
    )


@get_or_post
@login_required
def feedback(request: HttpRequest, slug: str, battle_id: int) -> HttpResponse:
    viewer, now = viewer_for(request, slug), timezone.now()
    battles = Battle.objects.filter(turn__round=viewer.round).exclude(state=Battle.State.CANCELLED)
    battle = battles.select_related("result", "turn").defer("turn__position").filter(pk=battle_id).first()
    if battle is None:
        raise Http404(gettext("There is no such battle in this round."))
    before = BattleFeedback.objects.filter(battle=battle, player=viewer.player).first() if viewer.player else None
    names = ("fair", "clear", "in_time", "sentence")
    form = FeedbackForm(request.POST or None, initial={name: getattr(before, name) for name in names} if before else {})

    def page(*, refused: Refused | None = None) -> HttpResponse:
        refused = refused or why_not(battle, viewer.player, now)
        context = {"viewer": viewer, "round": viewer.round, "battle": battle, "form": form, "refused": refused}
        return render(request, "feedback/feedback.html", context, status=refused.status(403) if refused else 200)

    def act() -> Success:
        give_feedback(battle=battle, player=viewer.player, now=now, **form.cleaned_data)
        message = gettext(
            "Thank you. Your rating counts towards the judge's averages. No one can see that it is yours."
        )
        return Success(message, reverse("battle", args=[slug, battle_id]))

    return handle_form(request, page, act, form=form)


@require_safe
def numbers(request: HttpRequest, slug: str) -> HttpResponse:
    """The numbers of the round's battle judges, for everybody; the sentences for their head."""
    viewer = viewer_for(request, slug)
    context = {"viewer": viewer, "round": viewer.round, "judges": judge_numbers(viewer.round)}
    context |= {"said": sentences_for(viewer), "few": FEW, "fewest": FEWEST}
    return render(request, "feedback/numbers.html", context)
