"""Whether the database can keep what people write, asked before anything is kept in it."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connection

WANTED = "UTF8"


def wrong_encoding() -> str | None:
    """Why this database can't keep all signs, as a sentence; None if it can, as SQLite always does.

    A cluster of PostgreSQL that was made where no language is set is SQL_ASCII: it takes a name with an accent, and
    fails at the first function that must know its letters, in the middle of a round.
    """
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        (found,) = cursor.fetchone() or ("",)
    if found == WANTED:
        return None
    return (
        f"The database in DATABASE_URL stores text as {found}, but people write characters that need {WANTED}. "
        f"Create it again with createdb --encoding {WANTED} --template template0 (docs/host/README.md)."
    )


@register(Tags.database)
def check_encoding(*, databases: Sequence[str] | None = None, **options: object) -> list[CheckMessage]:
    """For `manage.py migrate`, which asks before it writes, and `manage.py check --database default`."""
    wrong = wrong_encoding() if databases else None
    return [Error(wrong, id="wargame.E001")] if wrong else []
