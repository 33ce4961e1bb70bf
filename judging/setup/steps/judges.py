"""1.3, 6: the step of the judges: they are appointed and dismissed."""

from collections.abc import Iterator
from datetime import datetime

from django import forms
from django.db.models import ProtectedError
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from judging.command.judges.services import checked_no_player, checked_user
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.common.judges import LONGEST_JUDGE_NAME, NO_PLAYERS
from judging.setup.models import RoundSetup
from judging.setup.preparation import Preparation
from judging.setup.services import SetupDesk, held_setup, save_step
from judging.setup.step import Problem, SentForm, StepKind, StepPage, missing, wrong
from wargame.models import Judge, Round
from wargame.models.choices import Role


def find(prepared: Preparation) -> Iterator[Problem]:
    """1.3, 6: roles without a head judge, and judges who play though they may not."""
    judges = prepared.judges
    heads = {Role(judge.role) for judge in judges if judge.is_head}
    for role in Role:
        if role not in heads:
            yield missing(
                gettext("Appoint a %(role)s.") % {"role": role.label}, "6" if role == Role.MERCENARY else "1.3"
            )
    players = {player.user_id: player.name for player in prepared.everybody}
    for judge in judges:
        role = Role(judge.role)
        if judge.user_id in players and role in NO_PLAYERS:
            yield wrong(
                gettext("%(judge)s plays in this round as %(player)s, so they can't also be a %(role)s.")
                % {"judge": judge.name, "player": players[judge.user_id], "role": role.label},
                NO_PLAYERS[role],
            )


STEP = StepKind(
    "judges", gettext_noop("Judges"), "1.3", gettext_noop("The battle judge appoints the other judges."), find
)


@locking.writes
def appoint(*, round: Round, judge: Judge, username: str, role: Role, now: datetime) -> Judge:
    """1.3: makes the owner of a log-in a judge of that role: its head if it has none, else an assistant.

    Refused for players, where the role is not for them (1.3, 6), and for who has the role already.
    """
    setup = held_setup(round, judge)
    user = checked_user(username)
    player = checked_no_player(round, user, role)
    if Judge.objects.filter(round=round, user=user, role=role).exists():
        raise Refused(
            gettext("%(username)s is already a %(role)s.") % {"username": user.get_username(), "role": role.label},
            "1.3",
            "username",
        )
    is_head = not Judge.objects.filter(round=round, role=role, is_head=True).exists()
    name = (player.name if player else user.get_full_name() or user.get_username())[:LONGEST_JUDGE_NAME]
    made = Judge.objects.create(round=round, user=user, name=name, role=role, is_head=is_head, named_at=now)
    save_step(setup, "judges", judge, now, appointed=name, role=role.value, head=is_head)
    return made


@locking.writes
def dismiss(*, round: Round, judge: Judge, judge_id: int, now: datetime) -> str:
    """1.3: takes a judge's role from him; returns his name. The head battle judge can't be dismissed."""
    setup: RoundSetup = held_setup(round, judge)
    chosen = _judge(round, judge_id)
    if chosen.role == Role.BATTLE and chosen.is_head:
        raise Refused(
            gettext("The head battle judge stays head until another judge has agreed to replace them."), "1.3"
        )
    name, role = chosen.name, chosen.role
    try:
        with locking.transaction():
            chosen.delete()
    except ProtectedError:
        raise Refused(
            gettext("%(name)s has already judged in this round, so you can't dismiss them.") % {"name": name},
            "1.3",
        ) from None
    save_step(setup, "judges", judge, now, dismissed=name, role=role)
    return name


def _judge(round: Round, judge_id: int) -> Judge:
    found = Judge.objects.filter(round=round, pk=judge_id).first()
    if found is None:
        raise Refused(gettext("That judge has since been dismissed."), "1.3")
    return found


class AppointForm(forms.Form):
    """1.3, 6: somebody who shall judge."""

    username = forms.CharField(
        max_length=150, label=gettext_lazy("Log-in"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    role = forms.ChoiceField(
        choices=lambda: [(role.value, capfirst(role.label)) for role in Role], label=gettext_lazy("Role")
    )


class JudgesPage(StepPage):
    """1.3, 6: who judges the round."""

    key, template = "judges", "setup/judges.html"
    form: AppointForm

    def __init__(self, sent: SentForm, desk: SetupDesk) -> None:
        super().__init__(sent, desk)
        self.form = AppointForm(self.post if self.post.get("act") == "appoint" else None)

    def context(self) -> dict[str, object]:
        return {"form": self.form, "judges": self.prepared.judges, "own": self.desk.judge}

    def act(self) -> str:
        """A new judge, or what the button beside a judge's name does: `dismiss 12`."""
        if self.form.is_bound:
            given = self.form.cleaned_data
            role = Role(given["role"])
            made = appoint(username=given["username"], role=role, **self.common)
            told = (
                gettext("%(judge)s is now head %(role)s.") if made.is_head else gettext("%(judge)s is now a %(role)s.")
            )
            return told % {"judge": made.name, "role": made.get_role_display()}
        word, _, key = self.post.get("act", "").partition(" ")
        if word == "dismiss":
            return gettext("%(judge)s was dismissed.") % {"judge": dismiss(judge_id=number_of(key), **self.common)}
        return ""
