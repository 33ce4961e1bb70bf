"""1.5: The front page and its parts, log-in, the list of rounds, a round's places, and a player's armies."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from mimetypes import guess_type

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, PasswordChangeView
from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from judging.accounts.forms import LogInForm
from judging.announcements.models import Notice
from judging.battles.models import Battle, Result
from judging.common.accounts import is_demo_user
from judging.common.markup import document, to_html
from judging.common.positions import places_of, present_position
from judging.common.rounds import current_turn, running_round, turn_by_number
from judging.common.shortcuts import viewer_for
from judging.common.viewer import viewer_of
from judging.home.queries import (
    DEMO_PASSWORD,
    HOST_PAGES,
    contact_address,
    demo_log_ins,
    first_page,
    open_requests,
    own_setups,
    past_rounds,
)
from judging.polling.views import live_now
from judging.setup.models import RoundSetup
from judging.setup.services import may_create_round
from judging.svg.map import draw
from judging.turns.queries import HEADLINES
from wargame.models import Army, Control, Player, Round, Turn
from wargame.models.choices import RoundState
from wargame.rules.core.sides import TEAMS, Side
from wargame.rules.telling.telling import tell_all
from wargame.web import languages

RECENT = 8
"""The number of latest results from which the story is chosen."""

SHORTENED = 90
"""Words of a story on the front page."""

MOST_HEADLINES = 3
KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Story:
    """4.2.5: a published battle. `winners` and `losers` are armies' names; `html` is the beginning of its narrative."""

    battle: int
    turn: int
    at: str
    winners: tuple[str, ...]
    losers: tuple[str, ...]
    html: SafeString


@dataclass(frozen=True)
class War:
    """1.5: a running round as a visitor sees it. `told` is what the service posted of its last turn, `headlines` the
    part of it that changed the war; both are empty before the first settlement."""

    round: Round
    turn: Turn
    picture: SafeString
    story: Story | None
    told: str
    headlines: tuple[str, ...]


@dataclass(frozen=True)
class TeamSeats:
    """2.5.2.1, 5.3.4: the number of a team's players, and how many more it can use: armies that nobody controls or,
    while the round is set up, armies that nobody has."""

    side: Side
    players: int
    free: int


@dataclass(frozen=True)
class OpenRound:
    """1.1: a round that is open to new players."""

    round: Round
    seats: tuple[TeamSeats, ...]

    @property
    def is_begun(self) -> bool:
        return self.round.state == RoundState.RUNNING

    @property
    def free(self) -> int:
        return sum(each.free for each in self.seats)


def war_of(round: Round) -> War | None:
    """1.5: the round as on its front page; None before its first turn. Five statements, one more for its map."""
    turn = current_turn(round)
    if turn is None:
        return None
    turn.round = round
    last = turn_by_number(round, turn.number - 1) if turn.number > 1 else None
    notice = Notice.objects.filter(turn=last, kind="update").order_by("-pk").first() if last else None
    texts = [event["text"] for event in tell_all(e for e in last.events if e["kind"] in HEADLINES)] if last else []
    return War(
        round=round,
        turn=turn,
        picture=_picture(turn),
        story=_story(round),
        told=notice.text.partition("\n")[0] if notice else "",
        headlines=tuple(texts[:MOST_HEADLINES]),
    )


def open_rounds() -> tuple[OpenRound, ...]:
    """1.1: the rounds that accept players, those that are played first. Four statements."""
    is_set_up_here = Q(state=RoundState.SETUP, setup__isnull=False)
    rows = Round.objects.filter(Q(state=RoundState.RUNNING) | is_set_up_here).defer("terrain")
    rounds = sorted(rows.order_by("-created_at", "-pk"), key=lambda each: each.state != RoundState.RUNNING)
    playing = Counter(Player.objects.filter(round__in=rounds, left_at__isnull=True).values_list("round", "side"))
    planned = dict(RoundSetup.objects.filter(round__in=rounds).values_list("round", "armies"))
    unclaimed = _without_player(rounds)
    return tuple(OpenRound(each, _seats(each, playing, unclaimed, planned)) for each in rounds)


def _seats(
    round: Round,
    playing: Counter[tuple[int, str]],
    unclaimed: Counter[tuple[int, str]],
    planned: dict[int, list[int]],
) -> tuple[TeamSeats, ...]:
    is_setup = round.state == RoundState.SETUP
    seats = []
    for side in TEAMS:
        players = playing[round.pk, side.value]
        free = max(sum(planned.get(round.pk) or ()) - players, 0) if is_setup else unclaimed[round.pk, side.value]
        seats.append(TeamSeats(side, players, free))
    return tuple(seats)


def _without_player(rounds: Sequence[Round]) -> Counter[tuple[int, str]]:
    """5.2.1: the living armies that nobody controls, by round and side."""
    living = Army.objects.filter(round__in=rounds, died_in__isnull=True, side__in=TEAMS)
    controls = Control.objects.filter(army=OuterRef("pk"), until__isnull=True)
    return Counter(living.exclude(Exists(controls)).values_list("round", "side"))


def _story(round: Round) -> Story | None:
    """4.2.5: of the latest results the one with the longest narrative."""
    rows = Result.objects.filter(battle__turn__round=round).exclude(narrative="").order_by("-published_at", "-pk")
    results = list(rows.values_list("battle", "narrative", "winner")[:RECENT])
    if not results:
        return None
    key, narrative, winner = max(results, key=lambda row: len(row[1]))
    battle = Battle.objects.select_related("turn").defer("turn__position", "turn__events", "turn__sky").get(pk=key)
    names = [[entry.name for entry in battle.entries.all() if entry.side == side] for side in (0, 1)]
    html = Truncator(to_html(narrative)).words(SHORTENED, truncate=" …", html=True)
    winners, losers = tuple(names[winner]), tuple(names[1 - winner])
    return Story(battle.pk, battle.turn.number, battle.at, winners, losers, mark_safe(html))


def _picture(turn: Turn) -> SafeString:
    """1.2: the map without its text, drawn once a version."""
    key = f"front-picture:{languages.tag()}:{turn.pk}:{turn.position_hash}:{turn.penalties}"
    html: str | None = cache.get(key)
    if html is None:
        html = render_to_string("home/_picture.html", {"map": draw(present_position(turn))})
        cache.set(key, html, KEPT_SECONDS)
    return mark_safe(html)


SECURITY_LASTS = timedelta(days=30)
"""How long `security.txt` is valid."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front page: an introduction, the current war, and how to join; players are redirected to their own page,
    and judges to their desk."""
    round_ = running_round(request.user)
    viewer = viewer_of(request.user, round_) if round_ else None
    if viewer and viewer.player:
        return redirect("mine", viewer.round.slug)
    if viewer and viewer.roles:
        return redirect("judge:index")
    war, requests = war_of(round_) if round_ else None, open_requests(request.user)
    context = {
        "war": war,
        "live": live_now(war.turn, timezone.now()) if war else "",
        "open_rounds": open_rounds(),
        "past": past_rounds(),
        "own": own_setups(request.user),
        "asked": requests,
        "asked_slugs": {each.round.slug for each in requests},
        "may_create": may_create_round(request.user),
    }
    return render(request, "home/front.html", context)


@require_safe
def how_to_play(request: HttpRequest) -> HttpResponse:
    return render(request, "home/how_to_play.html", {"open_rounds": open_rounds()})


class LogIn(LoginView):
    """The log-in page; in a demo round it lists the accounts that anybody can try."""

    redirect_authenticated_user = True
    form_class = LogInForm

    def get_default_redirect_url(self) -> str:
        """The first page after logging in, without a `next`."""
        return first_page(self.request.user)

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        context = super().get_context_data(**kwargs)
        del context["site"]  # Django's own; the frame of the page needs ours
        extra = {"log_ins": demo_log_ins(running_round()), "demo_password": DEMO_PASSWORD}
        return context | extra | {"barred": getattr(context["form"], "barred", "")}


class ChangePassword(PasswordChangeView):
    """A new password for the logged-in user; their other sessions end."""

    template_name = "registration/password.html"
    success_url = reverse_lazy("password")

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        return super().get_context_data(**kwargs) | {"is_demo_user": is_demo_user(self.request.user.get_username())}

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        message = gettext("Your password was changed. You are still logged in here, but nowhere else.")
        messages.success(self.request, message)
        return super().form_valid(form)


@require_safe
def places(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.2, 2.5.1.3: the bases, portals and towns of a round with their descriptions, once they are public."""
    viewer = viewer_for(request, slug)
    sites = places_of(viewer.round)
    if not sites:
        raise Http404(gettext("The bases of this round are not public yet."))
    return render(request, "setup/places.html", {"round": viewer.round, "sites": sites})


@require_safe
def host_page(request: HttpRequest, name: str) -> HttpResponse:
    """The host's imprint or privacy notice: their Markdown, or the external page that they name."""
    page = settings.HOST_PAGES[name]
    if not page:
        raise Http404(gettext("The host of this site has not written this page."))
    if isinstance(page, str):
        return redirect(page)
    first, _, rest = page.read_text("utf-8", "replace").lstrip().partition("\n")
    title, text = (first[2:], rest) if first.startswith("# ") else (gettext(HOST_PAGES[name]), f"{first}\n{rest}")
    return render(request, "home/host_page.html", {"title": title, "text": document(text)})


@require_safe
@cache_control(public=True, max_age=3600)
def logo(request: HttpRequest) -> HttpResponseBase:
    if not settings.SITE_LOGO:
        raise Http404(gettext("This site has no logo of its own."))
    return FileResponse(settings.SITE_LOGO.open("rb"))


@require_safe
def web_app_manifest(request: HttpRequest) -> HttpResponse:
    """1.2: the manifest for adding the site to a phone's home screen; iPhones show pushes only from there."""
    icons = [
        {"src": static(f"judging/app-{n}.png"), "sizes": f"{n}x{n}", "type": "image/png"} for n in (192, 512)
    ]  # fmt: skip
    if settings.SITE_LOGO:
        icons = [{"src": reverse("logo"), "sizes": "any", "type": guess_type(settings.SITE_LOGO)[0] or ""}]
    manifest = {
        "name": settings.SITE_NAME, "start_url": "/", "scope": "/",
        "display": "standalone", "background_color": "#efe5cc", "theme_color": "#efe5cc", "icons": icons,
    }  # fmt: skip
    return JsonResponse(manifest, content_type="application/manifest+json")


@require_safe
def security_text(request: HttpRequest) -> HttpResponse:
    """RFC 9116: where to report vulnerabilities."""
    if not settings.CONTACT:
        raise Http404(gettext("The host of this site hasn't given a contact."))
    expires = timezone.now().replace(microsecond=0) + SECURITY_LASTS
    url = settings.PUBLIC_URL.rstrip("/") + request.path
    fields = {"Contact": contact_address(), "Expires": expires.isoformat(), "Canonical": url}
    text = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
