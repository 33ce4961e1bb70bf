"""The JSON of an error."""

from __future__ import annotations

from rest_framework import serializers

CODES = {
    "invalid": "a field is wrong; `fields` says which",
    "parse_error": "the body is no JSON",
    "unsupported_media_type": "the body is not declared as JSON",
    "not_acceptable": "only JSON is served",
    "not_authenticated": "log in first",
    "authentication_failed": "this name and password don't belong together",
    "permission_denied": "not allowed, or the CSRF token is missing",
    "forbidden": "this person may not do this",
    "not_found": "nothing is here that this person may see",
    "method_not_allowed": "this address does not do that",
    "stale": "what was sent is based on something that has changed",
    "refused": "the rules or the state of the game do not allow it",
    "too_long": "longer than what is taken",
    "throttled": "too many requests; `Retry-After` says how long to wait",
}


class ProblemOut(serializers.Serializer):
    """Every error: a sentence, the rule or ruling that it follows from (or empty), and a code."""

    detail = serializers.CharField(help_text="What is wrong and what would do, for people.")
    cites = serializers.CharField(allow_blank=True, help_text="A rule like 3.1 or a ruling like R6, or empty.")
    code = serializers.ChoiceField(choices=list(CODES.items()), help_text="For programs.", label="Code of a problem")
    fields = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="Only with the code `invalid`: sentences by the field that is wrong.",
    )
