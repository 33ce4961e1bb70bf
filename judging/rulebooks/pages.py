"""The pages of the card games' books, and of our own documents on card tables."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.rulebooks import documents
from judging.rulebooks.books import TITLES, anchor_of, book_of


@require_safe
def book(request: HttpRequest, game: str) -> HttpResponse:
    """A game's document, word for word, then the rulings, each number with its anchor."""
    return render(request, "rulebooks/book.html", {"book": book_of(game), "titles": TITLES.items()})


@require_safe
def number(request: HttpRequest, game: str, number: str) -> HttpResponse:
    """`/rules/kryptik/4.4.1/` leads to the place of that number on the page."""
    place = anchor_of(game, number)
    if place is None:
        raise Http404(
            gettext("The book of %(game)s has no number %(number)s.") % {"game": TITLES[game], "number": number}
        )
    return redirect(f"{reverse('rulebook', args=[game])}#{place}")


@require_safe
def document(request: HttpRequest, name: str) -> HttpResponse:
    """T12.6: a document of ours, each section with its anchor."""
    context = {"document": documents.document_of(name), "titles": documents.TITLES.items(), "books": TITLES.items()}
    return render(request, "rulebooks/document.html", {**context, "title": documents.TITLES[name]})


@require_safe
def section(request: HttpRequest, number: str) -> HttpResponse:
    """`/rules/tables/T9.2/` leads to the place of that number on the page."""
    place = documents.address(number.strip().upper())
    if not place:
        raise Http404(gettext("The document on card tables has no number %(value)s.") % {"value": number[:20]})
    return redirect(place)
