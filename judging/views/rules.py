"""The rule text and the rulings."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from judging import rulebook


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
