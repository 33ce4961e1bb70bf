"""1.2: the map page and its updates, old maps, the panel of a square, and a round in numbers."""

import gzip
from threading import Lock

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from judging.common.autosave import unsent_of
from judging.common.forms import new_token
from judging.common.pictures import picture
from judging.common.positions import position_of, present_position
from judging.common.rounds import current_turn
from judging.common.shortcuts import round_for, turn_for, version_now, viewer_for
from judging.common.viewer import Viewer
from judging.map import statistics as counted
from judging.map.queries import battles_in, card_of, comparison_of, map_of, own_armies, sides_in, small_map, square_view
from judging.polling.views import map_version
from judging.setup.services import setup_of
from judging.turns.done.services import done_view
from judging.turns.posts.forms import PostForm
from judging.turns.posts.queries import posting_state, preview_lines
from judging.turns.queries import turn_report
from wargame.models import Turn
from wargame.models.choices import RoundState
from wargame.rules.core.board import COLORS, read_square
from wargame.web import languages

KEPT_SECONDS = 24 * 3600
KEPT_FOR_EVER = 365 * KEPT_SECONDS
TERRAIN = "terrain"
SHOWN_OF_A_HASH = 12


@require_safe
@never_cache
@gzip_page
def present(request: HttpRequest, slug: str) -> HttpResponse:
    """The current map. `?show=terrain` shows the terrain alone, square by square."""
    viewer = viewer_for(request, slug)
    turn = current_turn(viewer.round)
    if turn is None and setup_of(viewer.round):
        return redirect("setup", slug)
    if turn is None:
        return render(request, "map/before.html", {"round": viewer.round})
    turn.round = viewer.round
    return render(
        request, "map/map.html", _page(request, viewer, turn) | _writing(viewer, turn) | {"newest": turn.number}
    )


@require_safe
@gzip_page
def of_turn(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The map at the opening of an old turn, with the moves that were then carried out."""
    viewer = viewer_for(request, slug)
    turn, newest = turn_for(viewer.round, number), turn_for(viewer.round)
    more = {
        "newer": number + 1 if number < newest.number else None,
        "newest": newest.number,
        "report": turn_report(turn, timezone.now()),
    }
    return render(request, "map/map.html", _page(request, viewer, turn, is_past=True) | more)


@require_safe
@gzip_page
def small(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """The map at the opening of a turn, as a small picture. `?v=` is its hash: with it the response never changes."""
    turn = turn_for(round_for(slug), number)
    is_named = request.GET.get("v", "") == turn.position_hash[:SHOWN_OF_A_HASH]
    return picture(request, small_map(turn), "svg", **({"fresh": KEPT_FOR_EVER} if is_named else {}))


@require_safe
@gzip_page
def card(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    round_ = round_for(slug)
    turn = current_turn(round_)
    if turn is None:
        raise Http404(gettext("The round hasn't begun."))
    turn.round = round_
    with languages.of_the_host():
        return picture(request, card_of(turn), kind)


@require_safe
@gzip_page
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Two turns of a round, `?from=` and `?to=`: their differences, and a map that shows who went where."""
    viewer = viewer_for(request, slug)
    newest = turn_for(viewer.round).number
    numbers = {key: request.GET.get(key, "").strip() for key in ("from", "to")}
    context = {"round": viewer.round, "newest": newest, **numbers}
    if not all(number.isdecimal() and 1 <= int(number) <= newest for number in numbers.values()):
        between = gettext("Choose two turns between 1 and %(newest)s.") % {"newest": newest}
        wrong = between if any(numbers.values()) else ""
        return render(request, "map/compare.html", {**context, "wrong": wrong}, status=422 if wrong else 200)
    old, new = (turn_for(viewer.round, int(number)) for number in numbers.values())
    comparison = comparison_of(old, new)
    svg = render_to_string("map/svg.html", {"round": viewer.round, "turn": new, "map": comparison.map})
    extra = {"map_html": mark_safe(svg), "difference": comparison.difference, "is_same": comparison.is_same}
    return render(request, "map/compare.html", {**context, **extra})


@require_safe
def square(request: HttpRequest, slug: str, number: int, at: str) -> HttpResponse:
    """A square at the opening of a turn (`?now`: its current state), with its sites and armies."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round, number)
    try:
        target = read_square(at)
    except ValueError as error:
        raise Http404(str(error)) from None
    if not target.on_map:
        raise Http404(gettext("%(square)s isn't on the map. Squares run from 1A to 38N (1.2).") % {"square": target})
    position = present_position(turn) if "now" in request.GET else position_of(turn)
    context = {"round": viewer.round, "turn": turn, "square": square_view(position, target)}
    template = "map/square_panel.html" if request.headers.get("HX-Request") else "map/square.html"
    return render(request, template, context)


def _page(request: HttpRequest, viewer: Viewer, turn: Turn, is_past: bool = False) -> dict[str, object]:
    return {
        **drawn(turn, is_past),
        "mine": own_armies(viewer.player),
        "colors": COLORS,
        "shows_terrain": request.GET.get("show") == TERRAIN,
    }


def _writing(viewer: Viewer, turn: Turn) -> dict[str, object]:
    """3.2: the context for writing orders while the thread is open: the viewer's armies, and the form for their
    post."""
    now = timezone.now()
    state = posting_state(turn, viewer, now)
    if not state.is_open:
        return {"takes_orders": False}
    slug, position = viewer.round.slug, position_of(turn)
    hand = [position.by_name[name] for name in own_armies(viewer.player) if name in position.by_name]
    unsent = unsent_of(viewer, "post") if hand else None
    text = unsent.text if unsent else ""
    return {
        "takes_orders": True,
        "reach_url": reverse("api-reach", args=[slug, "ARMY"]),
        "hand": hand,
        "state": state,
        "form": PostForm(initial={"text": text, "token": new_token(), "turn": turn.number}) if hand else None,
        "unsent": unsent,
        "lines": preview_lines(turn, viewer, text, now) if text else None,
        "done": done_view(turn, viewer, now) if hand else None,
    }


def drawn(turn: Turn, is_past: bool = False, *, without_ground: bool = False) -> dict[str, object]:
    """The part of the page that is the same for everybody; the drawing and the lists are made once a version. An
    open page has the ground already, which never changes."""
    context = {
        "round": turn.round,
        "turn": turn,
        "version": map_version(turn, timezone.now()),
        "polls": turn.round.state == RoundState.RUNNING and not is_past,
        "is_past": is_past,
    }
    key = f"map:{languages.tag()}:{context['version']}:{is_past:d}{without_ground:d}"
    parts = cache.get(key)
    if parts is None:
        position = position_of(turn) if is_past else present_position(turn)
        lists = {"battles": battles_in(position, turn), "sides": sides_in(position)}
        drawing = {"map": map_of(turn, position, timezone.now()), "without_ground": without_ground}
        parts = {
            "map_html": render_to_string("map/svg.html", {**context, **drawing}),
            "summary_html": render_to_string("map/_summary.html", {**context, **lists}),
            "has_battles": bool(position.battles),
        }
        cache.set(key, parts, KEPT_SECONDS)
    safe = {name: mark_safe(parts[name]) for name in ("map_html", "summary_html")}
    return {**context, **parts, **safe}


PACKED_SECONDS = 60
"""The time in the cache; it contains relative times, which the page updates by itself."""

_drawing = Lock()


@require_safe
@never_cache
@gzip_page
def fragment(request: HttpRequest, slug: str) -> HttpResponse:
    """The map without its ground, if its version is no longer `?v=`; else 204, which changes nothing on the page."""
    version = version_now("map", slug, lambda: map_version(turn_for(round_for(slug)), timezone.now()))
    if request.GET.get("v") == version:
        return HttpResponse(status=204)
    packed = _packed(request, slug, version)
    if "gzip" in request.headers.get("Accept-Encoding", ""):
        return HttpResponse(packed, headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})
    return HttpResponse(gzip.decompress(packed))


def _packed(request: HttpRequest, slug: str, version: str) -> bytes:
    """Drawn by one request; all others that come in the meantime wait for it."""
    key = f"map-packed:{languages.tag()}:{version}"
    packed: bytes | None = cache.get(key)
    if packed is None:
        with _drawing:
            packed = cache.get(key)
            if packed is None:
                packed = _draw(request, slug)
                cache.set(key, packed, PACKED_SECONDS)
    return packed


def _draw(request: HttpRequest, slug: str) -> bytes:
    context = drawn(turn_for(round_for(slug)), without_ground=True) | {"is_fragment": True}
    return gzip.compress(render_to_string("map/fragment.html", context, request).encode(), mtime=0)


@require_safe
def numbers(request: HttpRequest, slug: str) -> HttpResponse:
    viewer = viewer_for(request, slug)
    turns = counted.numbers_of(viewer.round)
    names = sorted({name for turn in turns for name in turn.of_army}, key=str.casefold)
    army = next((name for name in names if name.casefold() == request.GET.get("army", "").strip().casefold()), "")
    battles = counted.odds_of(viewer.round, turns)
    dice, luck = counted.dice_chart(turns)
    context = {
        "round": viewer.round,
        "names": names,
        "army": army,
        "asked": request.GET.get("army", ""),
        "charts": counted.troop_charts(turns, army) if turns else [],
        "losses": counted.losses_of(turns),
        "dice": dice,
        "luck": luck,
        "battles": battles,
        "odds": counted.odds_chart(battles),
        "locks": counted.locks_of(viewer.round),
        "lock_chart": counted.lock_chart(counted.locks_of(viewer.round)),
    }
    return render(request, "numbers/numbers.html", context)
