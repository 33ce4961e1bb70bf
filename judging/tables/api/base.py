"""T12.8: what the operations of card tables share: who asks, which table, which list, and how a table is shown."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import permissions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from judging.accounts.tokens.models import AccessToken
from judging.api.base import ApiView
from judging.api.errors import Forbidden, Missing, Stale
from judging.api.permissions import may_judge
from judging.tables.api.shapes import TableOut
from judging.tables.models import CardList, Seat, Table, TableJudge
from judging.tables.queries import Logged, TableView, table_called, table_view
from judging.tables.services import chain

RULE = "T12.8"
Method = TypeVar("Method", bound=Callable[..., Any])


def for_judges(method: Method) -> Method:
    """1.6: a token needs the scope `judge` for this method."""
    method.scope = AccessToken.Scope.JUDGE  # type: ignore[attr-defined]
    return method


class OfTables(ApiView):
    """T12.8: everybody looks; who changes something is logged in."""

    looks: ClassVar[bool] = True
    """Whether one may look without a log-in."""
    stores: ClassVar[bool] = True
    """Whether what is sent changes something."""

    def get_permissions(self) -> list[permissions.BasePermission]:
        """A writer is somebody."""
        changes = self.stores and self.request.method not in permissions.SAFE_METHODS
        needs = changes or not self.looks
        return [*([permissions.IsAuthenticated()] if needs else []), *super().get_permissions()]

    @property
    def user(self) -> User:
        """Who asks."""
        assert isinstance(self.request.user, User)
        return self.request.user

    def found(self, slug: str, invitation: str = "") -> Table:
        """The table of that name. Raises Missing if there is none that they may see."""
        table = table_called(slug, self.request.user, invitation)
        if table is None:
            raise Missing(gettext("There is no such table, or you can't see it."))
        return table

    def seen(self, slug: str, invitation: str = "") -> TableView:
        """The table as they know it."""
        roles = may_judge(self.request)
        return table_view(self.found(slug, invitation), self.request.user, timezone.now(), has_roles=roles)

    def shown(self, slug: str, status: int = 200, invitation: str = "") -> Response:
        """The answer that shows the table."""
        return Response(TableOut(table_out(self.seen(slug, invitation))).data, status=status)


class NeedsItsScope(permissions.BasePermission):
    """1.6: whoever judges a table needs the scope `judge` for what they do there as its judge."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Raises Forbidden with the scope that is missing."""
        judged = TableJudge.objects.filter(table__slug=view.kwargs["table"], dismissed_at__isnull=True)
        if not may_judge(request) and judged.filter(user_id=request.user.pk or 0).exists():
            raise Forbidden(gettext("You judge this table, so your token needs the scope “judge”."), "1.6")
        return True


class BesideTheGame(OfTables):
    """1.6: what people do at a table that is no move of its game, by the forms of its pages."""

    def get_permissions(self) -> list[permissions.BasePermission]:
        return [*super().get_permissions(), NeedsItsScope()]

    def handle_exception(self, exc: Exception) -> Response:
        """T9.3: what was sent on another head than the last one is told as such."""
        return super().handle_exception(Stale(exc.sentence, "T9.3") if isinstance(exc, chain.Stale) else exc)


def list_of(number: int | None) -> CardList | None:
    """T7: the list of that number; None without one. Raises Missing."""
    if number is None:
        return None
    card_list = CardList.objects.filter(pk=number).first()
    if card_list is None:
        raise Missing(gettext("There is no such card list."))
    return card_list


def listed(row: Table, seats: list[Seat]) -> dict[str, object]:
    """T12.8: a table as the lobby has it."""
    return {
        "slug": row.slug, "name": row.name, "game": row.game, "format": row.format, "state": row.state,
        "places": row.places, "opened_at": row.opened_at, "due_at": row.due_at,
        "seats": [{"letter": seat.letter, "name": seat.name} for seat in seats],
    }  # fmt: skip


def table_out(seen: TableView) -> dict[str, object]:
    """T5: a table as its asker knows it."""
    table = seen.table
    waits = seen.view.get("waits") or {"for": [], "kind": ""}
    invites = seen.is_opener and table.state == "open"
    return {
        **listed(table, list(seen.seats)), "list": table.card_list_id, "cuts": table.cuts, "version": table.entries,
        "head": table.head, "commitment": table.commitment, "viewer": seen.letter, "owes_word": seen.owes_cut,
        "invitation": table.invitation if invites else "", "judges": seen.judges, "question": table.question,
        "judge_proposals": seen.judge_proposals, "ending": seen.ending, "draw_offer": list(seen.draw_offer),
        "still_until": table.still_until,
        "asked_by": table.asked_by, "waits_for": waits["for"], "waits_kind": waits["kind"], "legal": seen.legal,
        "may_take_back": seen.may_take_back, "orders": seen.orders, "plan": seen.planned, "winner": table.winner,
        "stops": [stop.name for stop in seen.stops if stop.is_set], "view": dict(seen.view),
    }  # fmt: skip


def entry_out(row: Logged) -> dict[str, object]:
    """T6: an entry as its reader may know it."""
    return {
        "n": row.n, "at": row.at, "by": row.who, "kind": row.kind, "lines": row.lines, "is_hidden": row.is_hidden,
        "cites": row.cites, "reason": row.reason, "told": [one.text for one in row.told], "hash": row.hash,
    }  # fmt: skip
