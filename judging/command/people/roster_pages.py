"""1.1, 5.1: the players of both teams, and the page of one; its leaders give ranks and declare inactive there."""

from __future__ import annotations

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from judging.command.models import Declaration
from judging.command.people.absence import declare_inactive, withdraw_declaration
from judging.command.people.ranks import give_rank
from judging.command.people.roster import NO_RANK, PlayerView, leads, own_admission, player_view, rank_choices, teams
from judging.game.acting import Done, answer, asks_or_acts
from judging.game.errors import Refused
from judging.game.pages import viewer_for
from judging.game.viewer import Viewer
from wargame.rules.command.ranks import rank_title
from wargame.rules.core.sides import Rank, Side


@require_safe
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: both teams: who plays with which rank, who is active, who is away, and who asks for admission."""
    viewer, now = viewer_for(request, slug), timezone.now()
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "teams": teams(viewer.round, now),
        "leads": viewer.player is not None and leads(viewer, viewer.player.side),
        "own": own_admission(viewer) if viewer.user_id and not viewer.player else None,
    }
    return render(request, "command/players.html", context)


@asks_or_acts
def player(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """1.1, 1.6: one player: ranks, armies, leaves, names. A POST is an act of one of his leaders."""
    viewer = viewer_for(request, slug)
    found = player_view(viewer.round, name, timezone.now()) if "\0" not in name else None
    if found is None:
        raise Http404(f"Nobody is called “{name[:60]}” in this round.")

    def act() -> Done:
        return Done(_act(request, viewer, found), reverse("player", args=[slug, found.member.player.name]))

    return answer(request, partial(_page, request, viewer, found), act)


def _act(request: HttpRequest, viewer: Viewer, found: PlayerView) -> str:
    """What the pressed button asks for; what to say of it."""
    act, now, target = request.POST.get("act", ""), timezone.now(), found.member.player
    reason = request.POST.get("reason", "")
    if act == "rank":
        rank = read_rank(request.POST.get("rank", ""), found.side)
        outcome = give_rank(
            round=viewer.round,
            by=viewer.player,
            player=target,
            rank=rank,
            reason=reason,
            shown=request.POST.get("shown"),
            now=now,
        )
        freed = f" Nobody controls {' and '.join(outcome.freed)} now (5.3.1)." if outcome.freed else ""
        needs = " A new army must be found for him (5.3.4)." if outcome.needs_army else ""
        return f"{target.name} is {rank_title(rank, found.side)} now.{freed}{needs}"
    if act == "inactive":
        declare_inactive(player=target, by=viewer.player, reason=reason, now=now)
        return f"{target.name} is declared inactive until he posts again; the battle judge may reject it."
    if act == "active" and found.member.declaration is not None:
        withdraw_declaration(declaration=found.member.declaration, by=viewer.player, now=now)
        return "The declaration is taken back."
    raise Refused("There is nothing like that to do here any more. Look at the page again.")


def read_rank(value: str, side: Side) -> Rank | None:
    """1.1: the rank that was chosen; None for a Drudge or Cadet. Refused for what is none, and if none was chosen."""
    if value == NO_RANK:
        return None
    if not value:
        raise Refused("Choose a rank.", "1.1", "rank")
    rank = next((rank for rank in Rank if rank.value == value), None)
    if rank is None:
        raise Refused(f"“{value[:30]}” is no rank of {side.title}.", "1.1", "rank")
    return rank


def _page(request: HttpRequest, viewer: Viewer, found: PlayerView, *, refused: Refused | None = None) -> HttpResponse:
    may_lead = leads(viewer, found.side) and found.member.player.left_at is None
    declaration: Declaration | None = found.member.declaration
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "found": found,
        "leads": may_lead,
        "choices": rank_choices(viewer.round, found.side, timezone.now()) if may_lead else (),
        "declaration": declaration,
        "refused": refused,
        "typed": {key: request.POST.get(key, "") for key in ("act", "rank", "reason")} if refused else {},
        "is_self": viewer.player is not None and viewer.player.pk == found.member.player.pk,
    }
    return render(request, "command/player.html", context)
