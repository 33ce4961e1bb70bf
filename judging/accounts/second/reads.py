"""1.6: somebody's second factor, and what their authenticator is told once."""

from __future__ import annotations

from base64 import b32encode
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, urlencode

import segno
from django.conf import settings
from django.contrib.auth.models import User
from django_otp.plugins.otp_totp.models import TOTPDevice

from judging.accounts.second.models import RecoveryCode

DUE = "second_due"
"""In the session: the password was right, and a code is missing."""


@dataclass(frozen=True)
class SecondView:
    """1.6: somebody's second factor, for himself: since when, and how many recovery codes are left."""

    since: datetime | None
    codes_left: int


@dataclass(frozen=True)
class Secret:
    """What an authenticator takes: a text in groups of four, the address that such apps open, and the same as a QR
    code: an SVG in a `data:` address, dark on white whatever the page's colours are, for that is what cameras read."""

    text: str
    link: str
    drawn: str


def second_of(user: User) -> SecondView | None:
    """1.6: somebody's own second factor; None if he has none."""
    device = TOTPDevice.objects.filter(user=user, confirmed=True).first()
    if device is None:
        return None
    return SecondView(device.created_at, RecoveryCode.objects.filter(user=user, used_at__isnull=True).count())


def secret_of(device: TOTPDevice) -> Secret:
    """1.6: what is shown while it is set up, and never again."""
    secret = b32encode(device.bin_key).decode().rstrip("=")
    issuer = settings.SITE_NAME
    name = quote(f"{issuer}:{device.user.get_username()}")
    asked = urlencode(
        {"secret": secret, "issuer": issuer, "digits": device.digits, "period": device.step}, quote_via=quote
    )
    link = f"otpauth://totp/{name}?{asked}"
    drawn = segno.make_qr(link, error="m").svg_data_uri(scale=4, border=4, dark="#000", light="#fff")
    return Secret(" ".join(secret[at : at + 4] for at in range(0, len(secret), 4)), link, drawn)
