"""2.5.2.2: the steps of the musters and of the proxies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from judging.armies.models import Muster
from judging.armies.musters.forms import EDITS, edited, picker_of, ranks_of, typed_from
from judging.armies.musters.judged import Typed, judged
from judging.armies.musters.reads import bases_of, typed_of
from judging.armies.musters.writes import surroundings_for
from judging.game.errors import Refused
from judging.setup.common_pages import desk_for, logged_in, number_of, step_page, typed_in, version_of
from judging.setup.reads import SetupDesk
from judging.setup.steps.armies import reminder, sides_of
from judging.setup.steps.proxies import open_places, proposal_for, proposals_of
from judging.setup.steps.proxies_writes import (
    accept_proposals,
    draw_again,
    drop_proposal,
    edit_army,
    make_up_army,
    make_up_proxies,
    take_over,
)
from wargame.models import Player
from wargame.rules.core.board import COLORS
from wargame.rules.core.sides import Side

Act = Callable[..., object]


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def armies(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.2.1, 2.5.2.2: who has sent a muster, who has not, and what waits; a POST makes one up in somebody's place."""
    desk = desk_for(request, slug)
    if request.method == "POST":
        try:
            made = _make_up(request, desk)
        except Refused as error:
            return _armies_page(request, desk, refused=error)
        messages.success(request, f"{made} is a proposal now. Look at it, and accept it.")
        return redirect("setup-proxies", slug)
    return _armies_page(request, desk)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def proxies(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.2.2: the proposals; a POST makes up what is missing, or draws again, accepts or drops one."""
    desk = desk_for(request, slug)
    if request.method == "POST":
        try:
            messages.success(request, _do(request, desk))
        except Refused as error:
            return _proxies_page(request, desk, refused=error)
        return redirect("setup-proxies", slug)
    return _proxies_page(request, desk)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def proxy(request: HttpRequest, slug: str, muster_id: int) -> HttpResponse:
    """2.5.2.2: one proposal in a form; a POST does what its button says."""
    desk = desk_for(request, slug)
    row = _found(desk, muster_id)
    if request.method != "POST":
        kept = typed_in(request)
        typed = typed_from(kept, typed_of(row), is_proxy=_is_proxy(row)) if kept else typed_of(row)
        return _proxy_page(request, desk, row, typed)
    act, typed = request.POST.get("act", "save"), typed_from(request.POST, typed_of(row), is_proxy=_is_proxy(row))
    if act.startswith(EDITS):
        typed = edited(typed, act, request.POST)
        if request.headers.get("HX-Request"):
            return render(request, "musters/_edited.html", _form(desk, row, typed))
        return _proxy_page(request, desk, row, typed)
    if act not in ("save", "accept"):
        return _proxy_page(request, desk, row, typed)
    common: dict[str, Any] = {"round": desk.round, "judge": desk.judge, "now": timezone.now()}
    try:
        is_final = act == "accept"
        row = edit_army(muster_id=row.pk, typed=typed, base_version=version_of(request), accept=is_final, **common)
    except Refused as error:
        return _proxy_page(request, desk, _found(desk, muster_id), typed, refused=error)
    messages.success(request, f"{row} is accepted." if act == "accept" else "Saved.")
    return redirect("setup-proxies", slug) if act == "accept" else redirect("setup-proxy", slug, row.pk)


@require_POST
@logged_in
def preview(request: HttpRequest, slug: str, muster_id: int) -> HttpResponse:
    """2.1, 2.2: what the rules say of what is typed, as a fragment; nothing, when it was accepted meanwhile."""
    desk = desk_for(request, slug)
    row = proposal_for(desk.round, muster_id)
    if row is None:
        return HttpResponse(status=204)
    typed = typed_from(request.POST, typed_of(row), is_proxy=_is_proxy(row))
    return render(request, "musters/_previewed.html", _form(desk, row, typed))


@require_POST
@logged_in
def find(request: HttpRequest, slug: str, muster_id: int) -> HttpResponse:
    """2.2.1: what the picker finds, as a fragment; nothing, when it was accepted meanwhile."""
    desk = desk_for(request, slug)
    row = proposal_for(desk.round, muster_id)
    if row is None:
        return HttpResponse(status=204)
    picker = picker_of(request.POST, typed_from(request.POST, typed_of(row), is_proxy=_is_proxy(row)))
    address = reverse("setup-proxy", args=[slug, row.pk])
    return render(request, "musters/_picks.html", {"picker": picker, "address": address})


def _make_up(request: HttpRequest, desk: SetupDesk) -> Muster:
    act, _, key = request.POST.get("act", "").partition(":")
    if act == "take-over":
        return take_over(round=desk.round, muster_id=number_of(key), judge=desk.judge, now=timezone.now())
    player = Player.objects.filter(round=desk.round, pk=number_of(key)).first()
    if act != "make-up" or player is None:
        raise Refused("This form is damaged: load the page anew.")
    return make_up_army(round=desk.round, player=player, judge=desk.judge, now=timezone.now())


def _do(request: HttpRequest, desk: SetupDesk) -> str:
    """Does what the button says; what is said of it then."""
    act, _, key = request.POST.get("act", "").partition(":")
    common: dict[str, Any] = {"round": desk.round, "judge": desk.judge, "now": timezone.now()}
    if act == "make-up":
        made = make_up_proxies(**common)
        return f"Made up: {made}." if made else "Nothing was missing."
    if act == "accept-all":
        good = [proposal.muster.pk for proposal in proposals_of(desk.round) if proposal.is_plain]
        return f"Accepted: {len(accept_proposals(muster_ids=good, **common))}."
    if act == "accept":
        accepted = accept_proposals(muster_ids=[number_of(key)], **common)
        return f"{accepted[0]} is accepted." if accepted else "It was accepted already."
    if act == "again":
        base = number_of(request.POST.get(f"version-{key}", ""))
        return f"Drawn again: {draw_again(muster_id=number_of(key), base_version=base, **common)}."
    if act == "drop":
        drop_proposal(muster_id=number_of(key), **common)
        return "The proposal is gone."
    raise Refused("This form is damaged: load the page anew.")


def _armies_page(request: HttpRequest, desk: SetupDesk, refused: Refused | None = None) -> HttpResponse:
    address = request.build_absolute_uri(reverse("musters", args=[desk.round.slug]))
    sides = sides_of(desk.round, desk.setup.armies)
    context = {"sides": [(side, reminder(side, desk.round, address)) for side in sides], "refused": refused}
    return step_page(request, desk, "armies", "setup/armies.html", context, status=422 if refused else 200)


def _proxies_page(request: HttpRequest, desk: SetupDesk, refused: Refused | None = None) -> HttpResponse:
    found, places = proposals_of(desk.round), open_places(desk.setup)
    context = {
        "places": places,
        "missing": sum(count for _, count in places),
        "groups": [(rows.side, [one for one in found if one.muster.side is rows.side]) for rows, _ in places],
        "plain": sum(one.is_plain for one in found),
        "refused": refused,
    }
    return step_page(request, desk, "proxies", "setup/proxies.html", context, status=422 if refused else 200)


def _proxy_page(
    request: HttpRequest, desk: SetupDesk, row: Muster, typed: Typed, refused: Refused | None = None
) -> HttpResponse:
    context = {**_form(desk, row, typed), "picker": picker_of(request.POST, typed), "refused": refused}
    return step_page(request, desk, "proxies", "setup/proxy.html", context, status=422 if refused else 200)


def _form(desk: SetupDesk, row: Muster, typed: Typed) -> dict[str, Any]:
    """What the parts of a muster's form need."""
    slug, side = desk.round.slug, row.side
    return {
        "muster": row,
        "typed": typed,
        "judged": judged(typed, surroundings_for(row)),
        "colors": COLORS if side is Side.COALITION else (),
        "all_colors": COLORS,
        "ranks": ranks_of(side),
        "bases": bases_of(desk.round, side, typed.colors),
        "address": reverse("setup-proxy", args=[slug, row.pk]),
        "preview_url": reverse("setup-proxy-preview", args=[slug, row.pk]),
        "find_url": reverse("setup-proxy-find", args=[slug, row.pk]),
        "may_fix": True,
    }


def _found(desk: SetupDesk, muster_id: int) -> Muster:
    row = proposal_for(desk.round, muster_id)
    if row is None:
        raise Http404("There is no such proposal; perhaps it is accepted.")
    row.round = desk.round
    return row


def _is_proxy(row: Muster) -> bool:
    return row.namesake_id is None
