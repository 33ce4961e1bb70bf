"""Where a program begins."""

from __future__ import annotations

from rest_framework import serializers


class IndexOut(serializers.Serializer):
    """Addresses. Those of the running round are null if no round is running."""

    rounds = serializers.URLField(help_text="All rounds.")
    docs = serializers.URLField(help_text="This description, as a page.")
    schema = serializers.URLField(help_text="This description, as OpenAPI.")
    round = serializers.URLField(allow_null=True, help_text="The running round.")
    map = serializers.URLField(allow_null=True, help_text="Its map.")
    armies = serializers.URLField(allow_null=True, help_text="Its armies.")
    control = serializers.URLField(allow_null=True, help_text="Its control list.")
    turns = serializers.URLField(allow_null=True, help_text="Its turns.")
    results = serializers.URLField(allow_null=True, help_text="Its battle results.")
    posts = serializers.URLField(allow_null=True, help_text="The movement thread of its present turn; post here.")
    battles = serializers.URLField(allow_null=True, help_text="The battles of its present turn.")
