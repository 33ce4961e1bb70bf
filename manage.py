#!/usr/bin/env python
"""Django's command line. A bad environment variable ends it with one sentence."""

import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import OperationalError, ProgrammingError


def main() -> None:
    """Run the command that the arguments name."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wargame.settings")
    try:
        _ = settings.DEBUG
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    try:
        execute_from_command_line(sys.argv)
    except (OperationalError, ProgrammingError) as error:
        why = str(error).strip().split("\n")[0]
        if "no such table" in why or ("relation" in why and "does not exist" in why):
            sys.exit(
                "The database lacks a table: is it that of the service? Set WARGAME_DATA or DATABASE_URL as for the "
                f"service, or start it first. ({why})"
            )
        if isinstance(error, ProgrammingError) or "--traceback" in sys.argv:
            raise
        sys.exit(f"The database can't be used ({why}): look at DATABASE_URL and WARGAME_DATA.")


if __name__ == "__main__":
    main()
