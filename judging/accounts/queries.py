"""1.6: A person's account: its email address and language."""

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
"""How long the email that asks to confirm an address is valid."""


def account_of(user: User) -> Account | None:
    """1.6: The user's row. A user who was created by hand has none until they give an email address."""
    return Account.objects.filter(user=user).first()


def owner_of(mail: str, account: Account) -> User | None:
    """1.6: Another owner of an address, who has confirmed it or was given it by an administrator. Only the address
    itself may be notified: nobody must learn by typing an address whether its owner plays here."""
    users = User.objects.exclude(pk=account.pk)
    is_his = Q(account__mail__iexact=mail, account__confirmed_at__isnull=False) | Q(email__iexact=mail)
    return users.filter(is_his).first()


def language_of(user_id: int) -> str:
    """The code of the language for emails to a user: the site's first one if they chose none, or one that is no
    longer offered."""
    if not languages.is_choice():
        return settings.LANGUAGE_CODE
    language = language_chosen(user_id)
    return language if language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE


def language_chosen(user: User | int) -> str:
    """The code of the language that the user last chose, or an empty string."""
    return Account.objects.filter(user=user).values_list("language", flat=True).first() or ""


@contextmanager
def speaking_to(user_id: int | None) -> Iterator[None]:
    """Context manager: text is in the recipient's language, not in that of the user who caused it. None: only the
    recipient's address is known, so the site's first language is used."""
    with translation.override(settings.LANGUAGE_CODE if user_id is None else language_of(user_id)):
        yield


def good_link(secret: str, now: datetime) -> SignUpLink | None:
    """1.6: The invitation link with that secret, if it can be used for a sign-up now."""
    links = SignUpLink.objects.filter(open_links(now), secret=secret[:32], by__is_active=True)
    return links.select_related("by").first() if secret and "\0" not in secret else None


def open_links(now: datetime) -> Q:
    """1.6: Invitation links that have places left and have not ended."""
    return Q(used__lt=F("places"), revoked_at__isnull=True, expires_at__gt=now)


def who_to_ask() -> tuple[str, ...]:
    """1.3: The names of the battle judges of current rounds, who know who runs the site."""
    past = [RoundState.OVER, RoundState.GIVEN_UP]
    judges = Judge.objects.filter(role="battle").exclude(round__state__in=past).order_by("name")
    return tuple(dict.fromkeys(judges.values_list("name", flat=True)))
