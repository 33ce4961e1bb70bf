"""2.5.1: the pages of a team's leaders in a round's set-up: requests, descriptions, win conditions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from judging.game.errors import Refused
from judging.game.pages import viewer_for
from judging.setup.common_pages import logged_in, typed_in, version_of
from judging.setup.reads import setup_of
from judging.setup.steps.team import TeamDesk, team_desk
from judging.setup.steps.team_writes import choose_wins, save_descriptions, save_wish
from judging.setup.steps.wins import WIN_CONDITIONS
from wargame.models.choices import RoundState


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def wish(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.1: what the leaders ask of the judge about the places of their bases."""
    desk, typed = _desk(request, slug), typed_in(request)
    text = (typed.get("text", "") if typed else desk.wish.text if desk.wish else "").replace("\r\n", "\n")
    if request.method != "POST":
        return _page(request, desk, "wish", {"text": text})
    try:
        save_wish(round=desk.round, player=desk.player, text=text, base_version=version_of(request), now=timezone.now())
    except Refused as error:
        return _page(request, desk, "wish", {"text": text, "refused": error}, 422)
    messages.success(request, "Saved. Your leaders and the battle judges can read it.")
    return redirect("setup-team", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def descriptions(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.2: the descriptions of the team's bases."""
    desk, data = _desk(request, slug), typed_in(request)
    typed = _typed_texts(desk, data) if data else {}
    shown = [(site, typed[site.row.pk][0] if site.row.pk in typed else site.row.description) for site in desk.sites]
    if request.method != "POST":
        return _page(request, desk, "descriptions", {"sites": shown})
    act = request.POST.get("act", "save")
    send = set(typed) if act == "send" else {pk for pk in typed if act == f"send {pk}"}
    send -= {pk for pk in send if act == "send" and not typed[pk][0].strip()}
    try:
        sent = save_descriptions(round=desk.round, player=desk.player, typed=typed, send=send, now=timezone.now())
    except Refused as error:
        return _page(request, desk, "descriptions", {"sites": shown, "refused": error}, 422)
    messages.success(request, f"With the judge now: {', '.join(sent)}." if sent else "The drafts are saved.")
    return redirect("setup-team-descriptions", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def wins(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.3: the Coalition's secret choice of its win conditions."""
    desk, typed = _desk(request, slug), typed_in(request)
    if desk.wins is None:
        raise PermissionDenied("All portals are win conditions, so Phyrexia has nothing to choose (2.5.1.3).")
    given = typed.getlist("win") if typed else []
    chosen = {int(key) for key in given if key.isascii() and key.isdigit() and len(key) < 16} if typed else {*desk.wins}
    context: dict[str, Any] = {"chosen": chosen, "wanted": WIN_CONDITIONS}
    if request.method != "POST":
        return _page(request, desk, "wins", context)
    try:
        choose_wins(round=desk.round, player=desk.player, chosen=chosen, now=timezone.now())
    except Refused as error:
        return _page(request, desk, "wins", {**context, "refused": error}, 422)
    messages.success(request, "Your choice is kept. It becomes public with the bases, and not before.")
    return redirect("setup-team-wins", slug)


def _desk(request: HttpRequest, slug: str) -> TeamDesk:
    viewer = viewer_for(request, slug)
    if viewer.round.state != RoundState.SETUP or setup_of(viewer.round) is None:
        raise Http404("The round has begun; its set-up is closed.")
    desk = team_desk(viewer)
    if desk is None:
        raise PermissionDenied("These pages are for the leaders of the two teams (1.1).")
    return desk


def _typed_texts(desk: TeamDesk, data: QueryDict) -> dict[int, tuple[str, int]]:
    """`text-12` and `version-12`, of the bases that the form had a field for."""
    found = {}
    for site in desk.sites:
        text, version = data.get(f"text-{site.row.pk}"), data.get(f"version-{site.row.pk}", "")
        if text is not None:
            number = int(version) if version.isascii() and version.isdigit() and len(version) < 9 else -1
            found[site.row.pk] = (text.replace("\r\n", "\n"), number)
    return found


def _page(
    request: HttpRequest, desk: TeamDesk, page: str, context: Mapping[str, Any], status: int = 200
) -> HttpResponse:
    frame = {"round": desk.round, "desk": desk, "page": page}
    return render(request, f"setup/team_{page}.html", {**frame, **context}, status=status)
