"""Case files (CASES.md): a case that can't be read is an error that names the case and the key."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from wargame.cases.armies import CaseError


def keys_of(data: Any, where: str, allowed: Collection[str], required: Collection[str] = ()) -> dict[str, Any]:
    """The mapping itself, when it has all required keys and no unknown one; CaseError names the key."""
    if not isinstance(data, dict):
        raise CaseError(f"{where}: this should be a mapping, not {data!r}")
    for key in data:
        if key not in allowed:
            raise CaseError(f"{where}: the key “{key}” is not known")
    for key in required:
        if key not in data:
            raise CaseError(f"{where}: the key “{key}” is missing")
    return data
