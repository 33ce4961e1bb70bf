"""1.6: the owner of an account asks that it is deleted, and takes that back."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters

from judging.accounts.bars import deletion_of
from judging.accounts.throttling import is_too_often
from judging.game.acting import Done, answer, asks_or_acts
from judging.game.errors import Refused
from judging.game.viewer import is_demo_user
from judging.people.deleting import TO_THINK, ask_deletion, keep_account

TRIES, PER = 10, 600
"""How often an address may type a password here, in so many seconds."""


@sensitive_post_parameters("password")
@asks_or_acts
@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """1.6: what is deleted and what stays; a POST asks for it, with the password, or takes it back."""
    user = User.objects.get(username=request.user.get_username())
    return answer(request, partial(_page, request, user), partial(_act, request, user))


def _act(request: HttpRequest, user: User) -> Done:
    now, act = timezone.now(), request.POST.get("act")
    if act == "keep":
        keep_account(user=user, now=now)
        return Done(gettext("Your account stays."), reverse("account"))
    if act != "delete":
        raise Refused(gettext("There is no such button. Load the page anew."))
    if is_demo_user(user.username):
        raise Refused(gettext("This account is everybody's: it belongs to the demo round."), "1.6")
    if is_too_often(request, "password", TRIES, PER):
        raise Refused(gettext("Too many tries. Wait ten minutes, then try again."), "", "password")
    if not user.check_password(request.POST.get("password", "")):
        raise Refused(gettext("That is not your password."), "", "password")
    asked = ask_deletion(user=user, renames_all=bool(request.POST.get("renames_all")), now=now)
    day = date_format(asked.due_at, gettext("d F Y"))
    return Done(gettext("Your account will be deleted on %(day)s. Until then you can keep it.") % {"day": day})


def _page(request: HttpRequest, user: User, *, refused: Refused | None = None) -> HttpResponse:
    context = {
        "deletion": deletion_of(user),
        "days": TO_THINK.days,
        "refused": refused,
        "renames_all": bool(request.POST.get("renames_all")),
    }
    return render(request, "registration/delete.html", context)
