"""1.3: the database itself refuses that an entry of the log is changed, whoever asks it to.

The trigger is made after every migration, for a table that is remade loses it. Deleting is left to the model: Django
deletes the entries of a round that is deleted before the round, and the database can't tell why.
"""

from __future__ import annotations

from typing import Any

from django.db import connections

TABLE = "judging_logentry"

SQLITE = (
    f"CREATE TRIGGER IF NOT EXISTS log_is_kept BEFORE UPDATE ON {TABLE} "
    "BEGIN SELECT RAISE(ABORT, 'an entry of the log is never changed'); END",
)
POSTGRESQL = (
    "CREATE OR REPLACE FUNCTION log_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$ "
    "BEGIN RAISE EXCEPTION 'an entry of the log is never changed' USING ERRCODE = 'restrict_violation'; END $$",
    f"DROP TRIGGER IF EXISTS log_is_kept ON {TABLE}",
    f"CREATE TRIGGER log_is_kept BEFORE UPDATE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION log_is_kept()",
)
STATEMENTS = {"sqlite": SQLITE, "postgresql": POSTGRESQL}


def keep_the_log(using: str, **kwargs: Any) -> None:
    """After `migrate`: makes the trigger, if the table is there."""
    connection = connections[using]
    if TABLE not in connection.introspection.table_names():
        return
    with connection.cursor() as cursor:
        for statement in STATEMENTS.get(connection.vendor, ()):
            cursor.execute(statement)
