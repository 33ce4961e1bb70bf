"""Every environment variable of the service: its default, its meaning, and what counts as a good value.

`get("PORT")` gives the checked value. A bad one raises BadVariable with one sentence for the person who
started the program. An empty variable counts as not given. `python -m wargame.env` prints the table that
stands in README.md.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wargame.readings import address, folder, host, hosts, length, level, rate, seconds, switch, url, whole

PROJECT = Path(__file__).resolve().parent.parent
POSTGRES = "postgres://user:password@host:5432/name"
REDIS = "redis://host:6379/0"
MAIL = "smtp+tls://user:password@host:587"
database = url(("postgres", "postgresql", "sqlite"), POSTGRES)
redis = url(("redis", "rediss"), REDIS)
mailer = url(("smtp", "smtp+tls", "smtp+ssl", "filemail", "consolemail", "dummymail"), MAIL)


class BadVariable(ValueError):
    """What is wrong with the environment, as one sentence for a person."""


@dataclass(frozen=True)
class Variable:
    """One row of the table. `default` is what a person would write, "" for none; `shown` tells of it instead.

    The value of a `secret` one appears in no message.
    """

    name: str
    default: str
    read: Callable[[str], Any]
    meaning: str
    shown: str = ""
    secret: bool = False

    def row(self) -> str:
        """The line of the README's table."""
        default = self.shown or (f"`{self.default}`" if self.default else "none")
        return f"| `{self.name}` | {default} | {self.meaning} |"


_ROWS = (
    Variable("HOST", "127.0.0.1", host, "address that the site listens on; `0.0.0.0` for all"),
    Variable("PORT", "8000", whole(1, 65535), "port that the site listens on"),
    Variable(
        "WARGAME_DATA",
        str(PROJECT / "var"),
        folder,
        "folder of the database, the secret key, the job files and the logs",
        shown="`var` in the project",
    ),
    Variable("DEMO", "on", switch, "load the demo round at the start if there is no round"),
    Variable("DEMO_TURN_LENGTH", "", length, "length of its turns, like `10m` or `2d`", "the demo's own"),
    Variable("DATABASE_URL", "", database, f"PostgreSQL, `{POSTGRES}`", "SQLite in the data folder", secret=True),
    Variable("REDIS_URL", "", redis, f"Redis for jobs and cache, `{REDIS}`", "files and memory", secret=True),
    Variable(
        "SECRET_KEY",
        "",
        str,
        "long random text that signs log-ins and forms",
        "made once, kept in the data folder",
        secret=True,
    ),
    Variable("SECRET_KEY_FILE", "", folder, "a file that holds the secret key instead"),
    Variable("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]", hosts, "host names that the site answers to"),
    Variable(
        "PUBLIC_URL",
        "",
        address,
        "address of the site, for links; its host is allowed too",
        "`http://localhost:PORT`",
    ),
    Variable(
        "HTTPS",
        "off",
        switch,
        "the site stands behind one proxy that speaks HTTPS and sets X-Forwarded-Proto and X-Forwarded-For",
    ),
    Variable(
        "STATIC_ROOT",
        "",
        folder,
        "folder that `manage.py collectstatic` fills and the site serves, hashed and packed",
        "served from the source",
    ),
    Variable("WEB_WORKERS", "1", whole(1, 64), "processes that serve the site"),
    Variable("WEB_THREADS", "8", whole(1, 256), "threads in each of them"),
    Variable("JOB_THREADS", "2", whole(1, 64), "jobs that run at the same time"),
    Variable("SWEEP_SECONDS", "2", seconds, "pause between two looks for turns that are due, in seconds"),
    Variable("API_RATE", "600/minute", rate, "requests to the API that one user or address may make"),
    Variable("EMAIL_URL", "", mailer, f"mail server, `{MAIL}`", "no mail is sent", secret=True),
    Variable("EMAIL_FROM", "wargame@localhost", str, "sender of the mails"),
    Variable("LOG_LEVEL", "WARNING", level, "least level that is logged: DEBUG, INFO, WARNING, ERROR"),
    Variable("DEBUG", "off", switch, "Django's debug pages; for development only"),
)
TABLE = {variable.name: variable for variable in _ROWS}


def get(name: str) -> Any:
    """The checked value of the variable `name`, or its default; None if it has neither."""
    variable = TABLE[name]
    text = os.environ.get(name, "").strip() or variable.default
    if not text:
        return None
    try:
        return variable.read(text)
    except ValueError as error:
        shown = "has a value that can't be used" if variable.secret else f"is “{text[:80]}”"
        raise BadVariable(f"{name} {shown}: {error}.") from None


def get_all() -> dict[str, Any]:
    """All variables by name. Raises BadVariable for the first bad one."""
    return {name: get(name) for name in TABLE}


def markdown() -> str:
    """The table of all variables for README.md."""
    rows = [variable.row() for variable in TABLE.values()]
    return "\n".join(["| variable | default | meaning |", "| --- | --- | --- |", *rows])


if __name__ == "__main__":
    print(markdown())
