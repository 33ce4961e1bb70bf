"""Checks of what people wrote, before it is stored: only line ends are changed, and nothing is cut."""

import re
from datetime import UTC, datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.utils import dateformat
from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy

from judging.common.errors import Refused
from wargame.rules.core import typography
from wargame.rules.core.saying import grouped

MAX_TOKEN = 40

WRITTEN: dict[str, str | Promise] = {
    # Translators: what is written, at the head of a sentence like “Post: empty.”
    "answer": pgettext_lazy("what is written", "answer"),
    "claim": pgettext_lazy("what is written", "claim"),
    "criterion": pgettext_lazy("what is written", "criterion"),
    "deck": pgettext_lazy("what is written", "deck"),
    "form": pgettext_lazy("what is written", "form"),
    "list": pgettext_lazy("what is written", "list"),
    "log-in": pgettext_lazy("what is written", "log-in"),
    "manifest": pgettext_lazy("what is written", "manifest"),
    "message": pgettext_lazy("what is written", "message"),
    "name": pgettext_lazy("what is written", "name"),
    "name of the legend": pgettext_lazy("what is written", "name of the legend"),
    "narrative": pgettext_lazy("what is written", "story"),
    "note": pgettext_lazy("what is written", "note"),
    "option": pgettext_lazy("what is written", "option"),
    "order": pgettext_lazy("what is written", "order"),
    "post": pgettext_lazy("what is written", "post"),
    "question": pgettext_lazy("what is written", "question"),
    "reason": pgettext_lazy("what is written", "reason"),
    "reason for the judges": pgettext_lazy("what is written", "reason for the judges"),
    "remark": pgettext_lazy("what is written", "remark"),
    "request": pgettext_lazy("what is written", "request"),
    "ruling": pgettext_lazy("what is written", "ruling"),
    "sentence": pgettext_lazy("what is written", "comment"),
    "strat": pgettext_lazy("what is written", "strat"),
    "text": pgettext_lazy("what is written", "text"),
    "title": pgettext_lazy("what is written", "title"),
    "word": pgettext_lazy("what is written", "word"),
    "wording": pgettext_lazy("what is written", "wording"),
}
"""The kinds of text that callers of this module name; any other is shown unchanged."""

NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that people can type but XML can't contain."""


HOSTED_SINCE = datetime(2026, 11, 28, tzinfo=UTC)
"""Since then ids in feeds and calendars contain the site's host, so that two sites never share one. Older entries
keep their ids: a reader would show them a second time."""


def feed_id(key: str, at: datetime | None = None) -> str:
    """The permanent id of a feed, or of its entry at that moment (RFC 4151)."""
    return f"urn:wargame:{key}" if at and at < HOSTED_SINCE else f"tag:{_host()},2026:{key}"


def event_id(key: str, where: str, at: datetime) -> str:
    """The permanent id of an event in calendars (RFC 5545); `at` is a moment of it that never moves."""
    return f"{key}@{where}.wargame" if at < HOSTED_SINCE else f"{key}.{where}@{_host()}"


def _host() -> str:
    return urlsplit(settings.PUBLIC_URL).hostname or "localhost"


def checked_text(text: str, *, what: str, most: int, cites: str, field: str = "") -> str:
    """The text with `\\n` as line end. Refused if it is empty, too long, or can't be stored as text; `field` is its
    form field."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        empty = gettext("The %(what)s is empty. Write at least one line.") % {"what": what_word(what)}
        raise Refused(empty, cites, field)
    if len(text) > most:
        sentence = gettext("The %(what)s has %(number)s characters; the limit is %(most)s. Shorten it by %(over)s.")
        counts = {"number": grouped(len(text)), "most": grouped(most), "over": grouped(len(text) - most)}
        raise Refused(sentence % {"what": what_word(what), **counts}, cites, field)
    check_storable(text, what=what, cites=cites, field=field)
    return text


def whole_number(text: str, field: str, least: int, most: int, cites: str) -> int:
    """The typed text as a whole number within bounds, `1,200` too. Refused for anything else."""
    number = typography.whole_number(text)
    if number is not None and least <= number <= most:
        return number
    bounds = {"least": least, "most": grouped(most)}
    if value := text.strip()[:20]:
        message = gettext("“%(typed)s” is not a whole number from %(least)s to %(most)s.")
        raise Refused(message % {"typed": value, **bounds}, cites, field)
    raise Refused(gettext("Write a whole number from %(least)s to %(most)s.") % bounds, cites, field)


def check_storable(text: str, *, what: str, cites: str, field: str = "") -> None:
    """Refused if the text has a character that no database can store: NUL, or a lone surrogate."""
    bad = next((c for c in text if c == "\0" or "\ud800" <= c <= "\udfff"), None)
    if bad is not None:
        line = text[: text.index(bad)].count("\n") + 1
        sentence = gettext("The %(what)s has a character in line %(line)s that isn't text. Remove it.")
        raise Refused(sentence % {"what": what_word(what), "line": line}, cites, field)


def checked_token(token: str) -> str:
    """The token of the form that was sent. Refused if no form has such a token."""
    if not (0 < len(token) <= MAX_TOKEN and token.isascii() and token.isprintable()):
        raise Refused(
            gettext("Something went wrong with this form. Copy your text, reload the page and send it again.")
        )
    return token


def what_word(what: str) -> str:
    return str(WRITTEN.get(what, what))


def day_of(when: datetime) -> str:
    """A day in words: `05 March 2026`."""
    return dateformat.format(when, gettext("d F Y"))


def utc(when: datetime) -> str:
    """R4: a moment as text, as pages write it: `Thu 5 Mar 2026, 06:00 UTC`; seconds only if they are not zero."""
    day = dateformat.format(when, gettext("D j M Y"))
    return f"{day}, {when:%H:%M:%S} UTC" if when.second else f"{day}, {when:%H:%M} UTC"
