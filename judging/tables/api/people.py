"""T10.6, 3.1, 1.3: people at a table by the API: their clocks, nights and leave, who plays on for whom, and talk."""

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER
from judging.api.errors import Forbidden
from judging.api.fields import ActedOut
from judging.api.models import Scope
from judging.api.permissions import may_judge
from judging.api.schema import BUTTON, WRITING, describe
from judging.tables.api.base import BesideTheGame
from judging.tables.api.shapes_of_people import (
    TableChoiceIn,
    TableDecideIn,
    TableHoursIn,
    TableLeaveIn,
    TableModerateIn,
    TablePeopleOut,
    TableReasonIn,
    TableSayIn,
    TableTakeOverIn,
    TableTalkAsk,
    TableTalkOut,
    TableTimeIn,
)
from judging.tables.away import forms as people
from judging.tables.away.services import people_page
from judging.tables.conduct.record import record_of
from judging.tables.talk import forms
from judging.tables.talk.services import reports_at, said_on, say_at_table, talker_of

PEOPLE, SAID = "table-people", "table-talk"


class TablePeople(BesideTheGame):
    """T10: the clocks of a table."""

    @describe(
        "table_people_read", "tables",
            "Get the people and clocks of a card table"
        , out=TablePeopleOut, problems=(403, 404),
        description="How much time players have, who is resting or away, and what people did outside the game.",
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        row = self.found(table)
        page = people_page(row, request.user.pk, timezone.now())
        data = {"clocks": page.clocks, "away": page.away, "leave_left": page.left, "record": record_of(row)}
        return Response(TablePeopleOut(data).data)


class TableHours(BesideTheGame):
    """T10.6: one's night."""

    @describe(
        "table_hours_keep", "tables", "Set the hours when your clock stops at a card table", out=ActedOut,
        takes=TableHoursIn, problems=WRITING, page=PEOPLE,
        description="New hours take effect at once before the start, otherwise a day later. You can't change "
        "them again for a week.",
    )  # fmt: skip
    def put(self, request: Request, table: str) -> Response:
        data = self.read_as_user(TableHoursIn)
        message = people.save_hours(self.found(table), self.user, timezone.now(), **data)
        return self.done(message, reverse(PEOPLE, args=[table]))


class TableLeaves(BesideTheGame):
    """T10.6: one's leave."""

    @describe(
        "table_leaves_announce", "tables", "Report an absence at a card table", out=ActedOut, takes=TableLeaveIn,
        problems=WRITING, page=PEOPLE,
        description="Your clock stops during your absence. The table says how many days you have.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data = self.read_as_user(TableLeaveIn)
        message = people.report_absence(self.found(table), self.user, timezone.now(), **data)
        return self.done(message, reverse(PEOPLE, args=[table]))


class OneTableLeave(BesideTheGame):
    """T10.6: a leave that was announced."""

    @describe(
        "table_leaves_end", "tables", "End or withdraw an absence at a card table", out=ActedOut, problems=BUTTON,
        page=PEOPLE,
    )  # fmt: skip
    def delete(self, request: Request, table: str, leave_id: int) -> Response:
        leave_id = min(leave_id, LARGEST_NUMBER)
        message = people.end_absence(self.found(table), self.user, timezone.now(), leave_id=leave_id)
        return self.done(message, reverse(PEOPLE, args=[table]))


class TableChoice(BesideTheGame):
    """T10.6: who stays away."""

    @describe(
        "table_absence_choose", "tables", "Choose how to continue without an absent player", out=ActedOut,
        takes=TableChoiceIn, problems=WRITING, page=PEOPLE,
        description="For the table's players and judges. `table_people_read` lists what you can choose.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data = self.read_as_user(TableChoiceIn)
        message = people.choose_way(self.found(table), self.user, timezone.now(), **data)
        return self.done(message, reverse(PEOPLE, args=[table]))


class TableTime(BesideTheGame):
    """T10.6: time."""

    @describe(
        "table_time_give", "tables", "Give a seat at a card table more time", out=ActedOut, takes=TableTimeIn,
        problems=WRITING, scope=Scope.JUDGE, page=PEOPLE,
        description="For judges of the table. Needs the scope `judge`.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data = self.read_as_user(TableTimeIn)
        seat, hours = data["seat"], str(data["hours"])
        message = people.add_time(self.found(table), self.user, timezone.now(), seat=seat, hours=hours)
        return self.done(message, reverse(PEOPLE, args=[table]))


class TableSubstitute(BesideTheGame):
    """T10.6: whoever plays on."""

    @describe(
        "table_seats_take_over", "tables", "Take over the seat of an absent player", out=ActedOut,
        takes=TableTakeOverIn, problems=WRITING, page=PEOPLE,
        description="You get the seat's cards and orders and a fresh time bank. Only for seats that need a substitute.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data = self.read_as_user(TableTakeOverIn)
        return self.done(people.take_over_seat(self.found(table), self.user, timezone.now(), **data))


class TableTalk(BesideTheGame):
    """3.1: what is said at a table."""

    @describe(
        "table_talk_read", "tables", "Get the messages of a card table", out=TableTalkOut, asks=TableTalkAsk,
        problems=(400, 403, 404),
        description=
            "Returns the last 50 messages of a board, oldest first, and the reports that concern you. Players "
            "can't read the spectators' board until the end."
        ,
    )  # fmt: skip
    def get(self, request: Request, table: str) -> Response:
        query = self.read(TableTalkAsk, request.query_params)
        talker = talker_of(self.found(table), request.user, timezone.now())
        if talker.moderates and not may_judge(request):
            raise Forbidden(gettext("This token can't judge. It needs the scope “judge”."), "1.6")
        key = forms.board_or_404(talker, query.get("board", "")).key
        data = {
            "boards": list(talker.boards.values()), "board": key, "reports": reports_at(talker),
            "messages": said_on(talker, key, before=query.get("before")),
        }  # fmt: skip
        return Response(TableTalkOut(data).data)

    @describe(
        "table_talk_write", "tables", "Write a message at a card table", out=ActedOut, takes=TableSayIn,
        problems=WRITING, page=SAID,
        description="Players and judges write on `talk`, spectators on `watchers`, partners on their side’s own board.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data, row, now = self.read_as_user(TableSayIn), self.found(table), timezone.now()
        key = forms.board_or_404(talker_of(row, self.user, now), data.get("board", "")).key
        text, token = data["text"], data["token"]
        say_at_table(table=row, user=self.user, board=key, text=text, token=token, now=now)
        return self.done("", forms.end_of(row, key))


class TableMessageOne(BesideTheGame):
    """3.1: a message."""

    @describe(
        "table_talk_withdraw", "tables", "Withdraw your message at a card table", out=ActedOut, problems=BUTTON,
        page=SAID,
    )  # fmt: skip
    def delete(self, request: Request, table: str, number: int) -> Response:
        row = self.found(table)
        message = forms.withdraw(row, self.user, timezone.now(), number=min(number, LARGEST_NUMBER))
        return self.done(message, forms.end_of(row))

    @describe(
        "table_talk_moderate", "tables", "Hide a message at a card table or show it again", out=ActedOut,
        takes=TableModerateIn, problems=WRITING, scope=Scope.JUDGE, page=SAID,
        description="For moderators: the table's judges, and administrators who aren’t playing there.",
    )  # fmt: skip
    def patch(self, request: Request, table: str, number: int) -> Response:
        data, row, now = self.read_as_user(TableModerateIn), self.found(table), timezone.now()
        key = forms.board_or_404(talker_of(row, self.user, now), data.get("board", "")).key
        number, hides, reason = min(number, LARGEST_NUMBER), data["hides"], data["reason"]
        message = forms.moderate(row, self.user, now, number=number, hides=hides, reason=reason)
        return self.done(message, forms.end_of(row, key))


class TableMessageReport(BesideTheGame):
    """1.3: a message that somebody should look at."""

    @describe(
        "table_talk_report", "tables", "Report a message at a card table to its moderators", out=ActedOut,
        takes=TableReasonIn, problems=WRITING, page=SAID,
    )  # fmt: skip
    def post(self, request: Request, table: str, number: int) -> Response:
        data, row = self.read_as_user(TableReasonIn), self.found(table)
        message = forms.report(row, self.user, timezone.now(), number=min(number, LARGEST_NUMBER), **data)
        return self.done(message, forms.end_of(row))


class TableMessageBlock(BesideTheGame):
    """1.6: whoever wrote a message."""

    @describe(
        "table_talk_block", "tables", "Block the author of a message", out=ActedOut, problems=BUTTON, page=SAID,
        description="You won't see their messages here or elsewhere, except what they write as a judge.",
    )  # fmt: skip
    def put(self, request: Request, table: str, number: int) -> Response:
        row = self.found(table)
        message = forms.block(row, self.user, timezone.now(), number=min(number, LARGEST_NUMBER))
        return self.done(message, forms.end_of(row))

    @describe(
        "table_talk_unblock", "tables", "Unblock the author of a message", out=ActedOut, problems=BUTTON, page=SAID
    )
    def delete(self, request: Request, table: str, number: int) -> Response:
        row = self.found(table)
        message = forms.unblock(row, self.user, timezone.now(), number=min(number, LARGEST_NUMBER))
        return self.done(message, forms.end_of(row))


class TableReportOne(BesideTheGame):
    """1.3: a report."""

    @describe(
        "table_reports_decide", "tables", "Decide on a report at a card table", out=ActedOut, takes=TableDecideIn,
        problems=WRITING, scope=Scope.JUDGE, page=SAID,
        description="For moderators: hide the message, warn its author, or dismiss the report.",
    )  # fmt: skip
    def post(self, request: Request, table: str, report_id: int) -> Response:
        data, row = self.read_as_user(TableDecideIn), self.found(table)
        message = forms.decide(row, self.user, timezone.now(), report_id=min(report_id, LARGEST_NUMBER), **data)
        return self.done(message, forms.end_of(row))
