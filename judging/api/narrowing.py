"""Answers that are asked for in part (`?fields=`) and requests that hold for one version of a thing (`If-Match`).

Apart from `base`, because none of it asks who looks or which round it is: it works on an answer that is ready.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from judging.api.errors import Changed

FIELDS = "fields"
LONGEST = 1_000
"""Signs of what is asked for."""

OF_A_LIST = {"count", "next", "previous", "results"}


def narrow(response: Response, request: Request) -> None:
    """Leaves of an answer the fields that `?fields=` names; of a list, of each thing in it. Raises ValidationError for
    a name that nothing there has."""
    asked = request.query_params.get(FIELDS)
    if asked is None:
        return
    wanted = [name.strip() for name in asked[:LONGEST].split(",") if name.strip()]
    data = response.data
    is_list = isinstance(data, Mapping) and set(data) == OF_A_LIST
    found = data["results"] if is_list else data
    if not wanted:
        said = gettext("List fields, separated by commas.")
        raise ValidationError({FIELDS: [f"{said} {_there_are(found)}".strip()]})
    narrowed = _narrowed(found, wanted)
    response.data = {**data, "results": narrowed} if is_list else narrowed


def _narrowed(found: Any, wanted: Sequence[str]) -> object:
    known = _names(found)
    if known is None:
        return found
    if wrong := [name for name in wanted if name not in known]:
        said = gettext("This answer has no field “%(name)s”.") % {"name": wrong[0][:40]}
        raise ValidationError({FIELDS: [f"{said} {_there_are(found)}"]})
    if isinstance(found, Mapping):
        return {name: value for name, value in found.items() if name in wanted}
    return [{name: value for name, value in one.items() if name in wanted} for one in found]


def _names(found: object) -> Iterable[str] | None:
    """The fields that there are; None where there are none, as in a list with nothing in it."""
    if isinstance(found, Mapping):
        return list(found)
    if isinstance(found, list | tuple) and found and all(isinstance(one, Mapping) for one in found):
        return list(dict.fromkeys(name for one in found for name in one))
    return None


def _there_are(found: object) -> str:
    known = _names(found)
    return gettext("Its fields are %(names)s.") % {"names": ", ".join(known)} if known else ""


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
