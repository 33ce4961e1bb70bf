"""1.6: a person's account: his mail address, and the language in which he is written to."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import F, Q
from django.utils import translation

from judging.accounts.models import Account, SignUpLink
from wargame.models import Judge
from wargame.models.choices import RoundState
from wargame.web import languages

CLAIM_LASTS = timedelta(days=2)
"""How long the letter is good for that asks to confirm a mail address."""


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


def good_link(secret: str, now: datetime) -> SignUpLink | None:
    """1.6: the invitation link with that secret, if somebody can sign up with it now."""
    links = SignUpLink.objects.filter(open_links(now), secret=secret[:32], by__is_active=True)
    return links.select_related("by").first() if secret and "\0" not in secret else None


def open_links(now: datetime) -> Q:
    """1.6: which invitation links have places left, and have not ended."""
    return Q(used__lt=F("places"), revoked_at__isnull=True, expires_at__gt=now)


def who_to_ask() -> tuple[str, ...]:
    """1.3: the battle judges of the rounds that are not over, who know who runs the site; their names."""
    past = [RoundState.OVER, RoundState.GIVEN_UP]
    judges = Judge.objects.filter(role="battle").exclude(round__state__in=past).order_by("name")
    return tuple(dict.fromkeys(judges.values_list("name", flat=True)))
