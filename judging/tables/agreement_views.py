"""T11.1, A12: the rules a table plays by, the form for agreements, and the offer of them to others."""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from judging.common.errors import Refused
from judging.common.form_views import ActionView, Success, get_or_post, handle_button
from judging.common.forms import new_token
from judging.tables import settings_summary
from judging.tables.models import Table
from judging.tables.queries import TableView, table_view
from judging.tables.services import agreements as agreeing
from judging.tables.views import table_for
from tables.core.lines.notation import LONGEST_LINE
from tables.games.altered.agreements import BY_NUMBER, HOUSE, OPEN


@require_safe
def plays_by(request: HttpRequest, table: str) -> HttpResponse:
    """T11.1: the rules that a table plays by: options, agreements with their consequences, rulings by number."""
    view = table_view(table_for(request, table), request.user, timezone.now())
    context = {"seen": view, "table": view.table, "plays": settings_summary.plays_by(view), "is_asked": is_asked(view)}
    return render(request, "tables/plays_by.html", context)


class Agreements(ActionView):
    """A12: the questions that the document leaves open, with one player's answers."""

    template = "tables/agreements.html"

    def __init__(self, request: HttpRequest, slug: str) -> None:
        super().__init__(request)
        self.slug = slug
        self.typed = _typed(request) if request.method == "POST" else None

    def seen(self) -> TableView:
        """A12: the table. Raises Http404 at tables without agreements."""
        view = table_view(table_for(self.request, self.slug), self.request.user, timezone.now())
        if view.table.game != "altered":
            raise Http404(gettext("This table has nothing to agree on before the start."))
        return view

    def context(self) -> dict[str, object]:
        """A12: the questions with the answers so far, and the sets to start from."""
        view = self.seen()
        sets = settings_summary.offered_to(view.table, self.request.user) if is_asked(view) else ()
        key = self.request.GET.get("set", "")
        choice = next((one for one in sets if one.key == key), None)
        return {
            "seen": view, "table": view.table, "token": new_token(), "is_asked": is_asked(view), "sets": sets,
            "chosen": choice, "questions": settings_summary.asked(view, self.typed, choice.set if choice else None),
            "longest": LONGEST_LINE - len("agree 10: "), "house": gettext(HOUSE), "waits": view.waits,
        }  # fmt: skip

    def act(self) -> Success:
        """A12: propose each new answer, or agree to it."""
        view, user, data = self.seen(), self.request.user, self.request.POST
        if not isinstance(user, User):
            raise Refused(
                gettext("You were logged out, and nothing was sent. Log in in another tab, then send it again.")
            )
        new = settings_summary.news_of(settings_summary.asked(view), self.typed or {})
        if not new and is_asked(view):
            raise Refused(gettext("You've already given these answers. Change one, or wait for your opponent."), "A12")
        agreeing.agree_on(
            table=view.table, user=user, answers=new, on=data.get("on", ""), token=data.get("token", ""),
            now=timezone.now(),
        )  # fmt: skip
        now = self.seen()
        if _is_asking(now):
            return Success(
                gettext("Answers sent. The game starts once your opponent has answered."), _address(now.table)
            )
        return Success(gettext("You both agree, so the game starts."), reverse("table", args=[now.table.slug]))


@get_or_post
def agreements(request: HttpRequest, table: str) -> HttpResponse:
    """A12: the form for the agreements of a table's players."""
    return Agreements(request, table).answer()


@login_required
@require_POST
def offer(request: HttpRequest, table: str) -> HttpResponse:
    """A12: offer this table's agreements to everybody, or withdraw them."""
    at, user = table_for(request, table), request.user
    assert isinstance(user, User)

    def act() -> str:
        agreements = agreeing.offer_agreements(
            table=at, user=user, title=request.POST.get("title", ""), now=timezone.now()
        )
        return (
            gettext("Offered to everyone as “%(title)s”.") % {"title": agreements.title}
            if agreements.title
            else gettext("These agreements are no longer offered to everyone.")
        )

    return handle_button(request, act, reverse("table-plays-by", args=[at.slug]))


def _typed(request: HttpRequest) -> dict[int, str]:
    """A12: the answers as filled in: an option's word, `leave open`, or free text."""
    data = request.POST
    answers = {}
    for number in BY_NUMBER:
        choice = data.get(f"answer-{number}", OPEN)
        answers[number] = data.get(f"words-{number}", "").strip() or OPEN if choice == "own" else choice
    return answers


def _is_asking(view: TableView) -> bool:
    return view.waits is not None and view.waits.kind == "agree"


def is_asked(seen: TableView) -> bool:
    """A12: whether the viewer is a player of a table whose agreements are still open."""
    return _is_asking(seen) and seen.seat is not None


def _address(table: Table) -> str:
    return reverse("table-agreements", args=[table.slug])
