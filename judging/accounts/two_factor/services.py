"""1.6: The second factor: who has one, setting it up, checking a code and removing it. A code works once."""

import secrets
from base64 import b32encode
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from urllib.parse import quote, urlencode

import segno
from django.conf import settings
from django.contrib.auth.models import User
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext, gettext_noop
from django_otp.plugins.otp_totp.models import TOTPDevice

from judging.accounts.sessions.services import end_sessions
from judging.accounts.two_factor.models import RecoveryCode
from judging.common import locking
from judging.common.errors import Refused
from wargame.rules.command.screen_names import RULE

DUE = "second_due"
"""Session key: the password was right, and a code is missing."""


@dataclass(frozen=True)
class SecondView:
    """1.6: A user's second factor, as they see it: since when, and how many recovery codes are left."""

    since: datetime | None
    codes_left: int


@dataclass(frozen=True)
class Secret:
    """The secret for an authenticator app: as text in groups of four, as the address that such apps open, and as a
    QR code: an SVG in a `data:` address, dark on white whatever the page's colours are, because cameras need that."""

    text: str
    link: str
    drawn: str


def second_of(user: User) -> SecondView | None:
    """1.6: a user's second factor; None if they have none."""
    device = TOTPDevice.objects.filter(user=user, confirmed=True).first()
    if device is None:
        return None
    return SecondView(device.created_at, RecoveryCode.objects.filter(user=user, used_at__isnull=True).count())


def secret_of(device: TOTPDevice) -> Secret:
    """1.6: The secret, which is shown during the set-up and never again."""
    secret = b32encode(device.bin_key).decode().rstrip("=")
    issuer = settings.SITE_NAME
    name = quote(f"{issuer}:{device.user.get_username()}")
    query = urlencode(
        {"secret": secret, "issuer": issuer, "digits": device.digits, "period": device.step}, quote_via=quote
    )
    link = f"otpauth://totp/{name}?{query}"
    image = segno.make_qr(link, error="m").svg_data_uri(scale=4, border=4, dark="#000", light="#fff")
    return Secret(" ".join(secret[at : at + 4] for at in range(0, len(secret), 4)), link, image)


CODES = 10
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without characters that look alike; ten of them have 49 random bits."""

LONGEST_CODE = 20
MOST_DOUBLINGS = 11
"""How often a wait of one second doubles: up to 1,024 seconds."""


class CodeOutcome(Enum):
    """The result of checking a code, with its message, marked for translation."""

    PASSED = ""
    WRONG = gettext_noop("That code is wrong, too old or already used. Wait for the next one.")
    WAIT = gettext_noop("Too many wrong codes. Wait a few minutes, then try again.")


@locking.writes
def begin_second(*, user: User) -> TOTPDevice:
    """1.6: Create a secret for the user's authenticator, which counts after its first code. Raises Refused if they
    already have a second factor."""
    locked_user = locking.hold(User.objects, pk=user.pk)
    if TOTPDevice.objects.filter(user=locked_user, confirmed=True).exists():
        raise Refused(gettext("You already have a second factor. Remove it first."), RULE)
    TOTPDevice.objects.filter(user=locked_user).delete()
    device: TOTPDevice = TOTPDevice.objects.create(user=locked_user, name="authenticator", confirmed=False)
    return device


@locking.writes
def confirm_second(*, user: User, code: str, but: str, now: datetime) -> tuple[CodeOutcome, tuple[str, ...]]:
    """1.6: Confirm a new authenticator with its first code: from now on each log-in asks for one, and all sessions
    end except the one with the key `but`. Returns the recovery codes, this once. Raises Refused if there is no
    set-up."""
    device = locking.hold_first(TOTPDevice.objects.filter(user=user, confirmed=False))
    if device is None:
        raise Refused(gettext("You aren't setting up an authenticator. Start again."), RULE)
    outcome = _tried(device, code)
    if outcome is not CodeOutcome.PASSED:
        return outcome, ()
    TOTPDevice.objects.filter(pk=device.pk).update(confirmed=True)
    RecoveryCode.objects.filter(user=user).delete()
    codes = tuple(_new_code() for _ in range(CODES))
    RecoveryCode.objects.bulk_create(RecoveryCode(user=user, digest=_digest(code)) for code in codes)
    end_sessions(user=user, now=now, but=but)
    return outcome, codes


@locking.writes
def try_second(*, user: User, code: str, now: datetime) -> CodeOutcome:
    """1.6: Check a code of the user's authenticator, or a recovery code. Each works once, even if sent twice at
    once."""
    device = locking.hold_first(TOTPDevice.objects.filter(user=user, confirmed=True))
    if device is None:
        return CodeOutcome.WRONG
    if _bare(code).isdigit():
        return _tried(device, code)
    if not _may_try(device):
        return CodeOutcome.WAIT
    unused = RecoveryCode.objects.filter(user=user, digest=_digest(_bare(code)), used_at__isnull=True)
    if unused.update(used_at=now):
        device.throttle_reset()
        return CodeOutcome.PASSED
    device.throttle_increment()
    return CodeOutcome.WRONG


@locking.writes
def remove_second(*, user: User) -> bool:
    """1.6: Remove a user's second factor, so that no code is asked for; True if they had one. The caller has checked
    that it may be removed."""
    had_device = TOTPDevice.objects.filter(user=user, confirmed=True).exists()
    TOTPDevice.objects.filter(user=user).delete()
    RecoveryCode.objects.filter(user=user).delete()
    return bool(had_device)


def _tried(device: TOTPDevice, code: str) -> CodeOutcome:
    if not _may_try(device):
        return CodeOutcome.WAIT
    return CodeOutcome.PASSED if device.verify_token(_bare(code)) else CodeOutcome.WRONG


def _may_try(device: TOTPDevice) -> bool:
    """Whether the wait after the last wrong code is over. It doubles with each, up to a quarter of an hour: about 90
    tries a day find nothing, and a thief with the password can't lock the owner out for good."""
    device.throttling_failure_count = min(device.throttling_failure_count, MOST_DOUBLINGS)
    is_allowed, _ = device.verify_is_allowed()
    return bool(is_allowed)


def _bare(code: str) -> str:
    """A code as typed, without spaces and hyphens; empty if it is invalid."""
    bare = code.lower().replace(" ", "").replace("-", "")
    return bare if bare.isascii() and len(bare) <= LONGEST_CODE else ""


def _new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(10))


def _digest(code: str) -> str:
    """Keyed with the site's secret key, so that a stolen database reveals no code."""
    return salted_hmac("judging.recovery-code", code, algorithm="sha256").hexdigest()
