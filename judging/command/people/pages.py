"""1.1: the players of both teams, and joining one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from math import ceil

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_POST, require_safe

from judging.command.control.reads import players_of
from judging.command.control.requests import may_ask
from judging.command.models import Admission, Declaration
from judging.command.people.absence import declare_inactive, withdraw_declaration
from judging.command.people.invitations import (
    accept_invitation,
    admit_invited,
    decline_invitation,
    invitation_of,
    invited_who_ask,
)
from judging.command.people.joining import (
    accept_admission,
    ask_admission,
    refuse_admission,
    withdraw_admission,
)
from judging.command.people.ranks import give_rank, told_rank
from judging.command.people.roster import (
    NO_RANK,
    PlayerView,
    admissions_for,
    has_leader,
    leads,
    own_admission,
    player_view,
    rank_choices,
    teams,
    usual_wait,
)
from judging.command.waiting import players_without_army
from judging.game.acting import Done, answer, asks_or_acts, press
from judging.game.errors import Refused
from judging.game.forms import new_token
from judging.game.pages import ask_to_log_in, take_kept, viewer_for
from judging.game.viewer import Viewer
from wargame.models import Player, Round
from wargame.models.choices import RoundState
from wargame.rules.command.ranks import rank_title
from wargame.rules.core.board import COLORS
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.wording import listed


@require_safe
def players(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: both teams: who plays with which rank, who is active, who is away, and who asks for admission."""
    viewer, now = viewer_for(request, slug), timezone.now()
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "teams": teams(viewer.round, now),
        "leads": viewer.player is not None and leads(viewer, viewer.player.side),
        "gives": may_ask(viewer) and viewer.round.state == RoundState.RUNNING,
        "own": own_admission(viewer) if viewer.user_id and not viewer.player else None,
    }
    return render(request, "command/players.html", context)


@asks_or_acts
def player(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """1.1, 1.6: one player: ranks, armies, leaves, names. A POST is an act of one of his leaders."""
    viewer, now = viewer_for(request, slug), timezone.now()
    found = player_view(viewer.round, name, now) if "\0" not in name else None
    if found is None:
        raise Http404(gettext("No one in this round is called “%(name)s”.") % {"name": name[:60]})

    def act() -> Done:
        return Done(_lead(request, viewer, found), reverse("player", args=[slug, found.member.player.name]))

    return answer(request, partial(_player_page, request, viewer, found, now), act)


def _lead(request: HttpRequest, viewer: Viewer, found: PlayerView) -> str:
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
        told = told_rank(target.name, rank, found.side, outcome)
        needs = gettext("They need a new army (5.3.4).") if outcome.needs_army else ""
        return f"{told} {needs}".rstrip()
    if act == "inactive":
        declare_inactive(player=target, by=viewer.player, reason=reason, now=now)
        return gettext("You declared %(name)s inactive until they post again. The battle judge can reject this.") % {
            "name": target.name
        }
    if act == "active" and found.member.declaration is not None:
        withdraw_declaration(declaration=found.member.declaration, by=viewer.player, now=now)
        return gettext("You withdrew the declaration.")
    raise Refused(gettext("You can't do that here any more. Reload the page."))


def read_rank(value: str, side: Side) -> Rank | None:
    """1.1: the rank that was chosen; None for a Drudge or Cadet. Refused for what is none, and if none was chosen."""
    if value == NO_RANK:
        return None
    if not value:
        raise Refused(gettext("Choose a rank."), "1.1", "rank")
    rank = next((rank for rank in Rank if rank.value == value), None)
    if rank is None:
        raise Refused(
            gettext("“%(value)s” is not a rank of %(title)s.") % {"value": value[:30], "title": side.title},
            "1.1",
            "rank",
        )
    return rank


def _player_page(
    request: HttpRequest, viewer: Viewer, found: PlayerView, now: datetime, *, refused: Refused | None = None
) -> HttpResponse:
    may_lead = leads(viewer, found.side) and found.member.player.left_at is None
    declaration: Declaration | None = found.member.declaration
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "found": found,
        "leads": may_lead,
        "choices": rank_choices(viewer.round, found.side, now) if may_lead else (),
        "declaration": declaration,
        "refused": refused,
        "typed": {key: request.POST.get(key, "") for key in ("act", "rank", "reason")} if refused else {},
        "is_self": viewer.player is not None and viewer.player.pk == found.member.player.pk,
    }
    return render(request, "command/player.html", context)


@dataclass(frozen=True)
class TypedAdmission:
    """1.1: what stands in the form of a request for admission."""

    side: str = ""
    name: str = ""
    text: str = ""
    factions: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[tuple[int, str], ...]:
        """1.1.2: the three claims, with what is chosen."""
        chosen = (*self.factions, "", "", "")
        return tuple((place, chosen[place - 1]) for place in (1, 2, 3))


@asks_or_acts
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: the form with which somebody asks a team for admission, and what became of it."""
    viewer, key = viewer_for(request, slug), f"join:{slug}"
    if not request.user.is_authenticated:
        is_sent = request.method == "POST"
        return ask_to_log_in(request, key, request.path) if is_sent else _join(request, viewer, TypedAdmission(), None)
    name = request.user.get_username()

    def page(*, refused: Refused | None = None) -> HttpResponse:
        is_sent = request.method == "POST"
        typed = (
            _typed(request) if is_sent else TypedAdmission(request.GET.get("side", ""), name, take_kept(request, key))
        )
        return _join(request, viewer, typed, refused)

    def act() -> str:
        return _ask_or_withdraw(request, viewer, User.objects.get(username=name), timezone.now())

    return answer(request, page, act)


@asks_or_acts
@login_required
def admissions(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: who asks a team for admission; its leaders accept with a rank, or refuse with a reason."""
    viewer = viewer_for(request, slug)
    asked = request.POST.get("admission", "")
    found = next((row for row in admissions_for(viewer) if str(row.pk) == asked), None)

    def act() -> str | Done:
        if request.POST.get("act") == "invited" and viewer.player is not None:
            side = viewer.player.side
            return told_of(*admit_invited(round=viewer.round, by=viewer.player, sides=[side], now=timezone.now()))
        if found is None:
            raise Refused(gettext("There is no such request for admission, or you can't decide on it."), "1.1")
        return _decide(request, viewer, found)

    return answer(request, partial(_admissions, request, viewer, found), act)


@require_POST
@login_required
def invitation(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: the buttons by which an invitation is accepted or declined."""
    viewer = viewer_for(request, slug)
    found, user = invitation_of(viewer.round, request.user), User.objects.get(username=request.user.get_username())
    if found is None:
        raise Http404(gettext("You are not invited to this round."))

    def act() -> Done:
        if request.POST.get("act") == "decline":
            decline_invitation(invitation=found, user=user, now=timezone.now())
            return Done(
                gettext("You have declined. You can still ask for admission to %(name)s.") % {"name": viewer.round.name}
            )
        asked = accept_invitation(invitation=found, user=user, now=timezone.now())
        return Done(
            gettext("%(side_told)s has your request for admission.") % {"side_told": side_told(asked.side)},
            reverse("join", args=[slug]),
        )

    return press(request, act, reverse("rounds"))


def side_told(side: str) -> str:
    """1.1: a team as a sentence begins with it."""
    title = Side(side).title
    return f"{title[0].upper()}{title[1:]}"


def told_of(taken: Sequence[Player], why_not: Sequence[str]) -> str:
    """1.1: what came of taking in all who were invited."""
    number = len(taken)
    said = ngettext("%(number)s player was admitted.", "%(number)s players were admitted.", number) % {"number": number}
    return " ".join([said, *(gettext("Not admitted: %(sentence)s") % {"sentence": sentence} for sentence in why_not)])


def _ask_or_withdraw(request: HttpRequest, viewer: Viewer, user: User, now: datetime) -> str:
    own = own_admission(viewer)
    if request.POST.get("act") == "withdraw":
        if own is None:
            raise Refused(gettext("You haven't asked for admission."), "1.1")
        withdraw_admission(admission=own, user=user, now=now)
        return gettext("You withdrew your request.")
    typed = _typed(request)
    asked = ask_admission(
        round=viewer.round,
        user=user,
        side=typed.side,
        name=typed.name,
        text=typed.text,
        factions=typed.factions,
        token=request.POST.get("token", ""),
        now=now,
    )
    is_led = has_leader(viewer.round, asked.side)
    decides = (
        gettext("Its leaders will decide.")
        if is_led
        else gettext("It has no leaders yet, so the battle judge will decide.")
    )
    told = gettext("%(side_told)s has your request. %(decides)s") % {
        "side_told": side_told(asked.side),
        "decides": decides,
    }
    later = gettext("You haven't claimed a faction. You can claim one on Your profile once you have joined the round.")
    return f"{told} {later}" if _claims_later(asked) else told


def _claims_later(asked: Admission) -> bool:
    """1.1.2: a Coalition player may claim factions, and need not."""
    return asked.side == Side.COALITION and not asked.factions


def _decide(request: HttpRequest, viewer: Viewer, found: Admission) -> Done:
    """1.1: what is told of the answer; who may give the newcomer an army is led to the page on which he does."""
    now = timezone.now()
    if request.POST.get("act") == "accept":
        rank = read_rank(request.POST.get("rank", ""), Side(found.side))
        player = accept_admission(admission=found, by=viewer.player, rank=rank, now=now)
        told = gettext("%(name)s has joined your team as %(rank_title)s.") % {
            "name": player.name,
            "rank_title": rank_title(rank, Side(found.side)),
        }
        if rank is None or player.controls.exists():
            return Done(told)
        if viewer.round.state == RoundState.SETUP:
            return Done(gettext("%(told)s They can now raise their army under Musters.") % {"told": told})
        if may_ask(viewer):
            return Done(
                gettext("%(told)s Next, give them an army.") % {"told": told},
                reverse("give-army", args=[viewer.round.slug, player.name]),
            )
        return Done(f"{told} {who_gives(viewer.round, Side(found.side))}")
    refuse_admission(admission=found, by=viewer.player, reason=request.POST.get("reason", ""), now=now)
    return Done(gettext("You refused to admit %(name)s. They can read your reason.") % {"name": found.name})


def who_gives(round: Round, side: Side) -> str:
    """5.2.2.1: who may ask for changes of a side's list, in a sentence."""
    names = [player.name for player in players_of(round, side) if player.may_change_control]
    if not names:
        return gettext("No one on the team can ask for changes to the control list. A judge can give them an army.")
    return gettext("%(listed)s can give them an army.") % {"listed": listed(names)}


def _typed(request: HttpRequest) -> TypedAdmission:
    side, name, text = (request.POST.get(key, "") for key in ("side", "name", "text"))
    return TypedAdmission(side, name, text, factions_of(request))


def factions_of(request: HttpRequest) -> tuple[str, ...]:
    """1.1.2: the factions that were chosen in a form, the one of the rank first."""
    chosen = (request.POST.get(f"faction{place}", "") for place in (1, 2, 3))
    return tuple(faction for faction in chosen if faction)


def _join(request: HttpRequest, viewer: Viewer, typed: TypedAdmission, refused: Refused | None) -> HttpResponse:
    own, found = own_admission(viewer) if viewer.user_id else None, teams(viewer.round, timezone.now())
    leaders = next((team.leaders for team in found if own and team.side == own.side), ())
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "teams": found,
        "colors": COLORS,
        "own": own,
        "own_is_led": own is not None and has_leader(viewer.round, own.side),
        "own_leaders": leaders,
        "leader_names": ", ".join(f"{member.player.name} ({member.title})" for member in leaders),
        "wait": rough_wait(usual_wait(viewer.round)) if own and own.state == Admission.State.ASKED else "",
        "typed": typed,
        "token": new_token(),
        "refused": refused,
    }
    return render(request, "command/join.html", context)


def rough_wait(wait: timedelta | None) -> str:
    """1.1: how long an answer takes as somebody would say it; a day or two where nobody can know."""
    if wait is None:
        return gettext("within a day or two")
    hours = wait / timedelta(hours=1)
    if hours < 1:
        return gettext("within the hour")
    if hours <= 24:
        return gettext("within half a day") if hours <= 12 else gettext("within a day")
    days = ceil(hours / 24)
    return ngettext("within %(days)s day", "within %(days)s days", days) % {"days": days}


def _admissions(
    request: HttpRequest, viewer: Viewer, at: Admission | None, *, refused: Refused | None = None
) -> HttpResponse:
    side, rows = viewer.side, admissions_for(viewer)
    decides = side is not None and leads(viewer, side)
    gives = may_ask(viewer) and viewer.round.state == RoundState.RUNNING
    is_shown = decides and any(at == row and row.state == Admission.State.ASKED for row in rows)
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "admissions": rows,
        "choices": rank_choices(viewer.round, side, timezone.now()) if side else (),
        "decides": decides,
        "gives": gives,
        "waits_for_army": set(players_without_army(viewer.player, timezone.now()).values_list("pk", flat=True))
        if viewer.player and gives
        else (),
        "invited": len(invited_who_ask(viewer.round, [side.value])) if side and decides else 0,
        "at": at.pk if at and is_shown else None,
        "refused": refused,
        "typed": {key: request.POST.get(key, "") for key in ("rank", "reason")} if refused else {},
    }
    return render(request, "command/admissions.html", context)
