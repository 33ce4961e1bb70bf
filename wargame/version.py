import os
import subprocess
from functools import cache
from pathlib import Path

VERSION = "1.1.0-dev"
"""The service's (semantic versioning), as in CHANGELOG.md and pyproject.toml. `-dev` until it is released."""

RULES = "1.2"
"""The version of the rules that settled a turn, stored with it. Raise it when you change an outcome, and add the change
to docs/host/upgrading.md: Verify then tells a turn settled by older rules from one that was tampered with."""

_ARCHIVED = "$Format:%H$"
"""`git archive` writes the commit here (.gitattributes)."""


@cache
def full_version() -> str:
    """VERSION and the commit that it was built from, like `1.1.0-dev+1a2b3c4d5e`; VERSION alone if the commit is
    unknown."""
    commit = os.environ.get("WARGAME_COMMIT") or _commit()
    return f"{VERSION}+{commit[:10]}" if commit else VERSION


def _commit() -> str:
    if not _ARCHIVED.startswith("$"):
        return _ARCHIVED
    project = Path(__file__).resolve().parent.parent
    if not (project / ".git").exists():
        return ""
    # The service's user need not own the folder that another user checked out.
    command = ["git", "-c", "safe.directory=*", "-C", str(project), "rev-parse", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5, check=True).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
