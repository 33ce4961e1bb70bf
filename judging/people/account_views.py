"""1.6: signing up, the user's own account, its mail address, and a forgotten password.

This module limits the rate per address of what costs letters or reveals who has an account.
"""

from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import password_validators_help_texts
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetView
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe
from django.views.i18n import set_language

from judging.accounts import services, trusted_browsers
from judging.accounts.bans import deletion_of
from judging.accounts.names import account_for
from judging.accounts.queries import good_link, who_to_ask
from judging.accounts.reauthentication import check_owner
from judging.accounts.sessions.queries import sessions_of
from judging.accounts.throttling import is_too_often
from judging.accounts.tokens.models import AccessToken
from judging.accounts.tokens.services import LASTS, make_token, revoke_token, tokens_of
from judging.accounts.two_factor.services import second_of
from judging.command.people.admission import open_invitations
from judging.common import locking
from judging.common.accounts import is_demo_user
from judging.common.errors import Refused
from judging.common.form_views import UNPROCESSABLE, Success, get_or_post, handle_button, handle_form, number_of
from judging.common.judges import is_administrator
from judging.email.services import has_mail
from judging.home.queries import contact_address, rounds_to_join
from judging.people.queries import account_view, entries
from judging.people.services import may_invite
from judging.setup.services import may_create_round

BACKEND = "django.contrib.auth.backends.ModelBackend"
SIGN_UPS, LETTERS, PER = 60, 10, 3600
"""How often an address can try to sign up, and ask for letters, per time in seconds. A club of fifty shares one
address."""

NEW_TOKEN, SHOWN_WITHIN = "new_token", 120
"""The cookie that brings a new token's text to the page that shows it, and its lifetime in seconds."""


@sensitive_post_parameters("password")
@get_or_post
def sign_up(request: HttpRequest) -> HttpResponse:
    """1.6: create an account, log in, and redirect to the page from which they came, or to the choice of a team."""
    if request.user.is_authenticated:
        return redirect("account")
    values = {key: request.POST.get(key, "") for key in ("name", "mail", "password")}

    def act() -> Success:
        if is_too_often(request, "sign-up", SIGN_UPS, PER):
            raise Refused(gettext("Too many attempts from your IP address. Wait an hour, then try again."))
        user = services.sign_up(
            name=values["name"],
            password=values["password"],
            mail=values["mail"],
            now=timezone.now(),
            invitation=request.POST.get("invitation", ""),
        )
        login(request, user, backend=BACKEND)
        message = gettext("Welcome, %(name)s. You are logged in.")
        if has_mail() and values["mail"]:
            message = gettext(
                "Welcome, %(name)s. You are logged in. We've sent an email to %(mail)s. Use it to confirm your address."
            )
        return Success(message % {"name": user.username, "mail": values["mail"].strip()}, _after_sign_up(request, user))

    return handle_form(request, partial(_sign_up_page, request), act)


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """1.6: a button of the footer chooses the language of this browser, and of letters to its user."""
    if isinstance(request.user, User):
        services.choose_language(user=request.user, code=request.POST.get("language", ""))
    return set_language(request)


@sensitive_post_parameters("password")
@get_or_post
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """1.6: the user's own account; a POST changes the mail address, has the letter sent again, or hides past
    activity."""
    user = request.user
    if not isinstance(user, User):
        raise PermissionDenied

    def act() -> str:
        if request.POST.get("act") == "record":
            shows = "shows" in request.POST
            services.show_record(user=user, shows=shows)
            return (
                gettext("Everyone can now see your record across all rounds.")
                if shows
                else gettext("Your page is no longer public.")
            )
        if is_too_often(request, "letters", LETTERS, PER):
            raise Refused(gettext("Too many emails requested. Wait an hour, then try again."), "", "mail")
        if request.POST.get("act") != "again":
            check_owner(request, user, timezone.now())
        return _change_mail(request, user)

    return handle_form(request, partial(_account_page, request, user), act)


@sensitive_post_parameters("password")
@get_or_post
@login_required
def tokens(request: HttpRequest) -> HttpResponse:
    """1.6: a POST makes a token, whose text is shown on the page that follows at once, and never again: reloading it
    makes no other. Until then only the browser stores it."""
    user, now = User.objects.get(username=request.user.get_username()), timezone.now()
    if request.method != "POST":
        return _new_token(request, user)
    days = number_of(request.POST.get("days", ""), otherwise=0)
    try:
        check_owner(request, user, now)
        token, text = make_token(
            user=user,
            name=request.POST.get("token_name", ""),
            scopes=request.POST.getlist("scopes"),
            days=days or None,
            now=now,
        )
    except Refused as refused:
        page = _account_page(request, user, refused)
        page.status_code = UNPROCESSABLE
        return page
    page = redirect("tokens")
    page.set_signed_cookie(
        NEW_TOKEN,
        f"{token.pk} {text}",
        salt=str(user.pk),
        max_age=SHOWN_WITHIN,
        path=reverse("tokens"),
        secure=bool(settings.SESSION_COOKIE_SECURE),
        httponly=True,
        samesite="Strict",
    )
    return page


@require_POST
@login_required
def token_revoke(request: HttpRequest, prefix: str) -> HttpResponse:
    """1.6: a button that revokes one of the user's own tokens."""
    user = User.objects.get(username=request.user.get_username())

    def act() -> str:
        token = revoke_token(user=user, prefix=prefix, now=timezone.now())
        return gettext("The token “%(name)s” no longer works.") % {"name": token.name}

    return handle_button(request, act, reverse("account"))


@get_or_post
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """1.6: the target of the letter's link: a button confirms the address, so that no mail scanner does."""
    error, user = None, None
    if request.method == "POST":
        try:
            user = services.confirm_mail(token=token, now=timezone.now())
        except Refused as refused:
            error = refused
    context = {"refused": error, "is_confirmed": user is not None}
    return render(request, "registration/confirm.html", context, status=error.status(422) if error else 200)


class Reset(PasswordResetView):
    """A letter for changing a forgotten password; without mail, the person to ask."""

    template_name = "registration/reset.html"
    success_url = reverse_lazy("password_reset_done")

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        context = super().get_context_data(**kwargs)
        context.pop("site", None)  # Django's own; the frame of the page needs ours
        return context | {"has_mail": has_mail(), "who_to_ask": who_to_ask()}

    def form_valid(self, form: PasswordResetForm) -> HttpResponse:
        """The same response, in the same time, whether there is such an account or not."""
        if not has_mail():
            return self.render_to_response(self.get_context_data(form=form))
        if is_too_often(self.request, "letters", LETTERS, PER):
            form.add_error(
                None, gettext("Too many emails requested from your IP address. Wait an hour, then try again.")
            )
            return self.form_invalid(form)
        services.ask_for_password(address=form.cleaned_data["email"], now=timezone.now())
        return redirect(self.get_success_url())


@require_safe
def reset_sent(request: HttpRequest) -> HttpResponse:
    """1.6: the page after a request for a new password, with the next steps."""
    return render(request, "registration/reset_sent.html")


class NewPassword(PasswordResetConfirmView):
    """The target of the letter's link: a new password."""

    template_name = "registration/reset_confirm.html"

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        context = super().get_context_data(**kwargs)
        context.pop("site", None)
        return context

    def form_valid(self, form: Any) -> HttpResponse:
        trusted_browsers.make_known(self.request, form.user.get_username())
        messages.success(self.request, gettext("Your password has been changed. Log in with the new one."))
        return super().form_valid(form)

    def get_success_url(self) -> str:
        """The log-in, followed by the list of what still works without the password."""
        return f"{reverse('login')}?{urlencode({'next': reverse('account-access')})}"


@locking.writes
def _change_mail(request: HttpRequest, user: User) -> str:
    now = timezone.now()
    if request.POST.get("act") == "again":
        is_sent = services.send_letter(account_for(user), now)
        return (
            gettext("We've sent the email again.")
            if is_sent
            else gettext("We couldn't send the email. Try again later.")
        )
    account = services.change_mail(user=user, mail=request.POST.get("mail", ""), now=now)
    if not account.mail:
        return gettext("Your account no longer has an email address.")
    if not account.unconfirmed:
        return gettext("This is already your address.")
    is_sent = services.send_letter(account, now)
    return (
        gettext("We've sent you an email. Use it to confirm the address.")
        if is_sent
        else gettext("The address has been saved.")
    )


def _sign_up_page(request: HttpRequest, refused: Refused | None = None) -> HttpResponse:
    invitation = request.POST.get("invitation", "") or request.GET.get("invitation", "")
    link = good_link(invitation, timezone.now())
    context = {
        "typed": {key: request.POST.get(key, "") for key in ("name", "mail")},
        "next": _next(request),
        "has_mail": has_mail(),
        "rules": password_validators_help_texts(),
        "refused": refused,
        "sign_up": settings.SIGN_UP,
        "invitation": invitation,
        "may_sign_up": settings.SIGN_UP == "open" or (settings.SIGN_UP == "invitation" and link is not None),
        "contact": contact_address(),
        "who_to_ask": who_to_ask(),
    }
    return render(request, "registration/sign_up.html", context)


def _new_token(request: HttpRequest, user: User) -> HttpResponse:
    """The text of this browser's new token; the account page if it has made none."""
    cookie = request.get_signed_cookie(NEW_TOKEN, "", salt=str(user.pk), max_age=SHOWN_WITHIN) or ""
    pk, _, text = cookie.partition(" ")
    token = AccessToken.objects.filter(user=user, pk=pk).first() if cookie else None
    if token is None:
        return redirect("account")
    page = render(request, "registration/token.html", {"token": token, "text": text})
    page["Cache-Control"] = "no-store"
    page.delete_cookie(NEW_TOKEN, path=reverse("tokens"), samesite="Strict")
    return page


def _account_page(request: HttpRequest, user: User, refused: Refused | None = None) -> HttpResponse:
    view, now = account_view(user), timezone.now()
    context = {
        "account": view,
        "typed_mail": request.POST.get("mail", "") if refused and "mail" in request.POST else view.waiting or view.mail,
        "has_mail": has_mail(),
        "is_demo_user": is_demo_user(user.username),
        "to_join": rounds_to_join(user),
        "invitations": open_invitations(user),
        "may_create": may_create_round(user),
        "refused": refused,
        "tokens": tokens_of(user, now),
        "sessions": sessions_of(user, request.session.session_key or "", now),
        "entries": entries(page=1, user=user)[0],
        "second": second_of(user),
        "deletion": None if is_administrator(user) else deletion_of(user),
        "looks_after_people": is_administrator(user),
        "may_invite": may_invite(user),
        "scopes": AccessToken.Scope.choices,
        "chosen": request.POST.getlist("scopes") if "token_name" in request.POST else ["read"],
        "typed_token": request.POST.get("token_name", ""),
        "lasts": LASTS,
    }
    return render(request, "registration/account.html", context)


def _after_sign_up(request: HttpRequest, user: User) -> str:
    """The page from which they came; from the front page, or from nowhere, to the teams of the round, if there is
    one to join, to the list of several, or to their account."""
    target = _next(request)
    if target and target not in (reverse("home"), reverse("sign-up"), reverse("login")):
        return target
    to_join = rounds_to_join(user)
    if len(to_join) == 1:
        return reverse("join", args=[to_join[0].slug])
    return f"{reverse('home')}#join" if to_join else reverse("account")


def _next(request: HttpRequest) -> str:
    """The page from which they came, if it is on this site."""
    target = request.POST.get("next") or request.GET.get("next", "")
    hosts = {request.get_host()}
    is_here = url_has_allowed_host_and_scheme(target, allowed_hosts=hosts, require_https=request.is_secure())
    return target if is_here and target.startswith("/") else ""
