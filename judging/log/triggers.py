"""1.3: triggers by which the database refuses to change or delete an entry of the log, whoever tries; and to change an
entry of the administrators' log (1.6).

The triggers are created after every migration, because a rebuilt table loses them. Entries are deleted with their
round, after its row: so Django does not delete them before it (`LogEntry.round`), but `go_with_the_round` after it.
"""

from typing import Any

from django.db import connections

TABLE = "judging_logentry"
OF_ADMINISTRATORS = "judging_adminentry"
NO_ROUND = "NOT EXISTS (SELECT 1 FROM wargame_round WHERE id = OLD.round_id)"

UNCHANGED = {
    "sqlite": (
        f"CREATE TRIGGER IF NOT EXISTS log_is_kept BEFORE UPDATE ON {TABLE} "
        "BEGIN SELECT RAISE(ABORT, 'an entry of the log is never changed'); END",
    ),
    "postgresql": (
        "CREATE OR REPLACE FUNCTION log_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'an entry of the log is never changed' USING ERRCODE = 'restrict_violation'; END $$",
        f"DROP TRIGGER IF EXISTS log_is_kept ON {TABLE}",
        f"CREATE TRIGGER log_is_kept BEFORE UPDATE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION log_is_kept()",
    ),
}
UNDELETED = {
    "sqlite": (
        f"CREATE TRIGGER IF NOT EXISTS log_is_whole BEFORE DELETE ON {TABLE} WHEN NOT ({NO_ROUND}) "
        "BEGIN SELECT RAISE(ABORT, 'an entry of the log is never deleted'); END",
    ),
    "postgresql": (
        "CREATE OR REPLACE FUNCTION log_is_whole() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"BEGIN IF {NO_ROUND} THEN RETURN OLD; END IF; "
        "RAISE EXCEPTION 'an entry of the log is never deleted' USING ERRCODE = 'restrict_violation'; END $$",
        f"DROP TRIGGER IF EXISTS log_is_whole ON {TABLE}",
        f"CREATE TRIGGER log_is_whole BEFORE DELETE ON {TABLE} FOR EACH ROW EXECUTE FUNCTION log_is_whole()",
    ),
}
KEPT = [UNCHANGED, UNDELETED]
"""The refusals, in each database's SQL."""

UNCHANGED_OF_ADMINISTRATORS = {
    vendor: tuple(
        statement.replace(TABLE, OF_ADMINISTRATORS).replace("log_is_kept", "admin_log_is_kept")
        for statement in statements
    )
    for vendor, statements in UNCHANGED.items()
}


def keep_the_log(using: str, **kwargs: object) -> None:
    """After `migrate`: create the triggers of the existing tables."""
    connection = connections[using]
    tables = connection.introspection.table_names()
    if TABLE not in tables:
        return
    with connection.cursor() as cursor:
        for refused in [*KEPT, UNCHANGED_OF_ADMINISTRATORS] if OF_ADMINISTRATORS in tables else KEPT:
            for statement in refused.get(connection.vendor, ()):
                cursor.execute(statement)


def let_rounds_be_remade(using: str, **kwargs: object) -> None:
    """Before `migrate`: on SQLite a new field rebuilds its table, which a trigger that names the table of the rounds
    would prevent. `keep_the_log` creates it again."""
    connection = connections[using]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("DROP TRIGGER IF EXISTS log_is_whole")


def go_with_the_round(instance: Any, using: str, **kwargs: Any) -> None:
    """After a round was deleted, in its transaction: delete the entries of its log."""
    with connections[using].cursor() as cursor:
        cursor.execute(f"DELETE FROM {TABLE} WHERE round_id = %s", [instance.pk])
