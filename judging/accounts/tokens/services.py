"""1.6: API tokens: listing, creating, using and revoking them. A secret has 256 random bits, so a fast hash is
enough."""

import hashlib
import hmac
import secrets
import string
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext

from judging.accounts.tokens.models import AccessToken
from judging.common import locking
from judging.common.errors import Refused
from judging.common.texts import check_storable
from wargame.rules.command.screen_names import RULE

HEAD = "wg_"
"""The prefix of every token, so that scanners for leaked secrets recognize one."""

SHOWN_AFTER = timedelta(days=30)
"""How long a token that has ended stays in the list."""


@dataclass(frozen=True)
class TokenView:
    """1.6: A token as its owner sees it. `is_good`: it can be used now; `scopes` are codes, `may` describes them."""

    prefix: str
    name: str
    scopes: tuple[str, ...]
    made_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    is_good: bool

    @property
    def may(self) -> str:
        return "; ".join(str(AccessToken.Scope(scope).label) for scope in self.scopes)


def tokens_of(user: User, now: datetime) -> tuple[TokenView, ...]:
    """1.6: The user's tokens, newest first, including those that ended recently."""
    past = now - SHOWN_AFTER
    over = Q(revoked_at__lt=past) | Q(expires_at__lt=past)
    return tuple(_view(token, now) for token in AccessToken.objects.filter(user=user).exclude(over))


def token_of(user: User, prefix: str, now: datetime) -> TokenView | None:
    """1.6: One of the user's own tokens."""
    token = AccessToken.objects.filter(user=user, prefix=prefix).first()
    return _view(token, now) if token else None


def good_tokens(now: datetime) -> Q:
    return Q(revoked_at__isnull=True) & (Q(expires_at__isnull=True) | Q(expires_at__gt=now))


def is_good(token: AccessToken, now: datetime) -> bool:
    """Whether a token can be used now, by a user who may log in."""
    return token.revoked_at is None and (token.expires_at is None or token.expires_at > now)


def _view(token: AccessToken, now: datetime) -> TokenView:
    return TokenView(
        prefix=token.prefix,
        name=token.name,
        scopes=tuple(scope for scope in AccessToken.Scope.values if scope in token.scopes),
        made_at=token.made_at,
        expires_at=token.expires_at,
        revoked_at=token.revoked_at,
        last_used_at=token.last_used_at,
        is_good=is_good(token, now),
    )


MOST_TOKENS = 20
"""How many valid tokens a person may have at a time."""

LASTS = (30, 90, 365)
"""The choices for a token's lifetime in days; otherwise it is valid until it is revoked."""

PREFIX = 8
USED_EVERY = timedelta(hours=1)
LONGEST_TOKEN = 100


@locking.writes
def make_token(
    *, user: User, name: str, scopes: Collection[str], days: int | None, now: datetime
) -> tuple[AccessToken, str]:
    """1.6: Create a token for the user; also returns its text, which is shown once and stored nowhere.

    `days` is one of LASTS, or None. Raises Refused, with the field, for no name, unknown scopes, or too many tokens.
    """
    name = " ".join(name.split())
    if not 0 < len(name) <= 60:
        raise Refused(gettext("Name the token after its purpose, in up to 60 characters."), "", "token_name")
    check_storable(name, what="name", cites="", field="token_name")
    if not scopes or not set(scopes) <= set(AccessToken.Scope.values):
        raise Refused(gettext("Choose what the token can do."), "", "scopes")
    if days is not None and days not in LASTS:
        message = gettext("A token can last %(days)s days, or until it is revoked.")
        raise Refused(message % {"days": ", ".join(map(str, LASTS))}, "", "days")
    locking.hold(User.objects, pk=user.pk)  # two forms at once do not make more than the most
    if AccessToken.objects.filter(good_tokens(now), user=user).count() >= MOST_TOKENS:
        message = gettext("You have %(number)s tokens. Revoke one that you don't need any more.")
        raise Refused(message % {"number": MOST_TOKENS}, RULE)
    secret = secrets.token_urlsafe(32)
    token = AccessToken.objects.create(
        user=user,
        prefix=_free_prefix(),
        digest=_digest(secret),
        name=name,
        scopes=[scope for scope in AccessToken.Scope.values if scope in scopes],
        made_at=now,
        expires_at=now + timedelta(days=days) if days else None,
    )
    return token, f"{HEAD}{token.prefix}_{secret}"


@locking.writes
def revoke_token(*, user: User, prefix: str, now: datetime) -> AccessToken:
    """1.6: Revoke the token; again changes nothing. Raises Refused if it is not the user's."""
    token = locking.hold_first(AccessToken.objects.filter(user=user, prefix=prefix))
    if token is None:
        raise Refused(gettext("You don't have that token."), RULE)
    if token.revoked_at is None:
        token.revoked_at = now
        token.save(update_fields=["revoked_at"])
    return token


def use_token(text: str, now: datetime) -> AccessToken | None:
    """1.6: The valid token with that text, whose user may log in, or None. Its last use is written at most once an
    hour."""
    token = token_of_text(text, now)
    if token is None or not token.user.is_active:
        return None
    stale = Q(last_used_at__isnull=True) | Q(last_used_at__lte=now - USED_EVERY)
    if token.last_used_at is None or token.last_used_at <= now - USED_EVERY:
        AccessToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
    return token


def token_of_text(text: str, now: datetime) -> AccessToken | None:
    """1.6: The valid token with that text, whose user may be barred, or None."""
    prefix, _, secret = text.removeprefix(HEAD).partition("_")
    if not text.startswith(HEAD) or len(text) > LONGEST_TOKEN or len(prefix) != PREFIX or not text.isascii():
        return None
    token = next(iter(AccessToken.objects.filter(prefix=prefix).select_related("user").order_by()), None)
    if token is None or not hmac.compare_digest(token.digest, _digest(secret)):
        return None
    return token if is_good(token, now) else None


def _free_prefix() -> str:
    while True:
        prefix = "".join(secrets.choice(string.ascii_lowercase) for _ in range(PREFIX))
        if not AccessToken.objects.filter(prefix=prefix).exists():
            return prefix


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
