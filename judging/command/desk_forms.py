"""1.3, 1.6, 5: what judges decide about control, ranks, names and admission, by a form or a program."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.http import Http404
from django.utils.translation import gettext

from judging.command.control.powers import authorise
from judging.command.control.requests import AskedControl, change_list, decide_request
from judging.command.desk import CommandDesk, TeamDesk, command_desk
from judging.command.people.absence import reject_declaration
from judging.command.people.admission import accept_admission, admit_invited, overrule_admission, refuse_admission
from judging.command.people.forms import read_rank, told_of
from judging.command.people.ranks import give_rank, told_rank
from judging.command.people.screen_names import decide_name
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.common.judges import User, judge_of, rounds_of
from judging.common.viewer import viewer_of
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules.command.control_list import Wish
from wargame.rules.core.sides import Side


@dataclass(frozen=True)
class TypedDecision:
    """1.3, 5: one act of a judge, as it was typed: people, armies and requests by their keys."""

    act: str
    side: str = ""
    answer: str = ""
    reason: str = ""
    request: str = ""
    army: str = ""
    to: str = ""
    first: str = ""
    second: str = ""
    player: str = ""
    rank: str = ""
    change: str = ""
    declaration: str = ""
    admission: str = ""
    taken: str = ""
    token: str = ""


def desk_for(user: User, round_id: int, now: datetime) -> CommandDesk:
    """1.3: a round's desk for one of its movement and battle judges. Raises Http404 for everybody else."""
    round_ = rounds_of(user).filter(pk=round_id).first()
    desk = command_desk(viewer_of(user, round_), now) if round_ else None
    if desk is None:
        raise Http404(gettext("You can't decide on control lists of this round."))
    return desk


def decide(user: User, desk: CommandDesk, typed: TypedDecision, now: datetime) -> str:
    """1.3, 5: carries out one of ACTS; the message."""
    if typed.act not in ACTS:
        raise Refused(gettext("You can't do that here."))
    return ACTS[typed.act](user, desk, typed, now)


def _request(user: User, desk: CommandDesk, typed: TypedDecision, now: datetime) -> str:
    """5.2.2.2."""
    found = next((view.row for view in desk.requests if view.row.pk == number_of(typed.request)), None)
    if found is None:
        raise Refused(gettext("This request has already been decided or withdrawn."), "5.2.2.2")
    grant = typed.answer == "yes"
    decide_request(request=found, judge=_list_judge(user, desk), grant=grant, reason=typed.reason, now=now)
    return gettext("You granted the exception.") if grant else gettext("You declined the request.")


def _list(user: User, desk: CommandDesk, typed: TypedDecision, now: datetime) -> str:
    """5.2.1, 1.3."""
    team = _team(desk, typed.side)
    army = next((army for army in team.armies if army.pk == number_of(typed.army)), None)
    to = next((player for player in team.players if player.pk == number_of(typed.to)), None)
    if army is None or (to is None and typed.to != "nobody"):
        raise Refused(gettext("Choose an army, then a player on its side or “no one”."), "5.2.1")
    wish = Wish(army.name, (to.name,) if to else ())
    asked = AskedControl((wish,), typed.token, {})
    judge = _list_judge(user, desk)
    side, reason = team.team.side, typed.reason
    made = change_list(round=desk.round, judge=judge, side=side, asked=asked, reason=reason, now=now)
    if to is None:
        return gettext("No one controls %(armies)s now.") % {"armies": army.name}
    facts = {"army": army.name, "player": to.name, "turn": made.runs_out_in}
    if made.runs_out_in:
        told = gettext("%(player)s now controls %(army)s as an exception, until turn %(turn)s locks.")
        return told % facts
    return gettext("%(player)s now controls %(army)s.") % facts


def _power(user: User, desk: CommandDesk, typed: TypedDecision, now: datetime) -> str:
    """5.2.2.2."""
    team = _team(desk, typed.side)
    people = {player.pk: player.name for player in team.players}
    names = [people[key] for key in (number_of(typed.first), number_of(typed.second)) if key in people]
    judge = _list_judge(user, desk)
    authorise(round=desk.round, judge=judge, side=team.team.side, names=names, reason=typed.reason, now=now)
    return gettext("Now allowed to ask for changes: %(what)s.") % {
        "what": gettext(" and ").join(names) or gettext("no one")
    }


def _rank(user: User, desk: CommandDesk, typed: TypedDecision, now: datetime) -> str:
    """1.1, 2.5.2.1."""
    team = _team(desk, typed.side)
    player = next((player for player in team.players if player.pk == number_of(typed.player)), None)
    if player is None:
        raise Refused(gettext("Choose a player."), "1.1")
    rank = read_rank(typed.rank, team.team.side)
    judge = _battle_judge(user, desk)
    outcome = give_rank(round=desk.round, by=judge, player=player, rank=rank, reason=typed.reason, now=now)
    return told_rank(player.name, rank, team.team.side, outcome)


def _name(user: User, desk: CommandDesk, typed: TypedDecision, now: datetime) -> str:
    """1.6."""
    change = next((change for change in desk.names if change.pk == number_of(typed.change)), None)
    if change is None:
        raise Refused(gettext("This request has already been decided or withdrawn."), "1.6")
    grant = typed.answer == "yes"
    decide_name(change=change, judge=_battle_judge(user, desk), grant=grant, reason=typed.reason, now=now)
    return (
        gettext("%(old)s is now called %(new)s.") % {"old": change.old, "new": change.new}
        if grant
        else gettext("%(old)s will keep their current name.") % {"old": change.old}
    )


def _declaration(user: User, desk: CommandDesk, typed: TypedDecision, now: datetime) -> str:
    """5.1."""
    found = next((row for row in desk.declarations if row.pk == number_of(typed.declaration)), None)
    if found is None:
        raise Refused(gettext("This declaration no longer counts."), "5.1")
    reject_declaration(declaration=found, judge=_battle_judge(user, desk), reason=typed.reason, now=now)
    return gettext("%(name)s no longer counts as inactive.") % {"name": found.player.name}


def _admission(user: User, desk: CommandDesk, typed: TypedDecision, now: datetime) -> str:
    """1.1."""
    found = next((row for row in desk.admissions if row.pk == number_of(typed.admission)), None)
    if found is None:
        raise Refused(gettext("This request for admission has already been decided."), "1.1")
    judge = _battle_judge(user, desk)
    if typed.answer != "yes":
        refuse_admission(admission=found, by=judge, reason=typed.reason, now=now)
        return gettext("You refused to admit %(name)s.") % {"name": found.name}
    rank = read_rank(typed.rank, Side(found.side))
    player = accept_admission(admission=found, by=judge, rank=rank, now=now)
    return gettext("%(name)s now plays for %(title)s.") % {"name": player.name, "title": Side(found.side).title}


def _invited(user: User, desk: CommandDesk, typed: TypedDecision, now: datetime) -> str:
    """1.1."""
    judge = _battle_judge(user, desk)
    return told_of(
        *admit_invited(round=desk.round, by=judge, sides=[each.team.side.value for each in desk.teams], now=now)
    )


def _overrule(user: User, desk: CommandDesk, typed: TypedDecision, now: datetime) -> str:
    """1.1, 1.3."""
    found = next((row.player for row in desk.taken_in if row.pk == number_of(typed.taken)), None)
    if found is None:
        raise Refused(gettext("None of your assistants admitted that player."), "1.1")
    gone = overrule_admission(player=found, judge=_battle_judge(user, desk), reason=typed.reason, now=now)
    return gettext("%(name)s no longer plays for %(title)s.") % {"name": gone.name, "title": Side(gone.side).title}


Act = Callable[[User, CommandDesk, TypedDecision, datetime], str]
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


def _team(desk: CommandDesk, side: str) -> TeamDesk:
    found = next((team for team in desk.teams if team.team.side == side), None)
    if found is None:
        raise Refused(gettext("Choose one of the two teams."), "1.1")
    return found


def _battle_judge(user: User, desk: CommandDesk) -> Judge | None:
    return judge_of(user, desk.round, Role.BATTLE)


def _list_judge(user: User, desk: CommandDesk) -> Judge | None:
    """1.3: as battle judge, who is the head judge, where somebody is both."""
    return _battle_judge(user, desk) or judge_of(user, desk.round, Role.MOVEMENT)
