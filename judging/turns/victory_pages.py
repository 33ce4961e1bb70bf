"""R34: the battle judge confirms the winner of a round."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from judging.game.errors import Refused
from judging.game.judge import User, judge_of, rounds_of
from judging.turns.victory_writes import confirm_victory
from wargame.models.choices import Role


@require_POST
def confirm(request: HttpRequest, round_id: int) -> HttpResponse:
    """R34: one side's win is confirmed; leads back to the desk with a word on it."""
    user = cast(User, request.user)
    round_ = rounds_of(user).filter(pk=round_id).first()
    judge = judge_of(user, round_, Role.BATTLE) if round_ else None
    if round_ is None or judge is None:
        raise Http404("You are no battle judge of that round.")
    try:
        confirm_victory(round=round_, judge=judge, winner=request.POST.get("winner", ""), now=timezone.now())
    except Refused as error:
        messages.error(request, f"{error.sentence} ({error.cites})")
    else:
        messages.success(request, f"{round_} is over.")
    return redirect("judge:index")
