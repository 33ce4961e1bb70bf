"""1.3, R57, T11.6, T11.8: sanctions and appeals at a table, going back to an entry, and a judge's look, by the API."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER
from judging.api.doors import door
from judging.api.errors import Forbidden, Missing
from judging.api.models import Scope
from judging.api.schema import describe
from judging.tables.api.base import BesideTheGame
from judging.tables.api.shapes_of_people import (
    TableAppealAnswerIn,
    TableAppealIn,
    TableAppealOut,
    TableBackIn,
    TableConductOut,
    TableLookedOut,
    TableLookIn,
    TableReasonIn,
    TableSanctionIn,
)
from judging.tables.conduct import reads
from judging.tables.hidden_cards import looked_at

CONDUCT = "table-conduct"


class TableConduct(BesideTheGame):
    """1.3, R57: what was decided about people at a table."""

    @describe(
        "table_conduct_read", "tables", "Sanctions and appeals of a card table", out=TableConductOut,
        problems=(403, 404), description="All are public, the lifted ones too.",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        found = self.found(table)
        sanctions = reads.sanctions_of(found, request.user.pk, timezone.now())
        return Response(TableConductOut({"sanctions": sanctions, "appeals": reads.appeals_of(found)}).data)


class TableSanctions(BesideTheGame):
    """1.3: sanctions."""

    post = door(
        *("table_sanctions_impose", "tables", "Sanction somebody at a card table", CONDUCT),
        takes=TableSanctionIn,
        scope=Scope.JUDGE,
        description="By a judge of the table: a warning, the loss of the game, or a bar. He may appeal.",
    )


class TableSanctionLift(BesideTheGame):
    """1.3: a sanction."""

    post = door(
        *("table_sanctions_lift", "tables", "Lift a sanction at a card table", CONDUCT),
        takes=TableReasonIn,
        scope=Scope.JUDGE,
        presses={"act": "lift"},
        form=lambda view, given, where: {"lifted": given["reason"], "number": where["number"]},
    )


class TableAppeals(BesideTheGame):
    """R57: appeals."""

    post = door(
        *("table_appeals_lodge", "tables", "Appeal at a card table", "table-appeal-new"),
        takes=TableAppealIn,
        form=lambda view, given, where: {**given, "kind": given["against"], "text": given["reason"]},
        description="Against a ruling by who plays there, against a sanction by whom it concerns; another judge "
        "answers.",
    )


class OneTableAppeal(BesideTheGame):
    """R57: one appeal."""

    @describe(
        "table_appeals_read", "tables", "One appeal at a card table, with its answer", out=TableAppealOut,
        problems=(403, 404),
    )  # fmt: skip
    def get(self, request: Request, table: str, number: int) -> Response:
        found = reads.appeal_of(self.found(table), min(number, LARGEST_NUMBER), request.user)
        if found is None:
            raise Missing(gettext("There is no such appeal at this table."))
        return Response(TableAppealOut(found).data)

    delete = door(
        *("table_appeals_withdraw", "tables", "Take your appeal at a card table back", "table-appeal"),
        presses={"act": "withdraw"},
        description="It stays on record.",
    )
    put = door(
        *("table_appeals_take_over", "tables", "Answer an appeal at a card table as an administrator", "table-appeal"),
        presses={"act": "take"},
        scope=Scope.JUDGE,
        description="For administrators who aren't a party to it, and only while no judge of the table can answer it.",
    )


class TableAppealAnswer(BesideTheGame):
    """R57: the answer."""

    post = door(
        *("table_appeals_answer", "tables", "Answer an appeal at a card table", "table-appeal"),
        takes=TableAppealAnswerIn,
        scope=Scope.JUDGE,
        form=lambda view, given, where: {
            **{name: given[name] for name in ("how", "program") if name in given},
            "answer_cites": given["cites"],
            "text": given["reason"],
        },
        description="By the judge who was drawn: the ruling stands, is mended, or is made anew after he has taken the "
        "table back to before it.",
    )


class TableBack(BesideTheGame):
    """T11.6: an entry to go back to."""

    post = door(
        *("table_back", "tables", "Take a card table back to an entry", "table-back"),
        takes=TableBackIn,
        description="A judge does it, with the scope `judge`; players ask for it, and it is done when all of them ask "
        "for the same. 409 with `stale` if something has happened since `on`.",
    )


class TableLook(BesideTheGame):
    """T11.8: hidden cards."""

    reads_by = Scope.JUDGE

    @describe(
        "table_look_read", "tables", "The hidden cards that the judges of a card table see",
        out=TableLookedOut(many=True), problems=(403, 404),
        description="Those for which an entry was made. For its judges; needs the scope `judge`.",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        seen = self.seen(table)
        if seen.judge is None:
            raise Forbidden(gettext("Only the judges of this table look at hidden cards."), "T11.8")
        looked = looked_at(seen.table, seen.view, seen.names) if seen.view else ()
        return Response(TableLookedOut(looked, many=True).data)

    post = door(
        *("table_look", "tables", "Look at hidden cards of a card table, as its judge", "table-look"),
        takes=TableLookIn,
        scope=Scope.JUDGE,
        description="By an entry that all see; both players are told at once. 409 with `stale` as above.",
    )
