"""R5: durations in the form that people write and read."""

import re
from datetime import timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext

_UNITS = (("d", 86400), ("h", 3600), ("m", 60), ("s", 1))
_GERMAN = {"t": "d", "st": "h"}
_LENGTH = re.compile(
    r"\s*(\d{1,9})\s*(d(?:ays?)?|h(?:ours?)?|m(?:in(?:ute)?[sn]?)?|s(?:ec(?:ond)?s?)?"
    r"|tage?n?|stunden?|std|sek(?:unden?)?)\b[\s,]*",
    re.ASCII | re.IGNORECASE,
)


class LengthField(forms.Field):
    """A duration in words: `7 days`, `1 day 4 hours`, `90 min`, `0 hours`; also in German, as pages write it."""

    def __init__(self, **more: Any) -> None:
        super().__init__(widget=forms.TextInput(attrs={"autocomplete": "off", "maxlength": "60"}), **more)

    def to_python(self, value: object) -> timedelta | None:
        text = str(value or "").strip()
        if not text:
            return None
        seconds, place = 0, 0
        while place < len(text) and (match := _LENGTH.match(text, place)):
            seconds += int(match[1]) * dict(_UNITS)[_unit(match[2].lower())]
            place = match.end()
        if place < len(text) or seconds > 86400 * 3660:
            sentence = gettext("“%(text)s” is not a length of time. Write one like 7 days or 36 hours (R5).")
            raise forms.ValidationError(sentence % {"text": text[:40]})
        return timedelta(seconds=seconds)

    def prepare_value(self, value: object) -> object:
        return length_words(value) if isinstance(value, timedelta) else value


def length_words(length: timedelta) -> str:
    """`7 days`, `1 day 4 hours`; `0 hours` for none."""
    remaining, parts = int(length.total_seconds()), []
    for unit, seconds in _UNITS:
        number, remaining = divmod(remaining, seconds)
        parts += [_counted(unit, number)] if number else []
    return " ".join(parts) or _counted("h", 0)


def _counted(unit: str, number: int) -> str:
    texts = {
        "d": ngettext("%(number)s day", "%(number)s days", number),
        "h": ngettext("%(number)s hour", "%(number)s hours", number),
        "m": ngettext("%(number)s minute", "%(number)s minutes", number),
        "s": ngettext("%(number)s second", "%(number)s seconds", number),
    }
    return texts[unit] % {"number": number}


def _unit(text: str) -> str:
    return next((unit for sign, unit in _GERMAN.items() if text.startswith(sign)), text[0])
