"""2.5.1.2, 2.5.1.3: the judge's last steps with the bases: descriptions, win conditions, and the reveal."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from judging.armies.models import HandedIn
from judging.game.errors import Refused
from judging.setup.common_pages import desk_for, logged_in, step_page, typed_in, version_of
from judging.setup.map_view import draw_land, draw_overlay
from judging.setup.models import PlannedSite
from judging.setup.reads import SetupDesk
from judging.setup.steps.reveal import hindrances
from judging.setup.steps.reveal_writes import accept_descriptions, decide_description, describe_instead, reveal
from judging.setup.steps.sites import KINDS, is_revealed, planned_bases, planned_sites, planned_towns, side_of
from judging.setup.steps.team import has_leader
from judging.setup.steps.team_writes import choose_wins_instead
from judging.setup.steps.wins import WIN_CONDITIONS
from wargame.rules.core.sides import Side


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def descriptions(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.2: all descriptions as they stand; a POST accepts one, or all that were looked at."""
    desk = desk_for(request, slug)
    if request.POST.get("act") == "all":
        return _accept_all(request, desk)
    if request.method == "POST":
        site = _site(desk, request.POST.get("site", ""))
        return _decide(request, desk, site, accept=True)
    sites = planned_sites(desk.round, KINDS.BASE, KINDS.PORTAL)
    groups = [(side, [site for site in sites if side_of(site) is side]) for side in (Side.COALITION, Side.PHYREXIA)]
    context = {"groups": groups, "sent": [site for site in sites if site.state == HandedIn.SENT]}
    return step_page(request, desk, "descriptions", "setup/descriptions.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def description(request: HttpRequest, slug: str, site_id: int) -> HttpResponse:
    """2.5.1.2: one description; a POST accepts it, refuses it with a reason, or replaces it by the judge's own."""
    desk, typed = desk_for(request, slug), typed_in(request)
    site = _site(desk, str(site_id))
    reason = typed.get("reason", "") if typed else site.reason
    text = (typed.get("text", site.description) if typed else site.description).replace("\r\n", "\n")
    context: dict[str, Any] = {"place": site, "reason": reason, "text": text, "is_public": is_revealed(desk.setup)}
    act = request.POST.get("act", "")
    if act in ("accept", "refuse"):
        return _decide(request, desk, site, accept=act == "accept", context=context)
    if act != "write":
        return step_page(request, desk, "descriptions", "setup/description.html", context)
    try:
        describe_instead(
            round=desk.round,
            judge=desk.judge,
            site_id=site.pk,
            text=text,
            base_version=version_of(request),
            now=timezone.now(),
        )
    except Refused as error:
        return step_page(request, desk, "descriptions", "setup/description.html", {**context, "refused": error}, 422)
    messages.success(request, f"{site.name} has your description.")
    return redirect("setup-descriptions", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def wins(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.3: whether the Coalition has chosen; a POST chooses for one that has no leader."""
    desk = desk_for(request, slug)
    bases, chosen = planned_sites(desk.round, KINDS.BASE), request.POST.getlist("win")
    picked = {int(key) for key in chosen if key.isascii() and key.isdigit() and len(key) < 16}
    context: dict[str, Any] = {
        "bases": bases,
        "chosen": picked or {base.pk for base in bases if base.is_win},
        "wanted": WIN_CONDITIONS,
        "has_leader": has_leader(desk.round, Side.COALITION),
        "is_public": is_revealed(desk.setup),
    }
    if request.method != "POST":
        return step_page(request, desk, "wins", "setup/wins.html", context)
    try:
        choose_wins_instead(round=desk.round, judge=desk.judge, chosen=picked, now=timezone.now())
    except Refused as error:
        return step_page(request, desk, "wins", "setup/wins.html", {**context, "refused": error}, 422)
    messages.success(request, "The choice is kept.")
    return redirect("setup-wins", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.3: everything that becomes public, and the button that makes it so."""
    desk = desk_for(request, slug)
    status, refused = 200, None
    if request.method == "POST":
        try:
            reveal(round=desk.round, judge=desk.judge, now=timezone.now())
        except Refused as error:
            refused, status = error, 422
        else:
            messages.success(request, "The bases are public.")
            return redirect("setup-reveal", slug)
    sites = planned_sites(desk.round)
    context = {
        "refused": refused,
        "sites": sites,
        "hindrances": () if is_revealed(desk.setup) else hindrances(desk.setup),
        "is_public": is_revealed(desk.setup),
        "land": draw_land(tuple(desk.round.terrain.split())),
        "overlay": draw_overlay(planned_bases(sites), planned_towns(sites)),
    }
    return step_page(request, desk, "reveal", "setup/reveal.html", context, status)


def _site(desk: SetupDesk, key: str) -> PlannedSite:
    sites = planned_sites(desk.round, KINDS.BASE, KINDS.PORTAL)
    found = next((site for site in sites if str(site.pk) == key), None)
    if found is None:
        raise Http404("There is no such base.")
    return found


def _accept_all(request: HttpRequest, desk: SetupDesk) -> HttpResponse:
    sites = planned_sites(desk.round, KINDS.BASE, KINDS.PORTAL)
    read = {site.pk: request.POST[key] for site in sites if (key := f"version-{site.pk}") in request.POST}
    versions = {pk: int(text) for pk, text in read.items() if text.isascii() and text.isdigit() and len(text) < 9}
    try:
        accepted = accept_descriptions(round=desk.round, judge=desk.judge, versions=versions, now=timezone.now())
    except Refused as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"Accepted: {accepted}.")
    return redirect("setup-descriptions", desk.round.slug)


def _decide(
    request: HttpRequest, desk: SetupDesk, site: PlannedSite, *, accept: bool, context: dict[str, Any] | None = None
) -> HttpResponse:
    try:
        decided = decide_description(
            round=desk.round,
            judge=desk.judge,
            site_id=site.pk,
            accept=accept,
            reason=request.POST.get("reason", ""),
            base_version=version_of(request),
            now=timezone.now(),
        )
    except Refused as error:
        if context is not None:
            given = {**context, "refused": error}
            return step_page(request, desk, "descriptions", "setup/description.html", given, 422)
        messages.error(request, str(error))
    else:
        word = "accepted" if decided.state == HandedIn.ACCEPTED else "refused"
        messages.success(request, f"The description of {site.name} is {word}.")
    return redirect("setup-descriptions", desk.round.slug)
