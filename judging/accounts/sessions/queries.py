"""1.6: The browsers in which a user is logged in."""

import re
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext, gettext_noop

from judging.accounts.sessions.models import BrowserSession
from judging.accounts.two_factor.services import DUE

BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox|FxiOS", "Firefox"),
    ("Chrome|CriOS|Chromium", "Chrome"),
    ("Safari", "Safari"),
    ("curl|python|Wget", gettext_noop("a script")),
)
"""Patterns in the User-Agent header; the first match counts, because most browsers name others, too."""

SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X|Macintosh", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux|X11", "Linux"),
)


@dataclass(frozen=True)
class SessionView:
    """1.6: A browser in which its owner is logged in; `is_this`: the one that sends the request; `is_half`: the
    password was right there, and no code was entered."""

    id: int
    browser: str
    first_seen: datetime
    last_seen: datetime
    is_this: bool
    is_half: bool


def sessions_of(user: User, key: str, now: datetime) -> tuple[SessionView, ...]:
    """1.6: The user's sessions that have not expired: the one with that key first, then the most recently used."""
    living = Session.objects.filter(expire_date__gt=now, session_key=OuterRef("key"))
    rows = BrowserSession.objects.filter(user=user).annotate(data=Subquery(living.values("session_data")[:1]))
    store = SessionStore()
    views = [
        SessionView(
            id=row.pk,
            browser=in_words(row.browser),
            first_seen=row.first_seen,
            last_seen=row.last_seen,
            is_this=row.key == key,
            is_half=bool(store.decode(row.data).get(DUE)),
        )
        for row in rows.exclude(data=None)
    ]
    return tuple(sorted(views, key=lambda each: not each.is_this))


def browser_name(agent: str) -> str:
    """The approximate name of a browser with that User-Agent header: `Firefox on Linux`."""
    browser = next((name for sign, name in BROWSERS if re.search(sign, agent)), gettext_noop("a browser"))
    system = next((name for sign, name in SYSTEMS if re.search(sign, agent)), "")
    return f"{browser} on {system}" if system else browser


def in_words(browser: str) -> str:
    """1.6: The approximate name of a browser, as it is stored, in the reader's language."""
    name, is_on, system = browser.partition(" on ")
    label = gettext(name)
    return gettext("%(browser)s on %(system)s") % {"browser": label, "system": system} if is_on else label
