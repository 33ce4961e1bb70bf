"""3.1: the search of a round, and of all rounds."""

from collections.abc import Sequence

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.accounts.throttling import is_too_often
from judging.common.form_views import UNPROCESSABLE
from judging.common.shortcuts import viewer_for
from judging.common.viewer import Viewer
from judging.search.forms import SearchForm
from judging.search.queries import KINDS, MOST, everywhere, hits
from wargame.models import Round

A_PAGE = 25
MOST_SEARCHES = 60
WITHIN = 60
"""The number of searches that an address can make per time in seconds."""


@require_safe
def of_round(request: HttpRequest, slug: str) -> HttpResponse:
    """3.1: the viewer's hits in a round."""
    viewer = viewer_for(request, slug)
    return _page(request, [viewer], viewer.round)


@require_safe
def of_all(request: HttpRequest) -> HttpResponse:
    """3.1: the user's hits in all rounds."""
    return _page(request, everywhere(request.user.pk if request.user.is_authenticated else None), None)


def _page(request: HttpRequest, viewers: Sequence[Viewer], round_: Round | None) -> HttpResponse:
    form = SearchForm(request.GET)
    is_asked = any(request.GET.get(name) for name in SearchForm.base_fields)
    is_stopped = is_asked and is_too_often(request, "search", MOST_SEARCHES, WITHIN)
    is_valid = form.is_valid()
    results = hits(viewers, form.asked(), timezone.now()) if is_asked and is_valid and not is_stopped else []
    context = {
        "round": round_,
        "form": form,
        "is_asked": is_asked,
        "is_stopped": is_stopped,
        "page": Paginator(results, A_PAGE).get_page(request.GET.get("page", "")),
        "kinds": {kind: gettext(title) for kind, title in KINDS.items()},
        "most": MOST,
    }
    status = 429 if is_stopped else 200 if is_valid or not is_asked else UNPROCESSABLE
    return render(request, "search/search.html", context, status=status)
