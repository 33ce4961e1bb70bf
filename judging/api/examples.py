"""The examples of the documentation: what the demo round answers, kept as files that a test compares with it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.conf import settings

FOLDER = settings.BASE_DIR / "docs" / "api" / "examples"


@cache
def example(name: str) -> Any:
    """The content of `docs/api/examples/<name>.json`; None if there is no such file yet."""
    file = FOLDER / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else None
