"""What is done before the service starts: reach the servers, update the database, load the demo round.

Apart from `launcher`, because it imports the service, and that looks at the environment before.
"""

import io
import os
import sys

import django
from django.apps import apps
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command, get_commands
from django.db import OperationalError, connection
from django.db.backends.utils import CursorWrapper
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.urls import get_resolver

from wargame.running.env import BadVariable
from wargame.upkeep.upgrade import bring_up_to_date


def prepare() -> str:
    """Make everything ready; the demo's log-ins, "" if there are none. Tells of its progress on stderr.

    Raises BadVariable with a sentence if the service can't be started. Leaves no connection open.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wargame.settings")
    try:
        django.setup()
        _reach_redis()
        bring_up_to_date(_say)
        _check_tables()
        call_command("import_creatures", "--if-empty", verbosity=0)
        logins = _load_demo()
    except (ImproperlyConfigured, CommandError) as error:
        raise BadVariable(str(error)) from None
    except InconsistentMigrationHistory:
        raise BadVariable(_of_another_version()) from None
    except OperationalError as error:
        why = _first_line(error)
        raise BadVariable(f"The database can't be used ({why}): look at DATABASE_URL and WARGAME_DATA.") from None
    connection.close()
    return logins


def load_pages() -> None:
    """Import all views, so that the processes forked from this one need not."""
    _ = get_resolver().url_patterns


def _reach_redis() -> None:
    """See whether Redis answers, if one is named; without one its client is not even imported."""
    url = settings.VARIABLES["REDIS_URL"]
    if not url:
        return
    from redis import Redis, RedisError

    try:
        with Redis.from_url(url, socket_connect_timeout=5) as redis:
            redis.ping()
    except RedisError as error:
        raise BadVariable(f"Redis does not answer ({_first_line(error)}): look at REDIS_URL.") from None


def _check_tables() -> None:
    """See whether our tables have the columns that this version asks for. Raises BadVariable if they have others."""
    ours = [model for app in ("wargame", "judging") for model in apps.get_app_config(app).get_models()]
    with connection.cursor() as cursor:
        there = connection.introspection.table_names(cursor)
        for table, wanted in ((m._meta.db_table, {f.column for f in m._meta.concrete_fields}) for m in ours):
            if table not in there or _columns(cursor, table) != wanted:
                raise BadVariable(_of_another_version())


def _columns(cursor: CursorWrapper, table: str) -> set[str]:
    """Django's own introspection of SQLite stumbles over some constraints; a query knows as well."""
    cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} WHERE 1 = 0")
    return {column[0] for column in cursor.description or ()}


def _of_another_version() -> str:
    if settings.VARIABLES["DATABASE_URL"]:
        return "The database that DATABASE_URL names was made by a version before 0.1.0: name another one."
    folder = settings.DATA_FOLDER
    return f"The data folder {folder} is from a version before 0.1.0: choose another one by WARGAME_DATA, or remove it."


def _load_demo() -> str:
    """Load the demo round if there is no round; its log-ins."""
    if not settings.VARIABLES["DEMO"] or "demo" not in get_commands():
        return ""
    length = settings.VARIABLES["DEMO_TURN_LENGTH"]
    call_command("demo", "--if-empty", *(["--turn-length", length] if length else []), stdout=sys.stderr)
    logins = io.StringIO()
    call_command("demo", "--logins", stdout=logins, stderr=io.StringIO())
    return logins.getvalue()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0]
