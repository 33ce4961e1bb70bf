"""Who is logged in by a test, and not by the page of log-ins, is so by the rows that a log-in leaves.

A log-in takes some forty statements, twice as many as a page, and most tests log somebody in who is to look or to act.
`tests/test_logging_in.py` holds that rows and session are the same.
"""

from datetime import datetime
from hashlib import sha256

from axes.models import AccessLog
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.test import Client
from django.utils import timezone, translation
from django_otp.plugins.otp_totp.models import TOTPDevice

from judging.accounts.models import Account
from judging.accounts.sessions.middleware import NOTED
from judging.accounts.sessions.models import BrowserSession
from judging.accounts.sessions.queries import browser_name
from judging.common.accounts import DEMO_GROUP
from judging.common.confusable_names import skeleton
from wargame.rules.core.names import key

as_a_whole = Client._login
UNKNOWN = "<unknown>"


def at_once(client: Client, user: User, backend: str) -> None:
    """Somebody is logged in in a browser without a session. Who has a second factor, or an account of the demo, logs in
    as a whole."""
    asked = User.objects.filter(pk=user.pk).values_list(
        Exists(TOTPDevice.objects.filter(user=OuterRef("pk"))),
        Exists(User.groups.through.objects.filter(user=OuterRef("pk"), group__name=DEMO_GROUP)),
        "account__language",
    )
    *special, language = asked.get()
    if any(special) or settings.SESSION_COOKIE_NAME in client.cookies:
        as_a_whole(client, user, backend)
        return
    now, request = timezone.now(), HttpRequest()
    request.session = _session(user, backend, now)
    name = request.session.session_key
    BrowserSession.objects.create(user=user, key=name, browser=browser_name(""), first_seen=now, last_seen=now)
    AccessLog.objects.create(
        username=user.username,
        attempt_time=now,
        session_hash=sha256(name.encode()).hexdigest(),
        **dict.fromkeys(("user_agent", "http_accept", "path_info"), UNKNOWN),
    )
    User.objects.filter(pk=user.pk).update(last_login=now)
    user.last_login = now
    if not language:
        _speaks(user, is_new=language is None)
    client._set_login_cookies(request)


def _session(user: User, backend: str, now: datetime) -> SessionStore:
    store = SessionStore()
    name = store._get_new_session_key()
    kept = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: backend,
        HASH_SESSION_KEY: user.get_session_auth_hash(),
        NOTED: [name, int(now.timestamp())],
    }
    Session.objects.create(session_key=name, session_data=store.encode(kept), expire_date=store.get_expiry_date())
    return SessionStore(name)


def _speaks(user: User, is_new: bool) -> None:
    language = translation.get_language() or ""
    if is_new:
        bare = skeleton(user.username)
        is_free = not Account.objects.filter(skeleton=bare).exists()
        Account.objects.create(user=user, key=key(user.username), skeleton=bare if is_free else None, language=language)
    else:
        Account.objects.filter(user=user).update(language=language)
