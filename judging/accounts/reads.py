"""1.6: a person's account, for himself alone: his log-in, his mail address, and where he plays."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import translation

from judging.accounts.models import Account
from judging.command.models import Admission
from wargame.models import Judge, Player
from wargame.models.choices import RoundState
from wargame.web import languages

CLAIM_LASTS = timedelta(days=2)
"""How long the letter is good for that asks to confirm a mail address."""


@dataclass(frozen=True)
class AccountView:
    """1.6: what stands on somebody's own account page. `waiting`: his mail address is not confirmed;
    `bounced_at`: since when it takes no mail."""

    user: User
    mail: str
    waiting: bool
    bounced_at: datetime | None
    hides_record: bool
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
        bounced_at=account.bounced_at if account else None,
        hides_record=bool(account and account.hides_record),
        players=tuple(Player.objects.filter(own).select_related("round").order_by("-round__created_at")),
        judgeships=tuple(Judge.objects.filter(own).select_related("round").order_by("-round__created_at")),
        admissions=tuple(asked.select_related("round").order_by("-pk")),
    )


def account_of(user: User) -> Account | None:
    """1.6: the user's row, if he has one: who was made by hand has none until he gives a mail address."""
    return Account.objects.filter(user=user).first()


def owner_of(mail: str, account: Account) -> User | None:
    """1.6: who else has an address and has confirmed it, or was given it by an administrator. Nobody but the address
    itself is told: whoever types one must not learn whether somebody plays here under it."""
    others = User.objects.exclude(pk=account.pk)
    is_his = Q(account__mail__iexact=mail, account__confirmed_at__isnull=False) | Q(email__iexact=mail)
    return others.filter(is_his).first()


def language_of(user_id: int) -> str:
    """The code of the language in which somebody is written to: the site's first one if he chose none, or one that is
    no longer offered."""
    if not languages.is_choice():
        return settings.LANGUAGE_CODE
    chosen = language_chosen(user_id)
    return chosen if chosen in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def language_chosen(user: User | int) -> str:
    """The code of the language that somebody chose last, or nothing."""
    return Account.objects.filter(user=user).values_list("language", flat=True).first() or ""


@contextmanager
def speaking_to(user_id: int | None) -> Iterator[None]:
    """Within it sentences are made in the language of who receives them, whoever caused them; None is somebody of whom
    only an address is known, who is written to in the site's first one."""
    with translation.override(settings.LANGUAGE_CODE if user_id is None else language_of(user_id)):
        yield


def who_to_ask() -> tuple[str, ...]:
    """1.3: the battle judges of the rounds that are not over, who know who runs the site; their names."""
    past = [RoundState.OVER, RoundState.GIVEN_UP]
    judges = Judge.objects.filter(role="battle").exclude(round__state__in=past).order_by("name")
    return tuple(dict.fromkeys(judges.values_list("name", flat=True)))
