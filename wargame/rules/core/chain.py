"""R38: the hashes of a chain: of a row's fields to a link, of a link to the one before it (docs/play/verify/chain.md).

A field is sealed with its own salt, so that one can be shown while the others stay secret, and no digest gives away a
value that is short enough to be guessed.
"""

import hashlib
import json
from collections.abc import Mapping

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)

FIRST = ""
"""The hash before the first link."""

Fields = Mapping[str, object]
"""A row's fields by their names, as JSON."""


def salt(secret: str, number: int, field: str = "") -> str:
    """The salt of a field in the link of that number, or of the link itself: 32 hexadecimal digits.

    All come from one secret of the chain, and none reveals another.
    """
    return hashlib.sha256(f"{secret}\n{number}\n{field}".encode()).hexdigest()[:32]


def sealed(salt: str, value: object) -> str:
    """The SHA-256 of a JSON value with its salt."""
    return digest([salt, value])


def row_digest(salt: str, kind: str, row: int, fields: Mapping[str, str], *, is_gone: bool = False) -> str:
    """The SHA-256 of a link's content: the kind of its row, the number of the row's first link, whether it is gone,
    and its fields, each sealed."""
    data = {"salt": salt, "kind": kind, "row": row, "gone": is_gone, "fields": dict(fields)}
    return digest(data)


def digest_with(secret: str, number: int, kind: str, row: int, fields: Fields, *, is_gone: bool = False) -> str:
    """`row_digest` of plain fields."""
    seals = {name: sealed(salt(secret, number, name), value) for name, value in fields.items()}
    return row_digest(salt(secret, number), kind, row, seals, is_gone=is_gone)


def link_hash(previous: str, number: int, digest_of_row: str) -> str:
    """The SHA-256 of a link: over the hash of the one before it, its number, and the digest of its row."""
    return digest([previous, number, digest_of_row])


def head_at(minute: str, hash: str) -> str:
    """The public latest hash: the SHA-256 of a minute like `2026-11-22T13:05Z` and the hash of the last link that
    was written before it. It changes each minute, so that it does not reveal whether something was written."""
    return digest([minute, hash])


def digest(value: object) -> str:
    """The SHA-256 of JSON with sorted keys and without whitespace, in UTF-8."""
    return hashlib.sha256(_ENCODER.encode(value).encode()).hexdigest()
