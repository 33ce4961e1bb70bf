"""1.2: web push (RFC 8030, 8291, 8292): browsers that somebody subscribed, and the messages on their way to them.

The text of a message is made when it is sent, by what its reader may see then, and encrypted so that the push service
reads none of it.
"""

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from email.utils import parseaddr
from urllib.parse import urlsplit

import http_ece
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext
from py_vapid import Vapid

from judging.accounts.queries import speaking_to
from judging.common import locking
from judging.common.errors import Refused
from judging.notifications.models import Notification, Push, PushKey, PushSubscription
from judging.notifications.queries import preference_of, told_of, views_for
from judging.notifications.safe_http import Answer, Dialler, Resolver, Unreachable, dial, host_of, post, resolve

MOST_DEVICES = 10
LONGEST_NAME, LONGEST_BODY = 60, 300
KEPT = timedelta(hours=24)
"""How long a message is tried, and how long the push service stores it for a browser that is off."""

TOKEN_LASTS = timedelta(hours=12)

NAMES = (("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
SYSTEMS = (("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac", "Mac"))


def vapid() -> Vapid:
    """The key of this service: from the environment, else one that is created once and stored in the database, with
    the subscriptions that depend on it. Two processes that create it at once get the same."""
    if settings.VAPID_PRIVATE_KEY:
        return Vapid.from_string(settings.VAPID_PRIVATE_KEY)
    row = PushKey.objects.first()
    if row is None:
        key = Vapid()
        key.generate_keys()
        row, _ = PushKey.objects.get_or_create(pk=1, defaults={"pem": key.private_pem().decode()})
    return Vapid.from_pem(row.pem.encode())


def public_key() -> str:
    point = vapid().public_key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def device_name(agent: str) -> str:
    """A browser's name in the list: `Firefox on Android`."""
    browser = next((name for mark, name in NAMES if mark in agent), gettext("A browser"))
    system = next((name for mark, name in SYSTEMS if mark in agent), "Linux" if "Linux" in agent else "")
    return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system} if system else browser


@locking.writes
def subscribe(*, user: User, given: object, name: str, now: datetime) -> PushSubscription:
    """Subscribe a person's browser. Idempotent; a browser of another person becomes theirs, and expired ones of the
    same name are deleted. Refused for invalid data, and for more than MOST_DEVICES."""
    endpoint, p256dh, auth = _checked(given)
    digest = _digest(endpoint)
    locking.hold(User.objects, pk=user.pk)
    PushSubscription.objects.filter(user=user, name=name[:LONGEST_NAME], gone_at__isnull=False).delete()
    if PushSubscription.objects.filter(user=user).exclude(digest=digest).count() >= MOST_DEVICES:
        message = gettext("%(number)s of your browsers already get push messages. Remove one you no longer use.")
        raise Refused(message % {"number": MOST_DEVICES})
    # With what was on its way to the other person. Two who take the same new browser at once: the later one has it.
    PushSubscription.objects.filter(digest=digest).exclude(user=user).delete()
    fields = {
        "user": user,
        "endpoint": endpoint,
        "p256dh": p256dh,
        "auth": auth,
        "name": name[:LONGEST_NAME],
        "gone_at": None,
    }
    row, _ = PushSubscription.objects.update_or_create(
        digest=digest, defaults=fields, create_defaults={**fields, "made_at": now}
    )
    return row


@locking.writes
def renew(*, was: object, given: object) -> None:
    """Change the address of a browser, for the same person, after its push service gave it another. It proves its
    identity by the secret of its old address, which nobody but it and this service knows. Nothing happens for an
    address that was removed; refused for invalid data."""
    endpoint, p256dh, auth = _checked(given)
    before, _, secret = _checked(was)
    row = PushSubscription.objects.filter(digest=_digest(before)).first()
    if row is None or not constant_time_compare(row.auth.rstrip("="), secret.rstrip("=")):
        return
    locking.hold(User.objects, pk=row.user_id)
    digest = _digest(endpoint)
    PushSubscription.objects.filter(digest=digest).exclude(pk=row.pk).delete()
    fields = {"endpoint": endpoint, "digest": digest, "p256dh": p256dh, "auth": auth, "gone_at": None}
    PushSubscription.objects.filter(pk=row.pk, digest=row.digest).update(**fields)


def _digest(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode(errors="replace")).hexdigest()


def _checked(data: object) -> tuple[str, str, str]:
    """The endpoint and the keys of a browser. The public key must be a point of the curve."""
    damaged = Refused(gettext("This isn't a valid browser subscription. Reload the page and try again."))
    fields = data if isinstance(data, dict) else {}
    value = fields.get("keys")
    keys = value if isinstance(value, dict) else {}
    endpoint, p256dh, auth = fields.get("endpoint"), keys.get("p256dh"), keys.get("auth")
    if not (isinstance(endpoint, str) and isinstance(p256dh, str) and isinstance(auth, str)):
        raise damaged
    try:
        host_of(endpoint)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(p256dh, 65))
        _decoded(auth, 16)
    except (Unreachable, ValueError, UnsupportedAlgorithm):
        raise damaged from None
    return endpoint, p256dh, auth


def _decoded(text: str, length: int) -> bytes:
    """That many bytes, as browsers write them: base64url (RFC 4648), whose padding may be left out."""
    letters = -(-length * 4 // 3)
    if not re.fullmatch(rf"[A-Za-z0-9_-]{{{letters}}}={{0,2}}", text):
        raise ValueError(f"not {length} bytes")
    return base64.urlsafe_b64decode(text[:letters] + "=" * (-letters % 4))


@locking.writes
def unsubscribe_device(*, user: User, device_id: int) -> str:
    """Unsubscribe a user's own browser; returns its name. Refused for one that is not theirs, or gone."""
    row = _own_device(user, device_id)
    row.delete()
    return row.name


@locking.writes
def unsubscribe_endpoint(*, user: User, endpoint: object) -> None:
    """Unsubscribe the browser that asks; nothing happens for an unknown one."""
    if isinstance(endpoint, str):
        PushSubscription.objects.filter(user=user, digest=_digest(endpoint)).delete()


@locking.writes
def try_device(*, user: User, device_id: int, now: datetime) -> str:
    """Send a test message to one browser; returns the browser's name. One at a time."""
    row = _own_device(user, device_id)
    if row.gone_at:
        raise Refused(gettext("We can't reach that browser any more. Open this page in it and subscribe again."))
    if not Push.objects.filter(subscription=row, notifications=[]).exists():
        Push.objects.create(subscription=row, notifications=[], created=now, due=now)
    return row.name


def _own_device(user: User, device_id: int) -> PushSubscription:
    row = PushSubscription.objects.filter(user=user, pk=device_id).first()
    if row is None:
        raise Refused(gettext("That browser is no longer in your list."))
    return row


def send_next_push(now: datetime, resolver: Resolver = resolve, dialler: Dialler = dial) -> bool:
    """Send one message that is due; returns whether there was one."""
    push = Push.claim(now)
    if push is None:
        return False
    with speaking_to(push.subscription.user_id):
        message = _message(push)
    device = push.subscription
    if message is None or push.created < now - KEPT:
        push.as_read().delete()
        return True
    try:
        answer = post(device.endpoint, *_sealed(device, message, now), resolver=resolver, dialler=dialler)
    except Unreachable as error:
        push.fail(now, str(error), is_for_good=error.is_for_good)
    except Exception as error:  # whatever a foreign server and its keys can do, the next browser is told
        push.fail(now, type(error).__name__)
    else:
        _answered(push, answer, now)
    return True


def _message(push: Push) -> dict[str, str] | None:
    """The text for the browser; None if there is nothing to show any more. No strat, no order, nothing sealed is in
    a notification's sentence, because it appears on locked screens."""
    if not push.notifications:
        text = gettext("This browser now gets push messages.")
        return {"title": settings.SITE_NAME, "body": text, "url": reverse("notification-settings"), "tag": "test"}
    user_id = push.subscription.user_id
    rows = Notification.objects.filter(pk__in=push.notifications, user_id=user_id, read_at__isnull=True)
    views = views_for(user_id, rows.select_related("round").order_by("pk"), preference_of(user_id))
    if not views:
        return None
    body = " ".join(view.sentence for view in views[:3])
    if len(views) > 3:
        body += " " + gettext("And %(number)s more.") % {"number": len(views) - 3}
    one = reverse("notification", args=[views[0].id]) if len(views) == 1 else reverse("notifications")
    body = body if len(body) <= LONGEST_BODY else f"{body[: LONGEST_BODY - 1]}…"
    return {"title": told_of(views)[:100], "body": body, "url": one, "tag": f"told-{views[0].id}"}


def _sealed(device: PushSubscription, message: Mapping[str, str], now: datetime) -> tuple[bytes, dict[str, str]]:
    """The message, encrypted for its browser alone, with the headers of the request."""
    body = http_ece.encrypt(
        json.dumps(message, ensure_ascii=False).encode(),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_decoded(device.p256dh, 65),
        auth_secret=_decoded(device.auth, 16),
    )
    parts = urlsplit(device.endpoint)
    claims = {
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + TOKEN_LASTS).timestamp()),
    }
    headers = {
        **vapid().sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(KEPT.total_seconds())),
        "Urgency": "normal",
    }
    return bytes(body), headers


def _answered(push: Push, answer: Answer, now: datetime) -> None:
    """404 and 410: the browser is gone, which its owner is shown. 429 and 5xx are temporary; other refusals are not."""
    status = answer.status
    if status in (404, 410):
        PushSubscription.objects.filter(pk=push.subscription_id).update(gone_at=now)
        Push.objects.filter(subscription=push.subscription_id).delete()
    elif 200 <= status < 300:
        PushSubscription.objects.filter(pk=push.subscription_id).update(last_at=now)
        push.as_read().delete()
    else:
        is_for_good = status != 429 and status < 500
        push.fail(now, f"status {status}", is_for_good=is_for_good, earliest=answer.earliest(now))
