"""1.3, R57, T11.6, T11.8: sanctions and appeals at a table, going back to an entry, and a judge's look, by the API."""

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER
from judging.api.errors import Forbidden
from judging.api.fields import ActedOut
from judging.api.models import Scope
from judging.api.schema import BUTTON, WRITING, describe
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
from judging.tables.conduct import appeals, forms
from judging.tables.conduct.appeals import Answer
from judging.tables.conduct.sanctions import NewSanction
from judging.tables.services.taking_back import TakingBack, looked_at

CONDUCT, APPEAL = "table-conduct", "table-appeal"


class TableConduct(BesideTheGame):
    """1.3, R57: what was decided about people at a table."""

    @describe(
        "table_conduct_read", "tables", "List the sanctions and appeals of a card table", out=TableConductOut,
        problems=(403, 404), description="All are public, even lifted ones.",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        row = self.found(table)
        sanctions = appeals.sanctions_of(row, request.user.pk, timezone.now())
        return Response(TableConductOut({"sanctions": sanctions, "appeals": appeals.appeals_of(row)}).data)


class TableSanctions(BesideTheGame):
    """1.3: sanctions."""

    @describe(
        "table_sanctions_impose", "tables", "Impose a sanction at a card table", out=ActedOut, takes=TableSanctionIn,
        problems=WRITING, scope=Scope.JUDGE, page=CONDUCT,
        description="For judges of the table: a warning, the loss of the game, or a ban. The player can appeal.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data = self.read_as_user(TableSanctionIn)
        token, sanction = data.pop("token"), NewSanction(**data)
        message = forms.impose(self.found(table), self.user, timezone.now(), given=sanction, token=token)
        return self.done(message, reverse(CONDUCT, args=[table]))


class TableSanctionLift(BesideTheGame):
    """1.3: a sanction."""

    @describe(
        "table_sanctions_lift", "tables", "Lift a sanction at a card table", out=ActedOut, takes=TableReasonIn,
        problems=WRITING, scope=Scope.JUDGE, page=CONDUCT,
    )  # fmt: skip
    def post(self, request: Request, table: str, number: int) -> Response:
        data, number = self.read_as_user(TableReasonIn), min(number, LARGEST_NUMBER)
        message = forms.lift(self.found(table), self.user, timezone.now(), number=number, **data)
        return self.done(message, reverse(CONDUCT, args=[table]))


class TableAppeals(BesideTheGame):
    """R57: appeals."""

    @describe(
        "table_appeals_lodge", "tables", "File an appeal at a card table", out=ActedOut, takes=TableAppealIn,
        problems=WRITING, page="table-appeal-new",
        description="Players at the table can appeal against rulings; a sanctioned person can appeal against the "
        "sanction. Another judge answers.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data, row = self.read_as_user(TableAppealIn), self.found(table)
        about = forms.contested_or_404(row, data.pop("against"), data.pop("number"))
        return self.done(forms.lodge(row, self.user, timezone.now(), about=about, **data))


class OneTableAppeal(BesideTheGame):
    """R57: one appeal."""

    @describe(
        "table_appeals_read", "tables", "Get an appeal at a card table with its answer", out=TableAppealOut,
        problems=(403, 404),
    )  # fmt: skip
    def get(self, request: Request, table: str, number: int) -> Response:
        appeal = forms.appeal_or_404(self.found(table), min(number, LARGEST_NUMBER), request.user)
        return Response(TableAppealOut(appeal).data)

    @describe(
        "table_appeals_withdraw", "tables", "Withdraw your appeal at a card table", out=ActedOut, problems=BUTTON,
        page=APPEAL, description="The appeal stays on record.",
    )  # fmt: skip
    def delete(self, request: Request, table: str, number: int) -> Response:
        appeal = forms.appeal_or_404(self.found(table), min(number, LARGEST_NUMBER), self.user)
        message = forms.withdraw(appeal.row, self.user, timezone.now())
        return self.done(message, reverse(APPEAL, args=[table, number]))

    @describe(
        "table_appeals_take_over", "tables", "Take over an appeal at a card table as an administrator", out=ActedOut,
        problems=BUTTON, scope=Scope.JUDGE, page=APPEAL,
        description="For administrators who aren't a party to the appeal, and only while no judge of the table can "
        "answer it.",
    )  # fmt: skip
    def put(self, request: Request, table: str, number: int) -> Response:
        appeal = forms.appeal_or_404(self.found(table), min(number, LARGEST_NUMBER), self.user)
        message = forms.take_over(appeal.row, self.user, timezone.now())
        return self.done(message, reverse(APPEAL, args=[table, number]))


class TableAppealAnswer(BesideTheGame):
    """R57: the answer."""

    @describe(
        "table_appeals_answer", "tables", "Answer an appeal at a card table", out=ActedOut, takes=TableAppealAnswerIn,
        problems=WRITING, scope=Scope.JUDGE, page=APPEAL,
        description="For the judge drawn for it. The ruling stands, is corrected, or is made again after the "
        "judge takes the table back to before it.",
    )  # fmt: skip
    def post(self, request: Request, table: str, number: int) -> Response:
        data = self.read_as_user(TableAppealAnswerIn)
        appeal = forms.appeal_or_404(self.found(table), min(number, LARGEST_NUMBER), self.user)
        ruled = Answer(data["how"], data["cites"], data["reason"], data.get("program", ""))
        message = forms.answer(appeal.row, self.user, timezone.now(), given=ruled)
        return self.done(message, reverse(APPEAL, args=[table, number]))


class TableBack(BesideTheGame):
    """T11.6: an entry to go back to."""

    @describe(
        "table_back", "tables", "Take a card table back to an entry", out=ActedOut, takes=TableBackIn,
        problems=WRITING, page="table-back",
        description="Judges do this with the scope `judge`. Players ask for it, and it is done once they all ask "
        "for the same. Returns 409 with `stale` if something has happened since `on`.",
    )  # fmt: skip
    def post(self, request: Request, table: str, n: int) -> Response:
        data, row = self.read_as_user(TableBackIn), self.found(table)
        forms.check_entry(row, n)
        back = TakingBack(n, data.get("reason", ""), data.get("fresh", False))
        on, token = data["on"], data["token"]
        return self.done(forms.take_back(row, self.user, timezone.now(), back=back, on=on, token=token))


class TableLook(BesideTheGame):
    """T11.8: hidden cards."""

    reads_by = Scope.JUDGE

    @describe(
        "table_look_read", "tables", "List hidden cards seen by the judges of a card table",
        out=TableLookedOut(many=True), problems=(403, 404),
        description="Cards whose look-up is recorded as an entry. For the table's judges; needs the scope `judge`.",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        view = self.seen(table)
        if view.judge is None:
            raise Forbidden(gettext("Only the judges of this table can look at hidden cards."), "T11.8")
        looks = looked_at(view.table, view.view, view.names) if view.view else ()
        return Response(TableLookedOut(looks, many=True).data)

    @describe(
        "table_look", "tables", "Look at hidden cards as a judge of a card table", out=ActedOut, takes=TableLookIn,
        problems=WRITING, scope=Scope.JUDGE, page="table-look",
        description="Recorded as an entry that everyone can see. Both players are notified at once. Returns 409 with "
        "`stale` as above.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data = self.read_as_user(TableLookIn)
        return self.done(forms.look(self.found(table), self.user, timezone.now(), **data))
