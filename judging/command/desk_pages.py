"""1.3, 1.6, 5: the desk on which judges decide about control, ranks, names and admission."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext

from judging.command.control.powers import authorise
from judging.command.control.request_writes import AskedControl, change_list, decide_request
from judging.command.desk import CommandDesk, TeamDesk, command_desk
from judging.command.people.absence import reject_declaration
from judging.command.people.forms import read_rank, told_of
from judging.command.people.invitations import admit_invited
from judging.command.people.joining import accept_admission, overrule_admission, refuse_admission
from judging.command.people.ranks import give_rank, told_rank
from judging.command.people.screen_names import decide_name
from judging.game.acting import answer, asks_or_acts, number_of
from judging.game.errors import Refused
from judging.game.forms import new_token
from judging.game.judge_site import site
from judging.game.judges import User, judge_of, rounds_of
from judging.game.viewer import viewer_of
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules.command.control_list import Wish
from wargame.rules.core.sides import Side


@asks_or_acts
def command(request: HttpRequest, round_id: int) -> HttpResponse:
    """5: one round's teams as its judges see them; a POST is one act, with its reason."""
    user = cast(User, request.user)
    round_ = rounds_of(user).filter(pk=round_id).first()
    desk = command_desk(viewer_of(user, round_), timezone.now()) if round_ else None
    if round_ is None or desk is None:
        raise Http404(gettext("You can't decide on control lists of this round."))
    pressed = ACTS.get(request.POST.get("act", ""), _unknown)
    page, act = partial(_page, request, desk), partial(pressed, request, desk, timezone.now())
    return answer(request, page, act, status=409)


def _unknown(request: HttpRequest, desk: CommandDesk, now: datetime) -> str:
    raise Refused(gettext("You can't do that here."))


def _request(request: HttpRequest, desk: CommandDesk, now: datetime) -> str:
    """5.2.2.2."""
    found = next((view.row for view in desk.requests if view.row.pk == _key(request, "request")), None)
    if found is None:
        raise Refused(gettext("This request has already been decided or withdrawn."), "5.2.2.2")
    grant = _answer(request)
    decide_request(request=found, judge=_list_judge(request, desk), grant=grant, reason=_reason(request), now=now)
    return gettext("You granted the exception.") if grant else gettext("You declined the request.")


def _list(request: HttpRequest, desk: CommandDesk, now: datetime) -> str:
    """5.2.1, 1.3."""
    team = _team(request, desk)
    army = next((army for army in team.armies if army.pk == _key(request, "army")), None)
    to = next((player for player in team.players if player.pk == _key(request, "to")), None)
    if army is None or (to is None and request.POST.get("to") != "nobody"):
        raise Refused(gettext("Choose an army, then a player on its side or “no one”."), "5.2.1")
    wish = Wish(army.name, (to.name,) if to else ())
    asked = AskedControl((wish,), request.POST.get("token", ""), {})
    judge = _list_judge(request, desk)
    side, reason = team.team.side, _reason(request)
    made = change_list(round=desk.round, judge=judge, side=side, asked=asked, reason=reason, now=now)
    if to is None:
        return gettext("No one controls %(armies)s now.") % {"armies": army.name}
    facts = {"army": army.name, "player": to.name, "turn": made.runs_out_in}
    if made.runs_out_in:
        told = gettext("%(player)s now controls %(army)s as an exception, until turn %(turn)s locks.")
        return told % facts
    return gettext("%(player)s now controls %(army)s.") % facts


def _power(request: HttpRequest, desk: CommandDesk, now: datetime) -> str:
    """5.2.2.2."""
    team = _team(request, desk)
    people = {player.pk: player.name for player in team.players}
    names = [people[key] for key in (_key(request, "first"), _key(request, "second")) if key in people]
    judge = _list_judge(request, desk)
    authorise(round=desk.round, judge=judge, side=team.team.side, names=names, reason=_reason(request), now=now)
    return gettext("Now allowed to ask for changes: %(what)s.") % {
        "what": gettext(" and ").join(names) or gettext("no one")
    }


def _rank(request: HttpRequest, desk: CommandDesk, now: datetime) -> str:
    """1.1, 2.5.2.1."""
    team = _team(request, desk)
    player = next((player for player in team.players if player.pk == _key(request, "player")), None)
    if player is None:
        raise Refused(gettext("Choose a player."), "1.1")
    rank = read_rank(request.POST.get("rank", ""), team.team.side)
    judge = _battle_judge(request, desk)
    outcome = give_rank(round=desk.round, by=judge, player=player, rank=rank, reason=_reason(request), now=now)
    return told_rank(player.name, rank, team.team.side, outcome)


def _name(request: HttpRequest, desk: CommandDesk, now: datetime) -> str:
    """1.6."""
    change = next((change for change in desk.names if change.pk == _key(request, "change")), None)
    if change is None:
        raise Refused(gettext("This request has already been decided or withdrawn."), "1.6")
    grant = _answer(request)
    decide_name(change=change, judge=_battle_judge(request, desk), grant=grant, reason=_reason(request), now=now)
    return (
        gettext("%(old)s is now called %(new)s.") % {"old": change.old, "new": change.new}
        if grant
        else gettext("%(old)s will keep their current name.") % {"old": change.old}
    )


def _declaration(request: HttpRequest, desk: CommandDesk, now: datetime) -> str:
    """5.1."""
    found = next((row for row in desk.declarations if row.pk == _key(request, "declaration")), None)
    if found is None:
        raise Refused(gettext("This declaration no longer counts."), "5.1")
    reject_declaration(declaration=found, judge=_battle_judge(request, desk), reason=_reason(request), now=now)
    return gettext("%(name)s no longer counts as inactive.") % {"name": found.player.name}


def _admission(request: HttpRequest, desk: CommandDesk, now: datetime) -> str:
    """1.1."""
    found = next((row for row in desk.admissions if row.pk == _key(request, "admission")), None)
    if found is None:
        raise Refused(gettext("This request for admission has already been decided."), "1.1")
    judge = _battle_judge(request, desk)
    if not _answer(request):
        refuse_admission(admission=found, by=judge, reason=_reason(request), now=now)
        return gettext("You refused to admit %(name)s.") % {"name": found.name}
    rank = read_rank(request.POST.get("rank", ""), Side(found.side))
    player = accept_admission(admission=found, by=judge, rank=rank, now=now)
    return gettext("%(name)s now plays for %(title)s.") % {"name": player.name, "title": Side(found.side).title}


def _invited(request: HttpRequest, desk: CommandDesk, now: datetime) -> str:
    """1.1."""
    judge = _battle_judge(request, desk)
    return told_of(
        *admit_invited(round=desk.round, by=judge, sides=[each.team.side.value for each in desk.teams], now=now)
    )


def _overrule(request: HttpRequest, desk: CommandDesk, now: datetime) -> str:
    """1.1, 1.3."""
    found = next((row.player for row in desk.taken_in if row.pk == _key(request, "taken")), None)
    if found is None:
        raise Refused(gettext("None of your assistants admitted that player."), "1.1")
    gone = overrule_admission(player=found, judge=_battle_judge(request, desk), reason=_reason(request), now=now)
    return gettext("%(name)s no longer plays for %(title)s.") % {"name": gone.name, "title": Side(gone.side).title}


Act = Callable[[HttpRequest, CommandDesk, datetime], str]
ACTS: dict[str, Act] = {
    "request": _request,
    "list": _list,
    "power": _power,
    "rank": _rank,
    "name": _name,
    "declaration": _declaration,
    "admission": _admission,
    "invited": _invited,
    "overrule": _overrule,
}


def _page(request: HttpRequest, desk: CommandDesk, *, refused: Refused | None = None) -> HttpResponse:
    typed = {key: value for key, value in request.POST.items() if key != "csrfmiddlewaretoken"}
    context = {
        **site.each_context(request),
        "title": gettext("Teams and control: %(round)s") % {"round": desk.round},
        "subtitle": None,
        "desk": desk,
        "token": new_token(),
        "refused": refused,
        "typed": typed if refused else {},
    }
    return TemplateResponse(request, "judge/command.html", context)


def _team(request: HttpRequest, desk: CommandDesk) -> TeamDesk:
    found = next((team for team in desk.teams if team.team.side == request.POST.get("side")), None)
    if found is None:
        raise Refused(gettext("Choose one of the two teams."), "1.1")
    return found


def _answer(request: HttpRequest) -> bool:
    return request.POST.get("answer") == "yes"


def _reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "")


def _key(request: HttpRequest, field: str) -> int:
    return number_of(request.POST.get(field, ""))


def _battle_judge(request: HttpRequest, desk: CommandDesk) -> Judge | None:
    return judge_of(cast(User, request.user), desk.round, Role.BATTLE)


def _list_judge(request: HttpRequest, desk: CommandDesk) -> Judge | None:
    """1.3: as battle judge, who is the head judge, where somebody is both."""
    return _battle_judge(request, desk) or judge_of(cast(User, request.user), desk.round, Role.MOVEMENT)
