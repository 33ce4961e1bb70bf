"""2.5.2.2: Raising an army: the list of musters, and the form of one. Errors never lose typed text."""

import json
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from judging.armies.models import Muster
from judging.armies.musters.forms import EDITS, begin, edited, picker_of, ranks_of, text_from, version_of, write
from judging.armies.musters.services import (
    bases_of,
    can_be_raised,
    may_write,
    missing_players,
    muster_for,
    musters_for,
    surroundings_for,
    text_of,
)
from judging.armies.musters.validation import Judged, MusterText, judged
from judging.common.control import is_leader
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_button, handle_form
from judging.common.forms import new_token
from judging.common.shortcuts import ask_to_log_in, keep, take_kept, viewer_for
from judging.common.viewer import Viewer
from wargame.models.choices import Role
from wargame.rules.armies.muster_list import write_list
from wargame.rules.core.board import COLORS
from wargame.rules.core.sides import Rank, Side


@require_safe
@login_required
def musters(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.2: The musters that the viewer may see, missing players, and the buttons that begin a new one."""
    viewer = viewer_for(request, slug)
    player, is_judge = viewer.player, viewer.is_judge(Role.BATTLE)
    leads = is_leader(player)
    rows = musters_for(viewer)
    side = "" if is_judge else str(player.side) if player else ""
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "musters": rows,
        "has_own": any(player and muster.namesake_id == player.pk for muster in rows),
        "is_open": can_be_raised(viewer.round),
        "leads": leads,
        "missing": missing_players(viewer.round, side) if leads or is_judge else [],
        "ranks": ranks_of(Side(player.side)) if player else [],
        "token": new_token(),
    }
    return render(request, "musters/musters.html", context)


@require_POST
@login_required
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.2.2: Begin the viewer's own muster, or a proxy's with the chosen rank."""
    viewer = viewer_for(request, slug)
    rank, token = request.POST.get("rank", ""), request.POST.get("token", "") or new_token()
    return handle_button(request, partial(begin, viewer, rank, token, timezone.now()), reverse("musters", args=[slug]))


@get_or_post
def muster(request: HttpRequest, slug: str, muster_id: int) -> HttpResponse:
    """2.5.2.2: The form of a muster; a POST does the action of its button."""
    viewer, key = viewer_for(request, slug), f"muster:{muster_id}"
    if not request.user.is_authenticated:
        return _logged_out(request, key)
    record, pressed = _muster_or_404(viewer, muster_id), request.POST.get("act", "save")
    draft = (
        _typed(request, record) if request.method == "POST" else _kept_muster(request, key, record) or text_of(record)
    )
    if pressed.startswith(EDITS):
        draft = edited(draft, pressed, request.POST)
        if request.headers.get("HX-Request"):
            return render(request, "musters/_edited.html", _context(request, viewer, record, draft))

    def page(*, refused: Refused | None = None) -> HttpResponse:
        # Where the judge can't have it, it is saved all the same and has another version.
        row = (muster_for(viewer, muster_id) if refused else None) or record
        return _page(request, viewer, row, draft, refused, is_checked=refused is not None or pressed == "check")

    version = version_of(request.POST.get("version", ""))
    act = partial(write, viewer, record, draft, pressed, version, timezone.now())
    return handle_form(request, page, act if pressed in ("save", "send", "drop") else None)


@require_POST
@login_required
def preview(request: HttpRequest, slug: str, muster_id: int) -> HttpResponse:
    """2.1, 2.2: The rules' findings on the typed muster, as a fragment."""
    viewer = viewer_for(request, slug)
    row = _muster_or_404(viewer, muster_id)
    return render(request, "musters/_previewed.html", _context(request, viewer, row, _typed(request, row)))


@require_POST
@login_required
def find(request: HttpRequest, slug: str, muster_id: int) -> HttpResponse:
    """2.2.1: The picker's search results, as a fragment."""
    viewer = viewer_for(request, slug)
    row = _muster_or_404(viewer, muster_id)
    picker = picker_of(request.POST, _typed(request, row))
    address = reverse("muster", args=[slug, muster_id])
    return render(request, "musters/_picks.html", {"picker": picker, "address": address})


@require_safe
@login_required
def download(request: HttpRequest, slug: str, muster_id: int) -> HttpResponse:
    """2.5.2.2: the saved list as text, which can be pasted again."""
    viewer = viewer_for(request, slug)
    row = _muster_or_404(viewer, muster_id)
    result = judged(text_of(row), surroundings_for(row))
    colors = ", ".join(row.colors)
    text = write_list(Rank(row.rank), result.muster.entries, name=row.name, legend=row.legend, colors=colors)
    unread = [line.line.text for slot in result.slots for line in slot.lines if line.creature is None]
    text += "".join(f"# {line}\n" for line in ([gettext("We couldn't read these lines:"), *unread] if unread else []))
    response = HttpResponse(text, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="muster-{row.pk}.txt"'
    return response


def _context(request: HttpRequest, viewer: Viewer, row: Muster, draft: MusterText) -> dict[str, object]:
    result: Judged = judged(draft, surroundings_for(row))
    side = row.side
    return {
        "round": viewer.round,
        "viewer": viewer,
        "muster": row,
        "typed": draft,
        "judged": result,
        "side": side,
        "colors": COLORS if side is Side.COALITION else (),
        "ranks": ranks_of(side),
        "bases": bases_of(viewer.round, side, draft.colors),
        "address": reverse("muster", args=[viewer.round.slug, row.pk]),
        "preview_url": reverse("muster-preview", args=[viewer.round.slug, row.pk]),
        "find_url": reverse("muster-find", args=[viewer.round.slug, row.pk]),
        "all_colors": COLORS,
        "may_fix": True,
    }


def _page(
    request: HttpRequest, viewer: Viewer, row: Muster, draft: MusterText, refused: Refused | None, *, is_checked: bool
) -> HttpResponse:
    context = _context(request, viewer, row, draft) | {"refused": refused, "is_checked": is_checked}
    context["may_write"] = may_write(viewer, row) and can_be_raised(viewer.round) and row.state != "accepted"
    context["picker"] = picker_of(request.POST, draft)
    return render(request, "musters/muster.html", context)


def _muster_or_404(viewer: Viewer, muster_id: int) -> Muster:
    muster = muster_for(viewer, muster_id)
    if muster is None:
        raise Http404(gettext("There is no such muster, or you can't see it."))
    muster.round = viewer.round
    return muster


def _typed(request: HttpRequest, row: Muster) -> MusterText:
    return text_from(request.POST, text_of(row), is_proxy=row.namesake_id is None)


def _logged_out(request: HttpRequest, key: str) -> HttpResponse:
    """The user was logged out: the form waits under the key until its owner is back."""
    if request.method == "POST":
        messages.warning(request, gettext("You were logged out, and nothing was saved. What you typed is still here."))
        fields = {name: request.POST.getlist(name) for name in request.POST if name != "csrfmiddlewaretoken"}
        keep(request, key, json.dumps(fields))
    return ask_to_log_in(request, key, request.path)


def _kept_muster(request: HttpRequest, key: str, row: Muster) -> MusterText | None:
    text = take_kept(request, key)
    if not text:
        return None
    post = request.POST.copy()
    for name, values in json.loads(text).items():
        post.setlist(name, values)
    return text_from(post, text_of(row), is_proxy=row.namesake_id is None)
