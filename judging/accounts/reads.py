"""1.6: a person's account, for himself alone: his log-in, his mail address, and where he plays."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q

from judging.accounts.models import Account
from judging.command.models import Admission
from judging.letters.reads import has_mail
from wargame.models import Judge, Player
from wargame.models.choices import RoundState

CLAIM_LASTS = timedelta(days=2)
"""How long a mail address is kept for somebody who has not confirmed it, and how long his letter is good for."""


@dataclass(frozen=True)
class AccountView:
    """1.6: what stands on somebody's own account page. `waiting`: his mail address is not confirmed."""

    user: User
    mail: str
    waiting: bool
    players: tuple[Player, ...]
    judgeships: tuple[Judge, ...]
    admissions: tuple[Admission, ...]


def account_view(user: User) -> AccountView:
    """1.6: the account of whoever is logged in. Nobody sees another's."""
    account = account_of(user)
    own = Q(user=user) & ~Q(round__state=RoundState.GIVEN_UP)
    asked = Admission.objects.filter(own, state=Admission.State.ASKED)
    return AccountView(
        user=user,
        mail=account.mail if account else "",
        waiting=bool(account and account.mail and account.confirmed_at is None),
        players=tuple(Player.objects.filter(own).select_related("round").order_by("-round__created_at")),
        judgeships=tuple(Judge.objects.filter(own).select_related("round").order_by("-round__created_at")),
        admissions=tuple(asked.select_related("round").order_by("-pk")),
    )


def account_of(user: User) -> Account | None:
    """1.6: the user's row, if he has one: who was made by hand has none until he gives a mail address."""
    return Account.objects.filter(user=user).first()


def is_stale(account: Account, now: datetime) -> bool:
    """Whether a claimed address may be claimed by somebody else: it was to be confirmed, and was not in time."""
    return has_mail() and account.confirmed_at is None and (account.asked_at or now) + CLAIM_LASTS <= now


def who_to_ask() -> tuple[str, ...]:
    """1.3: the battle judges of the rounds that are not over, who know who runs the site; their names."""
    past = [RoundState.OVER, RoundState.GIVEN_UP]
    judges = Judge.objects.filter(role="battle").exclude(round__state__in=past).order_by("name")
    return tuple(dict.fromkeys(judges.values_list("name", flat=True)))
