"""1.6: Pages that ask for the code at the log-in, and set up and remove a second factor."""

from functools import partial

from django.contrib import messages
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django_otp.plugins.otp_totp.models import TOTPDevice

from judging.accounts.throttling import is_too_often
from judging.accounts.two_factor.middleware import PASSED
from judging.accounts.two_factor.services import (
    DUE,
    CodeOutcome,
    begin_second,
    confirm_second,
    remove_second,
    second_of,
    secret_of,
    try_second,
)
from judging.common.accounts import has_second, is_demo_user
from judging.common.errors import Refused
from judging.common.form_views import UNPROCESSABLE, Success, get_or_post, handle_form

TRIES, PER = 20, 600
"""How often an address may send codes and passwords here, within PER seconds."""


@sensitive_post_parameters("code")
@never_cache
@get_or_post
def second(request: HttpRequest) -> HttpResponse:
    """1.6: Ask for the code after the password; redirect users who owe none."""
    to = _next(request) or "/"
    user = User.objects.filter(pk=request.session.get(SESSION_KEY) or 0, is_active=True).first()
    if not request.session.get(DUE) or user is None:
        return redirect(to)

    if not has_second(user.pk):  # removed by an administrator since the password was typed
        request.session.pop(DUE)
        return redirect(to)

    def act() -> Success:
        _check_code(request, user)
        request.session.pop(DUE)
        request.session[PASSED] = True
        request.session.cycle_key()
        return Success("", to)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        return render(request, "registration/second.html", {"refused": refused, "next": _next(request)})

    return handle_form(request, page, act)


@sensitive_post_parameters("code", "password")
@never_cache
@get_or_post
@login_required
def set_up(request: HttpRequest) -> HttpResponse:
    """1.6: The user's own second factor: started with the password, confirmed with a first code, removed with both."""
    user = User.objects.get(username=request.user.get_username())
    page, act = partial(_page, request, user), request.POST.get("act", "")
    if request.method != "POST" or act == "remove":
        return handle_form(request, page, partial(_remove, request, user) if act == "remove" else None)
    device = None
    try:
        if act == "begin":
            _check_password(request, user)
            return page(device=begin_second(user=user))
        if act != "confirm":
            raise Refused(gettext("There is no such button. Reload the page."))
        device = TOTPDevice.objects.filter(user=user, confirmed=False).first()
        _check_often(request)
        key = request.session.session_key or ""
        outcome, codes = confirm_second(user=user, code=request.POST.get("code", ""), but=key, now=timezone.now())
        if outcome is not CodeOutcome.PASSED:
            raise Refused(gettext(outcome.value), "", "code")
    except Refused as refused:
        response = page(refused=refused, device=device)
        response.status_code = refused.status(UNPROCESSABLE)
        return response
    request.session[PASSED] = True
    return render(request, "registration/second_codes.html", {"codes": codes})


def _remove(request: HttpRequest, user: User) -> Success:
    _check_password(request, user)
    _check_code(request, user)
    remove_second(user=user)
    return Success(gettext("You no longer need a code to log in."), reverse("account"), messages.WARNING)


def _page(
    request: HttpRequest, user: User, *, refused: Refused | None = None, device: TOTPDevice | None = None
) -> HttpResponse:
    secret = secret_of(device) if device else None
    context = {"second": second_of(user), "secret": secret, "refused": refused}
    return render(request, "registration/second_set_up.html", context)


def _check_code(request: HttpRequest, user: User) -> None:
    _check_often(request)
    outcome = try_second(user=user, code=request.POST.get("code", ""), now=timezone.now())
    if outcome is not CodeOutcome.PASSED:
        raise Refused(gettext(outcome.value), "", "code")


def _check_password(request: HttpRequest, user: User) -> None:
    if is_demo_user(user.username):
        raise Refused(gettext("This account belongs to the demo round and is shared by everyone."), "1.6")
    _check_often(request)
    if not user.check_password(request.POST.get("password", "")):
        raise Refused(gettext("That is not your password."), "", "password")


def _check_often(request: HttpRequest) -> None:
    if is_too_often(request, "second", TRIES, PER):
        raise Refused(gettext("Too many attempts from your address. Wait ten minutes, then try again."), "", "code")


def _next(request: HttpRequest) -> str:
    target = request.POST.get("next") or request.GET.get("next", "")
    hosts = {request.get_host()}
    is_here = url_has_allowed_host_and_scheme(target, allowed_hosts=hosts, require_https=request.is_secure())
    return target if is_here and target.startswith("/") else ""
