"""3.1, 1.2: pages with content to copy elsewhere, maps and signatures as pictures, and oEmbed for links."""

from textwrap import shorten
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from judging.armies.queries import ArmyLine
from judging.battles.images import CRESTS
from judging.battles.queries import battle_view
from judging.common.pictures import picture
from judging.common.shortcuts import round_for, turn_for, viewer_for
from judging.common.viewer import Viewer
from judging.map.queries import card_of
from judging.sharing.queries import (
    SIGNATURE,
    Shared,
    line_of,
    posts_of,
    shared_army,
    shared_position,
    shared_post,
    standing,
    whole,
)
from judging.svg.map import COLORS
from wargame.models import Round
from wargame.rules.core.sides import Side
from wargame.web import languages

NAME, TOLD = 30, 60
"""The most letters that fit into a signature."""


@require_safe
def posts(request: HttpRequest, slug: str) -> HttpResponse:
    """3.1: the posts by the service, each with a link to share it."""
    viewer = viewer_for(request, slug)
    context = {"viewer": viewer, "round": viewer.round, "posts": posts_of(viewer.round)}
    return render(request, "sharing/posts.html", context)


@require_safe
def post(request: HttpRequest, slug: str, notice_id: int) -> HttpResponse:
    """3.1: an announcement, a result or an update, ready to paste elsewhere."""
    shared = shared_post(round_for(slug), notice_id)
    if shared is None:
        raise Http404(gettext("There is no such post in this round."))
    return _page(request, slug, shared)


@require_safe
def position(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """1.2: the position as a turn opened, ready to paste elsewhere."""
    return _page(request, slug, shared_position(turn_for(round_for(slug), number)))


@require_safe
def army(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """2.1: an army's signature, ready to paste elsewhere."""
    round_ = round_for(slug)
    return _page(request, slug, shared_army(round_, _line(round_, name)))


@require_safe
@gzip_page
@languages.of_the_host()
def card(request: HttpRequest, slug: str, number: int, kind: str) -> HttpResponseBase:
    """1.2: the map as a turn opened, as a picture."""
    turn = turn_for(round_for(slug), number)
    return picture(request, card_of(turn, told=gettext("Turn %(number)s") % {"number": turn.number}), kind)


@require_safe
@gzip_page
@languages.of_the_host()
def signature(request: HttpRequest, slug: str, name: str, kind: str) -> HttpResponseBase:
    """2.1: an army as a banner: its crest, name, square, and number of living troops."""
    round_ = round_for(slug)
    line = _line(round_, name)
    side = Side(line.side)
    text = f"{standing(line)} · {round_.name}"
    context = {
        "width": SIGNATURE[0],
        "height": SIGNATURE[1],
        "color": COLORS[side],
        "shape": CRESTS[side],
        "name": shorten(line.name, NAME, placeholder="…"),
        "told": shorten(text[:1].upper() + text[1:], TOLD, placeholder="…"),
        "part": round(380 * line.alive / line.of) if line.of else 0,
    }
    return picture(request, render_to_string("sharing/signature.svg", context), kind)


def _line(round_: Round, name: str) -> ArmyLine:
    line = line_of(round_, name, timezone.now())
    if line is None:
        raise Http404(gettext("There is no army with that name in this round."))
    return line


def _page(request: HttpRequest, slug: str, shared: Shared) -> HttpResponse:
    viewer = viewer_for(request, slug)
    return render(request, "sharing/shared.html", {"viewer": viewer, "round": viewer.round, "shared": shared})


KEPT_SECONDS = 3600
CARD = (1200, 630)
LONGEST = 2_000
OF_TURNS = {"turn", "map-turn", "movement-turn", "battles-turn", "share-position"}
OF_ARMIES = {"army", "share-army"}

Embedded = tuple[str, str, tuple[int, int]]
"""A title, the path of a picture (empty without one), and its size."""


@require_safe
@cache_control(public=True, max_age=KEPT_SECONDS)
@languages.of_the_host()
def oembed(request: HttpRequest) -> HttpResponse:
    """3.1: `?url=` of a page here, `maxwidth`, `maxheight`; only JSON."""
    if request.GET.get("format", "json") != "json":
        return JsonResponse({"error": gettext("Only JSON is supported: use format=json.")}, status=501)
    page = _of_page(_path(request.GET.get("url", "")))
    answer: dict[str, object] = {
        "version": "1.0",
        "type": "link",
        "title": page[0],
        "provider_name": settings.SITE_NAME,
        "provider_url": whole("/"),
        "cache_age": KEPT_SECONDS,
    }
    title, path, size = page
    if path:
        answer |= {"thumbnail_url": whole(path), "thumbnail_width": size[0], "thumbnail_height": size[1]}
        if all(_most(request, name) >= length for name, length in zip(("maxwidth", "maxheight"), size, strict=True)):
            answer |= {"type": "photo", "url": whole(path), "width": size[0], "height": size[1]}
        else:
            answer = {name: value for name, value in answer.items() if not name.startswith("thumbnail_")}
    return JsonResponse(answer)


def _path(url: str) -> str:
    """Raises Http404 if the URL is not a page of this site."""
    try:
        parts, home = urlsplit(url[:LONGEST]), urlsplit(settings.PUBLIC_URL)
    except ValueError:
        raise Http404(gettext("This URL is invalid.")) from None
    if (parts.scheme, parts.netloc) not in (("https", home.netloc), ("http", home.netloc)):
        raise Http404(gettext("This URL isn't a page of this site."))
    return unquote(parts.path)


def _of_page(path: str) -> Embedded:
    """The embed of a public page. Raises Http404 for others."""
    try:
        match = resolve(path)
    except Resolver404:
        raise Http404(gettext("There is no such page.")) from None
    name, where = match.url_name or "", match.kwargs
    if match.namespaces or "slug" not in where:
        raise Http404(gettext("This page can't be embedded."))
    round_ = round_for(where["slug"])
    if name in OF_ARMIES:
        return _of_army(round_, where["name"])
    if name in OF_TURNS:
        turn = turn_for(round_, where["number"])
        title = gettext("%(name)s, turn %(turn)s") % {"name": round_.name, "turn": turn.number}
        return title, reverse("turn-card", args=[round_.slug, turn.number]), CARD
    if name == "battle":
        return _of_battle(round_, where["battle_id"])
    if name == "share-post":
        shared = shared_post(round_, where["notice_id"])
        if shared is None:
            raise Http404(gettext("There is no such post in this round."))
        return shared.title, shared.picture, shared.size
    turn = turn_for(round_)
    title = gettext("%(name)s, turn %(turn)s") % {"name": round_.name, "turn": turn.number}
    return title, reverse("round-card", args=[round_.slug]), CARD


def _of_battle(round_: Round, battle_id: int) -> Embedded:
    view = battle_view(battle_id, Viewer(None, round_), timezone.now())
    if view is None:
        raise Http404(gettext("There is no such battle in this round."))
    has_card = view.result is not None and not view.is_cancelled
    card = reverse("battle-card", args=[round_.slug, view.id]) if has_card else ""
    return f"{view.headline} · {round_.name}", card, CARD


def _of_army(round_: Round, name: str) -> Embedded:
    line = line_of(round_, name, timezone.now())
    if line is None:
        raise Http404(gettext("There is no army with that name in this round."))
    return f"{line.name}: {standing(line)}", reverse("signature", args=[round_.slug, line.name]), SIGNATURE


def _most(request: HttpRequest, name: str) -> int:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else 10**8
