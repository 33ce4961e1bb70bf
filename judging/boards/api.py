"""3.1: the boards, their messages, and what one has read."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER, ApiView, ListView, Pages
from judging.api.errors import Forbidden, Missing, Stale
from judging.api.fields import ActedOut, one_of, text
from judging.api.schema import WRITING, describe
from judging.api.shapes import TEAM_SIDES, Body, Shape
from judging.boards.queries.boards import Board, Readers, board_for
from judging.boards.queries.messages import (
    BoardRow,
    MessageView,
    TopicRow,
    board_rows,
    message_for,
    message_views,
    messages_on,
    topic_for,
    topics_on,
)
from judging.boards.queries.read_marks import Unread, unread_by_board
from judging.boards.services import (
    MAX_MESSAGE,
    begin_topic,
    change_topic,
    edit_message,
    mark_read,
    moderate_message,
    withdraw_message,
    write_message,
)
from judging.common.models import GENERAL
from judging.common.viewer import Viewer
from judging.turns.posts.api import check_length


class HidingIn(Body):
    """1.3: a message that a moderator hides, or shows again."""

    act = one_of("What is done.", "hide", "show")
    reason = text("The reason; the message's author can read it.", needed=True)


class Hiding(ApiView):
    """1.3: a message, for moderators."""

    @describe(
        "messages_moderate",
        "boards",
        "Hide a message or show it again",
        out=ActedOut,
        takes=HidingIn,
        problems=WRITING,
        page="board-moderate",
    )
    def put(self, request: Request, slug: str, board: str, number: int) -> Response:
        values, viewer = self.read_as_user(HidingIn), self.viewer(slug)
        board_ = _board(viewer, board)
        message, shows, reason = _message(viewer, board_, number).row, values["act"] == "show", values["reason"]
        outcome = moderate_message(
            viewer=viewer, board=board_, message=message, shows=shows, reason=reason, now=timezone.now()
        )
        return self.done(outcome, reverse("board-message", args=[slug, board, number]))


class BoardOut(Shape):
    """3.1: a board that you read."""

    made_of = BoardRow
    shows = ("key", "title", "about", "side", "messages", "last_at", "new", "mentions")
    key = serializers.CharField(source="board.key", help_text="Its key in paths.")
    title = serializers.CharField(source="board.title")
    about = serializers.CharField(source="board.about")
    side = serializers.ChoiceField(
        choices=TEAM_SIDES,
        source="board.side",
        allow_null=True,
        help_text="The team it belongs to; null if it is for everyone.",
    )
    new = serializers.IntegerField(source="unread.new", help_text="Unread messages and posts by the service.")
    mentions = serializers.IntegerField(source="unread.mentions", help_text="Unread messages that mention you.")


class SideOrNull(serializers.ChoiceField):
    """1.1: a side, or null where the pages have an empty text."""

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(value) or None


class MessageOut(Shape):
    """3.1: a message in its latest version. One that was withdrawn or hidden has no text for others."""

    made_of = MessageView
    shows = (
        *("number", "topic", "by", "side", "roles", "at", "edited_at", "version", "text", "html", "withdrawn_at"),
        *("hidden_by", "hidden_because", "is_mine", "is_blocked", "names_you"),
    )
    tells = {
        "roles": "The author's judge roles.",
        "text": "Markdown.",
        "html": "The text as HTML, as shown on the pages.",
        "is_blocked": "Whether you block the author; if so, there is no text.",
    }
    topic = serializers.IntegerField(source="row.topic", help_text="Number of its topic; 1 is the general topic.")
    side = SideOrNull(choices=TEAM_SIDES, allow_null=True, help_text="Null if the author didn't play.")
    edited_at = serializers.DateTimeField(source="row.edited_at", allow_null=True)
    version = serializers.IntegerField(source="row.version", help_text="Send it as `base_version` when you edit.")
    withdrawn_at = serializers.DateTimeField(source="row.withdrawn_at", allow_null=True)
    hidden_by = serializers.CharField(source="row.hidden_by", help_text="The moderator who hid it.")
    hidden_because = serializers.CharField(source="row.hidden_because")
    names_you = serializers.BooleanField(
        source="names_viewer", help_text="Whether it mentions you and you haven't seen it yet."
    )


TITLE = "One line, up to 120 characters."


class TopicOut(Shape):
    """3.1: a topic of a board. The general talk is topic 1, and in no list."""

    made_of = TopicRow
    shows = ("number", "title", "is_pinned", "is_closed", "by", "messages", "last_at", "new")
    tells = {
        "by": "Who began it.",
        "is_pinned": ("Whether it is listed above the others."),
        "is_closed": ("Whether it is closed to new messages."),
    }
    new = serializers.IntegerField(source="unread.new", help_text="Number of unread messages.")


class TopicIn(Body):
    """3.1: a new topic with its first message."""

    title = serializers.CharField(max_length=200, help_text=TITLE)
    text = serializers.CharField(
        trim_whitespace=False, help_text="Markdown, up to 20,000 characters; `@Name` notifies that player."
    )
    token = serializers.CharField(
        max_length=40, help_text="Idempotency key of your choice: sending it twice creates one message."
    )


class TopicChange(Body):
    """1.3: what a moderator does with a topic; what is not named stays."""

    is_pinned = serializers.BooleanField(required=False)
    is_closed = serializers.BooleanField(required=False)
    title = serializers.CharField(required=False, max_length=200, help_text=TITLE)


class TopicAsked(Body):
    """3.1: which messages of a board."""

    topic = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_NUMBER,
        help_text="Only messages of this topic; 1 is the general topic.",
    )


class MessageIn(Body):
    """3.1: a new message."""

    text = serializers.CharField(
        trim_whitespace=False, help_text="Markdown, up to 20,000 characters; `@Name` notifies that player."
    )
    token = serializers.CharField(
        max_length=40, help_text="Idempotency key of your choice: sending it twice creates one message."
    )
    topic = serializers.IntegerField(
        default=GENERAL,
        min_value=1,
        max_value=LARGEST_NUMBER,
        help_text="Number of its topic; 1 is the general topic.",
    )


class MessageChange(Body):
    """3.1: an edit of a message."""

    text = serializers.CharField(trim_whitespace=False)
    base_version = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        help_text="The version your edit is based on. The edit is refused if it isn't the latest.",
    )


class ReadIn(Body):
    """3.1: up to where a board is read."""

    number = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        help_text="The last message you have read. Earlier messages in its topic also count as read.",
    )


class Boards(ListView):
    """3.1: the boards that one reads."""

    @describe(
        "boards_list",
        "boards",
        "List the boards you can read, with what's new",
        out=BoardOut(many=True),
        description="Boards of a team, its council and its factions are only for their players (1.1).",
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.page(board_rows(self.viewer(slug), timezone.now()), BoardOut)


class Messages(ListView):
    """3.1: the messages of a board."""

    @describe(
        "messages_list",
        "boards",
        "List the messages of a board, oldest first",
        out=MessageOut(many=True),
        asks=TopicAsked,
        problems=(400, 404),
        description="Returns messages by people; posts by the service and orders have their own addresses. "
        "Reading does "
        "not mark anything as read.",
    )
    def get(self, request: Request, slug: str, board: str) -> Response:
        viewer = self.viewer(slug)
        board_, pages = _board(viewer, board), Pages()
        rows, query = messages_on(viewer.round, board_), self.read(TopicAsked, request.query_params)
        if "topic" in query:
            rows = rows.filter(topic=query["topic"])
        numbers = rows.order_by("number").values_list("number", flat=True)
        part = pages.paginate_queryset(numbers, self.request, view=self) or []
        views = message_views(viewer, board_, Readers(viewer.round, board_), list(part))
        return pages.get_paginated_response(MessageOut(views, many=True).data)

    @describe(
        "messages_create",
        "boards",
        "Post on a board",
        out=MessageOut,
        status=201,
        takes=MessageIn,
        problems=WRITING,
        description="For the players and judges of the round; on the board `talk`, for anyone with an account. Sending "
        "the same `token` again returns the same message. So does sending the same text within a minute.",
    )
    def post(self, request: Request, slug: str, board: str) -> Response:
        viewer = self.viewer(slug)
        board_, values = _board(viewer, board), self.read(MessageIn, request.data)
        check_length(values["text"], MAX_MESSAGE, "message", "")
        message = write_message(viewer=viewer, board=board_, now=timezone.now(), **values)
        return Response(_out(_message(viewer, board_, message.number)), status=status.HTTP_201_CREATED)


class OneMessage(ApiView):
    """3.1: one message."""

    @describe("messages_read", "boards", "Get the latest version of a message", out=MessageOut)
    def get(self, request: Request, slug: str, board: str, number: int) -> Response:
        viewer = self.viewer(slug)
        return Response(_out(_message(viewer, _board(viewer, board), number)))

    @describe(
        "messages_change",
        "boards",
        "Edit your message",
        out=MessageOut,
        takes=MessageChange,
        problems=WRITING,
        description="The previous text is saved. Anyone who can read the message can read it.",
    )
    def patch(self, request: Request, slug: str, board: str, number: int) -> Response:
        viewer = self.viewer(slug)
        board_ = _board(viewer, board)
        message = _own_or_forbidden(_message(viewer, board_, number))
        values = self.read(MessageChange, request.data)
        check_length(values["text"], MAX_MESSAGE, "message", "")
        if message.row.version != values["base_version"] and message.text != values["text"]:
            raise Stale(
                gettext(
                    "This message is now at version %(version)s; your edit is based on version %(base_version)s. "
                    "Nothing was saved."
                )
                % {"version": message.row.version, "base_version": values["base_version"]}
            )
        edit_message(viewer=viewer, board=board_, message=message.row, now=timezone.now(), **values)
        return Response(_out(_message(viewer, board_, number)))

    @describe(
        "messages_withdraw",
        "boards",
        "Withdraw your message",
        out=MessageOut,
        problems=(403, 404, 409),
        description="It is saved, but only its author and the board's moderators can read it.",
    )
    def delete(self, request: Request, slug: str, board: str, number: int) -> Response:
        viewer = self.viewer(slug)
        board_ = _board(viewer, board)
        message = _own_or_forbidden(_message(viewer, board_, number))
        withdraw_message(viewer=viewer, board=board_, message=message.row, now=timezone.now())
        return Response(_out(_message(viewer, board_, number)))


class ReadBoard(ApiView):
    """3.1: what one has read."""

    @describe(
        "boards_mark_read",
        "boards",
        "Mark a board as read up to a message",
        out=BoardOut,
        takes=ReadIn,
        problems=(400, 403, 404, 415),
    )
    def post(self, request: Request, slug: str, board: str) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        board_ = _board(viewer, board)
        message = _message(viewer, board_, self.read(ReadIn, request.data)["number"])
        number, topic = message.number, message.row.topic
        mark_read(viewer=viewer, board=board_, until=message.at, up_to=number, now=now, topic=topic)
        return Response(BoardOut(_row(viewer, board_)).data)


class Topics(ListView):
    """3.1: the topics of a board."""

    @describe(
        "topics_list",
        "boards",
        "List the topics of a board, pinned ones first, then by last message",
        out=TopicOut(many=True),
    )
    def get(self, request: Request, slug: str, board: str) -> Response:
        viewer = self.viewer(slug)
        return self.page(topics_on(viewer, _board(viewer, board)), TopicOut)

    @describe(
        "topics_create",
        "boards",
        "Begin a topic",
        out=MessageOut,
        status=201,
        takes=TopicIn,
        problems=WRITING,
        description="Returns its first message, which has the topic's number.",
    )
    def post(self, request: Request, slug: str, board: str) -> Response:
        viewer = self.viewer(slug)
        board_, values = _board(viewer, board), self.read(TopicIn, request.data)
        check_length(values["text"], MAX_MESSAGE, "message", "")
        message = begin_topic(viewer=viewer, board=board_, now=timezone.now(), **values)
        return Response(_out(_message(viewer, board_, message.number)), status=status.HTTP_201_CREATED)


class OneTopic(ApiView):
    """1.3: one topic, as its moderators change it."""

    @describe(
        "topics_change",
        "boards",
        "Pin, close or rename a topic",
        out=TopicOut,
        takes=TopicChange,
        problems=WRITING,
        description="For the board's moderators: on public boards, the judges.",
    )
    def patch(self, request: Request, slug: str, board: str, topic: int) -> Response:
        viewer = self.viewer(slug)
        board_, values = _board(viewer, board), self.read(TopicChange, request.data)
        row = topic_for(viewer, board_, topic) if topic <= LARGEST_NUMBER else None
        if row is None or row.is_general:
            raise Missing(gettext("There is no such topic on this board."))
        change_topic(viewer=viewer, board=board_, number=topic, now=timezone.now(), **values)
        return Response(TopicOut(next(each for each in topics_on(viewer, board_) if each.number == topic)).data)


def _board(viewer: Viewer, key: str) -> Board:
    board = board_for(viewer, key)
    if board is None:
        raise Missing(gettext("There is no board “%(key)s” that you can read.") % {"key": key[:40]})
    return board


def _message(viewer: Viewer, board: Board, number: int) -> MessageView:
    message = message_for(viewer, board, number) if number <= LARGEST_NUMBER else None
    if message is None:
        raise Missing(gettext("There is no such message on this board."))
    return message


def _own_or_forbidden(message: MessageView) -> MessageView:
    if not message.is_mine:
        raise Forbidden(
            gettext("This message is by %(by)s. Only its author can change it.") % {"by": message.by}, "1.6"
        )
    return message


def _row(viewer: Viewer, board: Board) -> BoardRow:
    rows = (row for row in board_rows(viewer, timezone.now()) if row.board == board)
    return next(rows, BoardRow(board, 0, None, unread_by_board(viewer).get(board.key, Unread())))


def _out(message: MessageView) -> dict[str, object]:
    return dict(MessageOut(message).data)
