"""The format of log lines: without mail addresses and the secrets of letters, wherever they come from."""

import json
import logging
import re
import time
from contextvars import ContextVar

from wargame.version import full_version

subject: ContextVar[dict[str, str]] = ContextVar("subject", default={})  # noqa: B039 - nobody changes it in place
"""The number of the request or job that a line is about."""

ADDRESS = re.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
SECRET = re.compile(r"(/(?:accounts/(?:mail|reset)|feeds|tables/deadlines|unsubscribe)/)[^\s\"']+", re.IGNORECASE)
"""Links in emails, private feeds and calendars: anybody who knows the rest can use them (1.6)."""


def discreet(text: str) -> str:
    """1.6: a mail server's error for a refused address contains it; only its owner may see it."""
    return SECRET.sub(r"\1(secret)", ADDRESS.sub("(a mail address)", text))


class Discreet(logging.Formatter):
    """A line for people: time, level, logger, the request's or job's number, message."""

    converter = staticmethod(time.gmtime)

    def __init__(self) -> None:
        super().__init__("%(asctime)sZ %(levelname)s %(name)s%(about)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        record.about = "".join(f" {name}={value}" for name, value in sorted(subject.get().items()))
        return discreet(super().format(record))


class DiscreetJson(logging.Formatter):
    """The same as one JSON object a line: `at`, `level`, `logger`, `said`, `version`, `error` with its traceback,
    and the request or job that it is about."""

    converter = staticmethod(time.gmtime)

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%S')}.{record.msecs:03.0f}Z",
            "level": record.levelname,
            "logger": record.name,
            "said": discreet(record.getMessage()),
            "version": full_version(),
            **subject.get(),
        }
        if record.exc_info:
            line["error"] = discreet(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)
