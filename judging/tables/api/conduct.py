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
        "table_conduct_read", "tables", "List the sanctions and appeals of a card table", out=TableConductOut,
        problems=(403, 404), description="All are public, even lifted ones.",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        found = self.found(table)
        sanctions = reads.sanctions_of(found, request.user.pk, timezone.now())
        return Response(TableConductOut({"sanctions": sanctions, "appeals": reads.appeals_of(found)}).data)


class TableSanctions(BesideTheGame):
    """1.3: sanctions."""

    post = door(
        *("table_sanctions_impose", "tables", "Impose a sanction at a card table", CONDUCT),
        takes=TableSanctionIn,
        scope=Scope.JUDGE,
        description="For judges of the table: a warning, the loss of the game, or a ban. The player can appeal.",
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
        *("table_appeals_lodge", "tables", "File an appeal at a card table", "table-appeal-new"),
        takes=TableAppealIn,
        form=lambda view, given, where: {**given, "kind": given["against"], "text": given["reason"]},
        description="Players at the table can appeal against rulings; a sanctioned person can appeal against the "
        "sanction. Another judge answers.",
    )


class OneTableAppeal(BesideTheGame):
    """R57: one appeal."""

    @describe(
        "table_appeals_read", "tables", "Get an appeal at a card table with its answer", out=TableAppealOut,
        problems=(403, 404),
    )  # fmt: skip
    def get(self, request: Request, table: str, number: int) -> Response:
        found = reads.appeal_of(self.found(table), min(number, LARGEST_NUMBER), request.user)
        if found is None:
            raise Missing(gettext("There is no such appeal at this table."))
        return Response(TableAppealOut(found).data)

    delete = door(
        *("table_appeals_withdraw", "tables", "Withdraw your appeal at a card table", "table-appeal"),
        presses={"act": "withdraw"},
        description="The appeal stays on record.",
    )
    put = door(
        *(
            "table_appeals_take_over",
            "tables",
            "Take over an appeal at a card table as an administrator",
            "table-appeal",
        ),
        presses={"act": "take"},
        scope=Scope.JUDGE,
        description="For administrators who aren't a party to the appeal, and only while no judge of the table can "
        "answer it.",
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
        description="For the judge drawn for it. The ruling stands, is corrected, or is made again after the "
        "judge takes "
        "the table back to before it.",
    )


class TableBack(BesideTheGame):
    """T11.6: an entry to go back to."""

    post = door(
        *("table_back", "tables", "Take a card table back to an entry", "table-back"),
        takes=TableBackIn,
        description="Judges do this with the scope `judge`. Players ask for it, and it is done once they all ask "
        "for the "
        "same. Returns 409 with `stale` if something has happened since `on`.",
    )


class TableLook(BesideTheGame):
    """T11.8: hidden cards."""

    reads_by = Scope.JUDGE

    @describe(
        "table_look_read", "tables", "List hidden cards seen by the judges of a card table",
        out=TableLookedOut(many=True), problems=(403, 404),
        description="Cards whose look-up is recorded as an entry. For the table's judges; needs the scope `judge`.",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        seen = self.seen(table)
        if seen.judge is None:
            raise Forbidden(gettext("Only the judges of this table can look at hidden cards."), "T11.8")
        looked = looked_at(seen.table, seen.view, seen.names) if seen.view else ()
        return Response(TableLookedOut(looked, many=True).data)

    post = door(
        *("table_look", "tables", "Look at hidden cards as a judge of a card table", "table-look"),
        takes=TableLookIn,
        scope=Scope.JUDGE,
        description="Recorded as an entry that everyone can see. Both players are notified at once. Returns 409 with "
        "`stale` as above.",
    )
