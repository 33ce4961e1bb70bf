"""2.5: who sets up a round, and the rounds that are set up."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, Permission, User
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.utils.translation import gettext

from judging.drawing.crests import short_side
from judging.game.judges import is_administrator, seats_of
from judging.game.once import once
from judging.game.viewer import Viewer
from judging.setup.models import RoundSetup
from wargame.models import Judge, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.core.sides import Side


@dataclass(frozen=True)
class SetupDesk:
    """2.5: a round in its set-up as one of its battle judges has it before him."""

    round: Round
    setup: RoundSetup
    judge: Judge
    viewer: Viewer


@once
def may_create_round(user: User | AnonymousUser) -> bool:
    """1.3: a new round is begun by administrators, and by those to whom they gave the permission."""
    if not (user.is_authenticated and user.is_active):
        return False
    given = Permission.objects.filter(content_type__app_label="wargame", codename="add_round")
    return is_administrator(user) or given.filter(Q(user=user) | Q(group__user=user)).exists()


def check_may_create_round(user: User | AnonymousUser) -> None:
    """1.3: raises PermissionDenied for who can't begin a round."""
    if not may_create_round(user):
        raise PermissionDenied(gettext("You need permission from an administrator of this site to set up rounds."))


@once
def setup_of(round: Round) -> RoundSetup | None:
    """2.5: the set-up of a round that was begun here; None for any other."""
    found = RoundSetup.objects.select_related("round", "author", "chosen_by").filter(round=round).first()
    if found is not None:
        found.round = round
    return found


def setup_desk(viewer: Viewer) -> SetupDesk | None:
    """1.3, 2.5: the set-up for one of the round's battle judges, as long as the round has not begun; None else."""
    if viewer.round.state != RoundState.SETUP or not viewer.is_judge(Role.BATTLE):
        return None
    own = (each for each in judges_of(viewer.round) if each.user_id == viewer.user_id)
    judge = next((each for each in own if each.role == Role.BATTLE), None)
    setup = setup_of(viewer.round)
    return SetupDesk(viewer.round, setup, judge, viewer) if judge and setup else None


@once
def judges_of(round: Round) -> list[Judge]:
    """1.3: the judges of a round, by role, the heads first."""
    order = {role: place for place, role in enumerate((Role.BATTLE, Role.MOVEMENT, Role.MERCENARY))}
    found = Judge.objects.filter(round=round).select_related("user")
    return sorted(found, key=lambda judge: (order[Role(judge.role)], not judge.is_head, judge.name.casefold()))


def rounds_in_setup() -> list[Round]:
    """2.5: the rounds that are being set up, the newest first."""
    return list(Round.objects.filter(state=RoundState.SETUP, setup__isnull=False).order_by("-created_at", "-pk"))


def setups_of(user: User | AnonymousUser) -> list[Round]:
    """1.3, 2.5: the rounds that the user sets up as a battle judge, the newest first."""
    judged = {seat.round_id for seat in seats_of(user) if seat.role == Role.BATTLE}
    in_setup = {seat.round_id for seat in seats_of(user) if seat.round.state == RoundState.SETUP}
    return [round_ for round_ in rounds_in_setup() if round_.pk in judged] if judged & in_setup else []


def team_name(side: Side) -> str:
    """1.1: a team as a line of a list begins with it: Coalition, Phyrexia."""
    return short_side(side)
