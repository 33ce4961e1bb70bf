"""1.3, 1.6, 5: Judges' decisions about control, ranks, names and admission, by a form or the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
from judging.common.forms import RawForm, RawText, RowKey
from judging.common.judges import User, judge_of, rounds_of
from judging.common.viewer import viewer_of
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules.command.control_list import Wish
from wargame.rules.core.sides import Side


def desk_for(user: User, round_id: int, now: datetime) -> CommandDesk:
    """1.3: A round's desk for one of its movement and battle judges. Raises Http404 for everybody else."""
    round_ = rounds_of(user).filter(pk=round_id).first()
    desk = command_desk(viewer_of(user, round_), now) if round_ else None
    if desk is None:
        raise Http404(gettext("You can't decide on control lists of this round."))
    return desk


class DecisionForm(RawForm):
    """1.3, 5: one act of a judge: people, armies and requests by their keys."""

    act, side, answer, reason, to, rank, token = (RawText() for _ in range(7))
    request, army, first, second, player, change, declaration, admission, taken = (RowKey() for _ in range(9))

    def __init__(self, user: User, desk: CommandDesk, data: Mapping[str, object]) -> None:
        super().__init__(data)
        self.user, self.desk = user, desk

    def do(self, now: datetime) -> str:
        """1.3, 5: carries out one of ACTS; the message."""
        if self.cleaned_data["act"] not in self.ACTS:
            raise Refused(gettext("You can't do that here."))
        return self.ACTS[self.cleaned_data["act"]](self, now)

    def _request(self, now: datetime) -> str:
        """5.2.2.2."""
        found = next((view.row for view in self.desk.requests if view.row.pk == self.cleaned_data["request"]), None)
        if found is None:
            raise Refused(gettext("This request has already been decided or withdrawn."), "5.2.2.2")
        grant = self.cleaned_data["answer"] == "yes"
        decide_request(request=found, judge=self._list_judge, grant=grant, reason=self.cleaned_data["reason"], now=now)
        return gettext("You granted the exception.") if grant else gettext("You declined the request.")

    def _list(self, now: datetime) -> str:
        """5.2.1, 1.3."""
        team = self._team()
        army = next((army for army in team.armies if army.pk == self.cleaned_data["army"]), None)
        to = next((player for player in team.players if player.pk == number_of(self.cleaned_data["to"])), None)
        if army is None or (to is None and self.cleaned_data["to"] != "nobody"):
            raise Refused(gettext("Choose an army, then a player on its side or “no one”."), "5.2.1")
        wish = Wish(army.name, (to.name,) if to else ())
        asked = AskedControl((wish,), self.cleaned_data["token"], {})
        judge = self._list_judge
        side, reason = team.team.side, self.cleaned_data["reason"]
        made = change_list(round=self.desk.round, judge=judge, side=side, asked=asked, reason=reason, now=now)
        if to is None:
            return gettext("No one controls %(armies)s now.") % {"armies": army.name}
        facts = {"army": army.name, "player": to.name, "turn": made.runs_out_in}
        if made.runs_out_in:
            told = gettext("%(player)s now controls %(army)s as an exception, until turn %(turn)s locks.")
            return told % facts
        return gettext("%(player)s now controls %(army)s.") % facts

    def _power(self, now: datetime) -> str:
        """5.2.2.2."""
        team = self._team()
        people = {player.pk: player.name for player in team.players}
        names = [people[key] for key in (self.cleaned_data["first"], self.cleaned_data["second"]) if key in people]
        side, reason = team.team.side, self.cleaned_data["reason"]
        authorise(round=self.desk.round, judge=self._list_judge, side=side, names=names, reason=reason, now=now)
        return gettext("Now allowed to ask for changes: %(what)s.") % {
            "what": gettext(" and ").join(names) or gettext("no one")
        }

    def _rank(self, now: datetime) -> str:
        """1.1, 2.5.2.1."""
        team = self._team()
        player = next((player for player in team.players if player.pk == self.cleaned_data["player"]), None)
        if player is None:
            raise Refused(gettext("Choose a player."), "1.1")
        rank = read_rank(self.cleaned_data["rank"], team.team.side)
        judge, reason = self._battle_judge, self.cleaned_data["reason"]
        outcome = give_rank(round=self.desk.round, by=judge, player=player, rank=rank, reason=reason, now=now)
        return told_rank(player.name, rank, team.team.side, outcome)

    def _name(self, now: datetime) -> str:
        """1.6."""
        change = next((change for change in self.desk.names if change.pk == self.cleaned_data["change"]), None)
        if change is None:
            raise Refused(gettext("This request has already been decided or withdrawn."), "1.6")
        grant = self.cleaned_data["answer"] == "yes"
        decide_name(change=change, judge=self._battle_judge, grant=grant, reason=self.cleaned_data["reason"], now=now)
        return (
            gettext("%(old)s is now called %(new)s.") % {"old": change.old, "new": change.new}
            if grant
            else gettext("%(old)s will keep their current name.") % {"old": change.old}
        )

    def _declaration(self, now: datetime) -> str:
        """5.1."""
        found = next((row for row in self.desk.declarations if row.pk == self.cleaned_data["declaration"]), None)
        if found is None:
            raise Refused(gettext("This declaration no longer counts."), "5.1")
        reject_declaration(declaration=found, judge=self._battle_judge, reason=self.cleaned_data["reason"], now=now)
        return gettext("%(name)s no longer counts as inactive.") % {"name": found.player.name}

    def _admission(self, now: datetime) -> str:
        """1.1."""
        found = next((row for row in self.desk.admissions if row.pk == self.cleaned_data["admission"]), None)
        if found is None:
            raise Refused(gettext("This request for admission has already been decided."), "1.1")
        judge = self._battle_judge
        if self.cleaned_data["answer"] != "yes":
            refuse_admission(admission=found, by=judge, reason=self.cleaned_data["reason"], now=now)
            return gettext("You refused to admit %(name)s.") % {"name": found.name}
        rank = read_rank(self.cleaned_data["rank"], Side(found.side))
        player = accept_admission(admission=found, by=judge, rank=rank, now=now)
        return gettext("%(name)s now plays for %(title)s.") % {"name": player.name, "title": Side(found.side).title}

    def _invited(self, now: datetime) -> str:
        """1.1."""
        sides = [each.team.side.value for each in self.desk.teams]
        return told_of(*admit_invited(round=self.desk.round, by=self._battle_judge, sides=sides, now=now))

    def _overrule(self, now: datetime) -> str:
        """1.1, 1.3."""
        found = next((row.player for row in self.desk.taken_in if row.pk == self.cleaned_data["taken"]), None)
        if found is None:
            raise Refused(gettext("None of your assistants admitted that player."), "1.1")
        gone = overrule_admission(player=found, judge=self._battle_judge, reason=self.cleaned_data["reason"], now=now)
        return gettext("%(name)s no longer plays for %(title)s.") % {"name": gone.name, "title": Side(gone.side).title}

    def _team(self) -> TeamDesk:
        found = next((team for team in self.desk.teams if team.team.side == self.cleaned_data["side"]), None)
        if found is None:
            raise Refused(gettext("Choose one of the two teams."), "1.1")
        return found

    @property
    def _battle_judge(self) -> Judge | None:
        return judge_of(self.user, self.desk.round, Role.BATTLE)

    @property
    def _list_judge(self) -> Judge | None:
        """1.3: As battle judge, who is the head judge, for users who are both."""
        return self._battle_judge or judge_of(self.user, self.desk.round, Role.MOVEMENT)

    ACTS: Mapping[str, Callable[[DecisionForm, datetime], str]] = {
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
