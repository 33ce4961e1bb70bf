"""1.5: the front door, the log-in and its password, the list of rounds, a round's places, and a player's own armies."""

from __future__ import annotations

from datetime import timedelta
from mimetypes import guess_type

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from judging.accounts.forms import LogInForm
from judging.game.accounts import is_demo_user
from judging.game.markup import document
from judging.game.pages import viewer_for
from judging.game.rounds import running_round
from judging.game.sites import places_of
from judging.game.viewer import viewer_of
from judging.home.front import open_rounds, war_of
from judging.home.reads import (
    DEMO_PASSWORD,
    HOST_PAGES,
    contact_address,
    demo_log_ins,
    first_page,
    open_requests,
    own_setups,
    past_rounds,
)
from judging.live.reads import live_version
from judging.setup.reads import may_create_round

SECURITY_LASTS = timedelta(days=30)
"""How long what `security.txt` says may be believed."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front door: what this is, the war that is played, and how to join; a player goes on to his own page, and a
    judge to his desk."""
    round_ = running_round(request.user)
    viewer = viewer_of(request.user, round_) if round_ else None
    if viewer and viewer.player:
        return redirect("mine", viewer.round.slug)
    if viewer and viewer.roles:
        return redirect("judge:index")
    war, asked = war_of(round_) if round_ else None, open_requests(request.user)
    context = {
        "war": war,
        "live": live_version(war.turn, timezone.now()) if war else "",
        "open_rounds": open_rounds(),
        "past": past_rounds(),
        "own": own_setups(request.user),
        "asked": asked,
        "asked_slugs": {each.round.slug for each in asked},
        "may_create": may_create_round(request.user),
    }
    return render(request, "home/front.html", context)


@require_safe
def how_to_play(request: HttpRequest) -> HttpResponse:
    """What a newcomer needs to know before his first turn, on one page."""
    return render(request, "home/how_to_play.html", {"open_rounds": open_rounds()})


class LogIn(LoginView):
    """The log-in page; in a demo round it names the accounts that anybody may try."""

    redirect_authenticated_user = True
    form_class = LogInForm

    def get_default_redirect_url(self) -> str:
        """Where he goes who came from no other page."""
        return first_page(self.request.user)

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        """The form and the demo's accounts, if there are any."""
        context = super().get_context_data(**kwargs)
        del context["site"]  # Django's own; the frame of the page needs ours
        extra = {"log_ins": demo_log_ins(running_round()), "demo_password": DEMO_PASSWORD}
        return context | extra | {"barred": getattr(context["form"], "barred", "")}


class ChangePassword(PasswordChangeView):
    """A new password for whoever is logged in; his other log-ins end."""

    template_name = "registration/password.html"
    success_url = reverse_lazy("password")

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        """The form, and whether others use the account, too."""
        return super().get_context_data(**kwargs) | {"is_demo_user": is_demo_user(self.request.user.get_username())}

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        """Say so on the page that follows."""
        told = gettext("Your password was changed. You are still logged in here, but nowhere else.")
        messages.success(self.request, told)
        return super().form_valid(form)


@require_safe
def places(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.2, 2.5.1.3: the bases, portals and towns of a round with their descriptions, once they are public."""
    viewer = viewer_for(request, slug)
    found = places_of(viewer.round)
    if not found:
        raise Http404(gettext("The bases of this round are not public yet."))
    return render(request, "setup/places.html", {"round": viewer.round, "sites": found})


@require_safe
def host_page(request: HttpRequest, name: str) -> HttpResponse:
    """The host's imprint or privacy notice: their Markdown, or the page elsewhere that they name."""
    found = settings.HOST_PAGES[name]
    if not found:
        raise Http404(gettext("The host of this site has not written this page."))
    if isinstance(found, str):
        return redirect(found)
    first, _, rest = found.read_text("utf-8", "replace").lstrip().partition("\n")
    title, text = (first[2:], rest) if first.startswith("# ") else (gettext(HOST_PAGES[name]), f"{first}\n{rest}")
    return render(request, "home/host_page.html", {"title": title, "text": document(text)})


@require_safe
@cache_control(public=True, max_age=3600)
def logo(request: HttpRequest) -> HttpResponseBase:
    """The host's own logo."""
    if not settings.SITE_LOGO:
        raise Http404(gettext("This site has no logo of its own."))
    return FileResponse(settings.SITE_LOGO.open("rb"))


@require_safe
def web_app_manifest(request: HttpRequest) -> HttpResponse:
    """1.2: by which a phone can put the site on its home screen; iPhones show pushes only from there."""
    icons = [
        {"src": static(f"judging/app-{n}.png"), "sizes": f"{n}x{n}", "type": "image/png"} for n in (192, 512)
    ]  # fmt: skip
    if settings.SITE_LOGO:
        icons = [{"src": reverse("logo"), "sizes": "any", "type": guess_type(settings.SITE_LOGO)[0] or ""}]
    told = {
        "name": settings.SITE_NAME, "start_url": "/", "scope": "/",
        "display": "standalone", "background_color": "#efe5cc", "theme_color": "#efe5cc", "icons": icons,
    }  # fmt: skip
    return JsonResponse(told, content_type="application/manifest+json")


@require_safe
def security_text(request: HttpRequest) -> HttpResponse:
    """RFC 9116: where people report holes."""
    if not settings.CONTACT:
        raise Http404(gettext("The host of this site hasn't given a contact."))
    expires = timezone.now().replace(microsecond=0) + SECURITY_LASTS
    own = settings.PUBLIC_URL.rstrip("/") + request.path
    fields = {"Contact": contact_address(), "Expires": expires.isoformat(), "Canonical": own}
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
