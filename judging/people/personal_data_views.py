"""1.6: Owners' acts on their account: download their data, see and end all access without the password, delete it."""

from dataclasses import dataclass
from datetime import datetime
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

from judging.accounts.bans import deletion_of
from judging.accounts.reauthentication import check_owner
from judging.accounts.sessions.queries import sessions_of
from judging.accounts.sessions.services import end_sessions
from judging.accounts.tokens.models import AccessToken
from judging.accounts.tokens.services import good_tokens
from judging.common import locking
from judging.common.accounts import is_demo_user
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_form
from judging.discord.models import DiscordLink
from judging.feeds.models import FeedAddress
from judging.inbound_email.models import MailAddress, SeatAddress
from judging.notifications.models import PushSubscription
from judging.people.deletion import TO_THINK, ask_deletion, keep_account
from judging.people.personal_data import data_of
from judging.webhooks.models import Hook


@dataclass(frozen=True)
class Access:
    """1.6: the number of each kind of access."""

    tokens: int
    mail_addresses: int
    discord: int
    hooks: int
    feeds: int
    devices: int
    sessions: int

    @property
    def is_any(self) -> bool:
        return any(vars(self).values())


def access_of(user: User, session: str, now: datetime) -> Access:
    """1.6: a user's other access besides the browser with that session, for themselves alone."""
    return Access(
        tokens=AccessToken.objects.filter(good_tokens(now), user=user).count(),
        mail_addresses=MailAddress.objects.filter(player__user=user).count()
        + SeatAddress.objects.filter(user=user).count(),
        discord=DiscordLink.objects.filter(user=user).count(),
        hooks=Hook.objects.filter(user=user).count(),
        feeds=FeedAddress.objects.filter(user=user).count(),
        devices=PushSubscription.objects.filter(user=user, gone_at=None).count(),
        sessions=sum(not each.is_this for each in sessions_of(user, session, now)),
    )


@locking.writes
def end_access(*, user: User, but: str, now: datetime) -> None:
    """1.6: end all access, except for the browser with the session `but`."""
    locking.hold(User.objects, pk=user.pk)  # what a form makes at the same time comes before or after
    AccessToken.objects.filter(good_tokens(now), user=user).update(revoked_at=now)
    MailAddress.objects.filter(player__user=user).delete()
    for model in (SeatAddress, DiscordLink, Hook, FeedAddress, PushSubscription):
        model._default_manager.filter(user=user).delete()
    end_sessions(user=user, now=now, but=but)


@sensitive_post_parameters("password")
@get_or_post
@login_required
def delete(request: HttpRequest) -> HttpResponse:
    """1.6: what is deleted and what stays; a POST requests it, with the password, or takes the request back."""
    user = User.objects.get(username=request.user.get_username())
    return handle_form(request, partial(_page, request, user), partial(_act, request, user))


def _act(request: HttpRequest, user: User) -> Success:
    now, act = timezone.now(), request.POST.get("act")
    if act == "keep":
        keep_account(user=user, now=now)
        return Success(gettext("Your account won't be deleted."), reverse("account"))
    if act != "delete":
        raise Refused(gettext("There is no such button. Reload the page."))
    if is_demo_user(user.username):
        raise Refused(gettext("This account belongs to the demo round and is shared by everyone."), "1.6")
    check_owner(request, user, now)
    deletion = ask_deletion(user=user, renames_all=bool(request.POST.get("renames_all")), now=now)
    day = date_format(deletion.due_at, gettext("d F Y"))
    return Success(gettext("Your account will be deleted on %(day)s. Until then, you can cancel this.") % {"day": day})


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
@get_or_post
@login_required
def access(request: HttpRequest) -> HttpResponse:
    """1.6: the user's access without their password, as after a reset; a POST ends all of it."""
    user, session = User.objects.get(username=request.user.get_username()), request.session.session_key or ""

    def page(*, refused: Refused | None = None) -> HttpResponse:
        view = access_of(user, session, timezone.now())
        return render(request, "registration/access.html", {"access": view, "refused": refused})

    def act() -> str:
        end_access(user=user, but=session, now=timezone.now())
        return gettext("Only this browser and your password give access to your account now.")

    return handle_form(request, page, act)
