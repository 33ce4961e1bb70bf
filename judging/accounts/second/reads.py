"""1.6: whether somebody has a second factor, and what his authenticator is told once."""

from __future__ import annotations

from base64 import b32encode
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, urlencode

from django.contrib.auth.models import User
from django_otp.plugins.otp_totp.models import TOTPDevice

from judging.accounts.second.models import RecoveryCode

ISSUER = "The Coalition Wargame"


@dataclass(frozen=True)
class SecondView:
    """1.6: somebody's second factor, for himself: since when, and how many recovery codes are left."""

    since: datetime | None
    codes_left: int


@dataclass(frozen=True)
class Secret:
    """What an authenticator takes: a text in groups of four, and the address that such apps open."""

    text: str
    link: str


def has_second(user_id: int) -> bool:
    """1.6: whether a code is asked for after his password."""
    return bool(TOTPDevice.objects.filter(user_id=user_id, confirmed=True).exists())


def second_of(user: User) -> SecondView | None:
    """1.6: somebody's own second factor; None if he has none."""
    device = TOTPDevice.objects.filter(user=user, confirmed=True).first()
    if device is None:
        return None
    return SecondView(device.created_at, RecoveryCode.objects.filter(user=user, used_at__isnull=True).count())


def secret_of(device: TOTPDevice) -> Secret:
    """1.6: what is shown while it is set up, and never again."""
    secret = b32encode(device.bin_key).decode().rstrip("=")
    name = quote(f"{ISSUER}:{device.user.get_username()}")
    asked = urlencode(
        {"secret": secret, "issuer": ISSUER, "digits": device.digits, "period": device.step}, quote_via=quote
    )
    return Secret(" ".join(secret[at : at + 4] for at in range(0, len(secret), 4)), f"otpauth://totp/{name}?{asked}")
