"""3.1, R7, R8: the movement thread."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from judging.api.shapes.common import TEAM_SIDES
from judging.selectors.posts import PostView
from judging.selectors.thread_lines import ThreadLine

LINE_KINDS = [("order", "an order"), ("talk", "talk"), ("unreadable", "meant as an order, unreadable (R8)")]


class LineOut(serializers.Serializer):
    """R8: what a line was understood as. An order is legal now if `refusal` is empty."""

    number = serializers.IntegerField()
    text = serializers.CharField(allow_blank=True)
    kind = serializers.ChoiceField(choices=LINE_KINDS)
    army = serializers.CharField(allow_blank=True)
    order = serializers.CharField(allow_blank=True, help_text="In canonical form (R9).")
    refusal = serializers.CharField(allow_blank=True, help_text="Why the order is illegal.")
    cites = serializers.CharField(allow_blank=True, help_text="The rule of the refusal, or of an unreadable line.")
    remark = serializers.CharField(allow_blank=True)
    column = serializers.IntegerField(allow_null=True, help_text="Where an unreadable line goes wrong, from 1.")
    wrong = serializers.CharField(allow_blank=True)
    expected = serializers.CharField(allow_blank=True)
    suggestions = serializers.ListField(child=serializers.CharField())
    at = serializers.DateTimeField(allow_null=True, help_text="When the line was last changed (R7).")
    is_replaced = serializers.BooleanField(help_text="A later order of the same player counts instead (R12).")


class PostOut(serializers.Serializer):
    """3.1: a post in its latest version."""

    id = serializers.IntegerField()
    turn = serializers.IntegerField()
    by = serializers.CharField()
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    sealed = serializers.BooleanField()
    is_hidden = serializers.BooleanField(help_text="Sealed and before the lock: you alone see it (R6).")
    posted_at = serializers.DateTimeField()
    edited_at = serializers.DateTimeField()
    version = serializers.IntegerField(help_text="Send it as `base_version` with an edit.")
    text = serializers.CharField()
    lines = LineOut(many=True, help_text="Of a withdrawn post there are none.")
    may_edit = serializers.BooleanField()
    withdrawn_at = serializers.DateTimeField(allow_null=True, help_text="When its author took it back (R7).")


class PostIn(serializers.Serializer):
    """3.1: a new post."""

    text = serializers.CharField(trim_whitespace=False, help_text="A line an order (3.2.2.5); up to 20,000 characters.")
    sealed = serializers.BooleanField(default=False, help_text="Hidden from everybody else until the lock (R6).")
    token = serializers.CharField(
        max_length=40, help_text="Any name that you choose for this post: sent twice, it makes one post."
    )


class PostChange(serializers.Serializer):
    """R7: an edit of a post."""

    text = serializers.CharField(trim_whitespace=False)
    base_version = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        help_text="The version that the edit began from; another one is refused.",
    )


class PreviewIn(serializers.Serializer):
    """R8: a text to be read, not stored."""

    text = serializers.CharField(trim_whitespace=False, allow_blank=True)


class PreviewOut(serializers.Serializer):
    """R8: what a text would be understood as if you posted it now."""

    lines = LineOut(many=True)


def line_data(entry: ThreadLine) -> dict[str, Any]:
    """A line for `LineOut`."""
    line, refusal = entry.line, entry.line.refusal
    unreadable = "3.2.2.5" if line.kind == "unreadable" else ""
    return {
        "number": line.number,
        "text": line.text,
        "kind": line.kind,
        "army": line.army,
        "order": line.order_text,
        "refusal": refusal.sentence if refusal else "",
        "cites": refusal.cites if refusal else unreadable,
        "remark": line.remark,
        "column": line.column or None,
        "wrong": line.wrong,
        "expected": line.expected,
        "suggestions": line.suggestions,
        "at": entry.at,
        "is_replaced": entry.is_replaced,
    }


def post_data(post: PostView) -> dict[str, Any]:
    """A post for `PostOut`."""
    names = (
        *("id", "by", "side", "sealed", "is_hidden", "posted_at", "edited_at", "version", "text", "may_edit"),
        "withdrawn_at",
    )
    lines = [line_data(entry) for entry in post.lines]
    return {**{name: getattr(post, name) for name in names}, "turn": post.turn.number, "lines": lines}
