"""1.3, 3.3.3: the judges and their roles, whose desk they see, and which judge can overrule which."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils.translation import gettext

from judging.common.accounts import lacks_second_factor
from judging.common.request_cache import request_cached
from wargame.models import Judge, Round
from wargame.models.choices import Role, RoundState

User = AbstractBaseUser | AnonymousUser

LONGEST_JUDGE_NAME = 40

NO_PLAYERS = {Role.BATTLE: "1.3", Role.MERCENARY: "6"}
"""1.3, 6: the roles whose judges can't be players, and the rule that says so."""


@request_cached
def seats_of(user: User) -> list[Judge]:
    """1.3: the user's judgeships, with their rounds. Every page of the desk asks for them first."""
    seats = _seats(user)
    return [] if seats and lacks_second_factor(user) else seats


@request_cached
def is_administrator(user: User) -> bool:
    """1.6: whether the user is an active superuser whose role is not suspended."""
    is_superuser = bool(user.is_authenticated and user.is_active and getattr(user, "is_superuser", False))
    return is_superuser and not lacks_second_factor(user)


def may_enter(user: User) -> bool:
    """1.3: the desk is open to the judges of any round and to administrators."""
    return has_role(user) and not lacks_second_factor(user)


def has_role(user: User) -> bool:
    """1.3: whether the user judges a round or is an administrator, even while the role is suspended."""
    if not (user.is_authenticated and user.is_active):
        return False
    return getattr(user, "is_superuser", False) or any(seat.round.state != RoundState.GIVEN_UP for seat in _seats(user))


def may_change_round(user: User, round_: Round) -> bool:
    """R5: a round's calendar is set by its battle and movement judges, and by administrators."""
    if round_.state == RoundState.GIVEN_UP:
        return False
    if is_administrator(user):
        return True
    return any(seat.round_id == round_.pk and seat.role in (Role.BATTLE, Role.MOVEMENT) for seat in seats_of(user))


def judge_of(user: User, round_: Round, role: str) -> Judge | None:
    """1.3: the user as a judge of that role in a round; None for anybody else."""
    seats = (seat for seat in seats_of(user) if seat.round_id == round_.pk and seat.role == role)
    return next(seats, None)


def rounds_of(user: User) -> QuerySet[Round]:
    """1.3: the rounds whose desk the user sees: those that they judge; all of them for administrators."""
    rounds = Round.objects.exclude(state=RoundState.GIVEN_UP).order_by("-created_at")
    if is_administrator(user):
        return rounds
    return rounds.filter(judges__in=[seat.pk for seat in seats_of(user)]).distinct()


@request_cached
def judged_by(user: User) -> tuple[Round, ...]:
    """1.3: `rounds_of` without a query, for pages of the desk: the rounds of a judge's seats."""
    if is_administrator(user):
        return tuple(rounds_of(user))
    rounds = {seat.round_id: seat.round for seat in seats_of(user) if seat.round.state != RoundState.GIVEN_UP}
    return tuple(sorted(rounds.values(), key=lambda round_: round_.created_at, reverse=True))


def overrules(judge: Judge, other: Judge) -> bool:
    """1.3: a judge overrules themselves; the head battle judge anybody; the head of a role their assistants."""
    if judge.round_id != other.round_id:
        return False
    if judge.user_id == other.user_id or is_supreme(judge):
        return True
    return judge.is_head and judge.role == other.role and not other.is_head


def why_not_withdrawn(by: Judge) -> str:
    """1.3: the refusal for judges who can't withdraw what `by` decided. It names those who can."""
    if is_supreme(by):
        message = gettext("Only %(name)s can withdraw this.")
    elif by.is_head or by.role == Role.BATTLE:
        message = gettext("Only %(name)s or the head battle judge can withdraw this.")
    else:
        message = gettext("Only %(name)s, their head judge or the head battle judge can withdraw this.")
    return message % {"name": by.name}


def is_bound_by(judge: Judge, other: Judge) -> bool:
    """1.3: whether `judge` is bound by what `other` decided: `other` is their head, or the head battle judge."""
    return judge.user_id != other.user_id and overrules(other, judge)


def may_manage(judge: Judge, role: str) -> bool:
    """1.3: whether the judge appoints and dismisses the judges of a role: its head, or the head battle judge."""
    return is_supreme(judge) or (judge.is_head and judge.role == role)


def is_supreme(judge: Judge) -> bool:
    """1.3: whether the judge is the head battle judge, whose word is the last."""
    return judge.is_head and judge.role == Role.BATTLE


@request_cached
def _seats(user: User) -> list[Judge]:
    return list(Judge.objects.filter(user_id=_key(user)).select_related("round").order_by("pk"))


def _key(user: User) -> int:
    """The user's key; 0, which nobody has, for a visitor."""
    return int(user.pk or 0)
