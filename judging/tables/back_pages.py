"""T11.6: the pages on which a table is taken back to an entry, and on which a judge looks at hidden cards."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from judging.game.acting import Done, FormPage, asks_or_acts
from judging.game.forms import new_token
from judging.tables.conduct import forms
from judging.tables.hidden_cards import looked_at
from judging.tables.pages import table_for
from judging.tables.reads import TableView, table_view
from judging.tables.writes.taking_back import TakingBack


class _Page(FormPage):
    """A form about a table that keeps its reason as it was typed."""

    def __init__(self, request: HttpRequest, slug: str) -> None:
        super().__init__(request)
        self.slug = slug
        self.reason = request.POST.get("reason", "")

    def seen(self) -> TableView:
        """T5: the table as the viewer knows it."""
        return table_view(table_for(self.request, self.slug), self.request.user, timezone.now())

    @property
    def user(self) -> User:
        """Who acts."""
        assert isinstance(self.request.user, User)
        return self.request.user


class TakeBack(_Page):
    """T11.6: the table is taken back to an entry: by a judge, or by its players together."""

    template = "tables/back.html"

    def __init__(self, request: HttpRequest, slug: str, n: int) -> None:
        super().__init__(request, slug)
        self.n, self.fresh = n, bool(request.POST.get("fresh"))

    def context(self) -> dict[str, object]:
        """T11.6: how many entries would count no longer, and who has asked for it already."""
        seen = self.seen()
        wishes = [
            {**wish, "by": seen.names.get(wish["by"], wish["by"])} for wish in (seen.view or {}).get("going back", ())
        ]
        return {
            "seen": seen, "table": seen.table, "n": self.n, "refused": self.refused, "reason": self.reason,
            "fresh": self.fresh, "token": new_token(), "wishes": wishes, "after": seen.table.entries - self.n,
        }  # fmt: skip

    def act(self) -> Done:
        """T11.6: it is done, or asked for."""
        table, data = table_for(self.request, self.slug), self.request.POST
        back = TakingBack(self.n, self.reason, self.fresh)
        on, token = data.get("on", ""), data.get("token", "")
        return forms.take_back(table, self.user, timezone.now(), back=back, on=on, token=token)


class Look(_Page):
    """T11.6: a judge asks for the hidden cards of a seat."""

    template = "tables/look.html"

    def context(self) -> dict[str, object]:
        """T11.6: whose cards may be asked for, and those that he sees already."""
        seen = self.seen()
        looked = looked_at(seen.table, seen.view, seen.names) if seen.judge is not None and seen.view else ()
        return {
            "seen": seen, "table": seen.table, "refused": self.refused, "reason": self.reason, "looked": looked,
            "chosen": self.request.POST.get("seat", ""), "token": new_token(),
        }  # fmt: skip

    def act(self) -> Done:
        """T11.6: all see that he looks."""
        table, data = table_for(self.request, self.slug), self.request.POST
        return forms.look(
            table, self.user, timezone.now(), seat=data.get("seat", ""), reason=self.reason, on=data.get("on", ""),
            token=data.get("token", ""),
        )  # fmt: skip


@login_required
@asks_or_acts
def back(request: HttpRequest, table: str, n: int) -> HttpResponse:
    """T11.6: the table is taken back to entry `n`."""
    forms.check_entry(table_for(request, table), n)
    return TakeBack(request, table, n).answer()


@login_required
@asks_or_acts
def look(request: HttpRequest, table: str) -> HttpResponse:
    """T11.6: a judge looks at hidden cards."""
    return Look(request, table).answer()
