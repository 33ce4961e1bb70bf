"""The pages of the card games' books, and of the docs for players and judges."""

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
    """Redirect `/rules/kryptik/4.4.1/` to that number's place on the page."""
    place = anchor_of(game, number)
    if place is None:
        raise Http404(
            gettext("The %(game)s rulebook has no rule “%(number)s”.") % {"game": TITLES[game], "number": number}
        )
    return redirect(f"{reverse('rulebook', args=[game])}#{place}")


@require_safe
def document(request: HttpRequest, name: str) -> HttpResponse:
    """T12.6: a document of this service, each section with its anchor."""
    page = documents.document_of(documents.PATHS[name])
    context = {"document": page, "here": name, "titles": documents.TITLES.items(), "books": TITLES.items()}
    return render(request, "rulebooks/document.html", {**context, "title": documents.TITLES[name]})


@require_safe
def section(request: HttpRequest, number: str) -> HttpResponse:
    """Redirect `/rules/tables/T9.2/` to that number's place on the page."""
    place = documents.address(number.strip().upper())
    if not place:
        raise Http404(gettext("The document about card tables has no section %(value)s.") % {"value": number[:20]})
    return redirect(place)


@require_safe
def dice(request: HttpRequest) -> HttpResponse:
    """R38: how to recompute every draw."""
    return render(request, "rules/dice.html", {"document": documents.document_of(documents.DICE)})


@require_safe
def help(request: HttpRequest, page: str = "") -> HttpResponse:
    if not page:
        return render(request, "rulebooks/help.html", {"pages": documents.help_pages()})
    path = documents.help_files().get(page)
    if path is None:
        raise Http404
    if (url := documents.url_of(path)) != request.path:
        return redirect(url)
    context = {"document": documents.document_of(path), "pages": documents.help_pages(), "title_in_english": True}
    return render(request, "rulebooks/help.html", context)
