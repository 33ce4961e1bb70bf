"""Which browser the tests use, and how it is started."""

import shutil
from collections.abc import Iterable
from typing import Any

import pytest

WHOLE_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSERS = ("chromium-headless-shell", *WHOLE_BROWSERS)
"""The shell without windows opens a page for a quarter of the time; it has no notifications."""

BROWSER_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def browser_of(names: Iterable[str]) -> dict[str, Any]:
    """How the first of these browsers that there is is started."""
    path = next((found for name in names if (found := shutil.which(name))), None)
    if not path:
        pytest.skip(f"needs Chromium (Debian's package {list(names)[0]})")
    return {"executable_path": path, "args": BROWSER_ARGUMENTS}
