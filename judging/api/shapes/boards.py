"""3.1: the boards and their messages."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from judging.api.shapes.common import TEAM_SIDES
from judging.selectors.board_index import BoardRow
from judging.selectors.board_messages import MessageView


class BoardOut(serializers.Serializer):
    """3.1: a board that you read."""

    key = serializers.CharField(help_text="What stands in its addresses.")
    title = serializers.CharField()
    about = serializers.CharField()
    side = serializers.ChoiceField(choices=TEAM_SIDES, allow_null=True, help_text="Whose it is; null: everybody's.")
    messages = serializers.IntegerField()
    last_at = serializers.DateTimeField(allow_null=True)
    new = serializers.IntegerField(help_text="Messages and posts by the service that are new to you.")
    mentions = serializers.IntegerField(help_text="Messages with your name that you have not seen.")


class MessageOut(serializers.Serializer):
    """3.1: a message in its latest version. One that was withdrawn or hidden has no text for others."""

    number = serializers.IntegerField()
    by = serializers.CharField()
    side = serializers.ChoiceField(choices=TEAM_SIDES, allow_null=True, help_text="Null for who did not play.")
    roles = serializers.ListField(child=serializers.CharField(), help_text="What the author judged.")
    at = serializers.DateTimeField()
    edited_at = serializers.DateTimeField(allow_null=True)
    version = serializers.IntegerField(help_text="Send it as `base_version` with an edit.")
    text = serializers.CharField(allow_blank=True, help_text="Markdown.")
    html = serializers.CharField(allow_blank=True, help_text="As the pages show it.")
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    hidden_by = serializers.CharField(allow_blank=True, help_text="The moderator who hid it.")
    hidden_because = serializers.CharField(allow_blank=True)
    is_mine = serializers.BooleanField()
    names_you = serializers.BooleanField(help_text="It has your name in it, and you have not seen it yet.")


class MessageIn(serializers.Serializer):
    """3.1: a new message."""

    text = serializers.CharField(trim_whitespace=False, help_text="Markdown, up to 20,000 characters; `@Name` tells.")
    token = serializers.CharField(
        max_length=40, help_text="Any name that you choose for this message: sent twice, it makes one."
    )


class MessageChange(serializers.Serializer):
    """3.1: an edit of a message."""

    text = serializers.CharField(trim_whitespace=False)
    base_version = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, help_text="The version that the edit began from; another one is refused."
    )


class ReadIn(serializers.Serializer):
    """3.1: up to where a board is read."""

    number = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, help_text="The last message that you have read; those before it are, too."
    )


def board_data(row: BoardRow) -> dict[str, Any]:
    """A board as its shape has it."""
    board = row.board
    return {
        "key": board.key,
        "title": board.title,
        "about": board.about,
        "side": board.side.value if board.side else None,
        "messages": row.messages,
        "last_at": row.last_at,
        "new": row.unread.new,
        "mentions": row.unread.mentions,
    }


def message_data(message: MessageView) -> dict[str, Any]:
    """A message as its shape has it."""
    row = message.row
    seen = ("number", "at", "edited_at", "version", "withdrawn_at", "hidden_by", "hidden_because")
    return {
        **{name: getattr(row, name) for name in seen},
        "by": message.by,
        "side": message.side or None,
        "roles": message.roles,
        "text": message.text,
        "html": message.html,
        "is_mine": message.is_mine,
        "names_you": message.names_viewer,
    }
