"""1.6: Record and end sessions: by their owner, by an administrator, or because of a bar."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils.translation import gettext

from judging.accounts.sessions.models import BrowserSession
from judging.common import locking
from judging.common.errors import Refused
from wargame.rules.command.screen_names import RULE


@locking.writes
def note_session(*, user_id: int, key: str, before: str, browser: str, now: datetime) -> None:
    """1.6: Record that the session with that key is in use; `before` is its key when it was last recorded."""
    noted = BrowserSession.objects.filter(user_id=user_id, key__in={key, before} - {""})
    if noted.update(key=key, last_seen=now):
        return
    living = Session.objects.filter(expire_date__gt=now).values("session_key")
    BrowserSession.objects.filter(user_id=user_id).exclude(key__in=living).delete()
    fresh = {"user_id": user_id, "browser": browser, "first_seen": now, "last_seen": now}
    BrowserSession.objects.get_or_create(key=key, defaults=fresh)


@locking.writes
def forget_session(*, key: str) -> None:
    """1.6: Remove the record of a session that was logged out."""
    BrowserSession.objects.filter(key=key).delete()


@locking.writes
def end_session(*, user: User, session_id: int) -> BrowserSession:
    """1.6: End one of the user's own sessions at once. Raises Refused if it is not theirs, or is over."""
    row = locking.hold_first(BrowserSession.objects.filter(user=user, pk=session_id))
    if row is None:
        raise Refused(gettext("That browser is already logged out."), RULE)
    Session.objects.filter(session_key=row.key).delete()
    BrowserSession.objects.filter(pk=row.pk).delete()
    return row


@locking.writes
def end_sessions(*, user: User, now: datetime, but: str = "", leaving: Mapping[str, object] | None = None) -> int:
    """1.6: End all of the user's sessions at once, except the one with the key `but`; returns how many. `leaving` is
    the data that stays in them, as sessions of a visitor: the message for the browser when it comes back. This reads
    all sessions, because older ones are not recorded: about 50 µs each."""
    ended = [key for key in _keys_of(user, now) if key != but]
    sessions = Session.objects.filter(session_key__in=ended)
    if leaving:
        sessions.update(session_data=SessionStore().encode(dict(leaving)))
    else:
        sessions.delete()
    BrowserSession.objects.filter(user=user).exclude(key=but).delete()
    return len(ended)


def _keys_of(user: User, now: datetime) -> Iterator[str]:
    for session in Session.objects.filter(expire_date__gt=now).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            yield session.session_key
