"""1.6: Ask the owner of an account for proof, so that nobody who finds a browser logged in can take the account
over."""

from datetime import datetime

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext

from judging.accounts.throttling import is_too_often
from judging.accounts.two_factor.services import CodeOutcome, try_second
from judging.common.accounts import has_second
from judging.common.errors import Refused

TRIES, PER = 10, 600
"""How often a network can try passwords here, within PER seconds."""


def check_owner(request: HttpRequest, user: User, now: datetime) -> None:
    """1.6: Raise Refused unless `password` in the form has the user's password, or a code of their second factor."""
    if is_too_often(request, "password", TRIES, PER):
        raise Refused(gettext("Too many tries. Wait ten minutes, then try again."), "", "password")
    proof = request.POST.get("password", "")
    if user.check_password(proof):
        return
    if has_second(user.pk) and proof and try_second(user=user, code=proof, now=now) is CodeOutcome.PASSED:
        return
    raise Refused(gettext("That is not your password."), "", "password")
