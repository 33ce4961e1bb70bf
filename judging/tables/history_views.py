"""T11.6, T11.8, T12.6: a table as it was after each entry, taking it back to one, and a judge's look at hidden
cards."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.common.form_views import ActionView, Success, get_or_post, number_of
from judging.common.forms import new_token
from judging.tables import game_state, queries
from judging.tables.board.board import board_of
from judging.tables.conduct import forms
from judging.tables.models import Entry, Table, TableState
from judging.tables.queries import TableView, table_view
from judging.tables.services.taking_back import TakingBack, looked_at
from judging.tables.views import table_for
from tables.core.lists.cards import Card
from tables.core.views import view


@dataclass(frozen=True)
class Past:
    """T12.6: a table after entry `n`: `view` as the viewer knew it then. Entries are counted from `first` to `last`."""

    table: Table
    n: int
    first: int
    last: int
    view: Mapping[str, Any]
    cards: Mapping[str, Card]
    entry: queries.Logged

    @property
    def before(self) -> int:
        """The previous entry; 0 if this is the first."""
        return self.n - 1 if self.n > self.first else 0

    @property
    def after(self) -> int:
        """The next entry; 0 if this is the last."""
        return self.n + 1 if self.n < self.last else 0


def past_of(seen: queries.TableView, n: int) -> Past | None:
    """T12.6: the table after an entry; None if it hadn't started yet, or there is no such entry."""
    table = seen.table
    first = Entry.objects.filter(table=table, kind="cut").order_by("-n").values_list("n", flat=True).first()
    if not seen.view or first is None or not first <= n <= table.entries:
        return None
    state = game_state.state_of(table, n)
    logged = queries.log_of(seen, before=n + 1)
    plain = view(game_state.rules_of(table), state, seen.viewer, is_open=table.state == TableState.OVER)
    return Past(table, n, first, table.entries, plain, seen.cards, logged[0])


@require_safe
def entry(request: HttpRequest, table: str, n: int) -> HttpResponse:
    """T12.6: the table after one entry, as its viewer knew it then."""
    view = queries.table_view(table_for(request, table), request.user, timezone.now())
    past = past_of(view, n)
    if past is None:
        raise Http404(gettext("This table has no entry %(n)s to look back at.") % {"n": n})
    may = view.table.state == TableState.RUNNING and n < past.last and bool(view.seat or view.judge)
    board = board_of(past.view, (), past.cards, is_now=False)
    return render(request, "tables/past.html", {"table": view.table, "past": past, "board": board, "may_go_back": may})


@require_safe
def entries(request: HttpRequest, table: str) -> HttpResponse:
    """T12.6: the slider's target: redirect to the selected entry."""
    row = table_for(request, table)
    return redirect("table-entry", row.slug, number_of(request.GET.get("n", ""), row.entries))


class _Page(ActionView):
    """A form about a table that keeps its typed reason."""

    def __init__(self, request: HttpRequest, slug: str) -> None:
        super().__init__(request)
        self.slug = slug
        self.reason = request.POST.get("reason", "")

    def seen(self) -> TableView:
        """T5: the table as the viewer knows it."""
        return table_view(table_for(self.request, self.slug), self.request.user, timezone.now())

    @property
    def user(self) -> User:
        assert isinstance(self.request.user, User)
        return self.request.user


class TakeBack(_Page):
    """T11.6: take the table back to an entry: by a judge, or by all its players."""

    template = "tables/back.html"

    def __init__(self, request: HttpRequest, slug: str, n: int) -> None:
        super().__init__(request, slug)
        self.n, self.fresh = n, bool(request.POST.get("fresh"))

    def context(self) -> dict[str, object]:
        """T11.6: how many entries would no longer count, and who has already asked for it."""
        view = self.seen()
        wishes = [
            {**wish, "by": view.names.get(wish["by"], wish["by"])} for wish in (view.view or {}).get("going back", ())
        ]
        return {
            "seen": view, "table": view.table, "n": self.n, "refused": self.refused, "reason": self.reason,
            "fresh": self.fresh, "token": new_token(), "wishes": wishes, "after": view.table.entries - self.n,
        }  # fmt: skip

    def act(self) -> Success:
        """T11.6: take the table back, or ask for it."""
        table, data = table_for(self.request, self.slug), self.request.POST
        back = TakingBack(self.n, self.reason, self.fresh)
        on, token = data.get("on", ""), data.get("token", "")
        return forms.take_back(table, self.user, timezone.now(), back=back, on=on, token=token)


class Look(_Page):
    """T11.6: a judge asks for the hidden cards of a seat."""

    template = "tables/look.html"

    def context(self) -> dict[str, object]:
        """T11.6: the seats whose cards can be requested, and the cards that the judge already sees."""
        view = self.seen()
        looks = looked_at(view.table, view.view, view.names) if view.judge is not None and view.view else ()
        return {
            "seen": view, "table": view.table, "refused": self.refused, "reason": self.reason, "looked": looks,
            "chosen": self.request.POST.get("seat", ""), "token": new_token(),
        }  # fmt: skip

    def act(self) -> Success:
        """T11.6: start the look; it is public."""
        table, data = table_for(self.request, self.slug), self.request.POST
        return forms.look(
            table, self.user, timezone.now(), seat=data.get("seat", ""), reason=self.reason, on=data.get("on", ""),
            token=data.get("token", ""),
        )  # fmt: skip


@login_required
@get_or_post
def back(request: HttpRequest, table: str, n: int) -> HttpResponse:
    """T11.6: take the table back to entry `n`."""
    forms.check_entry(table_for(request, table), n)
    return TakeBack(request, table, n).answer()


@login_required
@get_or_post
def look(request: HttpRequest, table: str) -> HttpResponse:
    """T11.6: a judge looks at hidden cards."""
    return Look(request, table).answer()
