"""4.1.1: the Battle Announcements, the page of a battle, and the Battle Results."""

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.announcements.queries import commitments_in
from judging.battles.assignments.queries import decided_by_head
from judging.battles.images import card_of, summary_of
from judging.battles.queries import battle_view, battles_of_turn, cancelled_battles, published_battles
from judging.battles.rejudging.queries import public_anew
from judging.battles.shapes import BattleView
from judging.battles.strats.dice_words import own_due_words
from judging.common.pictures import picture
from judging.common.shortcuts import round_for, turn_for, viewer_for
from judging.common.viewer import Viewer
from judging.polling.views import live_now
from judging.turns.queries import fought_turns

TURNS_A_PAGE = 5


@require_safe
def present(request: HttpRequest, slug: str) -> HttpResponse:
    """The battles of the current turn."""
    return of_turn(request, slug, None)


@require_safe
def of_turn(request: HttpRequest, slug: str, number: int | None) -> HttpResponse:
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round, number)
    now = timezone.now()
    version = "" if number else live_now(turn, now)
    battles = battles_of_turn(turn, viewer, now)
    cancelled = cancelled_battles(turn)
    context = {"viewer": viewer, "round": viewer.round, "turn": turn, "battles": battles, "cancelled": cancelled}
    context |= {"commitments": commitments_in(turn), "live": version}
    return render(request, "battles/announcements.html", context)


@require_safe
def battle(request: HttpRequest, slug: str, battle_id: int) -> HttpResponse:
    """One battle: the armies, the square, the strats that came, and the result if there is one."""
    viewer = viewer_for(request, slug)
    now = timezone.now()
    version = live_now(turn_for(viewer.round), now)
    view = battle_view(battle_id, viewer, now)
    if view is None:
        raise Http404(gettext("There is no such battle in this round."))
    context = {"viewer": viewer, "round": viewer.round, "battle": view, "live": version, "summary": summary_of(view)}
    context["decided"] = decided_by_head(view.id)
    context["due_words"] = own_due_words(view, viewer, now)
    if view.result:
        anews = public_anew(view.id)
        decided = [anew.decided_at for anew in anews if anew.decided_at]
        context |= {"anews": anews, "decided_at": max(decided, default=view.result.published_at)}
    return render(request, "battles/battle.html", context)


@require_safe
def numbers(request: HttpRequest, slug: str, battle_id: int) -> HttpResponse:
    """4.2.5, R38: The dice, losses and the check of a published battle: a page, or the part that opens in another."""
    viewer = viewer_for(request, slug)
    view = battle_view(battle_id, viewer, timezone.now())
    if view is None or view.result is None:
        raise Http404(gettext("There is no battle with a published result here."))
    context = {"viewer": viewer, "round": viewer.round, "battle": view, "result": view.result}
    template = "battles/_all_numbers.html" if request.headers.get("HX-Request") else "battles/numbers.html"
    return render(request, template, context)


@require_safe
def card(request: HttpRequest, slug: str, battle_id: int, kind: str) -> HttpResponseBase:
    """4.2.5: a published battle as a picture, the same for everybody."""
    round_ = round_for(slug)
    view = battle_view(battle_id, Viewer(None, round_), timezone.now())
    if view is None or view.result is None or view.is_cancelled:
        raise Http404(gettext("There is no battle with a published result here."))
    return picture(request, card_of(round_, view, view.result), kind)


@require_safe
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """4.2.5: The published results, some turns a page, newest first."""
    viewer = viewer_for(request, slug)
    before = request.GET.get("before", "")
    turns, older = fought_turns(viewer.round, int(before) if before.isdecimal() else None, TURNS_A_PAGE)
    battles = published_battles(turns, viewer, timezone.now())
    context = {"viewer": viewer, "round": viewer.round, "battles": battles, "older": older, "before": before}
    return render(request, "battles/results.html", context | {"own": _own_battles(battles, viewer)})


def _own_battles(battles: Iterable[BattleView], viewer: Viewer) -> list[BattleView]:
    """5.2: the battles in which the viewer controls an army."""
    name = viewer.player.name if viewer.player else None
    return [battle for battle in battles if any(name in fighter.controllers for fighter in battle.fighters)]
