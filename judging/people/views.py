"""1.6: the administrators' pages about people: searching, viewing, barring and helping them; and their log."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from judging.common.accounts import has_second
from judging.common.errors import Refused
from judging.common.form_views import UNPROCESSABLE, get_or_post, handle_form, number_of
from judging.common.judges import is_administrator
from judging.people import queries, services
from judging.people.forms import AccountForm, HeadForm, check_administrator, person_with
from wargame.models import Round
from wargame.models.choices import Role

P = ParamSpec("P")

BARS = (
    (1, gettext_lazy("a day")),
    (3, gettext_lazy("3 days")),
    (7, gettext_lazy("a week")),
    (30, gettext_lazy("30 days")),
    (90, gettext_lazy("90 days")),
    (365, gettext_lazy("a year")),
)


View = Callable[P, HttpResponse]


def for_administrators(view: View[Concatenate[HttpRequest, P]]) -> View[Concatenate[HttpRequest, P]]:
    """Decorate a page: ask users to log in, and answer anybody but an administrator with 403."""

    @wraps(view)
    def look(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        check_administrator(request.user)
        return view(request, *args, **kwargs)

    return login_required(look)


@require_safe
@for_administrators
def people(request: HttpRequest) -> HttpResponse:
    """1.6: all who have an account, searched by name, mail address and round."""
    query, slug = request.GET.get("words", ""), request.GET.get("round", "")
    page = number_of(request.GET.get("page", ""), otherwise=1)
    context = {
        "found": queries.find(words=query, round_slug=slug, page=page, now=timezone.now()),
        "words": query,
        "slug": slug,
        "rounds": Round.objects.order_by("-created_at", "-pk").only("slug", "name"),
    }
    return render(request, "people/people.html", context)


@require_safe
@for_administrators
def log(request: HttpRequest) -> HttpResponse:
    """1.6: the administrators' log, newest first."""
    page = max(1, number_of(request.GET.get("page", ""), otherwise=1))
    entries, has_older = queries.entries(page=page)
    return render(request, "people/log.html", {"entries": entries, "page": page, "pages": 0 if has_older else page})


@get_or_post
@for_administrators
def person(request: HttpRequest, person: int) -> HttpResponse:
    """1.6: a person's account; a POST acts on it."""
    user = person_with(person)
    if request.POST.get("act") == "link":
        return _link(request, user)

    def act() -> str:
        return AccountForm(request.POST).do(user, _administrator(request), timezone.now())

    return handle_form(request, partial(_page, request, user), act)


@get_or_post
@for_administrators
def heads(request: HttpRequest) -> HttpResponse:
    """1.3, R57: the judges of all rounds that are not over; a POST appoints the head of a role, or a battle judge
    from outside where an appeal waits for one."""

    def act() -> str:
        return HeadForm(request.POST).do(_administrator(request), timezone.now())

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {"rounds": services.heads_of_rounds(), "roles": Role, "refused": refused, "typed": request.POST}
        return render(request, "people/heads.html", context)

    return handle_form(request, page, act)


@get_or_post
@login_required
def invitations(request: HttpRequest) -> HttpResponse:
    """1.6: invitation links, for administrators and hosts of rounds; administrators can also make accounts for
    others."""
    user, now, data = _administrator(request), timezone.now(), request.POST
    if not (is_administrator(user) or services.may_invite(user)):
        raise PermissionDenied(
            gettext("This page is for administrators. If sign-up needs a link, hosts can use it too.")
        )

    def act() -> str:
        if data.get("act") == "revoke":
            services.revoke_link(by=user, link_id=number_of(data.get("link", "")), now=now)
            return gettext("The invitation link no longer works.")
        places, days = number_of(data.get("places", "")), number_of(data.get("days", ""))
        services.make_link(by=user, note=data.get("note", ""), places=places, days=days, now=now)
        return gettext("The invitation link is ready. Copy it from the list.")

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {
            "links": services.links_for(user, now),
            "address": settings.PUBLIC_URL.rstrip("/") + reverse("sign-up"),
            "may_invite": services.may_invite(user),
            "is_administrator": is_administrator(user),
            "sign_up": settings.SIGN_UP,
            "lasts": services.LASTS,
            "most": services.MOST_PLACES,
            "refused": refused,
            "typed": data,
        }
        return render(request, "people/invitations.html", context)

    if data.get("act") != "account":
        return handle_form(request, page, act)
    try:
        account = services.make_account(name=data.get("name", ""), by=user, now=now)
    except Refused as refused:
        return _refused(page(refused=refused), refused)
    return _link_page(request, account, services.password_path(account))


def _link(request: HttpRequest, user: User) -> HttpResponse:
    """The page that shows a link for another password, this once."""
    by, reason = _administrator(request), request.POST.get("reason", "")
    try:
        path = services.password_link(user=user, by=by, reason=reason, now=timezone.now())
    except Refused as refused:
        return _refused(_page(request, user, refused=refused), refused)
    return _link_page(request, user, path)


def _refused(page: HttpResponse, refused: Refused) -> HttpResponse:
    page.status_code = refused.status(UNPROCESSABLE)
    return page


def _link_page(request: HttpRequest, user: User, path: str) -> HttpResponse:
    page = render(request, "people/link.html", {"person": user, "link": settings.PUBLIC_URL.rstrip("/") + path})
    page["Cache-Control"] = "no-store"
    return page


def _page(request: HttpRequest, user: User, *, refused: Refused | None = None) -> HttpResponse:
    view = queries.person(user.pk, timezone.now())
    if view is None:
        raise Http404(gettext("There is no such account."))
    entries, _ = queries.entries(page=1, user=user)
    context = {
        "person": view,
        "entries": entries,
        "bars": BARS,
        "has_second": has_second(user.pk),
        "is_self": user.pk == request.user.pk,
        "refused": refused,
        "typed": request.POST,
    }
    return render(request, "people/person.html", context)


def _administrator(request: HttpRequest) -> User:
    return User.objects.get(username=request.user.get_username())
