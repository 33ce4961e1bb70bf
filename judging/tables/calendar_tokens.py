"""T10: the addresses of personal calendars of deadlines at card tables: each is signed and ends with the password."""

from django.contrib.auth.models import User
from django.core import signing
from django.utils.crypto import constant_time_compare

SALT = "judging.tables.deadlines"


def calendar_token(user: User) -> str:
    """What the address of somebody's calendar has in it; another password ends it."""
    return signing.dumps([user.pk, _bound_to(user)], salt=SALT)


def owner_of_calendar(token: str) -> User | None:
    """Whose calendar an address is; None for one that is invalid or was replaced."""
    try:
        pk, bound = signing.loads(token[:300], salt=SALT)
    except (signing.BadSignature, TypeError, ValueError):
        return None
    user = User.objects.filter(pk=pk, is_active=True).first()
    return user if user is not None and constant_time_compare(bound, _bound_to(user)) else None


def _bound_to(user: User) -> str:
    return user.get_session_auth_hash()[:20]
