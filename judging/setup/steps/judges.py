"""1.3, 6: the step of the judges: appointing and dismissing them."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.db.models import ProtectedError
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy

from judging.command.judges.services import checked_no_player, checked_user
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.common.judges import LONGEST_JUDGE_NAME, NO_PLAYERS
from judging.setup.preparation import Preparation
from judging.setup.step import Problem, StepForm, missing, wrong
from wargame.models import Judge
from wargame.models.choices import Role


def problems(prepared: Preparation) -> Iterator[Problem]:
    """1.3, 6: roles without a head judge, and judges who play though they may not."""
    judges = prepared.judges
    heads = {Role(judge.role) for judge in judges if judge.is_head}
    for role in Role:
        if role not in heads:
            rule = "6" if role == Role.MERCENARY else "1.3"
            yield missing(gettext("Appoint a %(role)s."), rule, role=role.label)
    players = {player.user_id: player.name for player in prepared.everybody}
    for judge in judges:
        role = Role(judge.role)
        if judge.user_id in players and role in NO_PLAYERS:
            told = gettext("%(judge)s plays in this round as %(player)s, so they can't also be a %(role)s.")
            player = players[judge.user_id]
            yield wrong(told, NO_PLAYERS[role], judge=judge.name, player=player, role=role.label)


class JudgesForm(StepForm):
    """1.3, 6: somebody who shall judge; or the button beside a judge's name, `dismiss 12`."""

    username = forms.CharField(
        max_length=150, label=gettext_lazy("Log-in"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    role = forms.ChoiceField(
        choices=lambda: [(role.value, capfirst(role.label)) for role in Role], label=gettext_lazy("Role")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_bound = self.post.get("act") == "appoint"

    def context(self) -> dict[str, object]:
        return {"judges": self.prepared.judges, "own": self.desk.judge}

    def save(self) -> str:
        if self.is_bound:
            return self.appoint()
        word, _, key = self.post.get("act", "").partition(" ")
        return self.dismiss(number_of(key)) if word == "dismiss" else ""

    @locking.writes
    def appoint(self) -> str:
        """1.3: make the owner of a log-in a judge of that role: its head if it has none, else an assistant.

        Refused for players, if the role is not for them (1.3, 6), and for users who have the role already.
        """
        setup = self.held(checks_version=False)
        user, role = checked_user(self.cleaned_data["username"]), Role(self.cleaned_data["role"])
        player = checked_no_player(self.round, user, role)
        others = Judge.objects.filter(round=self.round, role=role)
        if others.filter(user=user).exists():
            told = gettext("%(username)s is already a %(role)s.")
            raise Refused(told % {"username": user.get_username(), "role": role.label}, "1.3", "username")
        is_head = not others.filter(is_head=True).exists()
        name = (player.name if player else user.get_full_name() or user.get_username())[:LONGEST_JUDGE_NAME]
        made = Judge.objects.create(
            round=self.round, user=user, name=name, role=role, is_head=is_head, named_at=self.now
        )
        self.store(setup, appointed=name, role=role.value, head=is_head)
        told = gettext("%(judge)s is now head %(role)s.") if is_head else gettext("%(judge)s is now a %(role)s.")
        return told % {"judge": name, "role": made.get_role_display()}

    @locking.writes
    def dismiss(self, judge_id: int) -> str:
        """1.3: takes a judge's role. The head battle judge can't be dismissed."""
        setup = self.held(checks_version=False)
        chosen = Judge.objects.filter(round=self.round, pk=judge_id).first()
        if chosen is None:
            raise Refused(gettext("That judge has since been dismissed."), "1.3")
        if chosen.role == Role.BATTLE and chosen.is_head:
            raise Refused(
                gettext("The head battle judge stays head until another judge has agreed to replace them."), "1.3"
            )
        try:
            with locking.transaction():
                chosen.delete()
        except ProtectedError:
            told = gettext("%(name)s has already judged in this round, so you can't dismiss them.")
            raise Refused(told % {"name": chosen.name}, "1.3") from None
        self.store(setup, dismissed=chosen.name, role=chosen.role)
        return gettext("%(judge)s was dismissed.") % {"judge": chosen.name}
