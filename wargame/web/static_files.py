"""Whether STATIC_ROOT has the static files of this version: the site checks before it starts."""

import filecmp
import sys
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.apps import StaticFilesConfig
from django.contrib.staticfiles.finders import get_finders

MANIFEST = "staticfiles.json"
STALE = (
    "The static files in {folder} are missing or from another version. Run .venv/bin/python manage.py collectstatic "
    "--noinput (docs/host/upgrading.md)."
)


def require_static_files() -> None:
    """End the process with a sentence if STATIC_ROOT is set and not up to date: every page would be an error."""
    folder = settings.STATIC_ROOT
    if folder and not is_collected(Path(folder)):
        print(STALE.format(folder=folder), file=sys.__stderr__, flush=True)
        sys.exit(1)


def is_collected(folder: Path) -> bool:
    """Whether `collectstatic` put the current static files of the source into the folder.

    It leaves out files such as `style.css~`, and of two files with one name it takes the first.
    """
    ignored = StaticFilesConfig.ignore_patterns
    sources: dict[str, str] = {}
    for finder in get_finders():
        for name, storage in finder.list(ignored):
            sources.setdefault(name, storage.path(name))
    try:
        return (folder / MANIFEST).exists() and all(
            filecmp.cmp(source, folder / name, shallow=False) for name, source in sources.items()
        )
    except OSError:
        return False
