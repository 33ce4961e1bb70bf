"""The beginning of every view of a round, and the storing of typed text."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from judging.common.autosave import ALSO, LONGEST_ALSO, MOST_ALSO, keep_unsent, unsent_of
from judging.common.errors import Refused
from judging.common.models import Unsent
from judging.common.rounds import current_turn, round_by_slug, turn_by_number, why_no_round
from judging.common.viewer import Viewer, viewer_of
from wargame.models import Round, Turn

LONGEST_KEPT = 60_000
MOST_KEPT = 3


def round_for(slug: str) -> Round:
    """The round of that slug. Raises Http404, with the reason, if there is none."""
    round_ = round_by_slug(slug)
    if round_ is None:
        raise Http404(why_no_round(slug))
    return round_


def viewer_for(request: HttpRequest, slug: str) -> Viewer:
    """The viewer of the round of that slug. Raises Http404 if there is none."""
    viewer = viewer_of(request.user, round_for(slug))
    if getattr(request, "without_roles", False):  # a program whose token does not judge
        viewer = replace(viewer, roles=frozenset())
    setattr(request, "viewer", viewer)  # noqa: B010  the page's head need not ask again
    return viewer


def turn_for(round_: Round, number: int | None = None) -> Turn:
    """The turn of that number, or the present one. Raises Http404 if there is none."""
    turn = current_turn(round_) if number is None else turn_by_number(round_, number)
    if turn is None:
        raise Http404(
            gettext("The round hasn't begun.")
            if number is None
            else gettext("There is no turn %(number)s yet.") % {"number": number}
        )
    turn.round = round_
    return turn


@require_safe
@cache_control(public=True, max_age=3600)
def words(request: HttpRequest, language: str) -> HttpResponseBase:
    if language not in dict(settings.LANGUAGES):
        raise Http404(gettext("This site isn't available in that language."))
    with translation.override(language):
        return JavaScriptCatalog.as_view(packages=["wargame"])(request)


def keep(request: HttpRequest, key: str, text: str) -> bool:
    """Store a text that could not be sent, for its writer, until its form is opened again.

    The forms say in `writer` whose they are. False if the text is too long to be stored.
    """
    if not text.strip() or len(text) > LONGEST_KEPT:
        return False
    drafts: dict[str, object] = dict(request.session.get("kept", {}))
    drafts.pop(key, None)
    drafts[key] = [request.POST.get("writer", ""), text]
    request.session["kept"] = dict(list(drafts.items())[-MOST_KEPT:])
    return True


def take_kept(request: HttpRequest, key: str) -> str:
    """The stored text of this person under `key`, once; empty if there is none."""
    drafts = request.session.get("kept", {})
    writer, text = drafts.get(key, ("", ""))
    if not text or (writer and writer != str(request.user.pk)):
        return ""
    del drafts[key]
    request.session["kept"] = drafts
    return str(text)


def waiting_text(request: HttpRequest, viewer: Viewer, key: str, place: str) -> tuple[str, Unsent | None]:
    """3.1: the viewer's unsent text at a place: stored when they were logged out, or while they typed it."""
    if text := take_kept(request, key):
        return text, None
    draft = unsent_of(viewer, place)
    return (draft.text if draft else ""), draft


def unsent(request: HttpRequest, slug: str) -> HttpResponse:
    """3.1: store what is typed in a form, for its writer alone, and answer in JSON. A GET is redirected to the map."""
    if request.method != "POST":
        return redirect("map", slug)
    viewer, now = viewer_for(request, slug), timezone.now()
    turn = current_turn(viewer.round)
    try:
        is_kept = keep_unsent(
            viewer=viewer,
            place=request.POST.get("place", ""),
            text=request.POST.get("text", "").replace("\r\n", "\n"),
            form=request.POST.get("token", ""),
            turn=turn.number if turn else None,
            now=now,
            also={name: request.POST.getlist(name) for name in ALSO},
        )
    except Refused as error:
        return JsonResponse({"kept": False, "why": error.sentence}, status=error.status(422))
    return JsonResponse({"kept": is_kept, "at": f"{now:%H:%M}"})


def ask_to_log_in(request: HttpRequest, key: str, back: str, *, also: Sequence[str] = ()) -> HttpResponse:
    """Ask a person who was logged out to log in: the typed text is stored, and the log-in page leads back to it. The
    short fields in `also` go with the address."""
    text = request.POST.get("text", "")
    params = request.POST if request.method == "POST" else request.GET
    short = [(name, value[:LONGEST_ALSO]) for name in also for value in params.getlist(name)[:MOST_ALSO] if value]
    back = f"{back}?{urlencode(short)}" if short else back
    log_in = f"{reverse('login')}?{urlencode({'next': back})}"
    if text.strip() and not keep(request, key, text):
        return render(request, "posts/too_long_to_keep.html", {"text": text, "log_in": log_in}, status=403)
    if text.strip():
        messages.warning(
            request, gettext("You were logged out, and nothing was sent. Your text is still here: log in to continue.")
        )
    return redirect(log_in)


def version_now(what: str, slug: str, make: Callable[[], str]) -> str:
    """The version of a round's pages, at most `FRESH_SECONDS` old: computed once in that time for all requests."""
    key = f"news:{what}:{slug}"
    version: str | None = cache.get(key)
    if version is None:
        version = make()
        cache.set(key, version, settings.FRESH_SECONDS)
    return version
