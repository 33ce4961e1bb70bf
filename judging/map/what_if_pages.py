"""R18: rehearsals of a turn's moves, at addresses of their own; judges rehearse rulings in them (3.3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from judging.game.errors import Refused
from judging.game.pages import turn_for, viewer_for
from judging.game.positions import position_of
from judging.game.viewer import Viewer
from judging.map.what_if import (
    LONGEST,
    MOST_RULINGS,
    Rehearsal,
    TriedRuling,
    change_by_rulings,
    numbered,
    rehearse,
    tried_rulings,
)
from judging.turns.drafts import may_rule
from judging.turns.models import Ruling
from judging.turns.rulings.writes import checked_ruling
from wargame.models import Turn
from wargame.models.choices import TurnState
from wargame.rules.core.codec import Json
from wargame.rules.core.position import Position
from wargame.rules.core.saying import grouped

Rehearse = Callable[[Iterable[Ruling]], Rehearsal]


@require_safe
@never_cache
@gzip_page
def what_if(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """A turn's moves with `?orders=`; `alone` leaves the posted ones out. Judges add rulings, each as `kind`, `army`
    and `says`. Nothing of it is kept."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round, number)
    orders, now = request.GET.get("orders", "").replace("\r\n", "\n"), timezone.now()
    context = {
        "round": viewer.round,
        "turn": turn,
        "orders": orders,
        "alone": "alone" in request.GET,
        "longest": LONGEST,
        "is_past": number is not None,
    }
    if len(orders) > LONGEST:
        signs = {"number": grouped(len(orders)), "longest": grouped(LONGEST)}
        wrong = gettext("These orders have %(number)s characters; the limit is %(longest)s.") % signs
        return render(request, "map/what_if.html", {**context, "wrong": wrong}, status=422)

    def work_out(rulings: Iterable[Ruling] = ()) -> Rehearsal:
        return rehearse(turn, viewer, orders, now, not context["alone"], list(rulings))

    found = work_out()
    tried = tried_rulings(request.GET)
    if may_rule(viewer):
        ruled = _with_rulings(turn, viewer, tried, found, work_out)
        found, context = ruled.pop("found"), {**context, **ruled}
    elif tried:
        context["only_judges"] = True
    drawn = render_to_string("map/svg.html", {"round": viewer.round, "turn": turn, "map": found.map})
    status = 422 if context.get("is_wrong") else 200
    return render(request, "map/what_if.html", {**context, "found": found, "map_html": mark_safe(drawn)}, status=status)


def _with_rulings(turn: Turn, viewer: Viewer, tried: list[TriedRuling], without: Rehearsal, work_out: Rehearse) -> Json:
    """3.3.3: what a judge's page has besides. A row that is wrong says so, and the others are tried."""
    position = position_of(turn)
    pairs = [_checked(row, position, without) for row in tried]
    rulings = numbered(turn, [ruling for _, ruling in pairs if ruling])
    found = work_out(rulings) if rulings else without
    told = iter(found.ruled)
    rows = [{"typed": row, "told": next(told) if ruling else None} for row, ruling in pairs]
    return {
        "found": found,
        "rehearses_rulings": True,
        "rulings": rows,
        "blank": len(rows) < MOST_RULINGS,
        "change": change_by_rulings(without, found) if rulings else None,
        "kinds": Ruling.Kind.choices,
        "names": tuple(position.by_name),
        "desk": _desk(turn),
        "is_wrong": any(ruling is None for _, ruling in pairs),
    }


def _checked(row: TriedRuling, position: Position, without: Rehearsal) -> tuple[TriedRuling, Ruling | None]:
    try:
        return row, checked_ruling(row.as_typed(), position, without.events)
    except Refused as error:
        return replace(row, wrong=str(error)), None


def _desk(turn: Turn) -> str:
    """The page of the desk that takes a ruling on the turn now; empty before its moves are worked out (3.1)."""
    if turn.state in (TurnState.MOVED, TurnState.SETTLED):
        return reverse("judge:draft" if turn.state == TurnState.MOVED else "judge:corrections", args=[turn.pk])
    return ""
