"""A round in numbers."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from judging.game.pages import viewer_for
from judging.map import number_charts as charts
from judging.map.numbers import locks_of, numbers_of, odds_of


@require_safe
def numbers(request: HttpRequest, slug: str) -> HttpResponse:
    """Troops, ground, losses, dice, odds and punctuality; `?army=` adds one army's troops."""
    viewer = viewer_for(request, slug)
    turns = numbers_of(viewer.round)
    names = sorted({name for turn in turns for name in turn.of_army}, key=str.casefold)
    army = next((name for name in names if name.casefold() == request.GET.get("army", "").strip().casefold()), "")
    battles = odds_of(viewer.round, turns)
    dice, luck = charts.dice_chart(turns)
    context = {
        "round": viewer.round,
        "names": names,
        "army": army,
        "asked": request.GET.get("army", ""),
        "charts": charts.troop_charts(turns, army) if turns else [],
        "losses": charts.losses_of(turns),
        "dice": dice,
        "luck": luck,
        "battles": battles,
        "odds": charts.odds_chart(battles),
        "locks": locks_of(viewer.round),
        "lock_chart": charts.lock_chart(locks_of(viewer.round)),
    }
    return render(request, "numbers/numbers.html", context)
