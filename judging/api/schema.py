"""How addresses are described: tags, errors, headers, and examples that the demo round answered."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from django.conf import settings
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema

from judging.api.shapes import ProblemOut, problem

PROBLEMS = {
    400: "A field is wrong, or the body is not JSON.",
    403: "You aren't logged in, or you or your token can't do this.",
    404: "It doesn't exist, or you can't see it.",
    409: "The rules or the state of the game don't allow it, or your request is out of date.",
    412: "It has changed since you read what `If-Match` names.",
    413: "Longer than allowed.",
    415: "The body is not declared as JSON.",
    429: "Too many requests.",
    503: "Others are writing right now, or there is no space left. Nothing was saved.",
}
EXAMPLES = {
    400: ("invalid", "", {"at": ["40D is not on the map, which ends at 38 and at N (1.2)."]}),
    403: ("forbidden", "5.4.1", None),
    404: ("not_found", "", None),
    409: ("refused", "3.1", None),
    412: ("changed", "", None),
    413: ("too_long", "3.1", None),
    415: ("unsupported_media_type", "", None),
    429: ("throttled", "", None),
    503: ("busy", "", None),
}
SENTENCES = {
    400: "Some values are invalid; `fields` says which.",
    403: "You don't control Sai Rei, so you can't send its strat.",
    404: "There is no turn 99 yet.",
    409: (
        "The Orders thread of turn 4 locked on 12 May 2031, 05:00 UTC. Your text arrived on 12 May 2031, 05:01 "
        "UTC, so we couldn't accept it. You can post it again when the next turn opens."
    ),
    412: "This has changed since you read it. Nothing was done. Read it again.",
    413: "The post has 200,000 characters. The limit is 20,000, so remove 180,000. Nothing was saved.",
    415: "Unsupported media type “text/plain” in request.",
    429: "Too many requests. Try again in 12 seconds.",
    503: "Busy: nothing was saved. Try again.",
}
JSON = "application/json"
PROBLEM = "application/problem+json"
"""RFC 9457."""

NOTHING = OpenApiResponse(None, "Nothing new.")
UNCHANGED = OpenApiResponse(None, "Nothing has changed since the version `If-None-Match` names.")

WRITING = (400, 403, 404, 409, 413, 415, 503)
"""The errors of an address that stores something."""

BUTTON = (403, 404, 409, 503)
"""The errors of an address that stores something and has no body."""


FOLDER = settings.BASE_DIR / "docs" / "develop" / "api" / "examples"
"""What a test compares with the demo round's answers."""


@cache
def example(name: str) -> Any:
    """The content of `docs/develop/api/examples/<name>.json`; None if there is no such file yet."""
    file = FOLDER / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


def describe(
    name: str,
    tag: str,
    summary: str,
    *,
    out: Any,
    status: int = 200,
    problems: Sequence[int] = (404,),
    takes: Any = None,
    asks: Any = None,
    description: str = "",
    empty: bool = False,
    scope: str = "",
    page: str = "",
) -> Callable[[Any], Any]:
    """`extend_schema` with what all addresses share. `out`, `takes`, `asks`: the shapes of the answer, the body
    and the query; `empty`: it may answer 204; `scope`: what a token needs, if not what its view says; `page`: the
    name of the page whose form does the same. The examples are the files of that `name`."""
    examples = [OpenApiExample(f"{name} answer", value=example(name), response_only=True, status_codes=[str(status)])]
    if takes is not None:
        examples.append(OpenApiExample(f"{name} request", value=example(f"{name}.request"), request_only=True))

    def told(method: Any) -> Any:
        is_read = method.__name__ == "get"
        # An Idempotency-Key may have been another request's, and any writer may find others in the way.
        codes = sorted({*problems, 429, *((400,) if is_read else (409, 412, 503))})
        method.page, method.operation = page, name
        if scope:
            method.scope = scope
        return extend_schema(
            operation_id=name,
            tags=[tag],
            summary=summary,
            description=description,
            request=takes,
            parameters=[asks] if asks else [],
            responses={
                (status, JSON): out,  # as the others: spectacular asks the least of the keys whether it is a list
                **({204: NOTHING} if empty else {}),
                **({304: UNCHANGED} if is_read else {}),
                **{(code, PROBLEM): _problem(code) for code in codes},
            },
            examples=examples,
        )(method)

    return told


def _problem(code: int) -> OpenApiResponse:
    kind, cites, fields = EXAMPLES[code]
    value = {**problem(kind, code, SENTENCES[code], cites), **({"fields": fields} if fields else {})}
    example = OpenApiExample(f"problem {code}", value=value, response_only=True, status_codes=[str(code)])
    return OpenApiResponse(ProblemOut, PROBLEMS[code], examples=[example])


WHOLE = {"type": "integer", "minimum": 0}
TEXT = {"type": "string"}

RESPONSE_HEADERS = {
    "ETag": ("Identifies this version of the response, for `If-None-Match` and `If-Match`.", TEXT),
    "Idempotency-Replayed": ("`true` if the request was carried out before and this is its original response.", TEXT),
    "RateLimit-Limit": ("Number of requests allowed per period.", WHOLE),
    "RateLimit-Remaining": ("Number of requests left.", WHOLE),
    "RateLimit-Reset": ("Seconds until the limit resets.", WHOLE),
    "Retry-After": ("Seconds to wait before trying again.", WHOLE),
}
OF_ALL = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")
OF_WRITING = ("Idempotency-Replayed",)
OF_WAITING = {"429": ("Retry-After",), "503": ("Retry-After",)}

READING_HEADERS = (("If-None-Match", "The `ETag` of your last response. Returns 304 if nothing has changed.", 200),)
WRITING_HEADERS = (
    ("Idempotency-Key", "A key of your choice. Requests with the same key are carried out once in 24 hours.", 80),
    ("If-Match", "The `ETag` of what you read at this address. Returns 412 if it has changed since.", 200),
)
"""Heads of requests: name, what it tells, most signs."""


def told_of(result: dict[str, Any], **of_schema: Any) -> dict[str, Any]:
    """The description with the heads: those of requests at each operation, those of answers by reference."""
    components = result["components"]
    components["headers"] = {
        name: {"description": description, "schema": schema} for name, (description, schema) in RESPONSE_HEADERS.items()
    }
    for methods in result["paths"].values():
        for method, operation in methods.items():
            headers = READING_HEADERS if method == "get" else WRITING_HEADERS
            operation.setdefault("parameters", []).extend(map(_parameter, headers))
            for status, answer in operation["responses"].items():
                names = [*OF_ALL, *OF_WAITING.get(status, ())]
                names += [] if method == "get" else OF_WRITING
                names += ["ETag"] if method == "get" and status in ("200", "304") else []
                answer["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    return result


def _parameter(head: tuple[str, str, int]) -> dict[str, Any]:
    name, description, most = head
    return {"in": "header", "name": name, "schema": {"type": "string", "maxLength": most}, "description": description}
