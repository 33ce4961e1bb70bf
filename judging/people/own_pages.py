"""1.6: what the owner of an account does with all of it: he takes what the service keeps of him as one file, and asks
that the account is deleted, or takes that back."""

from __future__ import annotations

from functools import partial

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from judging.accounts.bars import deletion_of
from judging.accounts.proving import check_owner
from judging.game.accounts import is_demo_user
from judging.game.acting import Done, answer, asks_or_acts
from judging.game.errors import Refused
from judging.people.access import access_of, end_access
from judging.people.deleting import TO_THINK, ask_deletion, keep_account
from judging.people.own_data import data_of


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
        return Done(gettext("Your account won't be deleted."), reverse("account"))
    if act != "delete":
        raise Refused(gettext("There is no such button. Reload the page."))
    if is_demo_user(user.username):
        raise Refused(gettext("This account belongs to the demo round and is shared by everyone."), "1.6")
    check_owner(request, user, now)
    asked = ask_deletion(user=user, renames_all=bool(request.POST.get("renames_all")), now=now)
    day = date_format(asked.due_at, gettext("d F Y"))
    return Done(gettext("Your account will be deleted on %(day)s. Until then, you can cancel this.") % {"day": day})


def _page(request: HttpRequest, user: User, *, refused: Refused | None = None) -> HttpResponse:
    context = {
        "deletion": deletion_of(user),
        "days": TO_THINK.days,
        "refused": refused,
        "renames_all": bool(request.POST.get("renames_all")),
    }
    return render(request, "registration/delete.html", context)


@login_required
@require_safe
@never_cache
def own_file(request: HttpRequest) -> JsonResponse:
    """1.6: the file, for its owner."""
    user = User.objects.get(username=request.user.get_username())
    answer = JsonResponse(data_of(user), json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return answer


@never_cache
@asks_or_acts
@login_required
def access(request: HttpRequest) -> HttpResponse:
    """1.6: what works for the user without their password, as after a reset; a POST ends all of it."""
    user, session = User.objects.get(username=request.user.get_username()), request.session.session_key or ""

    def page(*, refused: Refused | None = None) -> HttpResponse:
        found = access_of(user, session, timezone.now())
        return render(request, "registration/access.html", {"access": found, "refused": refused})

    def act() -> str:
        end_access(user=user, but=session, now=timezone.now())
        return gettext("Only this browser and your password give access to your account now.")

    return answer(request, page, act)
