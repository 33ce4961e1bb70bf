"""Conditional requests: the tag of an answer (`ETag`), and changes to one version of a thing (`If-Match`)."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from judging.api.errors import Changed


def tag_of(content: bytes) -> str:
    """The tag of an answer: another one whenever its bytes are others."""
    return quote_etag(hashlib.sha256(content).hexdigest()[:32])


def check_unchanged(view: APIView, request: Request, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Raises Changed where `If-Match` has not the tag that a GET of the same address would answer with now."""
    asked = request.headers.get("If-Match", "")
    if not asked:
        return
    read = getattr(view, "get", None)
    if read is None:
        raise Changed(gettext("This address has no version, so “If-Match” doesn't work here. Nothing was done."))
    answer = read(request, *args, **kwargs)
    if not isinstance(answer, Response) or "*" in parse_etags(asked):
        return
    renderer: Any = request.accepted_renderer
    content = renderer.render(answer.data, request.accepted_media_type, view.get_renderer_context())
    if tag_of(content) not in parse_etags(asked):
        raise Changed(gettext("This has changed since you read it. Nothing was done. Read it again."))
