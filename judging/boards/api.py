"""3.1: the boards, their messages, and what one has read."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER, ApiView, ListView, Pages
from judging.api.errors import Forbidden, Missing, Stale
from judging.api.schema import WRITING, describe
from judging.api.shapes import TEAM_SIDES, Body, Shape
from judging.boards.reads.boards import Board, Readers, board_for
from judging.boards.reads.messages import BoardRow, MessageView, board_rows, message_for, message_views, messages_on
from judging.boards.writes import MAX_MESSAGE, edit_message, mark_read, withdraw_message, write_message
from judging.game.viewer import Viewer
from judging.turns.posts.api import check_length


class BoardOut(Shape):
    """3.1: a board that you read."""

    made_of = BoardRow
    shows = ("key", "title", "about", "side", "messages", "last_at", "new", "mentions")
    key = serializers.CharField(source="board.key", help_text="What stands in its addresses.")
    title = serializers.CharField(source="board.title")
    about = serializers.CharField(source="board.about")
    side = serializers.ChoiceField(
        choices=TEAM_SIDES, source="board.side", allow_null=True, help_text="Whose it is; null: everybody's."
    )
    new = serializers.IntegerField(
        source="unread.new", help_text="Messages and posts by the service that are new to you."
    )
    mentions = serializers.IntegerField(
        source="unread.mentions", help_text="Messages with your name that you have not seen."
    )


class SideOrNull(serializers.ChoiceField):
    """1.1: a side, or null where the pages have an empty text."""

    def to_representation(self, value: Any) -> Any:
        return super().to_representation(value) or None


class MessageOut(Shape):
    """3.1: a message in its latest version. One that was withdrawn or hidden has no text for others."""

    made_of = MessageView
    shows = (
        *("number", "by", "side", "roles", "at", "edited_at", "version", "text", "html", "withdrawn_at"),
        *("hidden_by", "hidden_because", "is_mine", "names_you"),
    )
    tells = {"roles": "What the author judged.", "text": "Markdown.", "html": "As the pages show it."}
    side = SideOrNull(choices=TEAM_SIDES, allow_null=True, help_text="Null for who did not play.")
    edited_at = serializers.DateTimeField(source="row.edited_at", allow_null=True)
    version = serializers.IntegerField(source="row.version", help_text="Send it as `base_version` with an edit.")
    withdrawn_at = serializers.DateTimeField(source="row.withdrawn_at", allow_null=True)
    hidden_by = serializers.CharField(source="row.hidden_by", help_text="The moderator who hid it.")
    hidden_because = serializers.CharField(source="row.hidden_because")
    names_you = serializers.BooleanField(
        source="names_viewer", help_text="It has your name in it, and you have not seen it yet."
    )


class MessageIn(Body):
    """3.1: a new message."""

    text = serializers.CharField(trim_whitespace=False, help_text="Markdown, up to 20,000 characters; `@Name` tells.")
    token = serializers.CharField(
        max_length=40, help_text="Any name that you choose for this message: sent twice, it makes one."
    )


class MessageChange(Body):
    """3.1: an edit of a message."""

    text = serializers.CharField(trim_whitespace=False)
    base_version = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, help_text="The version that the edit began from; another one is refused."
    )


class ReadIn(Body):
    """3.1: up to where a board is read."""

    number = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, help_text="The last message that you have read; those before it are, too."
    )


class Boards(ListView):
    """3.1: the boards that one reads."""

    @describe(
        "boards_list",
        "boards",
        "The boards that you read, with what is new to you",
        out=BoardOut(many=True),
        description="Those of a team, its council and its factions are for their players alone (1.1).",
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.page(board_rows(self.viewer(slug), timezone.now()), BoardOut)


class Messages(ListView):
    """3.1: the messages of a board."""

    @describe(
        "messages_list",
        "boards",
        "The messages of a board, the oldest first",
        out=MessageOut(many=True),
        description="What people wrote; posts by the service and orders have addresses of their own. Reading here "
        "marks nothing as read.",
    )
    def get(self, request: Request, slug: str, board: str) -> Response:
        viewer = self.viewer(slug)
        found, pages = _board(viewer, board), Pages()
        numbers = messages_on(viewer.round, found).order_by("number").values_list("number", flat=True)
        part = pages.paginate_queryset(numbers, self.request, view=self) or []
        views = message_views(viewer, found, Readers(viewer.round, found), list(part))
        return pages.get_paginated_response(MessageOut(views, many=True).data)

    @describe(
        "messages_create",
        "boards",
        "Write on a board",
        out=MessageOut,
        status=201,
        takes=MessageIn,
        problems=WRITING,
        description="For the players and judges of the round, on the board `talk` for everybody with an account. The "
        "same `token` again gives the same message, and so does the same text within a minute.",
    )
    def post(self, request: Request, slug: str, board: str) -> Response:
        viewer = self.viewer(slug)
        found, sent = _board(viewer, board), self.read(MessageIn, request.data)
        check_length(sent["text"], MAX_MESSAGE, "message", "")
        made = write_message(viewer=viewer, board=found, now=timezone.now(), **sent)
        return Response(_out(_message(viewer, found, made.number)), status=status.HTTP_201_CREATED)


class OneMessage(ApiView):
    """3.1: one message."""

    @describe("messages_read", "boards", "One message in its latest version", out=MessageOut)
    def get(self, request: Request, slug: str, board: str, number: int) -> Response:
        viewer = self.viewer(slug)
        return Response(_out(_message(viewer, _board(viewer, board), number)))

    @describe(
        "messages_change",
        "boards",
        "Edit one's own message",
        out=MessageOut,
        takes=MessageChange,
        problems=WRITING,
        description="The text before it is kept, and can be read by whoever reads the message.",
    )
    def patch(self, request: Request, slug: str, board: str, number: int) -> Response:
        viewer = self.viewer(slug)
        found = _board(viewer, board)
        message = _own(_message(viewer, found, number))
        sent = self.read(MessageChange, request.data)
        check_length(sent["text"], MAX_MESSAGE, "message", "")
        if message.row.version != sent["base_version"] and message.text != sent["text"]:
            raise Stale(
                f"This message is at version {message.row.version} now, and the edit began from "
                f"{sent['base_version']}. Nothing was stored."
            )
        edit_message(viewer=viewer, board=found, message=message.row, now=timezone.now(), **sent)
        return Response(_out(_message(viewer, found, number)))

    @describe(
        "messages_withdraw",
        "boards",
        "Withdraw one's own message",
        out=MessageOut,
        problems=(403, 404, 409),
        description="It is kept, and nobody but its author and the moderators of the board reads it any more.",
    )
    def delete(self, request: Request, slug: str, board: str, number: int) -> Response:
        viewer = self.viewer(slug)
        found = _board(viewer, board)
        message = _own(_message(viewer, found, number))
        withdraw_message(viewer=viewer, board=found, message=message.row, now=timezone.now())
        return Response(_out(_message(viewer, found, number)))


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
        found = _board(viewer, board)
        message = _message(viewer, found, self.read(ReadIn, request.data)["number"])
        shown = range(1, message.number + 1)
        mark_read(viewer=viewer, board=found, until=message.at, shown=shown, now=now)
        return Response(BoardOut(_row(viewer, found)).data)


def _board(viewer: Viewer, key: str) -> Board:
    found = board_for(viewer, key)
    if found is None:
        raise Missing(f"There is no board “{key[:40]}” that you read.")
    return found


def _message(viewer: Viewer, board: Board, number: int) -> MessageView:
    found = message_for(viewer, board, number) if number <= LARGEST_NUMBER else None
    if found is None:
        raise Missing("There is no such message on this board.")
    return found


def _own(message: MessageView) -> MessageView:
    if not message.is_mine:
        raise Forbidden(f"This message is by {message.by}; only its author changes it.", "1.6")
    return message


def _row(viewer: Viewer, board: Board) -> BoardRow:
    return next(row for row in board_rows(viewer, timezone.now()) if row.board == board)


def _out(message: MessageView) -> dict[str, object]:
    return dict(MessageOut(message).data)
