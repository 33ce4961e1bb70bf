"""What the description of the API says of the heads that all requests and answers share, once for all of them."""

from __future__ import annotations

from typing import Any

WHOLE = {"type": "integer", "minimum": 0}
TEXT = {"type": "string"}

HEADS = {
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

READING = (("If-None-Match", "The `ETag` of your last response. Returns 304 if nothing has changed.", 200),)
WRITING = (
    ("Idempotency-Key", "A key of your choice. Requests with the same key are carried out once in 24 hours.", 80),
    ("If-Match", "The `ETag` of what you read at this address. Returns 412 if it has changed since.", 200),
)
"""Heads of requests: name, what it tells, most signs."""


def told_of(result: dict[str, Any], **of_schema: Any) -> dict[str, Any]:
    """The description with the heads: those of requests at each operation, those of answers by reference."""
    components = result["components"]
    components["headers"] = {name: {"description": told, "schema": schema} for name, (told, schema) in HEADS.items()}
    for methods in result["paths"].values():
        for method, operation in methods.items():
            asked = READING if method == "get" else WRITING
            operation.setdefault("parameters", []).extend(map(_parameter, asked))
            for status, answer in operation["responses"].items():
                names = [*OF_ALL, *OF_WAITING.get(status, ())]
                names += [] if method == "get" else OF_WRITING
                names += ["ETag"] if method == "get" and status in ("200", "304") else []
                answer["headers"] = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    return result


def _parameter(head: tuple[str, str, int]) -> dict[str, Any]:
    name, told, most = head
    return {"in": "header", "name": name, "schema": {"type": "string", "maxLength": most}, "description": told}
