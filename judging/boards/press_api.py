"""1.6, 1.3: private press, reports to moderators, and whom one blocks. What is said in a conversation is read and
written at the addresses of a board, by the conversation's key."""

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER, ApiView, ListView
from judging.api.errors import Missing
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body, Shape
from judging.boards.models import Block, Report
from judging.boards.queries.boards import board_for
from judging.boards.queries.messages import ConversationRow, conversations_of, message_for
from judging.boards.reports import (
    ReportView,
    block,
    decide_report,
    report_for,
    report_message,
    report_post,
    reports_for,
    unblock,
    view_of,
)
from judging.boards.services import MAX_MESSAGE, MOST_PEOPLE, begin_conversation, leave_conversation
from judging.turns.posts.api import check_length


class ConversationOut(Shape):
    """1.6: a conversation that you are in."""

    made_of = ConversationRow
    shows = ("key", "title", "others", "messages", "last_at", "new")
    key = serializers.CharField(source="board.key", help_text="Its key, used in paths in place of a board's key.")
    title = serializers.CharField(source="board.title")
    new = serializers.IntegerField(source="unread.new", help_text="Number of unread messages.")


class ConversationIn(Body):
    """1.6: a new conversation with its first message."""

    to = serializers.ListField(
        child=serializers.CharField(max_length=40),
        min_length=1,
        max_length=MOST_PEOPLE,
        help_text="Names of players in the round.",
    )
    title = serializers.CharField(max_length=200, allow_blank=True, default="", help_text="Subject; can be empty.")
    text = serializers.CharField(trim_whitespace=False, help_text="Markdown, up to 20,000 characters.")
    token = serializers.CharField(
        max_length=40, help_text="Idempotency key of your choice: sending it twice creates one message."
    )


class ReportOut(Shape):
    """1.3: a report, as its reporter and the moderators see it."""

    made_of = ReportView
    shows = ("id", "author", "place", "text", "reason", "at", "state", "decided_by", "answer", "may_decide")
    tells = {
        "author": ("Author of the reported message or post."),
        "place": "Where.",
        "may_decide": ("Whether you can decide on it."),
    }
    text = serializers.CharField(source="row.text", help_text="The text at the time of the report.")
    reason = serializers.CharField(source="row.reason")
    at = serializers.DateTimeField(source="row.at")
    state = serializers.ChoiceField(choices=Report.State.choices, source="row.state")
    decided_by = serializers.CharField(source="row.decided_by")
    answer = serializers.CharField(source="row.answer", help_text="The reason for the decision.")


class ReportIn(Body):
    """1.3: a report of a message by its board and number, or of a post of the movement thread by its key."""

    board = serializers.CharField(max_length=24, required=False)
    number = serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER, required=False)
    post = serializers.IntegerField(min_value=1, max_value=2**63 - 1, required=False)
    reason = serializers.CharField(max_length=2_000)


class Decision(Body):
    """1.3: what a moderator does about a report."""

    does = serializers.ChoiceField(choices=["hide", "warn", "dismiss"])
    reason = serializers.CharField(max_length=2_000, help_text="The reporter can read it, and so can a warned author.")


class BlockOut(serializers.ModelSerializer[Block]):
    """1.6: somebody whom you block."""

    class Meta:
        model = Block
        fields = ("id", "name", "at")
        read_only_fields = fields


class BlockIn(Body):
    """1.6: whom to block."""

    name = serializers.CharField(max_length=150, help_text="Their name in this round.")


class Press(ListView):
    """1.6: one's conversations."""

    @describe(
        "press_list",
        "press",
        "List your conversations, latest first",
        out=ConversationOut(many=True),
        description="Only participants can read them, not even judges or administrators. Read their messages at a "
        "board's addresses, using the key.",
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.page(conversations_of(self.viewer(slug)), ConversationOut)

    @describe(
        "press_create",
        "press",
        "Begin a conversation",
        out=ConversationOut,
        status=201,
        takes=ConversationIn,
        problems=WRITING,
        description="For players in the round; the round's `press` says who can write to whom. Sending the same "
        "`token` "
        "again returns the same conversation.",
    )
    def post(self, request: Request, slug: str) -> Response:
        viewer, values = self.viewer(slug), self.read(ConversationIn, request.data)
        check_length(values["text"], MAX_MESSAGE, "message", "")
        names, title = values["to"], values["title"]
        message = begin_conversation(
            viewer=viewer, names=names, title=title, text=values["text"], token=values["token"], now=timezone.now()
        )
        row = next((each for each in conversations_of(viewer) if each.board.key == message.thread.key), None)
        if row is None:
            raise Missing(gettext("You have left this conversation."))
        return Response(ConversationOut(row).data, status=status.HTTP_201_CREATED)


class OneConversation(ApiView):
    """1.6: a conversation, to be left."""

    @describe(
        "press_leave",
        "press",
        "Leave a conversation",
        out=ConversationOut,
        problems=(403, 404),
        description="You can no longer read it. Returns the conversation as it was.",
    )
    def delete(self, request: Request, slug: str, board: str) -> Response:
        viewer = self.viewer(slug)
        row = next((each for each in conversations_of(viewer) if each.board.key == board), None)
        if row is None:
            raise Missing(gettext("You aren't in that conversation."))
        leave_conversation(viewer=viewer, board=row.board, now=timezone.now())
        return Response(ConversationOut(row).data)


class Reports(ListView):
    """1.3: reports to the moderators."""

    @describe(
        "reports_list",
        "reports",
        "List your reports and those you decide on",
        out=ReportOut(many=True),
        description="Reports waiting for you come first, then your own, then decided ones.",
    )
    def get(self, request: Request, slug: str) -> Response:
        reports = reports_for(self.viewer(slug))
        rows = {view.id: view for view in (*reports.waiting, *reports.own, *reports.decided)}
        return self.page(list(rows.values()), ReportOut)

    @describe(
        "reports_create",
        "reports",
        "Report a message or a post",
        out=ReportOut,
        status=201,
        takes=ReportIn,
        problems=WRITING,
        description="Moderators see the message as it is now. They are the judges, or the leaders on a team's "
        "board. In "
        "a conversation, they are the judges who don't play, and they see only that message.",
    )
    def post(self, request: Request, slug: str) -> Response:
        viewer, values, now = self.viewer(slug), self.read(ReportIn, request.data), timezone.now()
        if "post" in values:
            report = report_post(viewer=viewer, post_id=values["post"], reason=values["reason"], now=now)
        else:
            board = board_for(viewer, values.get("board", ""))
            message = message_for(viewer, board, values.get("number", 0)) if board else None
            if board is None or message is None:
                raise Missing(
                    gettext("There is no such message, or you can't read it. Give `board` and `number`, or `post`.")
                )
            report = report_message(viewer=viewer, board=board, message=message.row, reason=values["reason"], now=now)
        return Response(ReportOut(view_of(viewer, report)).data, status=status.HTTP_201_CREATED)


class OneReport(ApiView):
    """1.3: a report, to be decided."""

    writes_by = "judge"

    @describe(
        "reports_decide",
        "reports",
        "Decide on a report",
        out=ReportOut,
        takes=Decision,
        problems=WRITING,
        description="For moderators. Orders are never hidden.",
    )
    def patch(self, request: Request, slug: str, report_id: int) -> Response:
        viewer, values = self.viewer(slug), self.read(Decision, request.data)
        view = report_for(viewer, report_id) if report_id < 2**63 else None
        if view is None:
            raise Missing(gettext("You have no such report."))
        decide_report(viewer=viewer, report=view.row, now=timezone.now(), **values)
        return Response(ReportOut(report_for(viewer, report_id) or view).data)


class Blocks(ListView):
    """1.6: whom one blocks."""

    @describe("blocks_list", "press", "Blocked players", out=BlockOut(many=True), problems=(403, 404))
    def get(self, request: Request, slug: str) -> Response:
        viewer = self.viewer(slug)
        return self.page(list(Block.objects.filter(user_id=viewer.user_id or 0)), BlockOut)

    @describe(
        "blocks_create",
        "press",
        "Block somebody",
        out=BlockOut,
        status=201,
        takes=BlockIn,
        problems=WRITING,
        description="You won't see their messages, and they can't write to you privately. You still see orders "
        "and what "
        "judges write.",
    )
    def post(self, request: Request, slug: str) -> Response:
        name = self.read(BlockIn, request.data)["name"]
        row = block(viewer=self.viewer(slug), name=name, now=timezone.now())
        return Response(BlockOut(row).data, status=status.HTTP_201_CREATED)


class OneBlock(ApiView):
    """1.6: a block, to be undone."""

    @describe("blocks_delete", "press", "Unblock a player", out=BlockOut, problems=(403, 404))
    def delete(self, request: Request, slug: str, block_id: int) -> Response:
        viewer = self.viewer(slug)
        rows = (
            Block.objects.filter(user_id=viewer.user_id or 0, pk=block_id) if block_id < 2**63 else Block.objects.none()
        )
        row = rows.first()
        if row is None:
            raise Missing(gettext("You haven't blocked anyone with that key."))
        data = BlockOut(row).data
        unblock(viewer=viewer, block_id=block_id)
        return Response(data)
