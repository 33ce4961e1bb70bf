"""The preparations before the service starts: reach the servers, update the database, load the demo round."""

import io
import os
import sys

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command, get_commands
from django.db import OperationalError, connection

from wargame.running.env import BadVariable
from wargame.upkeep.upgrade import bring_up_to_date


def prepare() -> str:
    """Prepare everything; returns the demo's log-ins, "" if there are none. Reports its progress on stderr.

    Raises BadVariable with a sentence if the service can't be started. Leaves no connection open.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wargame.settings")
    try:
        django.setup()
        _reach_redis()
        bring_up_to_date(_say)
        call_command("import_creatures", "--if-empty", verbosity=0)
        logins = _load_demo()
    except (ImproperlyConfigured, CommandError) as error:
        raise BadVariable(str(error)) from None
    except OperationalError as error:
        why = _first_line(error)
        raise BadVariable(f"The database can't be used ({why}). Check DATABASE_URL and WARGAME_DATA.") from None
    connection.close()
    return logins


def _reach_redis() -> None:
    """Check whether Redis responds, if one is configured; without one its client is not even imported."""
    url = settings.REDIS_URL
    if not url:
        return
    from redis import Redis, RedisError

    try:
        with Redis.from_url(url, socket_connect_timeout=5) as redis:
            redis.ping()
    except RedisError as error:
        raise BadVariable(f"Redis does not answer ({_first_line(error)}). Check REDIS_URL.") from None


def _load_demo() -> str:
    """Load the demo round if there is no round; its log-ins."""
    if not settings.DEMO or "demo" not in get_commands():
        return ""
    length = settings.DEMO_TURN_LENGTH
    call_command("demo", "--if-empty", *(["--turn-length", length] if length else []), stdout=sys.stderr)
    logins = io.StringIO()
    call_command("demo", "--logins", stdout=logins, stderr=io.StringIO())
    return logins.getvalue()


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _first_line(error: Exception) -> str:
    return str(error).strip().split("\n")[0]
