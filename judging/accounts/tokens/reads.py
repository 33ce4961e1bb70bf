"""1.6: a person's tokens, for himself alone; their secrets are shown to nobody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q

from judging.accounts.tokens.models import AccessToken

HEAD = "wg_"
"""How every token begins, so that scanners for lost secrets know one."""

SHOWN_AFTER = timedelta(days=30)
"""How long a token that is over stays in the list."""


@dataclass(frozen=True)
class TokenView:
    """1.6: a token as its owner sees it. `is_good`: it can be used now; `scopes` are codes, `may` their words."""

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
        """What it may do, in words."""
        return "; ".join(str(AccessToken.Scope(scope).label) for scope in self.scopes)


def tokens_of(user: User, now: datetime) -> tuple[TokenView, ...]:
    """1.6: the user's tokens, the newest first; those that ended lately too."""
    past = now - SHOWN_AFTER
    over = Q(revoked_at__lt=past) | Q(expires_at__lt=past)
    return tuple(_view(token, now) for token in AccessToken.objects.filter(user=user).exclude(over))


def token_of(user: User, prefix: str, now: datetime) -> TokenView | None:
    """1.6: one of the user's own tokens."""
    found = AccessToken.objects.filter(user=user, prefix=prefix).first()
    return _view(found, now) if found else None


def good_tokens(now: datetime) -> Q:
    """Which tokens can be used now."""
    return Q(revoked_at__isnull=True) & (Q(expires_at__isnull=True) | Q(expires_at__gt=now))


def is_good(token: AccessToken, now: datetime) -> bool:
    """Whether a token can be used now, by somebody who may log in."""
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
