"""R38: the pages on which everybody can recompute a round, turn by turn."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.accounts.throttling import Crowded, is_too_often
from judging.chain.anchors import anchors_of, stamp_of
from judging.chain.queries import find_head, head_of
from judging.common.shortcuts import turn_for, viewer_for
from judging.verification.verdicts import chain_verdict, turn_row, turn_rows, verdict_of

RETRY_SECONDS = 3
LONGEST_HEAD = 200
MOST_HEADS, MOST_FRESH = 20, 10
WITHIN = 60
"""How many hashes, and fresh verdicts, an IP address may request within this many seconds."""


@require_safe
def verify(request: HttpRequest, slug: str) -> HttpResponse:
    """The turns with the results of recomputing them; nothing is recomputed for this page."""
    viewer = viewer_for(request, slug)
    turns = turn_rows(viewer.round, timezone.now(), request.GET.get("page", "1"))
    return render(request, "verifying/verify.html", {"viewer": viewer, "round": viewer.round, "turns": turns})


@require_safe
def verify_turn(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One turn, recomputed now if that was not done lately, or with `?fresh=1`: its row for htmx, else a full page."""
    viewer, now = viewer_for(request, slug), timezone.now()
    turn = turn_for(viewer.round, number)
    fresh = bool(request.GET.get("fresh")) and not is_too_often(request, "recompute", MOST_FRESH, WITHIN)
    verdict, crowded = None, None
    try:
        verdict = verdict_of(request, turn, now, fresh=fresh)
    except Crowded as error:
        crowded = error
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "turn": turn,
        "verdict": verdict,
        "crowded": crowded,
        "row": turn_row(turn, now),
        "retry": RETRY_SECONDS,
    }
    if request.headers.get("HX-Request"):
        return render(request, "verifying/_row.html", {**context, "is_asked": True})
    response = render(request, "verifying/turn.html", context, status=crowded.status_code if crowded else 200)
    if crowded:
        response["Retry-After"] = str(RETRY_SECONDS)
    return response


@require_safe
def verify_chain(request: HttpRequest, slug: str) -> HttpResponse:
    """R38: all rows of the round compared with its chain, and the link of a hash that the user has noted."""
    viewer, now = viewer_for(request, slug), timezone.now()
    verdict, crowded, head = None, None, request.GET.get("head", "")[:LONGEST_HEAD]
    try:
        verdict = chain_verdict(request, viewer.round, now)
    except Crowded as error:
        crowded = error
    is_asked = bool(head.strip())
    is_stopped = is_asked and is_too_often(request, "head", MOST_HEADS, WITHIN)
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "verdict": verdict,
        "crowded": crowded,
        "head": head_of(viewer.round, now),
        "given": head,
        "kept": find_head(viewer.round, head) if is_asked and not is_stopped else None,
        "is_stopped": is_stopped,
        "anchors": anchors_of(viewer.round),
    }
    status = 429 if is_stopped else crowded.status_code if crowded else 200
    response = render(request, "verifying/chain.html", context, status=status)
    if crowded:
        response["Retry-After"] = str(RETRY_SECONDS)
    return response


@require_safe
def stamp(request: HttpRequest, slug: str, key: int) -> HttpResponse:
    """R38: an authority's timestamp of a hash, as a file that OpenSSL checks."""
    content = stamp_of(viewer_for(request, slug).round, key)
    if content is None:
        raise Http404(gettext("There is no hash of this round with that stamp."))
    name = f'attachment; filename="{slug}-{key}.tsr"'
    return HttpResponse(content, content_type="application/timestamp-reply", headers={"Content-Disposition": name})
