"""T6.2: canonical JSON: one text for one meaning, so that everybody computes the same hash."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from wargame.rules.core.saying import said

Plain: TypeAlias = str | int | bool | None | Sequence["Plain"] | Mapping[str, "Plain"]
"""Values of canonical JSON. Fractions are excluded: no two languages write them alike."""

MOST_DEPTH = 60
"""The deepest nesting of lists and mappings."""

_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: Plain) -> str:
    """T6.2: the value's canonical text: keys in the order of their characters, no blanks, characters unescaped.

    Fractions, keys that are not strings, lone surrogates (which UTF-8 can't encode) and depths beyond `MOST_DEPTH`
    raise ValueError.
    """
    _check(value, MOST_DEPTH)
    return _ENCODER.encode(value)


def digest(value: Plain) -> str:
    """T6.2: the SHA-256 of the canonical text in UTF-8: 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def sealed(salt: str, value: Plain) -> str:
    """T6.2: the stand-in for a secret in the chain: SHA-256 of `salt`, `|` and the canonical text."""
    return hashlib.sha256(f"{salt}|{canonical(value)}".encode()).hexdigest()


def _check(value: object, depth: int) -> None:
    if isinstance(value, str):
        if not value.isascii():
            value.encode()
    elif value is None or isinstance(value, (bool, int)):
        return
    elif depth == 0:
        raise ValueError(said("canonical JSON can be at most %(levels)s levels deep", levels=MOST_DEPTH))
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if not isinstance(key, str):
                raise ValueError(
                    said("a key in canonical JSON must be a string, not %(type)s", type=type(key).__name__)
                )
            _check(key, depth)
            _check(inner, depth - 1)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            _check(inner, depth - 1)
    else:
        raise ValueError(said("canonical JSON can't contain %(type)s", type=type(value).__name__))
