"""1.3: the log of a round: who did what, when and why."""

from itertools import groupby

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.common.rounds import current_turn
from judging.common.shortcuts import viewer_for
from judging.log.actions import Kind
from judging.log.queries import Log, LogFilter, LogLine, line_of

A_PAGE = 50
LONGEST = 80
FIELDS = ("who", "kind", "army", "turn", "q")


@require_safe
def log(request: HttpRequest, slug: str) -> HttpResponse:
    viewer, now = viewer_for(request, slug), timezone.now()
    values = {name: request.GET.get(name, "").replace("\0", "").strip()[:LONGEST] for name in FIELDS}
    turn = current_turn(viewer.round)
    filters, wrong = read_asked(values, turn.number if turn else 0)
    entries = Log(viewer, now, filters)
    page = Paginator(entries, A_PAGE).get_page(request.GET.get("page", "1"))
    context: dict[str, object] = {
        "viewer": viewer,
        "round": viewer.round,
        "page": page,
        "groups": by_turn(list(page.object_list)),
        "total": len(entries),
        "asked": filters,
        "typed": values,
        "wrong": wrong,
        "actors": entries.actors(),
        "kinds": list(Kind),
        "turns": range(turn.number if turn else 0, -1, -1),
    }
    return render(request, "log/log.html", context, status=400 if wrong else 200)


@require_safe
def entry(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    viewer = viewer_for(request, slug)
    line = line_of(viewer, key, timezone.now())
    if line is None:
        raise Http404(gettext("This log entry doesn't exist, or you can't read it."))
    return render(request, "log/entry.html", {"viewer": viewer, "round": viewer.round, "line": line})


def read_asked(typed: dict[str, str], last: int) -> tuple[LogFilter, str]:
    """The filter that was asked for, and its errors, in a sentence; invalid parts are left out."""
    kind, number, wrong = typed["kind"], typed["turn"], ""
    if kind and kind not in {each.key for each in Kind}:
        kind, wrong = "", gettext("The log has no category “%(value)s”.") % {"value": kind[:20]}
    turn = int(number) if number.isascii() and number.isdecimal() and len(number) < 9 else None
    if number and (turn is None or turn > last):
        turn, wrong = None, gettext("There is no turn “%(value)s” yet (3.1).") % {"value": number[:20]}
    return LogFilter(typed["who"], kind, typed["army"], turn, typed["q"]), wrong


def by_turn(lines: list[LogLine]) -> list[tuple[int, list[LogLine]]]:
    """Lines grouped by the turns in which the acts were done; 0 is before the first."""
    return [(turn, list(part)) for turn, part in groupby(lines, key=lambda line: line.turn)]
