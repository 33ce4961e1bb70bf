"""1.6: Facts about an account that every app needs: whether anyone can log in to it, and whether it has a second
factor."""

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django_otp.plugins.otp_totp.models import TOTPDevice

from judging.common.request_cache import request_cached

DEMO_GROUP = "demo"
"""The group of exactly those users that the demo made: anybody may log in as one of them."""


def is_demo_user(username: str) -> bool:
    """Whether the username is one that anybody may try."""
    return User.objects.filter(username=username, groups__name=DEMO_GROUP).exists()


def has_second(user_id: int) -> bool:
    """1.6: whether log-in asks for a code after the password."""
    return bool(TOTPDevice.objects.filter(user_id=user_id, confirmed=True).exists())


@request_cached
def lacks_second_factor(user: AbstractBaseUser | AnonymousUser) -> bool:
    """1.6: Whether the site requires a second factor of judges and administrators, and this user has not set one up.

    Until then all roles are suspended, on pages as in the API.
    """
    if settings.SECOND_FACTOR != "required" or not user.is_authenticated or has_second(user.pk):
        return False
    # Anyone can log in to a demo account, so it can't have one, and it sees no secrets.
    return bool(getattr(user, "is_superuser", False)) or not is_demo_user(user.get_username())
