"""The rule text and the rulings, and how the dice are drawn."""

from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from judging.game import rulebook
from judging.game.markup import document


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The whole rule text, then the rulings, each number with its anchor."""
    return render(request, "rules/rules.html", {"chapters": rulebook.chapters(), "rulings": rulebook.rulings()})


@require_safe
def rule(request: HttpRequest, number: str) -> HttpResponse:
    """`/rules/3.2.2.1/` leads to the place of that number on the page."""
    anchor = rulebook.anchor_of(number)
    if anchor is None:
        raise Http404(f"The rulebook has no number {number}.")
    return redirect(f"{reverse('rules')}#{anchor}")


@require_safe
def dice(request: HttpRequest) -> HttpResponse:
    """R38: how anybody can recompute every draw."""
    return render(request, "rules/dice.html", {"text": _how_dice_are_drawn()})


@cache
def _how_dice_are_drawn() -> SafeString:
    return document((settings.BASE_DIR / "docs" / "dice.md").read_text(encoding="utf-8"))
