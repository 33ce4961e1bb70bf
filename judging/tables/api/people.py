"""T10.6, 3.1, 1.3: people at a table by the API: their clocks, nights and leave, who plays on for whom, and talk."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.doors import door
from judging.api.errors import Forbidden, Missing
from judging.api.models import Scope
from judging.api.schema import describe
from judging.api.scopes import may_judge
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
from judging.tables.away.reads import people_page
from judging.tables.conduct.record import record_of
from judging.tables.talk.boards import TALK, talker_of
from judging.tables.talk.reads import reports_at, said_on

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
        found = self.found(table)
        page = people_page(found, request.user.pk, timezone.now())
        told = {"clocks": page.clocks, "away": page.away, "leave_left": page.left, "record": record_of(found)}
        return Response(TablePeopleOut(told).data)


class TableHours(BesideTheGame):
    """T10.6: one's night."""

    put = door(
        *("table_hours_keep", "tables", "Set the hours when your clock stops at a card table", PEOPLE),
        takes=TableHoursIn,
        presses={"act": "hours"},
        description="New hours take effect at once before the start, otherwise a day later. You can't change "
        "them again "
        "for a week.",
    )


class TableLeaves(BesideTheGame):
    """T10.6: one's leave."""

    post = door(
        *("table_leaves_announce", "tables", "Report an absence at a card table", PEOPLE),
        takes=TableLeaveIn,
        presses={"act": "leave"},
        description="Your clock stops during your absence. The table says how many days you have.",
    )


class OneTableLeave(BesideTheGame):
    """T10.6: a leave that was announced."""

    delete = door(
        *("table_leaves_end", "tables", "End or withdraw an absence at a card table", PEOPLE),
        presses={"act": "back"},
        form=lambda view, given, where: {"leave": where["leave_id"]},
    )


class TableChoice(BesideTheGame):
    """T10.6: who stays away."""

    post = door(
        *("table_absence_choose", "tables", "Choose how to continue without an absent player", PEOPLE),
        takes=TableChoiceIn,
        presses={"act": "choose"},
        description="For the table's players and judges. `table_people_read` lists what you can choose.",
    )


class TableTime(BesideTheGame):
    """T10.6: time."""

    post = door(
        *("table_time_give", "tables", "Give a seat at a card table more time", PEOPLE),
        takes=TableTimeIn,
        scope=Scope.JUDGE,
        presses={"act": "time"},
        description="For judges of the table. Needs the scope `judge`.",
    )


class TableSubstitute(BesideTheGame):
    """T10.6: whoever plays on."""

    post = door(
        *("table_seats_take_over", "tables", "Take over the seat of an absent player", PEOPLE),
        takes=TableTakeOverIn,
        presses={"act": "take"},
        description="You get the seat's cards and orders and a fresh time bank. Only for seats that need a substitute.",
    )


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
        asked = self.read(TableTalkAsk, request.query_params)
        talker = talker_of(self.found(table), request.user, timezone.now())
        if talker.moderates and not may_judge(request):
            raise Forbidden(gettext("This token can't judge. It needs the scope “judge”."), "1.6")
        key = asked.get("board", TALK)
        if key not in talker.boards:
            raise Missing(gettext("There is no such board at this table, or you can't read it."))
        told = {
            "boards": list(talker.boards.values()), "board": key, "reports": reports_at(talker),
            "messages": said_on(talker, key, before=asked.get("before")),
        }  # fmt: skip
        return Response(TableTalkOut(told).data)

    post = door(
        *("table_talk_write", "tables", "Write a message at a card table", SAID),
        takes=TableSayIn,
        presses={"act": "say"},
        description="Players and judges write on `talk`, spectators on `watchers`, partners on their side’s own board.",
    )


class TableMessageOne(BesideTheGame):
    """3.1: a message."""

    delete = door(
        *("table_talk_withdraw", "tables", "Withdraw your message at a card table", SAID),
        presses={"act": "withdraw"},
        form=lambda view, given, where: {"message": where["number"]},
    )
    patch = door(
        *("table_talk_moderate", "tables", "Hide a message at a card table or show it again", SAID),
        takes=TableModerateIn,
        scope=Scope.JUDGE,
        form=lambda view, given, where: {
            **given,
            "message": where["number"],
            "act": "hide" if given["hides"] else "show",
        },
        description="For moderators: the table's judges, and administrators who aren’t playing there.",
    )


class TableMessageReport(BesideTheGame):
    """1.3: a message that somebody should look at."""

    post = door(
        *("table_talk_report", "tables", "Report a message at a card table to its moderators", SAID),
        takes=TableReasonIn,
        presses={"act": "report"},
        form=lambda view, given, where: {**given, "message": where["number"]},
    )


class TableMessageBlock(BesideTheGame):
    """1.6: whoever wrote a message."""

    put = door(
        *("table_talk_block", "tables", "Block the author of a message", SAID),
        presses={"act": "block"},
        form=lambda view, given, where: {"message": where["number"]},
        description="You won't see their messages here or elsewhere, except what they write as a judge.",
    )
    delete = door(
        *("table_talk_unblock", "tables", "Unblock the author of a message", SAID),
        presses={"act": "unblock"},
        form=lambda view, given, where: {"message": where["number"]},
    )


class TableReportOne(BesideTheGame):
    """1.3: a report."""

    post = door(
        *("table_reports_decide", "tables", "Decide on a report at a card table", SAID),
        takes=TableDecideIn,
        scope=Scope.JUDGE,
        presses={"act": "decide"},
        form=lambda view, given, where: {**given, "report": where["report_id"]},
        description="For moderators: hide the message, warn its author, or dismiss the report.",
    )
