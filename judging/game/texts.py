"""What people wrote, before it is stored: nothing is changed but the line ends, and nothing is cut."""

from __future__ import annotations

import re
from datetime import datetime

from judging.game.errors import Refused

MAX_TOKEN = 40

NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that people can write and XML can't hold."""


def checked_text(text: str, *, what: str, most: int, cites: str, field: str = "") -> str:
    """The text with `\\n` as line end. Refused if it is empty, too long, or no text that can be stored; `field` is
    where it was typed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise Refused(f"The {what} is empty. Write at least one line.", cites, field)
    if len(text) > most:
        raise Refused(
            f"The {what} has {len(text):,} characters; it may have at most {most:,}. "
            f"Shorten it by {len(text) - most:,}.",
            cites,
            field,
        )
    check_storable(text, what=what, cites=cites, field=field)
    return text


def check_storable(text: str, *, what: str, cites: str, field: str = "") -> None:
    """Refused if the text has a character that no database keeps: NUL, or half of a surrogate pair."""
    bad = next((c for c in text if c == "\0" or "\ud800" <= c <= "\udfff"), None)
    if bad is not None:
        line = text[: text.index(bad)].count("\n") + 1
        raise Refused(f"The {what} has a character in line {line} that is no text. Take it out.", cites, field)


def checked_token(token: str) -> str:
    """The name of the form that sent something. Refused if it is none that a form gives."""
    if not (0 < len(token) <= MAX_TOKEN and token.isascii() and token.isprintable()):
        raise Refused("This form is damaged. Copy what you wrote, load the page anew and send it again.")
    return token


def utc(when: datetime) -> str:
    """R4: a moment in words; the seconds only where there are any."""
    return f"{when:%d %B %Y, %H:%M:%S} UTC" if when.second else f"{when:%d %B %Y, %H:%M} UTC"
