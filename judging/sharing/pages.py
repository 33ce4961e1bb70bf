"""3.1, 1.2: pages with what can be carried elsewhere, each text with a button that copies it; maps and signatures."""

from __future__ import annotations

from textwrap import shorten

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from judging.armies.reads import ArmyLine
from judging.battles.cards import CRESTS
from judging.drawing.small import COLORS
from judging.game.pages import round_for, turn_for, viewer_for
from judging.game.pictures import picture
from judging.map.cards import card_of
from judging.sharing.reads import (
    SIGNATURE,
    Shared,
    line_of,
    posts_of,
    shared_army,
    shared_position,
    shared_post,
    standing,
)
from wargame.models import Round
from wargame.rules.core.sides import Side
from wargame.web import languages

NAME, TOLD = 30, 60
"""How many letters have room in a signature."""


@require_safe
def posts(request: HttpRequest, slug: str) -> HttpResponse:
    """3.1: the posts by the service, each with its way to other places."""
    viewer = viewer_for(request, slug)
    context = {"viewer": viewer, "round": viewer.round, "posts": posts_of(viewer.round)}
    return render(request, "sharing/posts.html", context)


@require_safe
def post(request: HttpRequest, slug: str, notice_id: int) -> HttpResponse:
    """3.1: an announcement, a result or an update as it is pasted elsewhere."""
    shared = shared_post(round_for(slug), notice_id)
    if shared is None:
        raise Http404(gettext("There is no such post in this round."))
    return _page(request, slug, shared)


@require_safe
def position(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """1.2: the position as a turn opened, as it is pasted elsewhere."""
    return _page(request, slug, shared_position(turn_for(round_for(slug), number)))


@require_safe
def army(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """2.1: an army's signature, as it is pasted elsewhere."""
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
    """2.1: an army as a banner: its crest, its name, where it stands, and how many of its troops live."""
    round_ = round_for(slug)
    line = _line(round_, name)
    side = Side(line.side)
    told = f"{standing(line)} · {round_.name}"
    context = {
        "width": SIGNATURE[0],
        "height": SIGNATURE[1],
        "color": COLORS[side],
        "shape": CRESTS[side],
        "name": shorten(line.name, NAME, placeholder="…"),
        "told": shorten(told[:1].upper() + told[1:], TOLD, placeholder="…"),
        "part": round(380 * line.alive / line.of) if line.of else 0,
    }
    return picture(request, render_to_string("sharing/signature.svg", context), kind)


def _line(round_: Round, name: str) -> ArmyLine:
    found = line_of(round_, name, timezone.now())
    if found is None:
        raise Http404(gettext("There is no army with that name in this round."))
    return found


def _page(request: HttpRequest, slug: str, shared: Shared) -> HttpResponse:
    viewer = viewer_for(request, slug)
    return render(request, "sharing/shared.html", {"viewer": viewer, "round": viewer.round, "shared": shared})
